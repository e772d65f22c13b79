export const GB = 1e9;
export const GIB = 2 ** 30;

// W_Q and W_O for all query heads, W_K and W_V for all key heads, without biases.
export const attentionParameters = ({ d_model, num_heads, num_kv_heads }) =>
  2 * d_model * (d_model / num_heads) * (num_heads + num_kv_heads);

// All weights of a model whose feed-forward network is gated (three matrices), with one table for
// the input and one for the output. Norms, less than 0.2 %, are left out.
export function parameters({ num_layers, d_ff, V, ...shape }) {
  const layer = attentionParameters(shape) + 3 * shape.d_model * d_ff;
  return num_layers * layer + 2 * V * shape.d_model;
}

// One key and one value for each key head, layer, token and conversation.
export const kvCacheBytes = ({ batch, num_layers, num_kv_heads, d_head, tokens, bytes_per_number }) =>
  2 * batch * num_layers * num_kv_heads * d_head * tokens * bytes_per_number;

// The shortest text whose cache is more to read than the weights.
export const crossoverTokens = (weight_bytes, cache_bytes_per_token) =>
  Math.floor(weight_bytes / cache_bytes_per_token) + 1;
