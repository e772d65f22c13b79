// Single numbers with their names: `items` maps a key to { label, write, series }, where
// `write(value)` writes the number for the eye and `series` is the line, if any, that shows it.

import { sample } from "./drawing.js";
import { html, show } from "./elements.js";

export function list(items) {
  const cells = {};
  const element = html("dl", { class: "numbers" });
  for (const [key, { label, series }] of Object.entries(items)) {
    cells[key] = html("dd", { "data-name": key });
    element.append(html("div", {}, html("dt", {}, ...(series === undefined ? [] : [sample(series)]), label), cells[key]));
  }
  const set = (values) => {
    for (const [key, cell] of Object.entries(cells)) show(cell, values[key], items[key].write(values[key]));
  };
  return { element, set };
}
