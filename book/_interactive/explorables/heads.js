// Chapter 5: two heads side by side, their mean, and one head of the same total width.

import { attentionWeights } from "./formulas/attention.js";
import { scaled, times } from "./formulas/vectors.js";
import { NAMES, VECTORS, W_K, W_Q } from "./formulas/words.js";
import { slider, toggle } from "./parts/controls.js";
import { html, rounded } from "./parts/elements.js";
import { mount } from "./parts/explorable.js";
import { weightTable } from "./parts/table.js";

export const TEXTS = {
  en: {
    title: "Two questions at once.",
    hint: "Head 1 asks which word is meant, head 2 which one is the object. Exchange the two nouns' parts, or let one head ask louder than the other. Rows look, columns are looked at.",
    swap: "The car saw the cat: exchange subject and object",
    first: "head 1 asks",
    second: "head 2 asks",
    head1: "Head 1: which word",
    head2: "Head 2: the object",
    mean: "Mean of the two",
    wide: "One head for both",
    outcome: (first, second, cat, car) => `“it”: head 1 looks at ${first}, head 2 at ${second}. Their mean says cat ${cat}, car ${car}.`,
  },
  ko: {
    title: "한꺼번에 두 가지를 물어보자.",
    hint: "헤드 1은 어느 단어를 가리키는지, 헤드 2는 어느 단어가 목적어인지 묻는다. 두 명사의 역할을 맞바꾸거나 한 헤드가 더 세게 묻게 해 보자. 행이 보는 단어, 열이 보이는 단어다.",
    swap: "자동차가 고양이를 보았다: 주어와 목적어 맞바꾸기",
    first: "헤드 1이 묻는 세기",
    second: "헤드 2가 묻는 세기",
    head1: "헤드 1: 가리키는 대상",
    head2: "헤드 2: 목적어",
    mean: "두 헤드의 평균",
    wide: "함께 묻는 헤드 하나",
    outcome: (first, second, cat, car) => `‘그것’이 보는 단어 — 헤드 1: ${first}, 헤드 2: ${second}. 평균: 고양이 ${cat}, 자동차 ${car}.`,
  },
};

const WORDS = ["cat", "car", "it"];
const NOUNS = ["cat", "car"];
const ZERO = [[0, 0], [0, 0]];
const ONE = [[1, 0], [0, 1]];
const OBJECT = [[0, 1], [0, 1]]; // "object" is asked for, whatever part the asking word plays itself
const sideBySide = (A, B) => A.map((row, i) => [...row, ...B[i]]);

// The weights of both heads, three queries by two keys, as the chapter sets them up: document A's two
// numbers for each word, and two that say whether it is a subject or an object.
export function heads(swapped, strength1, strength2) {
  const [subject, object] = ONE;
  const roles = { cat: swapped ? object : subject, car: swapped ? subject : object, it: subject };
  const X = WORDS.map((word) => [...VECTORS[word], ...roles[word]]);
  const nouns = X.slice(0, NOUNS.length);
  const Q = [[...scaled(strength1, W_Q), ...ZERO], [...ZERO, ...scaled(strength2, OBJECT)]];
  const K = [[...W_K, ...ZERO], [...ZERO, ...ONE]];
  const [first, second] = [0, 1].map((h) => attentionWeights(times(X, Q[h]), times(nouns, K[h])));
  return {
    first, second,
    mean: first.map((row, i) => row.map((weight, j) => (weight + second[i][j]) / 2)),
    wide: attentionWeights(times(X, sideBySide(...Q)), times(nouns, sideBySide(...K))),
  };
}

mount("heads", TEXTS, (say, language) => {
  const names = NAMES[language];
  const strength = { min: 0, step: 0.1, show: (x) => `× ${rounded(x, 1)}` };
  const controls = [
    toggle({ name: "swap", label: say.swap, value: false }),
    slider({ name: "first", label: say.first, max: 3, value: 1, ...strength }),
    slider({ name: "second", label: say.second, max: 4, value: 2, ...strength }),
  ];
  const labels = { queries: WORDS.map((w) => names[w]), keys: NOUNS.map((w) => names[w]) };
  const tables = [["first", say.head1], ["second", say.head2], ["mean", say.mean], ["wide", say.wide]].map(
    ([name, caption]) => weightTable({ name, caption, ...labels }));

  function update() {
    const { first, second, mean, wide } = heads(...controls.map(({ value }) => value));
    [first, second, mean, wide].forEach((weights, i) => tables[i].set(weights));
    const seen = ([cat, car]) => (Math.abs(cat - car) < 1e-9 ? `${names.cat} = ${names.car}` : cat > car ? names.cat : names.car);
    return say.outcome(seen(first[2]), seen(second[2]), ...mean[2].map((p) => rounded(p, 3)));
  }

  const pairs = [tables.slice(0, 2), tables.slice(2)].map((two) =>
    ({ element: html("div", { class: "pair" }, ...two.map(({ element }) => element)) }));
  return { controls, views: pairs, update };
});
