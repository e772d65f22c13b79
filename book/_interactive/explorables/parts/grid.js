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
  paint(element, cells.flat());
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

// A click turns a cell over. A mouse whose button is held paints what it passes in the same way.
function paint(element, cells) {
  let colour = null;
  for (const cell of cells) {
    cell.addEventListener("click", () => flip(cell, !isPressed(cell)));
    cell.addEventListener("pointerdown", (event) => { if (event.pointerType === "mouse") colour = !isPressed(cell); });
    cell.addEventListener("pointerleave", (event) => {
      if (event.buttons === 1 && colour !== null && isPressed(cell) !== colour) flip(cell, colour);
    });
    cell.addEventListener("pointerenter", (event) => {
      if (event.buttons === 1 && colour !== null) flip(cell, colour);
    });
  }
  addEventListener("pointerup", () => { colour = null; });
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
