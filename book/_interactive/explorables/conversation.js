// Chapter 12: what a conversation takes in memory, and how long reading it takes.

import { GB, GIB, crossoverTokens, kvCacheBytes, parameters } from "./formulas/cost.js";
import { chart } from "./parts/chart.js";
import { button, choice, slider } from "./parts/controls.js";
import { drawing } from "./parts/drawing.js";
import { html } from "./parts/elements.js";
import { mount } from "./parts/explorable.js";
import { list } from "./parts/list.js";

export const TEXTS = {
  en: {
    title: "What does your conversation cost?",
    hint: "A model in the proportions of Llama 3.1: keys of 128 numbers, a feed-forward network 3.5 times as wide as the model, 128,256 tokens in the vocabulary. Memory is read at 3.35 · 10¹² bytes per second, the rating of an NVIDIA H100 (SXM); calculating is left out.",
    layers: "layers",
    heads: "query heads",
    group: "query heads for each key head",
    batch: "conversations at once",
    tokens: "tokens in each",
    precision: "bits for a number",
    parameters: "weights (10⁹)",
    weights: "weights (GB)",
    cache: "cache (GB)",
    gib: "the same in GiB",
    crossover: "crossover (tokens)",
    time: "reading, for each step (ms)",
    context: "tokens in each conversation",
    read: "GB read per step",
    drawing: (cross) => `Gigabytes read per step against the length of a conversation. The weights are a horizontal line; the caches rise in proportion to the length and cross it at ${cross} tokens.`,
    outcome: (total, share, ms) => `${total} GB in memory, ${share} % of it cache; a step reads all of it and takes at least ${ms} ms.`,
  },
  ko: {
    title: "대화 하나에 얼마나 드는가?",
    hint: "Llama 3.1과 비율이 같은 모델이다. 키는 128차원, 피드포워드 신경망의 차원은 모델의 3.5배, 어휘는 128,256토큰이다. 메모리는 NVIDIA H100(SXM)의 정격대로 1초에 3.35 · 10¹²바이트를 읽고, 연산 시간은 셈하지 않는다.",
    layers: "층 수",
    heads: "쿼리 헤드 수",
    group: "키 헤드 하나를 함께 쓰는 쿼리 헤드 수",
    batch: "동시에 하는 대화 수",
    tokens: "대화마다 토큰 수",
    precision: "수 하나의 비트",
    parameters: "가중치 수(10⁹개)",
    weights: "가중치(GB)",
    cache: "캐시(GB)",
    gib: "GiB로 나타낸 캐시",
    crossover: "교차점(토큰)",
    time: "한 걸음에 읽는 시간(ms)",
    context: "대화마다 토큰 수",
    read: "한 걸음에 읽는 GB",
    drawing: (cross) => `대화 길이에 따라 한 걸음에 읽는 기가바이트. 가중치는 수평선이고, 캐시는 길이에 비례해 늘어 ${cross}토큰에서 가중치와 만난다.`,
    outcome: (total, share, ms) => `메모리 ${total} GB, 그 가운데 캐시 ${share}%. 한 걸음마다 모두 읽는 데 적어도 ${ms} ms가 걸린다.`,
  },
};

const D_HEAD = 128;
const V = 128256;
const BANDWIDTH = 3.35e12; // bytes per second
const PRESETS = { "Llama 3.1 8B": [32, 5, 2, 0], "Llama 3.1 70B": [80, 6, 3, 0] };
const HEIGHT = 260;

// Parameters, bytes and milliseconds of one step, in which each conversation gets a token.
export function bill({ num_layers, num_heads, group, batch, tokens, bits }) {
  const [num_kv_heads, d_model, bytes_per_number] = [num_heads / group, num_heads * D_HEAD, bits / 8];
  const count = parameters({ num_layers, num_heads, num_kv_heads, d_model, d_ff: 3.5 * d_model, V });
  const per_token = { batch, num_layers, num_kv_heads, d_head: D_HEAD, tokens: 1, bytes_per_number };
  const [weights, cache] = [count * bytes_per_number, kvCacheBytes({ ...per_token, tokens })];
  return {
    parameters: count, weights, cache,
    crossover: crossoverTokens(weights, kvCacheBytes(per_token)),
    seconds: (weights + cache) / BANDWIDTH,
  };
}

