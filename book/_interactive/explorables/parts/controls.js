// What a reader sets. Each control has an `element` and a `value`; changing it by hand fires
// "input", which rises to the explorable and draws it anew.

import { html, words } from "./elements.js";

let made = 0;
const newId = () => `explorable-${made++}`;

// A number between two others. `show` writes it for the eye.
export function slider({ name, label, min, max, step = 1, value, show = String }) {
  const id = newId();
  const input = html("input", { type: "range", id, name, min, max, step, value });
  // Its own text is what a screen reader says of the slider; saying it twice would be once too many.
  const output = html("output", { for: id, "aria-live": "off" });
  const refresh = () => {
    output.textContent = show(input.valueAsNumber);
    input.setAttribute("aria-valuetext", output.textContent);
  };
  input.addEventListener("input", refresh);
  refresh();
  return {
    element: html("div", { class: "slider" }, html("label", { for: id }, ...words(label)), output, input),
    start: value,
    get value() { return input.valueAsNumber; },
    set value(number) { input.value = number; refresh(); },
    limit(largest) { input.max = largest; refresh(); },
  };
}

// Yes or no.
export function toggle({ name, label, value }) {
  const input = html("input", { type: "checkbox", name });
  input.checked = value;
  return {
    element: html("label", { class: "toggle" }, input, html("span", {}, ...words(label))),
    start: value,
    get value() { return input.checked; },
    set value(yes) { input.checked = yes; },
  };
}

// One of several: `options` maps values to labels.
export function choice({ name, legend, options, value }) {
  const inputs = Object.keys(options).map((key) => html("input", { type: "radio", name, value: key }));
  const labels = inputs.map((input) => html("label", { class: "toggle" }, input, options[input.value]));
  const set = (key) => inputs.forEach((input) => { input.checked = input.value === key; });
  set(value);
  return {
    element: html("fieldset", { class: "choice" }, html("legend", {}, legend), ...labels),
    start: value,
    get value() { return inputs.find((input) => input.checked).value; },
    set value(key) { set(key); },
  };
}

// Does something at once.
export function button({ name, label, press }) {
  const element = html("button", { type: "button", name }, label);
  element.addEventListener("click", () => {
    press();
    element.dispatchEvent(new Event("input", { bubbles: true }));
  });
  return { element };
}
