// A grid of switches to paint: one stop of the tab key, arrow keys within it.

import { html } from "./elements.js";

const KEYS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

// `rows` and `columns` are headings; `describe(row, column)` names a switch.
export function grid({ name, caption, rows, columns, value, describe }) {
  const cells = rows.map((row, i) => columns.map((column, j) =>
    html("button", { type: "button", "data-name": `${name}-${i}-${j}`, "aria-label": describe(row, column), tabindex: i + j ? -1 : 0 })));
  const set = (matrix) => cells.forEach((line, i) => line.forEach((cell, j) => press(cell, matrix[i][j])));
  const head = html("tr", {}, html("td"), ...columns.map((label) => html("th", { scope: "col" }, label)));
  const lines = rows.map((label, i) =>
    html("tr", {}, html("th", { scope: "row" }, label), ...cells[i].map((cell) => html("td", {}, cell))));
  const element = html("table", { class: "numbers grid" },
    html("caption", {}, caption), html("thead", {}, head), html("tbody", {}, ...lines));
  set(value);
  paint(cells.flat());
  walk(cells);
  return {
    element, start: value,
    get value() { return cells.map((line) => line.map(isPressed)); },
    set value(matrix) { set(matrix); },
  };
}

const isPressed = (cell) => cell.getAttribute("aria-pressed") === "true";
const press = (cell, yes) => cell.setAttribute("aria-pressed", yes);

function flip(cell, yes) {
  press(cell, yes);
  cell.dispatchEvent(new Event("input", { bubbles: true }));
}

// A click turns a cell over. A mouse whose button is held paints what it passes, all in one colour.
function paint(cells) {
  let stroke = null;
  const pass = (cell, event) => {
    if (!stroke || event.buttons !== 1) return;
    stroke.drawn = true;
    flip(cell, stroke.colour);
  };
  for (const cell of cells) {
    cell.addEventListener("pointerdown", ({ pointerType }) => {
      stroke = pointerType === "mouse" ? { colour: !isPressed(cell), drawn: false } : null;
    });
    cell.addEventListener("pointerleave", (event) => pass(cell, event));
    cell.addEventListener("pointerenter", (event) => pass(cell, event));
    cell.addEventListener("click", () => { if (!stroke?.drawn) flip(cell, !isPressed(cell)); });
  }
  addEventListener("pointerup", () => setTimeout(() => { stroke = null; })); // after the click
}

// The arrow keys go from cell to cell; the last one visited is where the tab key comes in again.
function walk(cells) {
  cells.forEach((line, i) => line.forEach((cell, j) => {
    cell.addEventListener("keydown", (event) => {
      const next = KEYS[event.key] && cells[i + KEYS[event.key][0]]?.[j + KEYS[event.key][1]];
      if (KEYS[event.key]) event.preventDefault();
      next?.focus();
    });
    cell.addEventListener("focus", () => {
      for (const other of cells.flat()) other.tabIndex = other === cell ? 0 : -1;
    });
  }));
}
