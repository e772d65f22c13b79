import { softmax } from "./softmax.js";
import { dot, times } from "./vectors.js";

// q_i · k_j for every query i and key j, times `scale`: 1 / √d_k unless given.
export function attentionScores(Q, K, scale = 1 / Math.sqrt(K[0].length)) {
  return Q.map((query) => K.map((key) => scale * dot(query, key)));
}

// softmax(QKᵀ / √d_k), row by row. `mask` is true where a query may look; what it hides has the
// score −∞, and a row that may see nothing gives zeros.
export function attentionWeights(Q, K, mask = null) {
  const scores = attentionScores(Q, K);
  return scores.map((row, i) => softmax(row.map((s, j) => (!mask || mask[i][j] ? s : -Infinity))));
}

// For each query the average of the values, by its weights.
export const attention = (Q, K, V, mask = null) => times(attentionWeights(Q, K, mask), V);

const table = (T, S, entry) =>
  Array.from({ length: T }, (_, t) => Array.from({ length: S }, (_, s) => entry(t, s)));

// Masks, true where query t may look at key s. The last query stands at the last key.
export const everywhere = (T, S) => table(T, S, () => true);
export const causalMask = (T, S, shift = 0) => table(T, S, (t, s) => s <= t + S - T + shift);
export const paddingMask = (length, T, S) => table(T, S, (_, s) => s < length);
export const both = (A, B) => A.map((row, t) => row.map((may, s) => may && B[t][s]));
