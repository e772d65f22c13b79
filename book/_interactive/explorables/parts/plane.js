// The plane from `low` to `high` both ways, in a square of `size` pixels.

import { path, text } from "./drawing.js";
import { rounded, svg } from "./elements.js";

export function plane({ low, high, size, step, labels }) {
  const X = (x) => ((x - low) / (high - low)) * size;
  const Y = (y) => size - X(y);
  return { X, Y, size, axes: axes(X, Y, { low, high, size, step, labels }) };
}

function axes(X, Y, { low, high, size, step, labels }) {
  const ticks = [];
  for (let t = Math.ceil(low / step) * step; t <= high; t += step) {
    const fits = X(t) > 14 && X(t) < size - 14;
    if (fits && Math.abs(t) > 1e-9) ticks.push(t);
  }
  return [
    svg("line", { class: "axis", x1: 0, x2: size, y1: Y(0), y2: Y(0) }),
    svg("line", { class: "axis", x1: X(0), x2: X(0), y1: 0, y2: size }),
    ...ticks.map((t) => text(X(t), Y(0) + 15, rounded(t, 1), { class: "tick", "text-anchor": "middle" })),
    ...ticks.map((t) => text(X(0) - 6, Y(t) + 4, rounded(t, 1), { class: "tick", "text-anchor": "end" })),
    text(size - 4, Y(0) + 31, labels[0], { class: "tick", "text-anchor": "end" }),
    text(X(0) + 8, 13, labels[1], { class: "tick" }),
  ];
}

// An arrow from the origin to a point, with its name beyond the tip. `series` is 0 to 3.
export function arrow({ X, Y, size }, [x, y], name, series) {
  const [tipX, tipY] = [X(x), Y(y)];
  const [dx, dy] = [tipX - X(0), tipY - Y(0)];
  const length = Math.hypot(dx, dy) || 1;
  const [ux, uy] = [dx / length, dy / length];
  const head = [[-9, -4], [0, 0], [-9, 4]].map(([along, across]) =>
    [tipX + along * ux - across * uy, tipY + along * uy + across * ux]);
  const half = halfWidth(name);
  const middle = Math.max(half, Math.min(size - half, tipX + (12 + half) * ux));
  return [
    path([[X(0), Y(0)], [tipX, tipY]], { class: `series-${series} arrow` }),
    path(head, { class: `series-${series} head` }),
    text(middle, tipY + 16 * uy + 5, name, { class: `name series-${series}`, "text-anchor": "middle" }),
  ];
}

// About half the width of a name, in pixels: Hangul is nearly twice as wide as Latin.
const halfWidth = (name) => [...name].reduce((sum, sign) => sum + (sign > "가" ? 7 : 4), 0);
