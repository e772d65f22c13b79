"""What people write instead, and right ways that differ from the solution."""

import math

import numpy as np

from course_lib.grading import misconception, right_variant
from course_lib.reference import Projections, multi_head_attention

EPS = 1e-5


def _norm(x, gain=1.0, bias=0.0, eps=EPS, axis=-1):
    centred = x - x.mean(axis=axis, keepdims=True)
    return centred / np.sqrt(x.var(axis=axis, keepdims=True) + eps) * gain + bias


def _think(x, W_1, b_1, W_2, b_2):
    return np.maximum(x @ W_1 + b_1, 0) @ W_2 + b_2


def _attend(x, matrices, num_heads):
    return multi_head_attention(x, x, x, Projections(*matrices), num_heads)


@misconception(
    "layer_norm",
    caught_by="test_two_tokens",
    says="This looks like a variance over d_model − 1, as in statistics, where it estimates the "
    "variance of many numbers from a few. Here the numbers themselves are to have variance 1: "
    "divide by d_model.",
)
def norm_by_d_minus_1(x, gain, bias, eps):
    variance = x.var(axis=-1, ddof=1, keepdims=True)
    return (x - x.mean(axis=-1, keepdims=True)) / np.sqrt(variance + eps) * gain + bias


@misconception(
    "layer_norm",
    caught_by="test_two_tokens",
    says="This looks like mean and variance over the tokens, for each column. A layer norm looks "
    "at one token at a time, so that no other word has a say in it.",
)
def norm_over_tokens(x, gain, bias, eps):
    return _norm(x, gain, bias, eps, axis=0)


@misconception(
    "layer_norm",
    caught_by="test_two_tokens",
    says="This looks like one mean and one variance for the whole array. Each token has its own.",
)
def norm_over_everything(x, gain, bias, eps):
    return _norm(x, gain, bias, eps, axis=None)


@misconception(
    "layer_norm",
    caught_by="test_two_tokens",
    says="This looks like dividing by the variance. It has the square of the token's unit; its "
    "root is wanted.",
)
def norm_without_root(x, gain, bias, eps):
    variance = x.var(axis=-1, keepdims=True)
    return (x - x.mean(axis=-1, keepdims=True)) / (variance + eps) * gain + bias


@misconception(
    "layer_norm",
    caught_by="test_two_tokens",
    says="This looks like dividing by the root of the mean square, without subtracting the mean. "
    "Many recent models do so and call it RMSNorm; a layer norm also centres the token.",
)
def norm_by_root_mean_square(x, gain, bias, eps):
    return x / np.sqrt((x**2).mean(axis=-1, keepdims=True) + eps) * gain + bias


@misconception(
    "layer_norm",
    caught_by="test_two_tokens",
    says="This looks like dividing the token itself, mean and all, by its deviation. The mean is "
    "subtracted first.",
)
def norm_without_centring(x, gain, bias, eps):
    return x / np.sqrt(x.var(axis=-1, keepdims=True) + eps) * gain + bias


@misconception(
    "layer_norm",
    caught_by="test_a_tiny_and_a_constant_token",
    says="This looks like ε outside the root, added to the standard deviation. It is added to "
    "the variance: for tokens with tiny entries the two are far apart.",
)
def norm_with_eps_outside(x, gain, bias, eps):
    deviation = x.std(axis=-1, keepdims=True)
    return (x - x.mean(axis=-1, keepdims=True)) / (deviation + eps) * gain + bias


@misconception(
    "layer_norm",
    caught_by="test_a_tiny_and_a_constant_token",
    says="This looks like two mistakes that are often copied together: the variance over d_model "
    "− 1, and ε added to the deviation instead of the variance.",
)
def norm_with_both_mistakes(x, gain, bias, eps):
    deviation = x.std(axis=-1, ddof=1, keepdims=True)
    return (x - x.mean(axis=-1, keepdims=True)) / (deviation + eps) * gain + bias


