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

const RAISED = { "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };

// A number too small for three decimals: 6.6 · 10⁻⁴.
export function tiny(value) {
  const [digits, exponent] = value.toExponential(1).split("e");
  return `${digits} · 10${[...exponent].map((sign) => RAISED[sign]).join("")}`;
}

// Show a number in an element, and keep all its digits there for whoever checks it.
export function show(element, value, text) {
  element.textContent = text;
  element.dataset.value = value;
}
