// Chapter 11: p − p̂ as bars, for logits to move.

import { crossEntropy, crossEntropyGradient, klDivergence, smoothedTargets } from "./formulas/losses.js";
import { entropy, softmax } from "./formulas/softmax.js";
import { button, choice, slider } from "./parts/controls.js";
import { drawing, text } from "./parts/drawing.js";
import { html, rounded, svg } from "./parts/elements.js";
import { mount } from "./parts/explorable.js";
import { list } from "./parts/list.js";
import { table } from "./parts/table.js";

export const TEXTS = {
  en: {
    title: "Rate the next word.",
    hint: "After “it was”: set the four logits, choose the word that came, and take a step against the gradient.",
    words: { hungry: "hungry", red: "red", kind: "kind", car: "car" },
    logit: (word) => `logit of “${word}”`,
    came: "the word that came",
    smoothing: "label smoothing ε",
    step: "one step of size 1",
    caption: "Probability, target and gradient",
    down: "score goes up",
    up: "score goes down",
    loss: "cross-entropy (nats)",
    entropy: "entropy of p̂",
    kl: "KL(p̂ || p)",
    drawing: (bars) => `Bars of p minus p-hat: ${bars}.`,
    outcome: (word, p, loss) => `“${word}” came and had probability ${p}: a loss of ${loss} nats.`,
  },
  ko: {
    title: "다음 말을 매겨 보자.",
    hint: "‘그것은’ 다음에 올 말이다. 네 로짓을 정하고 실제로 나온 말을 고른 다음, 그래디언트의 반대쪽으로 한 걸음 가 보자.",
    words: { hungry: "배가 고팠다", red: "빨간색이었다", kind: "마음이 착했다", car: "자동차" },
    logit: (word) => `‘${word}’의 로짓`,
    came: "실제로 나온 말",
    smoothing: "레이블 스무딩 ε",
    step: "크기 1로 한 걸음",
    caption: "확률, 타깃, 그래디언트",
    down: "점수가 오른다",
    up: "점수가 내린다",
    loss: "교차 엔트로피(내트)",
    entropy: "p̂의 엔트로피",
    kl: "KL(p̂ || p)",
    drawing: (bars) => `p에서 p̂를 뺀 막대: ${bars}.`,
    outcome: (word, p, loss) => `나온 말: ${word}. 확률 ${p}, 손실 ${loss}내트.`,
  },
};

const LOGITS = { hungry: 2, red: 1, kind: 0, car: -1 };
const WORDS = Object.keys(LOGITS);
const ROW = 40;

// Probabilities, targets, gradient and losses, for logits and the place of the word that came.
export function rate(logits, target, epsilon) {
  const p_hat = smoothedTargets(target, logits.length, epsilon);
  return {
    p: softmax(logits), p_hat,
    gradient: crossEntropyGradient(logits, p_hat),
    loss: crossEntropy(logits, p_hat),
    entropy: entropy(p_hat),
    kl: klDivergence(p_hat, logits),
  };
}

// Bars to both sides of a middle line, a word a row.
function bars(say, names, gradient, target) {
  return (width) => {
    const middle = width / 2;
    const place = (x) => middle + x * (middle - 52);
    const rows = gradient.flatMap((g, k) => {
      const y = 26 + k * ROW;
      const series = k === target ? 0 : 1;
      const beside = { "text-anchor": g < 0 ? "end" : "start", class: "name" };
      return [
        svg("rect", { x: Math.min(middle, place(g)), width: Math.abs(place(g) - middle), y: y + 16, height: 16, class: `series-${series} bar` }),
        text(place(g) + (g < 0 ? -6 : 6), y + 28, rounded(g, 3), beside),
        text(middle + (g < 0 ? 6 : -6), y + 29, names[k], { "text-anchor": g < 0 ? "start" : "end", class: "name" }),
      ];
    });
    return [
      text(middle - 8, 14, `← ${say.down}`, { "text-anchor": "end", class: "tick" }),
      text(middle + 8, 14, `${say.up} →`, { class: "tick" }),
      svg("line", { x1: middle, x2: middle, y1: 22, y2: 32 + WORDS.length * ROW, class: "axis" }), ...rows,
    ];
  };
}

function makeControls(say, names) {
  const range = { min: -6, max: 6, step: 0.01, show: (x) => rounded(x, 2) };
  return {
    logits: WORDS.map((word, k) => slider({ name: word, label: say.logit(names[k]), value: LOGITS[word], ...range })),
    came: choice({ name: "came", legend: say.came, options: say.words, value: "hungry" }),
    smoothing: slider({ name: "smoothing", label: say.smoothing, min: 0, max: 0.5, step: 0.05, value: 0, show: range.show }),
  };
}

function makeNumbers(say, names) {
  const columns = ["p", "p̂", "p − p̂"].map((label) => ({ label }));
  const write = (x) => rounded(x, 3);
  return {
    words: table({ name: "word", caption: say.caption, rows: names, columns }),
    losses: list({ loss: { label: say.loss, write }, entropy: { label: say.entropy, write }, kl: { label: say.kl, write } }),
  };
}

mount("gradient", TEXTS, (say) => {
  const names = WORDS.map((word) => say.words[word]);
  const { logits, came, smoothing } = makeControls(say, names);
  const target = () => WORDS.indexOf(came.value);
  const rated = () => rate(logits.map(({ value }) => value), target(), smoothing.value);
  const down = () => rated().gradient.forEach((g, k) => { logits[k].value -= g; });
  const step = button({ name: "step", label: say.step, press: down });
  const sheet = drawing(36 + WORDS.length * ROW);
  const { words, losses } = makeNumbers(say, names);

  function update() {
    const now = rated();
    words.set(WORDS.map((_, k) => [now.p[k], now.p_hat[k], now.gradient[k]]));
    losses.set(now);
    const said = names.map((name, k) => `${name} ${rounded(now.gradient[k], 3)}`).join(", ");
    sheet.set(bars(say, names, now.gradient, target()), say.drawing(said));
    return say.outcome(names[target()], rounded(now.p[target()], 3), rounded(now.loss, 3));
  }

  const numbers = html("div", { class: "stack" }, words.element, losses.element);
  return { controls: [...logits, came, smoothing, step], views: [sheet, { element: numbers }], update };
});