@misconception(
    "layer_norm",
    caught_by="test_a_batch_is_normalised",
    says="This looks like a fixed ε, or none. Use the one that comes in as eps; here it is larger"
    " than elsewhere.",
)
def norm_with_an_eps_of_its_own(x, gain, bias, eps):
    return _norm(x, gain, bias, eps=1e-5)


@misconception(
    "layer_norm",
    caught_by="test_a_tiny_and_a_constant_token",
    says="This looks like a division without ε. A token whose entries are all equal has variance "
    "0, and 0 / 0 is not a number.",
)
def norm_without_eps(x, gain, bias, eps):
    return _norm(x, gain, bias, eps=0)


@misconception(
    "layer_norm",
    caught_by="test_gain_and_bias",
    says="This looks like gain and bias before the normalisation, which undoes a part of them. "
    "They come last.",
)
def norm_after_gain_and_bias(x, gain, bias, eps):
    return _norm(x * gain + bias, eps=eps)


@misconception(
    "layer_norm",
    caught_by="test_gain_and_bias",
    says="This looks like adding the bias before multiplying by the gain. The gain comes first.",
)
def norm_with_bias_first(x, gain, bias, eps):
    return (_norm(x, eps=eps) + bias) * gain


@misconception(
    "layer_norm",
    caught_by="test_gain_and_bias",
    says="This looks like a normalisation without gain and bias. They let a layer undo it where "
    "that helps.",
)
def norm_without_gain_and_bias(x, gain, bias, eps):
    return _norm(x, eps=eps)


@misconception(
    "layer_norm",
    caught_by="test_gain_and_bias",
    says="This looks like means and variances that lie along the columns: keepdims=True is "
    "missing. With as many tokens as columns NumPy lines up each token's mean with a column and "
    "doesn't complain.",
)
def norm_without_keepdims(x, gain, bias, eps):
    return (x - x.mean(axis=-1)) / np.sqrt(x.var(axis=-1) + eps) * gain + bias


@misconception(
    "layer_norm",
    caught_by="test_a_batch_is_normalised",
    says="This looks like mean and variance over axis 1. In a batch of texts that is the axis "
    "of the tokens; the entries of a token lie on the last, −1.",
)
def norm_over_axis_1(x, gain, bias, eps):
    return _norm(x, gain, bias, eps, axis=1)


@right_variant("layer_norm")
def norm_by_mean_of_squares(x, gain, bias, eps):
    mean = x.mean(axis=-1, keepdims=True)
    variance = (x**2).mean(axis=-1, keepdims=True) - mean**2
    return (x - mean) * (np.maximum(variance, 0) + eps) ** -0.5 * gain + bias


@right_variant("layer_norm")
def norm_by_loops(x, gain, bias, eps):
    rows = []
    for row in np.reshape(x, (-1, x.shape[-1])):
        mean = sum(row) / len(row)
        deviation = math.sqrt(sum((entry - mean) ** 2 for entry in row) / len(row) + eps)
        rows.append(
            [g * (e - mean) / deviation + b for e, g, b in zip(row, gain, bias, strict=True)]
        )
    return np.reshape(rows, x.shape)


@misconception(
    "feed_forward",
    caught_by="test_two_tokens_think",
    says="This looks like two layers with nothing between them. Two matrices in a row are one "
    "matrix: it is the relu that makes the second layer worth having.",
)
def thinking_without_relu(x, W_1, b_1, W_2, b_2):
    return (x @ W_1 + b_1) @ W_2 + b_2


@misconception(
    "feed_forward",
    caught_by="test_two_tokens_think",
    says="This looks like a relu after the second layer too. The result is added to the stream, "
    "and a layer that can only add positive numbers could never take anything back.",
)
def thinking_with_two_relus(x, W_1, b_1, W_2, b_2):
    return np.maximum(_think(x, W_1, b_1, W_2, b_2), 0)


