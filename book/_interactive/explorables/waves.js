// Chapter 6: the waves of one clock, and the dot product of two positions.

import { angularFrequencies, dotProductProfile, positionalEncoding } from "./formulas/positions.js";
import { dot } from "./formulas/vectors.js";
import { chart } from "./parts/chart.js";
import { slider } from "./parts/controls.js";
import { drawing, text } from "./parts/drawing.js";
import { html, rounded } from "./parts/elements.js";
import { mount } from "./parts/explorable.js";
import { list } from "./parts/list.js";

export const TEXTS = {
  en: {
    title: "Two positions, t and t + Δ.",
    hint: "Move t: the waves pass by, and the dot product stays. Move Δ: it follows the lower curve.",
    width: "width d_model",
    clock: "clock i",
    t: "position t",
    delta: "distance Δ",
    position: "position",
    value: "value",
    sine: "sine",
    cosine: "cosine",
    share: "share of the largest",
    frequency: "ω of this clock",
    turn: "words to a turn",
    dot: "PE(t) · PE(t + Δ)",
    sum: "Σ cos ωΔ over all clocks",
    waves: (i, t, far) => `Sine and cosine of clock ${i} around position ${t}, with dots at ${t} and ${far}.`,
    profile: (delta, share) => `The dot product of two positions against their distance. At distance ${delta} it is ${share} of the largest.`,
    outcome: (here, there, product, share) => `PE(${here}) · PE(${there}) = ${product}, which is ${share} of the largest value.`,
  },
  ko: {
    title: "두 위치 t와 t + Δ.",
    hint: "t를 옮기면 물결은 지나가지만 내적은 그대로다. Δ를 옮기면 내적이 아래 곡선을 따라간다.",
    width: "차원 d_model",
    clock: "시계 i",
    t: "위치 t",
    delta: "거리 Δ",
    position: "위치",
    value: "값",
    sine: "사인",
    cosine: "코사인",
    share: "가장 큰 값에 대한 비율",
    frequency: "이 시계의 각진동수 ω",
    turn: "한 바퀴 도는 단어 수",
    dot: "PE(t) · PE(t + Δ)",
    sum: "모든 시계에 걸친 Σ cos ωΔ",
    waves: (i, t, far) => `위치 ${t} 둘레에서 시계 ${i}의 사인과 코사인. ${t}, ${far} 위치에 점을 찍었다.`,
    profile: (delta, share) => `거리에 따른 두 위치의 내적. 거리 ${delta}에서는 가장 큰 값의 ${share}배다.`,
    outcome: (here, there, product, share) => `PE(${here}) · PE(${there}) = ${product}, 가장 큰 값의 ${share}배다.`,
  },
};

const REACH = 100; // how far the charts show, in both directions
const HEIGHT = 190;
const steps = (count) => Array.from({ length: count + 1 }, (_, n) => -REACH + (2 * REACH * n) / count);

// All that is shown of clock i, of the positions t and t + Δ, at width d_model.
export function compare(d_model, i, t, delta) {
  const frequency = angularFrequencies(d_model)[i];
  const product = dot(positionalEncoding(t, d_model), positionalEncoding(t + delta, d_model));
  return {
    frequency, product,
    turn: (2 * Math.PI) / frequency,
    sum: dotProductProfile(delta, d_model),
    share: product / (d_model / 2),
  };
}

function waves(say, frequency, t, delta) {
  return (width) => {
    const ticks = [-100, -50, 0, 50, 100].map((step) => t + step);
    const x = { low: t - REACH, high: t + REACH, ticks, label: say.position };
    const at = chart({ width, height: HEIGHT, x, y: { low: -1.1, high: 1.1, ticks: [-1, 0, 1], label: say.value } });
    const functions = [Math.sin, Math.cos];
    const lines = functions.map((f, n) => at.line(steps(800).map((s) => [t + s, f(frequency * (t + s))]), n));
    const marks = [t, t + delta].flatMap((s) => functions.map((f, n) => at.mark(s, f(frequency * s), n)));
    const keys = [say.sine, say.cosine].map((name, n) =>
      text(width - 12 - 70 * (1 - n), 12, name, { class: `name series-${n}`, "text-anchor": "end" }));
    return [...at.axes, at.upright(t), at.upright(t + delta), ...lines, ...marks, ...keys];
  };
}

function profile(say, d_model, delta, share) {
  const points = steps(400).map((s) => [s, dotProductProfile(s, d_model) / (d_model / 2)]);
  const low = d_model < 32 ? -1 : 0;
  return (width) => {
    const x = { low: -REACH, high: REACH, ticks: [-100, -50, 0, 50, 100], label: say.delta };
    const at = chart({ width, height: HEIGHT, x, y: { low, high: 1.05, ticks: [low, 0.5, 1], label: say.share } });
    return [...at.axes, at.upright(0), at.upright(delta), at.line(points, 2), at.mark(delta, share, 2)];
  };
}

function makeControls(say) {
  return [
    slider({ name: "width", label: say.width, min: 2, max: 9, value: 6, show: (k) => String(2 ** k) }),
    slider({ name: "clock", label: say.clock, min: 0, max: 31, value: 6 }),
    slider({ name: "t", label: say.t, min: REACH, max: 1000, value: REACH }),
    slider({ name: "delta", label: say.delta, min: -REACH, max: REACH, value: 10, show: (x) => rounded(x, 0) }),
  ];
}

const makeNumbers = (say) => list({
  frequency: { label: say.frequency, write: (x) => x.toPrecision(3) },
  turn: { label: say.turn, write: (x) => Math.round(x).toLocaleString("en") },
  product: { label: say.dot, write: (x) => rounded(x, 3) },
  sum: { label: say.sum, write: (x) => rounded(x, 3) },
  share: { label: say.share, write: (x) => rounded(x, 3) },
});

mount("waves", TEXTS, (say) => {
  const controls = makeControls(say);
  const [upper, lower, numbers] = [drawing(HEIGHT), drawing(HEIGHT), makeNumbers(say)];

  function update() {
    const d_model = 2 ** controls[0].value;
    controls[1].limit(d_model / 2 - 1); // a narrower row has fewer clocks
    const [clock, t, delta] = controls.slice(1).map(({ value }) => value);
    const shown = compare(d_model, clock, t, delta);
    const [product, share] = [shown.product, shown.share].map((x) => rounded(x, 3));
    upper.set(waves(say, shown.frequency, t, delta), say.waves(clock, t, t + delta));
    lower.set(profile(say, d_model, delta, shown.share), say.profile(rounded(delta, 0), share));
    numbers.set(shown);
    return say.outcome(t, t + delta, product, share);
  }

  const charts = html("div", { class: "stack" }, upper.element, lower.element);
  return { controls, views: [{ element: charts }, numbers], update };
});