const digits = (x) => (x < 1 ? 3 : x < 100 ? 2 : 0);
const grouped = (x) => x.toLocaleString("en", { minimumFractionDigits: digits(x), maximumFractionDigits: digits(x) });
const whole = (x) => Math.round(x).toLocaleString("en");

function lines(say, setting, { weights, crossover }) {
  const lengths = Array.from({ length: 11 }, (_, k) => 2 ** (k + 10));
  const caches = lengths.map((tokens) => bill({ ...setting, tokens }).cache);
  const here = bill(setting).cache;
  return (width) => {
    const x = { low: 2 ** 10, high: 2 ** 20, log: true, label: say.context, ticks: [[2 ** 10, "1k"], [2 ** 13, "8k"], [2 ** 17, "131k"], [2 ** 20, "1M"]] };
    const y = { low: 0.01, high: 1e6, log: true, label: say.read, ticks: [[0.1, "0.1"], 10, 1000, [1e5, "10⁵"]] };
    const at = chart({ width, height: HEIGHT, x, y });
    const level = at.line([[x.low, weights / GB], [x.high, weights / GB]], 1);
    const rise = at.line(lengths.map((n, k) => [n, caches[k] / GB]), 0);
    const within = crossover >= x.low && crossover <= x.high;
    const cross = within ? [at.mark(crossover, weights / GB, 3)] : [];
    return [...at.axes, at.upright(setting.tokens), level, rise, ...cross, at.mark(setting.tokens, here / GB, 0)];
  };
}

const power = (k) => whole(2 ** k);

// Sliders for the shape of the model first, in the order of the presets.
function makeSliders(say) {
  return [
    slider({ name: "layers", label: say.layers, min: 1, max: 128, value: 32 }),
    slider({ name: "heads", label: say.heads, min: 3, max: 7, value: 5, show: power }),
    slider({ name: "group", label: say.group, min: 0, max: 3, value: 2, show: power }),
    slider({ name: "batch", label: say.batch, min: 0, max: 8, value: 0, show: power }),
    slider({ name: "tokens", label: say.tokens, min: 10, max: 20, step: 0.5, value: 13, show: power }),
  ];
}

function makePresets(sliders) {
  const buttons = Object.entries(PRESETS).map(([label, shape]) =>
    button({ name: label, label, press: () => shape.forEach((value, i) => { sliders[i].value = value; }) }));
  return { element: html("div", { class: "presets" }, ...buttons.map(({ element }) => element)) };
}

const makeNumbers = (say) => list({
  parameters: { label: say.parameters, write: (x) => grouped(x / 1e9) },
  weights: { label: say.weights, series: 1, write: (x) => grouped(x / GB) },
  cache: { label: say.cache, series: 0, write: (x) => grouped(x / GB) },
  gib: { label: say.gib, write: (x) => grouped(x / GIB) },
  crossover: { label: say.crossover, write: whole },
  seconds: { label: say.time, write: (x) => grouped(1000 * x) },
});

mount("conversation", TEXTS, (say) => {
  const sliders = makeSliders(say);
  const bits = choice({ name: "bits", legend: say.precision, options: { 32: "32", 16: "16", 8: "8" }, value: "16" });
  const sheet = drawing(HEIGHT);
  const numbers = makeNumbers(say);

  function update() {
    const [num_layers, ...powers] = sliders.map(({ value }) => value);
    const [num_heads, group, batch, tokens] = powers.map((k) => Math.round(2 ** k));
    const setting = { num_layers, num_heads, group, batch, tokens, bits: Number(bits.value) };
    const costs = bill(setting);
    numbers.set({ ...costs, gib: costs.cache });
    sheet.set(lines(say, setting, costs), say.drawing(whole(costs.crossover)));
    const total = costs.weights + costs.cache;
    return say.outcome(grouped(total / GB), Math.round((100 * costs.cache) / total), grouped(1000 * costs.seconds));
  }

  return { controls: [makePresets(sliders), ...sliders, bits], views: [sheet, numbers], update };
});
