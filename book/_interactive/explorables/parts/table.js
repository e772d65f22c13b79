// A table of numbers with a heading for each row and column.

import { sample } from "./drawing.js";
import { html, rounded, show } from "./elements.js";

// `rows` are headings, or [heading, series] where a line of a drawing belongs to the row.
// `columns` are { label, digits, tint }: a tinted cell is the darker, the nearer its number is to 1.
// `set(matrix)` fills the table; the cell in row i, column j is called `name`-i-j.
export function table({ name, caption, rows, columns }) {
  const head = html("tr", {}, html("td"), ...columns.map(({ label }) => html("th", { scope: "col" }, label)));
  const lines = rows.map((label, i) => line(name, i, label, columns));
  const body = html("tbody", {}, ...lines.map(({ element }) => element));
  const element = html("table", { class: "numbers" }, html("caption", {}, caption), html("thead", {}, head), body);
  return { element, set: (matrix) => lines.forEach((row, i) => row.set(matrix[i])) };
}

function line(name, i, label, columns) {
  const [name_of_row, series] = [label].flat();
  const heading = html("th", { scope: "row" }, ...(series === undefined ? [] : [sample(series)]), name_of_row);
  const cells = columns.map((_, j) => html("td", { "data-name": `${name}-${i}-${j}` }));
  const set = (values) => cells.forEach((cell, j) => fill(cell, values[j], columns[j]));
  return { element: html("tr", {}, heading, ...cells), set };
}

function fill(cell, value, { digits = 3, tint = false }) {
  show(cell, value, rounded(value, digits));
  if (tint) cell.style.setProperty("--share", value);
  cell.classList.toggle("tint", tint);
}

// A table of weights: queries down, keys across, all tinted.
export const weightTable = ({ name, caption, queries, keys }) =>
  table({ name, caption, rows: queries, columns: keys.map((label) => ({ label, digits: 2, tint: true })) });
