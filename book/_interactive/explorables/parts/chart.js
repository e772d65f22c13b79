// A chart with two axes. `x` and `y` are { low, high, ticks, label, log }; ticks are values, or
// [value, text] where the number is written differently.

import { path, text } from "./drawing.js";
import { svg } from "./elements.js";

const LEFT = 46;
const BOTTOM = 40;
const TOP = 22;
const RIGHT = 12;

export function chart({ width, height, x, y }) {
  const X = scale(x, LEFT, width - RIGHT);
  const Y = scale(y, height - BOTTOM, TOP);
  const inside = { left: LEFT, right: width - RIGHT, top: TOP, bottom: height - BOTTOM };
  return {
    X, Y, inside,
    axes: [...across(x, X, inside), ...upwards(y, Y, inside)],
    line: (points, series) => path(points.map(([a, b]) => [X(a), Y(b)]), { class: `series-${series} line` }),
    mark: (a, b, series) => svg("circle", { cx: X(a), cy: Y(b), r: 5, class: `series-${series} mark` }),
    upright: (a, kind = "cursor") =>
      svg("line", { x1: X(a), x2: X(a), y1: inside.top, y2: inside.bottom, class: kind }),
  };
}

function scale({ low, high, log = false }, from, to) {
  const f = log ? Math.log : (value) => value;
  return (value) => from + ((f(value) - f(low)) / (f(high) - f(low))) * (to - from);
}

const pairs = (ticks) => ticks.map((tick) => (Array.isArray(tick) ? tick : [tick, String(tick).replace("-", "−")]));

function across({ ticks, label }, X, { left, right, bottom }) {
  return [
    svg("line", { x1: left, x2: right, y1: bottom, y2: bottom, class: "axis" }),
    ...pairs(ticks).map(([value, words]) =>
      text(X(value), bottom + 16, words, { class: "tick", "text-anchor": "middle" })),
    text((left + right) / 2, bottom + 34, label, { class: "tick", "text-anchor": "middle" }),
  ];
}

function upwards({ ticks, label }, Y, { left, right }) {
  return [
    ...pairs(ticks).flatMap(([value, words]) => [
      svg("line", { x1: left, x2: right, y1: Y(value), y2: Y(value), class: "grid" }),
      text(left - 6, Y(value) + 4, words, { class: "tick", "text-anchor": "end" }),
    ]),
    text(4, 12, label, { class: "tick" }),
  ];
}
