// ω_i = 1 / 10000^(2i / d_model), in radians per position: one for each pair of columns.
export function angularFrequencies(d_model) {
  return Array.from({ length: Math.ceil(d_model / 2) }, (_, i) => 10000 ** ((-2 * i) / d_model));
}

// PE(t, 2i) = sin ω_i t and PE(t, 2i + 1) = cos ω_i t: the row of position t.
export function positionalEncoding(t, d_model) {
  const waves = angularFrequencies(d_model).flatMap((w) => [Math.sin(w * t), Math.cos(w * t)]);
  return waves.slice(0, d_model);
}

// PE(t) · PE(t + Δ) = Σ_i cos ω_i Δ, whatever t is, for an even width.
export function dotProductProfile(delta, d_model) {
  return angularFrequencies(d_model).reduce((sum, w) => sum + Math.cos(w * delta), 0);
}
