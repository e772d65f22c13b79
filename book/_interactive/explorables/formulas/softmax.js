// softmax(x)_i = exp(x_i) / Σ_j exp(x_j). Taking the largest entry off first changes nothing but
// keeps exp from overflowing. Where all entries are −∞ there is nothing to choose: zeros.
export function softmax(x) {
  const peak = Math.max(...x);
  if (peak === -Infinity) return x.map(() => 0);
  const exponentials = x.map((entry) => Math.exp(entry - peak));
  const total = exponentials.reduce((sum, e) => sum + e, 0);
  return exponentials.map((e) => e / total);
}

export function logSoftmax(x) {
  const peak = Math.max(...x);
  const total = x.reduce((sum, entry) => sum + Math.exp(entry - peak), 0);
  return x.map((entry) => entry - peak - Math.log(total));
}

// H(p) = −Σ p ln p, in nats; what has the probability 0 adds nothing.
export const entropy = (p) => p.reduce((sum, x) => (x > 0 ? sum - x * Math.log(x) : sum), 0);

// The Frobenius norm of ∂softmax_i / ∂x_j = p_i (δ_ij − p_j), from p = softmax(x).
export function jacobianNorm(p) {
  const entries = p.flatMap((pi, i) => p.map((pj, j) => pi * ((i === j ? 1 : 0) - pj)));
  return Math.hypot(...entries);
}