@misconception(
    "feed_forward",
    caught_by="test_two_tokens_think",
    says="This looks like a relu of the result instead of the hidden numbers. It stands between "
    "the two layers.",
)
def thinking_with_a_late_relu(x, W_1, b_1, W_2, b_2):
    return np.maximum((x @ W_1 + b_1) @ W_2 + b_2, 0)


@misconception(
    "feed_forward",
    caught_by="test_two_tokens_think",
    says="This looks like b_1 added after the relu. It belongs inside, where it says from which "
    "value on each hidden number speaks.",
)
def thinking_with_a_late_bias(x, W_1, b_1, W_2, b_2):
    return (np.maximum(x @ W_1, 0) + b_1) @ W_2 + b_2


@misconception(
    "feed_forward",
    caught_by="test_two_tokens_think",
    says="This looks like the feed-forward network with its input added. The block adds it; here "
    "the network's own output is wanted.",
)
def thinking_with_residual(x, W_1, b_1, W_2, b_2):
    return x + _think(x, W_1, b_1, W_2, b_2)


@misconception(
    "feed_forward",
    caught_by="test_two_tokens_think",
    says="This looks like a GELU in place of the relu. Many models have it; the formula here is "
    "that of 2017, max(·, 0).",
)
def thinking_with_gelu(x, W_1, b_1, W_2, b_2):
    hidden = x @ W_1 + b_1
    gate = [(1 + math.erf(entry / math.sqrt(2))) / 2 for entry in hidden.ravel()]
    return hidden * np.reshape(gate, hidden.shape) @ W_2 + b_2


@misconception(
    "feed_forward",
    caught_by="test_two_tokens_think",
    says="This looks like the network without b_1. It is added before the relu.",
)
def thinking_without_b_1(x, W_1, b_1, W_2, b_2):
    return np.maximum(x @ W_1, 0) @ W_2 + b_2


@misconception(
    "feed_forward",
    caught_by="test_two_tokens_think",
    says="This looks like the network without b_2, which is added at the very end.",
)
def thinking_without_b_2(x, W_1, b_1, W_2, b_2):
    return np.maximum(x @ W_1 + b_1, 0) @ W_2


@misconception(
    "feed_forward",
    caught_by="test_two_tokens_think",
    says="This looks like the network without its two biases.",
)
def thinking_without_biases(x, W_1, b_1, W_2, b_2):
    return np.maximum(x @ W_1, 0) @ W_2


@right_variant("feed_forward")
def thinking_by_where(x, W_1, b_1, W_2, b_2):
    hidden = np.einsum("...i,ij->...j", x, W_1) + b_1
    return np.where(hidden > 0, hidden, 0) @ W_2 + b_2


@right_variant("feed_forward")
def thinking_neuron_by_neuron(x, W_1, b_1, W_2, b_2):
    output = np.zeros(x.shape) + b_2
    for into, threshold, out_of in zip(W_1.T, b_1, W_2, strict=True):
        output += (x @ into + threshold).clip(0)[..., None] * out_of
    return output


def _pre(x, attention, norm_1, ffn, norm_2, num_heads):
    h = x + _attend(_norm(x, *norm_1), attention, num_heads)
    return h + _think(_norm(h, *norm_2), *ffn)


def _post(x, attention, norm_1, ffn, norm_2, num_heads):
    h = _norm(x + _attend(x, attention, num_heads), *norm_1)
    return _norm(h + _think(h, *ffn), *norm_2)


@misconception(
    "pre_norm_block",
    caught_by="test_a_pre_norm_block",
    says="This looks like post-norm: the normalisation comes after the sum. In pre-norm it "
    "stands in front of the sublayer, and the sum itself is left alone.",
)
def pre_norm_that_is_post_norm(x, attention, norm_1, ffn, norm_2, num_heads):
    return _post(x, attention, norm_1, ffn, norm_2, num_heads)


