// Chapter 4: a softmax of four scores against the width of the key and the temperature.

import { entropy, jacobianNorm, softmax } from "./formulas/softmax.js";
import { slider, toggle } from "./parts/controls.js";
import { chart } from "./parts/chart.js";
import { drawing } from "./parts/drawing.js";
import { html, rounded, tiny } from "./parts/elements.js";
import { mount } from "./parts/explorable.js";
import { list } from "./parts/list.js";
import { table } from "./parts/table.js";

export const TEXTS = {
  en: {
    title: "Widen the keys, change the temperature.",
    hint: "Four keys whose scores, divided by √d_k, are 3, 2, 0 and −1 at every width. Leave the division out, and see what the width does.",
    width: "width of a key, d_k",
    divide: "divide the scores by √d_k",
    temperature: "temperature τ",
    caption: "The four keys",
    key: (number) => `key ${number}`,
    score: "score q·k",
    input: "into the softmax",
    weight: "weight",
    entropy: "entropy, at most ln 4 = 1.386",
    jacobian: "norm of the Jacobian",
    drawing: (weights) => `The weights of the four keys against the temperature. At the marked temperature they are ${weights}.`,
    saturated: "Saturated: one key has taken everything, and hardly any slope is left.",
    level: "Nearly level: all keys count alike, and a score hardly moves a weight.",
    between: "In between: the weights differ, and they can still move.",
  },
  ko: {
    title: "키의 차원과 온도를 바꾸어 보자.",
    hint: "네 키의 점수를 √d_k로 나눈 값은 차원이 얼마든 3, 2, 0, −1이다. 나눗셈을 빼면 차원이 무엇을 하는지 보인다.",
    width: "키의 차원 d_k",
    divide: "점수를 √d_k로 나누기",
    temperature: "온도 τ",
    caption: "네 키",
    key: (number) => `키 ${number}`,
    score: "점수 q·k",
    input: "소프트맥스에 들어가는 수",
    weight: "가중치",
    entropy: "엔트로피(가장 크면 ln 4 = 1.386)",
    jacobian: "야코비안의 노름",
    drawing: (weights) => `온도에 따른 네 키의 가중치. 표시한 온도에서는 ${weights}.`,
    saturated: "포화 상태다. 키 하나가 모두 가져갔고 기울기가 거의 남지 않았다.",
    level: "거의 고르다. 모든 키의 몫이 비슷하고, 점수가 바뀌어도 가중치는 거의 움직이지 않는다.",
    between: "그 사이다. 가중치에 차이가 있고, 아직 움직일 수 있다.",
  },
};

const DIVIDED = [3, 2, 0, -1];

// The scores as dot products of width d_k, what enters the softmax, and the weights.
export function soften(d_k, divide, temperature) {
  const scores = DIVIDED.map((s) => Math.sqrt(d_k) * s);
  const inputs = scores.map((s) => s / (divide ? Math.sqrt(d_k) : 1) / temperature);
  const weights = softmax(inputs);
  return { scores, inputs, weights, entropy: entropy(weights), jacobian: jacobianNorm(weights) };
}

const COLDEST = -1.3; // both as powers of ten
const HOTTEST = 2;
const CURVE = Array.from({ length: 166 }, (_, i) => 10 ** (COLDEST + (i * (HOTTEST - COLDEST)) / 165));
const HEIGHT = 250;

const few = (x) => rounded(x, x < 1 ? 2 : x < 10 ? 1 : 0);
const small = (x) => (x >= 0.001 || x === 0 ? rounded(x, 3) : tiny(x));

// The weights against the temperature, as curves, with a mark at the one that is set.
function curves(say, d_k, divide, tau) {
  const weights = CURVE.map((t) => soften(d_k, divide, t).weights);
  const now = soften(d_k, divide, tau).weights;
  return (width) => {
    const x = { low: CURVE[0], high: CURVE.at(-1), log: true, ticks: [0.1, 1, 10, 100], label: say.temperature };
    const y = { low: 0, high: 1, ticks: [0, 0.5, 1], label: say.weight };
    const at = chart({ width, height: HEIGHT, x, y });
    const lines = DIVIDED.map((_, i) => at.line(CURVE.map((t, n) => [t, weights[n][i]]), i));
    return [...at.axes, at.upright(tau), ...lines, ...now.map((weight, i) => at.mark(tau, weight, i))];
  };
}

function makeControls(say) {
  const power = { min: COLDEST, max: HOTTEST, step: 0.1, value: 0, show: (x) => few(10 ** x) };
  return [
    slider({ name: "width", label: say.width, min: 0, max: 10, value: 6, show: (k) => String(2 ** k) }),
    toggle({ name: "divide", label: say.divide, value: true }),
    slider({ name: "temperature", label: say.temperature, ...power }),
  ];
}

function makeNumbers(say) {
  const columns = [{ label: say.score, digits: 1 }, { label: say.input, digits: 2 }, { label: say.weight, tint: true }];
  return {
    keys: table({ name: "key", caption: say.caption, rows: DIVIDED.map((_, i) => [say.key(i + 1), i]), columns }),
    measures: list({
      entropy: { label: say.entropy, write: (x) => rounded(x, 3) },
      jacobian: { label: say.jacobian, write: small },
    }),
  };
}

mount("temperature", TEXTS, (say) => {
  const controls = makeControls(say);
  const sheet = drawing(HEIGHT);
  const { keys, measures } = makeNumbers(say);

  function update() {
    const [width, divide, power] = controls.map(({ value }) => value);
    const [d_k, tau] = [2 ** width, 10 ** power];
    const { scores, inputs, weights, entropy: undecided, jacobian } = soften(d_k, divide, tau);
    keys.set(DIVIDED.map((_, i) => [scores[i], inputs[i], weights[i]]));
    measures.set({ entropy: undecided, jacobian });
    sheet.set(curves(say, d_k, divide, tau), say.drawing(weights.map((p) => rounded(p, 3)).join(", ")));
    if (undecided < 0.05) return say.saturated;
    return undecided > 1.35 ? say.level : say.between;
  }

  const numbers = html("div", { class: "stack" }, keys.element, measures.element);
  return { controls, views: [sheet, { element: numbers }], update };
});
