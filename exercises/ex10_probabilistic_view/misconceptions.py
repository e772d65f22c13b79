"""What people write instead, and right ways that differ from the solution."""

import math

import numpy as np

from course_lib.grading import misconception, right_variant


def _softmax(x):
    powers = np.exp(x - x.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def _squared_distances(query, keys):
    return ((query[:, None] - keys) ** 2).sum(axis=-1)


@misconception(
    "posterior",
    caught_by="test_three_keys_and_two_queries",
    says="This looks like the densities as they stand. To be probabilities of the keys, they have "
    "to be divided by their sum.",
)
def posterior_without_sum(query, keys, variance):
    return np.exp(-_squared_distances(query, keys) / (2 * variance))


@misconception(
    "posterior",
    caught_by="test_a_query_far_from_all_keys",
    says="This looks like densities that have rounded to 0 before they were divided by their sum. "
    "Subtract the smallest distance first; it changes nothing else.",
)
def posterior_that_underflows(query, keys, variance):
    densities = np.exp(-_squared_distances(query, keys) / (2 * variance))
    return densities / densities.sum(axis=-1, keepdims=True)


@misconception(
    "posterior",
    caught_by="test_three_keys_and_two_queries",
    says="This looks like exp(−distance² / variance): in a Gaussian the squared distance is "
    "divided by twice the variance.",
)
def posterior_without_the_two(query, keys, variance):
    return _softmax(-_squared_distances(query, keys) / variance)


@misconception(
    "posterior",
    caught_by="test_three_keys_and_two_queries",
    says="This looks as if the variance were a standard deviation: it has been squared.",
)
def posterior_with_squared_variance(query, keys, variance):
    return _softmax(-_squared_distances(query, keys) / (2 * variance**2))


@misconception(
    "posterior",
    caught_by="test_three_keys_and_two_queries",
    says="This looks like the distance itself. A Gaussian falls with its square.",
)
def posterior_of_plain_distances(query, keys, variance):
    return _softmax(-np.sqrt(_squared_distances(query, keys)) / (2 * variance))


@misconception(
    "posterior",
    caught_by="test_three_keys_and_two_queries",
    says="This looks like plus the distance: the farthest key comes out as the likeliest.",
)
def posterior_of_the_farthest(query, keys, variance):
    return _softmax(_squared_distances(query, keys) / (2 * variance))


@misconception(
    "posterior",
    caught_by="test_three_keys_and_two_queries",
    says="This looks like attention, the softmax of q·k / variance. With keys of different length "
    "that is another posterior, one that thinks long keys likelier beforehand.",
)
def posterior_by_dot_products(query, keys, variance):
    return _softmax(query @ keys.T / variance)


@misconception(
    "posterior",
    caught_by="test_three_keys_and_two_queries",
    says="This looks like a softmax over the queries. Each query has a posterior of its own: a row "
    "sums to one, not a column.",
)
def posterior_over_the_queries(query, keys, variance):
    return _softmax(-_squared_distances(query, keys).T / (2 * variance)).T


@misconception(
    "posterior",
    caught_by="test_three_keys_and_two_queries",
    says="This looks like the mean of the squared differences. The squared distance is their sum.",
)
def posterior_of_mean_squares(query, keys, variance):
    return _softmax(-_squared_distances(query, keys) / keys.shape[-1] / (2 * variance))


@misconception(
    "posterior",
    caught_by="test_three_keys_and_two_queries",
    says="This looks as if the variance were always √d_k. Here it is an argument.",
)
def posterior_of_attentions_variance(query, keys, variance):
    return _softmax(-_squared_distances(query, keys) / (2 * np.sqrt(keys.shape[-1])))


@misconception(
    "posterior",
    caught_by="test_a_query_far_from_all_keys",
    says="This looks like a small number added to the sum of the densities. Where they all round "
    "to 0, that leaves zeros and no posterior. Subtract each query's smallest distance first.",
)
def posterior_that_fades(query, keys, variance):
    densities = np.exp(-_squared_distances(query, keys) / (2 * variance))
    return densities / (densities.sum(axis=-1, keepdims=True) + 1e-12)


@right_variant("posterior")
def posterior_by_loops(query, keys, variance):
    rows = []
    for q in query:
        distances = [float((q - k) @ (q - k)) for k in keys]
        densities = [math.exp((min(distances) - d) / 2 / variance) for d in distances]
        rows.append([d / sum(densities) for d in densities])
    return rows


@right_variant("posterior")
def posterior_by_expanding(query, keys, variance):
    return _softmax((query @ keys.T - (keys**2).sum(-1) / 2) / variance)


def _norms(keys):
    return (keys**2).sum(axis=-1)


@misconception(
    "implied_prior",
    caught_by="test_the_prior_of_a_short_and_a_long_key",
    says="This looks like a uniform prior. That is what equal lengths imply, and these keys "
    "differ in length.",
)
def prior_uniform(keys):
    return np.full(len(keys), 1 / len(keys))


@misconception(
    "implied_prior",
    caught_by="test_the_prior_of_a_short_and_a_long_key",
    says="This looks like the length in place of its square.",
)
def prior_of_lengths(keys):
    return _softmax(np.sqrt(_norms(keys)) / (2 * np.sqrt(keys.shape[-1])))


@misconception(
    "implied_prior",
    caught_by="test_the_prior_of_a_short_and_a_long_key",
    says="This looks like a prior for short keys: the sign is the wrong way round.",
)
def prior_of_short_keys(keys):
    return _softmax(-_norms(keys) / (2 * np.sqrt(keys.shape[-1])))


@misconception(
    "implied_prior",
    caught_by="test_the_prior_of_a_short_and_a_long_key",
    says="This looks like dividing by 2 d_k. The variance in the story is √d_k.",
)
def prior_over_d_k(keys):
    return _softmax(_norms(keys) / (2 * keys.shape[-1]))


@misconception(
    "implied_prior",
    caught_by="test_the_prior_of_a_short_and_a_long_key",
    says="This looks like squared lengths over their sum. The exponential is missing.",
)
def prior_without_exponential(keys):
    return _norms(keys) / _norms(keys).sum()


@misconception(
    "implied_prior",
    caught_by="test_the_prior_of_a_short_and_a_long_key",
    says="This looks like twice the exponent: the 2 of the Gaussian is missing below.",
)
def prior_without_the_two(keys):
    return _softmax(_norms(keys) / np.sqrt(keys.shape[-1]))


@misconception(
    "implied_prior",
    caught_by="test_the_prior_of_a_short_and_a_long_key",
    says="These look like the exponentials alone. They still have to be divided by their sum.",
)
def prior_without_sum(keys):
    return np.exp(_norms(keys) / (2 * np.sqrt(keys.shape[-1])))


@right_variant("implied_prior")
def prior_by_loops(keys):
    masses = [math.exp(sum(x * x for x in key) / 2 / math.sqrt(len(key))) for key in keys]
    return [mass / sum(masses) for mass in masses]


@right_variant("implied_prior")
def prior_by_einsum(keys):
    return _softmax(np.einsum("nd,nd->n", keys, keys) / 2 * keys.shape[-1] ** -0.5)


def _spread(weights, values):
    return weights @ ((values - weights @ values) ** 2).sum(axis=-1)


@misconception(
    "standard_error",
    caught_by="test_the_error_of_four_draws",
    says="This looks like dividing by the number of draws. The error falls with its square root.",
)
def error_over_draws(weights, values, draws):
    return np.sqrt(_spread(weights, values)) / draws


@misconception(
    "standard_error",
    caught_by="test_the_error_of_four_draws",
    says="This looks like the squared error. Its root is wanted, which has the unit of the values.",
)
def error_squared(weights, values, draws):
    return _spread(weights, values) / draws


@misconception(
    "standard_error",
    caught_by="test_the_error_of_four_draws",
    says="This looks like the spread of a single draw: the number of draws plays no part.",
)
def error_of_one_draw(weights, values, draws):
    return np.sqrt(_spread(weights, values)) + 0 * draws


@misconception(
    "standard_error",
    caught_by="test_the_error_of_four_draws",
    says="This looks as if all values were equally likely. Each is drawn with its weight.",
)
def error_without_weights(weights, values, draws):
    even = np.full(len(weights), 1 / len(weights))
    return np.sqrt(_spread(even, values) / draws)


@misconception(
    "standard_error",
    caught_by="test_the_error_of_four_draws",
    says="This looks like the mean of the squares without the square of the mean subtracted: the "
    "distance is measured from 0 and not from the output.",
)
def error_from_zero(weights, values, draws):
    return np.sqrt(weights @ (values**2).sum(axis=-1) / draws)


@misconception(
    "standard_error",
    caught_by="test_the_error_of_four_draws",
    says="This looks like one error for each column. The length of the error vector is wanted, "
    "one number.",
)
def error_of_each_column(weights, values, draws):
    return np.sqrt(weights @ (values - weights @ values) ** 2 / draws)


@misconception(
    "standard_error",
    caught_by="test_the_error_of_four_draws",
    says="This looks like dividing by the number of draws minus one, as for a variance that is "
    "estimated from them. Here the variance is known, from the weights.",
)
def error_over_draws_less_one(weights, values, draws):
    return np.sqrt(_spread(weights, values) / (draws - 1))


@misconception(
    "standard_error",
    caught_by="test_the_error_of_four_draws",
    says="This looks like the mean over the columns. The squared length of a vector is the sum of "
    "its squared entries.",
)
def error_averaged_over_columns(weights, values, draws):
    return np.sqrt(_spread(weights, values) / values.shape[-1] / draws)


@misconception(
    "standard_error",
    caught_by="test_the_error_of_four_draws",
    says="This looks like the mean distance from the output. The root of the mean squared "
    "distance is wanted.",
)
def error_of_mean_lengths(weights, values, draws):
    return weights @ np.linalg.norm(values - weights @ values, axis=-1) / np.sqrt(draws)


@right_variant("standard_error")
def error_by_loops(weights, values, draws):
    mean = sum(w * v for w, v in zip(weights, values, strict=True))
    total = sum(w * float((v - mean) @ (v - mean)) for w, v in zip(weights, values, strict=True))
    return math.sqrt(total / draws)


@right_variant("standard_error")
def error_by_moments(weights, values, draws):
    mean = weights @ values
    return np.sqrt((weights @ (values**2).sum(-1) - mean @ mean) / draws)


def _weights(query, keys):
    return _softmax(keys @ query / np.sqrt(len(query)))


@misconception(
    "output_gradient",
    caught_by="test_the_gradient_of_two_keys",
    says="This looks like the gradient without 1/√d_k: the query enters through scaled scores.",
)
def gradient_without_scale(query, keys, values):
    weights = _weights(query, keys)
    return (weights[:, None] * values).T @ (keys - weights @ keys)


@misconception(
    "output_gradient",
    caught_by="test_the_gradient_of_two_keys",
    says="This looks like the average of v kᵀ alone. A covariance subtracts the product of the "
    "two averages.",
)
def gradient_uncentred(query, keys, values):
    weights = _weights(query, keys)
    return (weights[:, None] * values).T @ keys / np.sqrt(len(query))


@misconception(
    "output_gradient",
    caught_by="test_the_gradient_of_two_keys",
    says="This looks like the table the wrong way round: rows follow the output, columns the "
    "query.",
)
def gradient_transposed(query, keys, values):
    weights = _weights(query, keys)
    return (keys - weights @ keys).T @ (weights[:, None] * values) / np.sqrt(len(query))


@misconception(
    "output_gradient",
    caught_by="test_the_gradient_of_two_keys",
    says="This looks like a covariance with equal weights. Each key counts by its attention "
    "weight.",
)
def gradient_with_even_weights(query, keys, values):
    centred = keys - keys.mean(axis=0)
    return values.T @ centred / len(keys) / np.sqrt(len(query))


@misconception(
    "output_gradient",
    caught_by="test_the_gradient_of_two_keys",
    says="This looks like weights of undivided scores.",
)
def gradient_with_sharp_weights(query, keys, values):
    weights = _softmax(keys @ query)
    return (weights[:, None] * values).T @ (keys - weights @ keys) / np.sqrt(len(query))


@misconception(
    "output_gradient",
    caught_by="test_the_gradient_of_two_keys",
    says="This looks as if each weight moved with its own score alone. The weights sum to one: "
    "where one grows, the others shrink.",
)
def gradient_of_own_scores(query, keys, values):
    weights = _weights(query, keys)
    return ((weights * (1 - weights))[:, None] * values).T @ keys / np.sqrt(len(query))


@misconception(
    "output_gradient",
    caught_by="test_the_gradient_of_two_keys",
    says="This looks like a division by d_k. What divides the scores is its square root.",
)
def gradient_scaled_without_the_root(query, keys, values):
    weights = _weights(query, keys)
    return (weights[:, None] * values).T @ (keys - weights @ keys) / len(query)


@right_variant("output_gradient")
def gradient_by_the_softmax_jacobian(query, keys, values):
    weights = _weights(query, keys)
    jacobian = np.diag(weights) - np.outer(weights, weights)
    return values.T @ jacobian @ keys / math.sqrt(len(query))


@right_variant("output_gradient")
def gradient_by_loops(query, keys, values):
    weights = _weights(query, keys)
    mean_k, mean_v = weights @ keys, weights @ values
    triples = zip(weights, keys, values, strict=True)
    total = sum(w * np.outer(v - mean_v, k - mean_k) for w, k, v in triples)
    return total / len(query) ** 0.5