@misconception(
    "pre_norm_block",
    caught_by="test_a_pre_norm_block",
    says="This looks like the sublayers added to the normalised token. The stream itself goes "
    "on, and only the sublayer sees the normalised one; it happens where x = layer_norm(x) "
    "overwrites x.",
)
def pre_norm_added_to_the_normalised(x, attention, norm_1, ffn, norm_2, num_heads):
    x = _norm(x, *norm_1)
    x = _norm(x + _attend(x, attention, num_heads), *norm_2)
    return x + _think(x, *ffn)


@misconception(
    "pre_norm_block",
    caught_by="test_a_pre_norm_block",
    says="This looks like attention added to the normalised token. Add it to x itself; the "
    "second half is as it should be.",
)
def pre_norm_with_a_wrong_first_sum(x, attention, norm_1, ffn, norm_2, num_heads):
    n = _norm(x, *norm_1)
    h = n + _attend(n, attention, num_heads)
    return h + _think(_norm(h, *norm_2), *ffn)


@misconception(
    "pre_norm_block",
    caught_by="test_a_pre_norm_block",
    says="This looks like a block without the second normalisation. The feed-forward network "
    "needs one in front of it as attention does.",
)
def pre_norm_once(x, attention, norm_1, ffn, norm_2, num_heads):
    h = x + _attend(_norm(x, *norm_1), attention, num_heads)
    return h + _think(h, *ffn)


@misconception(
    "pre_norm_block",
    caught_by="test_a_pre_norm_block",
    says="This looks like both sublayers reading x side by side. Some models do that to save "
    "time; here the feed-forward network reads what attention has added.",
)
def pre_norm_in_parallel(x, attention, norm_1, ffn, norm_2, num_heads):
    attended = _attend(_norm(x, *norm_1), attention, num_heads)
    return x + attended + _think(_norm(x, *norm_2), *ffn)


@misconception(
    "pre_norm_block",
    caught_by="test_a_pre_norm_block",
    says="This looks like the second sum with x in place of h, and so what attention found is "
    "lost from the stream.",
)
def pre_norm_that_forgets_attention(x, attention, norm_1, ffn, norm_2, num_heads):
    h = x + _attend(_norm(x, *norm_1), attention, num_heads)
    return x + _think(_norm(h, *norm_2), *ffn)


@misconception(
    "pre_norm_block",
    caught_by="test_a_pre_norm_block",
    says="This looks like a block without residual connections: each sublayer replaces what came "
    "in instead of adding to it.",
)
def pre_norm_without_residuals(x, attention, norm_1, ffn, norm_2, num_heads):
    h = _attend(_norm(x, *norm_1), attention, num_heads)
    return _think(_norm(h, *norm_2), *ffn)


@misconception(
    "pre_norm_block",
    caught_by="test_a_pre_norm_block",
    says="This looks like norm_1 in both places. Each norm has learned a gain and bias of its own.",
)
def pre_norm_with_one_norm(x, attention, norm_1, ffn, norm_2, num_heads):
    return _pre(x, attention, norm_1, ffn, norm_1, num_heads)


@misconception(
    "pre_norm_block",
    caught_by="test_a_pre_norm_block",
    says="This looks like one normalisation too many, at the end of the block. A stack of "
    "pre-norm blocks has one after its last block, and the block itself has none there.",
)
def pre_norm_with_a_last_norm(x, attention, norm_1, ffn, norm_2, num_heads):
    return _norm(_pre(x, attention, norm_1, ffn, norm_2, num_heads), *norm_2)


@misconception(
    "pre_norm_block",
    caught_by="test_a_pre_norm_block",
    says="This looks like a block without the first normalisation. Attention needs one in "
    "front of it as the feed-forward network does.",
)
def pre_norm_without_the_first(x, attention, norm_1, ffn, norm_2, num_heads):
    h = x + _attend(x, attention, num_heads)
    return h + _think(_norm(h, *norm_2), *ffn)


