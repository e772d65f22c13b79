// Chapter 8: a mask to paint, and the weights that follow.

import { attentionWeights, both, causalMask, everywhere, paddingMask } from "./formulas/attention.js";
import { NAMES, VECTORS } from "./formulas/words.js";
import { button } from "./parts/controls.js";
import { html } from "./parts/elements.js";
import { mount } from "./parts/explorable.js";
import { grid } from "./parts/grid.js";
import { weightTable } from "./parts/table.js";

export const TEXTS = {
  en: {
    title: "Paint a mask.",
    hint: "Press a cell to hide a key from a query or to show it again; a mouse also paints with its button held, and the arrow keys walk. The last two tokens are filler, rows of zeros.",
    filler: "filler",
    mask: "May the row look at the column?",
    weights: "Weights",
    cell: (query, key) => `${query} may look at ${key}`,
    presets: { none: "no mask", causal: "causal", padding: "padding", both: "causal and padding", off: "off by one" },
    allowed: (pairs) => `${pairs} of 25 pairs are allowed.`,
    leak: (row) => `Row ${row} sees a later token: this mask leaks.`,
    tight: "No row sees a later token.",
    empty: (row) => `Row ${row} may see nothing, and its weights are zeros.`,
  },
  ko: {
    title: "마스크를 칠해 보자.",
    hint: "칸을 누르면 쿼리에게서 키가 가려지고, 다시 누르면 보인다. 마우스 단추를 누른 채 칠할 수도 있고, 방향키로 칸을 옮겨 다닐 수도 있다. 마지막 두 토큰은 패딩이며 성분이 모두 0이다.",
    filler: "패딩",
    mask: "행이 열을 볼 수 있는가?",
    weights: "가중치",
    cell: (query, key) => `쿼리 ${query}, 키 ${key}: 볼 수 있음`,
    presets: { none: "마스크 없음", causal: "인과 마스크", padding: "패딩", both: "두 마스크를 함께", off: "한 칸 어긋남" },
    allowed: (pairs) => `25쌍 가운데 ${pairs}쌍을 볼 수 있다.`,
    leak: (row) => `${row}행이 뒤에 오는 토큰을 본다. 이 마스크는 샌다.`,
    tight: "뒤에 오는 토큰을 보는 행은 없다.",
    empty: (row) => `${row}행은 아무것도 볼 수 없어 가중치가 모두 0이다.`,
  },
};

// As in the chapter, each token is its own query and key.
export const X = [VECTORS.cat, VECTORS.car, VECTORS.it, [0, 0], [0, 0]];
const REAL = 3;
const N = X.length;

export const PRESETS = {
  none: everywhere(N, N),
  causal: causalMask(N, N),
  padding: paddingMask(REAL, N, N),
  both: both(causalMask(N, N), paddingMask(REAL, N, N)),
  off: causalMask(N, N, 1),
};

export const maskedWeights = (mask) => attentionWeights(X, X, mask);

mount("masks", TEXTS, (say, language) => {
  const names = [...["cat", "car", "it"].map((word) => NAMES[language][word]), say.filler, say.filler];
  const numbered = names.map((name, i) => `${i + 1} ${name}`);
  const mask = grid({ name: "may", caption: say.mask, rows: numbered, columns: names, value: PRESETS.both, describe: say.cell });
  const presets = Object.entries(PRESETS).map(([name, matrix]) =>
    button({ name, label: say.presets[name], press: () => { mask.value = matrix; } }));
  const weights = weightTable({ name: "weight", caption: say.weights, queries: numbered, keys: names });

  function update() {
    const painted = mask.value;
    weights.set(maskedWeights(painted));
    const pairs = painted.flat().filter((may) => may).length;
    const leak = painted.findIndex((row, t) => row.some((may, s) => may && s > t));
    const empty = painted.findIndex((row) => !row.some((may) => may));
    const found = [say.allowed(pairs), leak < 0 ? say.tight : say.leak(leak + 1)];
    return [...found, ...(empty < 0 ? [] : [say.empty(empty + 1)])].join(" ");
  }

  const buttons = { element: html("div", { class: "presets" }, ...presets.map(({ element }) => element)) };
  return { controls: [buttons], handles: [mask], views: [mask, weights], update };
});
