// Chapter 3: the document's "it" looks for a word, while W_Q and W_K are turned.

import { attentionScores, attentionWeights } from "./formulas/attention.js";
import { cosine, rotation, scaled, times } from "./formulas/vectors.js";
import { NAMES, VECTORS, W_K, W_Q } from "./formulas/words.js";
import { slider } from "./parts/controls.js";
import { drawing, path } from "./parts/drawing.js";
import { html, rounded } from "./parts/elements.js";
import { mount } from "./parts/explorable.js";
import { arrow, plane } from "./parts/plane.js";
import { table } from "./parts/table.js";

export const TEXTS = {
  en: {
    title: "Turn the matrices.",
    hint: "At 0° they are document A's. Turn one, and the scores of “it” change. Turn both by the same angle, and nothing does.",
    turnQ: "turn W_Q by",
    turnK: "turn W_K by",
    stretch: "stretch W_Q by",
    axes: ["first number", "second number"],
    caption: "What “it” gives to each noun",
    score: "score q·k",
    divided: "÷ √2",
    weight: "weight",
    backCaption: "The other way round",
    drawing: (q, cat, car) => `Query of “it” at ${q}, key of “cat” at ${cat}, key of “car” at ${car}. A dashed line stands at a right angle to the query.`,
    outcome: (mixed, cat, car) => `“it” becomes ${mixed}; its cosine with cat is now ${cat}, with car ${car}.`,
  },
  ko: {
    title: "행렬을 돌려 보자.",
    hint: "0°에서는 문서 A의 행렬이다. 하나만 돌리면 ‘그것’의 점수가 바뀌고, 둘을 같은 각도로 돌리면 아무것도 바뀌지 않는다.",
    turnQ: "W_Q를 돌리는 각도",
    turnK: "W_K를 돌리는 각도",
    stretch: "W_Q를 늘리는 배수",
    axes: ["첫째 숫자", "둘째 숫자"],
    caption: "‘그것’이 두 명사에 주는 것",
    score: "점수 q·k",
    divided: "÷ √2",
    weight: "가중치",
    backCaption: "거꾸로 찾을 때",
    drawing: (q, cat, car) => `‘그것’의 쿼리는 ${q}, ‘고양이’의 키는 ${cat}, ‘자동차’의 키는 ${car}. 파선은 쿼리와 직각을 이룬다.`,
    outcome: (mixed, cat, car) => `‘그것’이 받는 것: ${mixed}. 코사인 — 고양이: ${cat}, 자동차: ${car}.`,
  },
};

const NOUNS = ["cat", "car"];
const RANGE = { low: -2.7, high: 2.7 };

// The query of "it", the keys of the nouns, and what follows from them, with both matrices turned.
export function look(turnQ, turnK, stretch) {
  const X = NOUNS.map((word) => VECTORS[word]);
  const TurnedQ = scaled(stretch, times(W_Q, rotation(turnQ)));
  const TurnedK = times(W_K, rotation(turnK));
  const [q, K] = [times([VECTORS.it], TurnedQ), times(X, TurnedK)];
  const weights = attentionWeights(q, K)[0];
  return {
    q: q[0], K, weights,
    scores: attentionScores(q, K, 1)[0],
    divided: attentionScores(q, K)[0],
    back: attentionScores(times(X, TurnedQ), times([VECTORS.it], TurnedK), 1).flat(),
    mixed: times([weights], X)[0],
  };
}

const pair = (v) => `(${v.map((x) => rounded(x, 3)).join(", ")})`;

// The line through the origin at a right angle to q: on its far side, scores are negative.
function border({ X, Y }, [x, y]) {
  const ends = [-9, 9].map((t) => [X(-t * y), Y(t * x)]);
  return path(ends, { class: "cursor" });
}

// The plane with the query, both keys, and the border between positive and negative scores.
function arrows(say, names, q, K) {
  return (size) => {
    const flat = plane({ ...RANGE, size, step: 1, labels: say.axes });
    const keys = NOUNS.flatMap((noun, i) => arrow(flat, K[i], `k(${names[noun]})`, i + 1));
    return [...flat.axes, border(flat, q), ...keys, ...arrow(flat, q, `q(${names.it})`, 0)];
  };
}

function makeControls(say) {
  const turn = { min: -180, max: 180, step: 5, value: 0, show: (x) => `${rounded(x, 0)}°` };
  const factor = { min: 0, max: 1.5, step: 0.05, value: 1, show: (x) => `× ${rounded(x, 2)}` };
  return [
    slider({ name: "turn_q", label: say.turnQ, ...turn }),
    slider({ name: "turn_k", label: say.turnK, ...turn }),
    slider({ name: "stretch", label: say.stretch, ...factor }),
  ];
}

function makeTables(say, names) {
  const columns = [{ label: say.score }, { label: say.divided }, { label: say.weight, tint: true }];
  const there = NOUNS.map((noun) => `${names.it} → ${names[noun]}`);
  const back = NOUNS.map((noun) => `${names[noun]} → ${names.it}`);
  return [
    table({ name: "look", caption: say.caption, rows: there, columns }),
    table({ name: "back", caption: say.backCaption, rows: back, columns: [{ label: say.score }] }),
  ];
}

mount("query_key", TEXTS, (say, language) => {
  const names = NAMES[language];
  const controls = makeControls(say);
  const sheet = drawing();
  const [there, back] = makeTables(say, names);

  function update() {
    const seen = look(...controls.map(({ value }) => value));
    sheet.set(arrows(say, names, seen.q, seen.K), say.drawing(...[seen.q, ...seen.K].map(pair)));
    there.set(NOUNS.map((_, i) => [seen.scores[i], seen.divided[i], seen.weights[i]]));
    back.set(seen.back.map((score) => [score]));
    return say.outcome(pair(seen.mixed), ...NOUNS.map((noun) => rounded(cosine(seen.mixed, VECTORS[noun]), 3)));
  }

  const square = html("div", { class: "square" }, sheet.element);
  const tables = html("div", { class: "stack" }, there.element, back.element);
  return { controls, views: [{ element: square }, { element: tables }], update };
});