@misconception(
    "pre_norm_block",
    caught_by="test_a_pre_norm_block",
    says="This looks like the network's result added to the normalised stream. Add it to h "
    "itself; the first half is as it should be.",
)
def pre_norm_with_a_wrong_second_sum(x, attention, norm_1, ffn, norm_2, num_heads):
    h = x + _attend(_norm(x, *norm_1), attention, num_heads)
    n = _norm(h, *norm_2)
    return n + _think(n, *ffn)


@misconception(
    "pre_norm_block",
    caught_by="test_a_pre_norm_block",
    says="This looks like the two norms in each other's place. norm_1 belongs to attention, "
    "norm_2 to the network.",
)
def pre_norm_with_norms_exchanged(x, attention, norm_1, ffn, norm_2, num_heads):
    return _pre(x, attention, norm_2, ffn, norm_1, num_heads)


@right_variant("pre_norm_block")
def pre_norm_token_by_token(x, attention, norm_1, ffn, norm_2, num_heads):
    h = x + _attend(norm_by_mean_of_squares(x, *norm_1, EPS), attention, num_heads)
    return [
        [token + thinking_neuron_by_neuron(_norm(token, *norm_2), *ffn) for token in text]
        for text in h
    ]


@right_variant("pre_norm_block")
def pre_norm_text_by_text(x, *weights):
    return np.stack([_pre(text, *weights) for text in x])


@misconception(
    "post_norm_block",
    caught_by="test_a_post_norm_block",
    says="This looks like pre-norm: the normalisation stands in front of each sublayer. In "
    "post-norm the sublayer reads the stream as it is, and the sum is normalised.",
)
def post_norm_that_is_pre_norm(x, attention, norm_1, ffn, norm_2, num_heads):
    return _pre(x, attention, norm_1, ffn, norm_2, num_heads)


@misconception(
    "post_norm_block",
    caught_by="test_a_post_norm_block",
    says="This looks like normalising what the sublayer gives, before it is added. In post-norm "
    "the sum is normalised, x and all.",
)
def post_norm_before_the_sum(x, attention, norm_1, ffn, norm_2, num_heads):
    h = x + _norm(_attend(x, attention, num_heads), *norm_1)
    return h + _norm(_think(h, *ffn), *norm_2)


@misconception(
    "post_norm_block",
    caught_by="test_a_post_norm_block",
    says="This looks like a block without residual connections: the sublayers' results are "
    "normalised without what came in.",
)
def post_norm_without_residuals(x, attention, norm_1, ffn, norm_2, num_heads):
    h = _norm(_attend(x, attention, num_heads), *norm_1)
    return _norm(_think(h, *ffn), *norm_2)


@misconception(
    "post_norm_block",
    caught_by="test_a_post_norm_block",
    says="This looks like the second sum with x in place of h. What goes on after the first "
    "normalisation is its result.",
)
def post_norm_that_goes_back_to_x(x, attention, norm_1, ffn, norm_2, num_heads):
    h = _norm(x + _attend(x, attention, num_heads), *norm_1)
    return _norm(x + _think(h, *ffn), *norm_2)


@misconception(
    "post_norm_block",
    caught_by="test_a_post_norm_block",
    says="This looks like norm_1 in both places. Each norm has learned a gain and bias of its own.",
)
def post_norm_with_one_norm(x, attention, norm_1, ffn, norm_2, num_heads):
    return _post(x, attention, norm_1, ffn, norm_1, num_heads)


@misconception(
    "post_norm_block",
    caught_by="test_a_post_norm_block",
    says="This looks like a block without its last normalisation. In post-norm the second sum is "
    "normalised like the first.",
)
def post_norm_once(x, attention, norm_1, ffn, norm_2, num_heads):
    h = _norm(x + _attend(x, attention, num_heads), *norm_1)
    return h + _think(h, *ffn)


