// Chapter 1: the words' vectors, to be dragged; dot products, cosines and angles follow.

import { angle, cosine, dot } from "./formulas/vectors.js";
import { NAMES, VECTORS } from "./formulas/words.js";
import { drawing } from "./parts/drawing.js";
import { html, rounded } from "./parts/elements.js";
import { mount } from "./parts/explorable.js";
import { handle } from "./parts/handle.js";
import { arrow, plane } from "./parts/plane.js";
import { table } from "./parts/table.js";

export const TEXTS = {
  en: {
    title: "Move the words.",
    hint: "Drag the tip of an arrow, or reach it with the tab key and move it with the arrow keys.",
    axes: ["first number", "second number"],
    caption: "Each pair of words",
    dot: "dot product",
    cosine: "cosine",
    angle: "angle (°)",
    tip: (word) => `Tip of the arrow of “${word}”: first number, second number`,
    drawing: (arrows) => `Arrows from the origin: ${arrows}.`,
    outcome: (near, cos, large, product) =>
      `Closest to “it” by cosine: ${near} (${cos}). By dot product: ${large} (${product}).`,
  },
  ko: {
    title: "단어를 옮겨 보자.",
    hint: "화살표의 끝을 끌거나, 탭 키로 고른 뒤 방향키로 옮긴다.",
    axes: ["첫째 숫자", "둘째 숫자"],
    caption: "두 단어씩 견주기",
    dot: "내적",
    cosine: "코사인",
    angle: "각도(°)",
    tip: (word) => `‘${word}’ 화살표의 끝: 첫째 숫자, 둘째 숫자`,
    drawing: (arrows) => `원점에서 나온 화살표: ${arrows}.`,
    outcome: (near, cos, large, product) =>
      `‘그것’과 가장 가까운 단어 — 코사인: ${near}(${cos}), 내적: ${large}(${product}).`,
  },
};

const RANGE = { low: -0.5, high: 1.2 };
const WORDS = Object.keys(VECTORS);
const PAIRS = WORDS.flatMap((a, i) => WORDS.slice(i + 1).map((b) => [a, b]));

// How alike two vectors are, in three ways.
export const likeness = (a, b) => [dot(a, b), cosine(a, b), angle(a, b)];

// The words that are closest to "it", by cosine and by dot product, each with its measure.
function closest(vectors) {
  const others = WORDS.filter((word) => word !== "it");
  return [cosine, dot].map((measure) => {
    const values = others.map((word) => measure(vectors.it, vectors[word]));
    const largest = Math.max(...values);
    return [others[values.indexOf(largest)], largest];
  });
}

function arrows(say, names, vectors) {
  return (size) => {
    const flat = plane({ ...RANGE, size, step: 0.5, labels: say.axes });
    return [...flat.axes, ...WORDS.flatMap((word, i) => arrow(flat, vectors[word], names[word], i))];
  };
}

mount("word_map", TEXTS, (say, language) => {
  const names = NAMES[language];
  const tips = WORDS.map((word, series) =>
    handle({ name: word, label: say.tip(names[word]), value: VECTORS[word], series, ...RANGE }));
  const sheet = drawing();
  sheet.element.append(...tips.map(({ element }) => element));
  const columns = [{ label: say.dot, digits: 4 }, { label: say.cosine }, { label: say.angle, digits: 1 }];
  const rows = PAIRS.map(([a, b]) => `${names[a]}, ${names[b]}`);
  const pairs = table({ name: "pair", caption: say.caption, rows, columns });

  function update() {
    const vectors = Object.fromEntries(WORDS.map((word, i) => [word, tips[i].value]));
    const said = WORDS.map((word) => `${names[word]} (${vectors[word].map((x) => rounded(x, 2)).join(", ")})`);
    sheet.set(arrows(say, names, vectors), say.drawing(said.join("; ")));
    pairs.set(PAIRS.map(([a, b]) => likeness(vectors[a], vectors[b])));
    return say.outcome(...closest(vectors).flatMap(([word, value]) => [names[word], rounded(value, 3)]));
  }

  const map = { element: html("div", { class: "square" }, sheet.element) };
  return { controls: [], handles: tips, views: [map, pairs], update };
});
