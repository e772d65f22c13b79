// Elements of a page in one line each: html("p", { class: "hint" }, "Drag a word.").

const maker = (create) => (tag, attributes = {}, ...children) => {
  const element = create(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
};

export const html = maker((tag) => document.createElement(tag));
export const svg = maker((tag) => document.createElementNS("http://www.w3.org/2000/svg", tag));

// Words with their variables set as such: "divide by √d_k" has an italic d and a k below the line.
export function words(sentence) {
  const parts = sentence.split(/\b([A-Za-z]_(?:model|[A-Za-z])\b)/);
  return parts.map((part, i) => {
    if (i % 2 === 0) return part;
    const [letter, below] = part.split("_");
    return html("i", {}, letter, html("sub", {}, below));
  });
}

// A number for the eye, rounded and with a true minus sign; no "−0.00".
export function rounded(value, digits) {
  const text = value.toFixed(digits);
  return /[1-9]/.test(text) ? text.replace("-", "−") : text.replace("-", "");
}

// Show a number in an element, and keep all its digits there for whoever checks it.
export function show(element, value, text) {
  element.textContent = text;
  element.dataset.value = value;
}