@misconception(
    "post_norm_block",
    caught_by="test_a_post_norm_block",
    says="This looks like a block without its first normalisation. In post-norm the first sum "
    "is normalised like the second.",
)
def post_norm_without_the_first(x, attention, norm_1, ffn, norm_2, num_heads):
    h = x + _attend(x, attention, num_heads)
    return _norm(h + _think(h, *ffn), *norm_2)


@misconception(
    "post_norm_block",
    caught_by="test_a_post_norm_block",
    says="This looks like the two norms in each other's place. norm_1 belongs to attention, "
    "norm_2 to the network.",
)
def post_norm_with_norms_exchanged(x, attention, norm_1, ffn, norm_2, num_heads):
    return _post(x, attention, norm_2, ffn, norm_1, num_heads)


@right_variant("post_norm_block")
def post_norm_in_float32(x, attention, norm_1, ffn, norm_2, num_heads):
    return _post(x.astype(np.float32), attention, norm_1, ffn, norm_2, num_heads)


@right_variant("post_norm_block")
def post_norm_text_by_text(x, *weights):
    return [_post(text, *weights) for text in x]


def _layer(x, W):
    """What a layer adds, and its own table of derivatives."""
    h = np.tanh(x @ W)
    return h, (1 - h**2)[:, None] * W.T


@misconception(
    "stack_jacobian",
    caught_by="test_one_layer_at_zero",
    says="This looks like the layers without the residual. Each also passes its input on as it "
    "is, which adds the identity to its Jacobian.",
)
def jacobian_without_identity(x, weights):
    jacobian = np.eye(len(x))
    for W in weights:
        h, J = _layer(x, W)
        x, jacobian = x + h, J @ jacobian
    return jacobian


@misconception(
    "stack_jacobian",
    caught_by="test_one_layer_at_zero",
    says="This looks like the transpose. Rows follow the outputs and columns the inputs; with x "
    "@ W, output i meets input j in W[j, i].",
)
def jacobian_transposed(x, weights):
    jacobian = np.eye(len(x))
    for W in weights:
        h, J = _layer(x, W)
        x, jacobian = x + h, (np.eye(len(x)) + J) @ jacobian
    return jacobian.T


@misconception(
    "stack_jacobian",
    caught_by="test_one_layer_at_zero",
    says="This looks like adding 1 to every entry. The identity has ones on its diagonal alone: "
    "output i moves with its own input i.",
)
def jacobian_plus_ones(x, weights):
    jacobian = np.eye(len(x))
    for W in weights:
        h, J = _layer(x, W)
        x, jacobian = x + h, (1 + J) @ jacobian
    return jacobian


@misconception(
    "stack_jacobian",
    caught_by="test_two_layers",
    says="This looks like the first layer's Jacobian on the left. A change of x passes the first "
    "layer first, and the matrix on the right acts first: the later layer stands on the left.",
)
def jacobian_in_the_wrong_order(x, weights):
    jacobian = np.eye(len(x))
    for W in weights:
        h, J = _layer(x, W)
        x, jacobian = x + h, jacobian @ (np.eye(len(x)) + J)
    return jacobian


@misconception(
    "stack_jacobian",
    caught_by="test_two_layers",
    says="This looks like every layer's slopes taken at the first x. The second layer reads what "
    "the first has made of it, x + tanh(x W).",
)
def jacobian_at_the_first_x(x, weights):
    jacobian = np.eye(len(x))
    for W in weights:
        jacobian = (np.eye(len(x)) + _layer(x, W)[1]) @ jacobian
    return jacobian


@misconception(
    "stack_jacobian",
    caught_by="test_two_layers",
    says="This looks like layers that replace the stream, x = tanh(x W), though their Jacobians "
    "have the identity. The stream goes on as x + tanh(x W).",
)
def jacobian_along_another_stream(x, weights):
    jacobian = np.eye(len(x))
    for W in weights:
        h, J = _layer(x, W)
        x, jacobian = h, (np.eye(len(x)) + J) @ jacobian
    return jacobian


