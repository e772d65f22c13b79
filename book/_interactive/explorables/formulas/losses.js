import { entropy, logSoftmax, softmax } from "./softmax.js";

// p̂: 1 − ε on the word that came, and ε spread evenly over all V words, that one included.
export function smoothedTargets(target, V, epsilon) {
  const one_hot = (k) => (k === target ? 1 : 0);
  return Array.from({ length: V }, (_, k) => (1 - epsilon) * one_hot(k) + epsilon / V);
}

// −Σ p̂_k ln p_k, in nats, for p = softmax(logits).
export function crossEntropy(logits, targets) {
  const logs = logSoftmax(logits);
  return targets.reduce((sum, p_hat, k) => (p_hat > 0 ? sum - p_hat * logs[k] : sum), 0);
}

// Its gradient by the logits: p − p̂.
export const crossEntropyGradient = (logits, targets) =>
  softmax(logits).map((p, k) => p - targets[k]);

// KL(p̂ ‖ p) = CE(p̂, p) − H(p̂).
export const klDivergence = (targets, logits) => crossEntropy(logits, targets) - entropy(targets);
