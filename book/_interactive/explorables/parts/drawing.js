// A drawing that is as wide as its column: drawn anew whenever that or what it shows changes.

import { html, svg } from "./elements.js";

// `set(draw, title)`: `draw(width)` returns the parts of the drawing, `title` says it in words.
export function drawing(height) {
  const title = svg("title");
  const sheet = svg("svg", { role: "img" }, title);
  const element = html("div", { class: "drawing" }, sheet);
  let draw = () => [];
  const redraw = () => {
    const width = element.clientWidth;
    if (width === 0) return; // not on the page yet, or folded away
    const tall = height ?? width;
    sheet.setAttribute("viewBox", `0 0 ${width} ${tall}`);
    sheet.replaceChildren(title, ...draw(width));
  };
  new ResizeObserver(redraw).observe(element);
  return {
    element,
    set(newDraw, words) {
      draw = newDraw;
      title.textContent = words;
      redraw();
    },
  };
}

// A short piece of a line as it is drawn, to stand beside its name.
export const sample = (series) =>
  svg("svg", { class: "sample", viewBox: "0 0 28 8", "aria-hidden": true }, path([[0, 4], [28, 4]], { class: `series-${series} line` }));

export const text = (x, y, words, attributes = {}) => svg("text", { x, y, ...attributes }, words);

export const path = (points, attributes) =>
  svg("path", { d: `M${points.map(([x, y]) => `${x.toFixed(2)},${y.toFixed(2)}`).join("L")}`, ...attributes });