@misconception(
    "stack_jacobian",
    caught_by="test_two_layers",
    says="This looks like the weights without the slope of the tanh, 1 − tanh². It is 1 at zero "
    "only.",
)
def jacobian_without_slope(x, weights):
    jacobian = np.eye(len(x))
    for W in weights:
        jacobian = (np.eye(len(x)) + W.T) @ jacobian
    return jacobian


@misconception(
    "stack_jacobian",
    caught_by="test_two_layers",
    says="This looks like the slope of tanh belonging to the inputs. It belongs to the outputs: "
    "row i is multiplied by 1 − tanh² of output i.",
)
def jacobian_with_slopes_of_columns(x, weights):
    jacobian = np.eye(len(x))
    for W in weights:
        h = np.tanh(x @ W)
        x, jacobian = x + h, (np.eye(len(x)) + W.T * (1 - h**2)) @ jacobian
    return jacobian


@misconception(
    "stack_jacobian",
    caught_by="test_two_layers",
    says="This looks like 1 − tanh for the slope. It is 1 − tanh².",
)
def jacobian_with_another_slope(x, weights):
    jacobian = np.eye(len(x))
    for W in weights:
        h = np.tanh(x @ W)
        x, jacobian = x + h, (np.eye(len(x)) + (1 - h)[:, None] * W.T) @ jacobian
    return jacobian


@misconception(
    "stack_jacobian",
    caught_by="test_two_layers",
    says="This looks like the identity and the sum of the layers' Jacobians. By the chain rule "
    "the matrices I + J are multiplied; the sum misses the paths that pass through both layers.",
)
def jacobian_as_a_sum(x, weights):
    jacobian = np.eye(len(x))
    for W in weights:
        h, J = _layer(x, W)
        x, jacobian = x + h, jacobian + J
    return jacobian


@misconception(
    "stack_jacobian",
    caught_by="test_two_layers",
    says="This looks like slopes taken after x was replaced. A layer's tanh read the x that came "
    "in: take the slopes first, and then replace x.",
)
def jacobian_with_x_moved_on_too_early(x, weights):
    jacobian = np.eye(len(x))
    for W in weights:
        x = x + _layer(x, W)[0]
        jacobian = (np.eye(len(x)) + _layer(x, W)[1]) @ jacobian
    return jacobian


@misconception(
    "stack_jacobian",
    caught_by="test_two_layers",
    says="This looks like the matrix of the last layer alone. A change of the first x passes "
    "through every layer: multiply their matrices.",
)
def jacobian_of_the_last_layer(x, weights):
    for W in weights:
        h, J = _layer(x, W)
        x = x + h
    return np.eye(len(x)) + J


@misconception(
    "stack_jacobian",
    caught_by="test_two_layers",
    says="This looks like tanh taken twice, 1 − tanh²(h) with h = tanh(x W). The slope where "
    "tanh gives h is 1 − h².",
)
def jacobian_with_tanh_twice(x, weights):
    jacobian = np.eye(len(x))
    for W in weights:
        h = np.tanh(x @ W)
        x, jacobian = x + h, (np.eye(len(x)) + (1 - np.tanh(h) ** 2)[:, None] * W.T) @ jacobian
    return jacobian


@right_variant("stack_jacobian")
def jacobian_backwards(x, weights):
    """From the last layer to the first, as a program for gradients does."""
    tables = []
    for W in weights:
        h, J = _layer(x, W)
        tables.append(np.eye(len(x)) + J)
        x = x + h
    jacobian = np.eye(len(x))
    for table in reversed(tables):
        jacobian = jacobian @ table
    return jacobian


@right_variant("stack_jacobian")
def jacobian_by_differences(x, weights):
    step, columns = 1e-6, []
    for direction in np.eye(len(x)):
        ends = [x + step * direction, x - step * direction]
        for W in weights:
            ends = [end + np.tanh(end @ W) for end in ends]
        columns.append((ends[0] - ends[1]) / (2 * step))
    return np.transpose(columns)
