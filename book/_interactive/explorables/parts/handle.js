// A point of the plane to drag with mouse or finger, or to move with the arrow keys.

import { html, rounded } from "./elements.js";

const STEP = 0.05;
const KEYS = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowDown: [0, -STEP], ArrowUp: [0, STEP] };

// It lies in a square that shows the numbers from `low` to `high` both ways.
export function handle({ name, label, value, low, high, series }) {
  const element = html("div", {
    class: `handle series-${series}`, role: "slider", tabindex: 0, "data-handle": name,
    "aria-label": label, "aria-valuemin": low, "aria-valuemax": high,
  });
  let point;
  const place = (numbers) => {
    point = numbers.map((x) => Math.round(100 * Math.max(low, Math.min(high, x))) / 100);
    const [left, bottom] = point.map((x) => `${(100 * (x - low)) / (high - low)}%`);
    Object.assign(element.style, { left, bottom });
    element.setAttribute("aria-valuenow", point[0]);
    element.setAttribute("aria-valuetext", point.map((x) => rounded(x, 2)).join(", "));
    element.dataset.value = JSON.stringify(point);
  };
  place(value);
  listen(element, () => point, (moved) => {
    place(moved);
    element.dispatchEvent(new Event("input", { bubbles: true }));
  }, [low, high]);
  return { element, start: value, get value() { return point; }, set value(numbers) { place(numbers); } };
}

function listen(element, where, move, [low, high]) {
  element.addEventListener("keydown", (event) => {
    const step = KEYS[event.key];
    if (!step) return;
    event.preventDefault();
    move(where().map((x, i) => x + step[i]));
  });
  element.addEventListener("pointerdown", (event) => {
    element.setPointerCapture(event.pointerId);
    element.focus();
    event.preventDefault();
  });
  element.addEventListener("pointermove", (event) => {
    if (!element.hasPointerCapture(event.pointerId)) return;
    const square = element.parentElement.getBoundingClientRect();
    const x = (event.clientX - square.left) / square.width;
    const y = (square.bottom - event.clientY) / square.height;
    move([x, y].map((share) => low + share * (high - low)));
  });
}
