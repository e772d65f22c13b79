"""What people write instead, and right ways that differ from the solution."""

import math

import numpy as np

from course_lib.grading import misconception, right_variant

FILLER = -1


def _log_softmax(x, axis=-1):
    shifted = x - x.max(axis=axis, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True))


def _losses(log_p, targets):
    """The loss at each position; filler takes the first class."""
    return -np.take_along_axis(log_p, np.maximum(targets, 0)[..., None], axis=-1)[..., 0]


def _mean_where_counted(losses, targets):
    counted = targets != FILLER
    return losses[counted].sum() / max(counted.sum(), 1)


@misconception(
    "cross_entropy",
    caught_by="test_the_loss_of_one_word",
    says="This looks like −log of the logits' softmax taken twice. The logits are not "
    "probabilities yet, and one softmax makes them so.",
)
def loss_with_two_softmaxes(logits, targets):
    return _mean_where_counted(
        _losses(_log_softmax(np.exp(_log_softmax(logits))), targets), targets
    )


@misconception(
    "cross_entropy",
    caught_by="test_the_loss_of_one_word",
    says="This looks like the logarithm with its sign: the loss is minus the logarithm, so that "
    "it is never negative.",
)
def loss_with_the_wrong_sign(logits, targets):
    return -_mean_where_counted(_losses(_log_softmax(logits), targets), targets)


@misconception(
    "cross_entropy",
    caught_by="test_the_loss_of_one_word",
    says="This looks like 1 − p of the word that came. Where a model is surely wrong, its "
    "gradient is almost 0; the logarithm's is not.",
)
def loss_as_missing_probability(logits, targets):
    p = np.exp(_log_softmax(logits))
    return _mean_where_counted(1 + _losses(p, targets), targets)


@misconception(
    "cross_entropy",
    caught_by="test_the_loss_of_one_word",
    says="This looks like bits, the logarithm to base 2. Nats are wanted: the natural logarithm.",
)
def loss_in_bits(logits, targets):
    return _mean_where_counted(_losses(_log_softmax(logits), targets), targets) / math.log(2)


@misconception(
    "cross_entropy",
    caught_by="test_filler_is_left_out_of_the_mean",
    says="This looks like dividing by all positions, filler included. Longer padding would then "
    "make the loss smaller.",
)
def loss_divided_by_all(logits, targets):
    counted = targets != FILLER
    return (_losses(_log_softmax(logits), targets) * counted).sum() / counted.size


@misconception(
    "cross_entropy",
    caught_by="test_filler_is_left_out_of_the_mean",
    says="This looks as if −1 were the last position, or the last word. It is a value that marks "
    "filler, and those positions do not count.",
)
def loss_with_minus_one_as_an_index(logits, targets):
    log_p = _log_softmax(logits)
    return -np.take_along_axis(log_p, targets[..., None] % logits.shape[-1], axis=-1).mean()


@misconception(
    "cross_entropy",
    caught_by="test_filler_is_left_out_of_the_mean",
    says="This looks like a sum over the words. The mean is wanted, so that long and short texts "
    "compare.",
)
def loss_summed(logits, targets):
    counted = targets != FILLER
    return _losses(_log_softmax(logits), targets)[counted].sum()


@misconception(
    "cross_entropy",
    caught_by="test_logits_of_a_thousand",
    says="This looks like the logarithm of a softmax that has already rounded to 0 or overflowed. "
    "Take the logarithm first, on paper: log p_k = z_k − log Σ exp(z).",
)
def loss_that_overflows(logits, targets):
    p = np.exp(logits) / np.exp(logits).sum(axis=-1, keepdims=True)
    return _mean_where_counted(_losses(np.log(p), targets), targets)


@misconception(
    "cross_entropy",
    caught_by="test_logits_of_a_thousand",
    says="This looks like the logarithm of a softmax that is right but has rounded to 0. Take the "
    "logarithm first, on paper: log p_k = z_k − log Σ exp(z).",
)
def loss_of_a_rounded_softmax(logits, targets):
    return _mean_where_counted(_losses(np.log(np.exp(_log_softmax(logits))), targets), targets)


@misconception(
    "cross_entropy",
    caught_by="test_the_loss_of_one_word",
    says="This looks like the mean over all entries of the table. Each word has one loss, and the "
    "mean is over the words.",
)
def loss_over_all_entries(logits, targets):
    losses = _losses(_log_softmax(logits), targets)
    return _mean_where_counted(losses, targets) / logits.shape[-1]


@misconception(
    "cross_entropy",
    caught_by="test_a_text_of_filler_alone",
    says="This looks like a mean over nothing, 0 / 0. One batch of filler would end the training.",
)
def loss_of_nothing(logits, targets):
    counted = targets != FILLER
    return _losses(_log_softmax(logits), targets)[counted].sum() / np.float64(counted.sum())


@right_variant("cross_entropy")
def loss_by_one_hot(logits, targets):
    p_hat = np.eye(logits.shape[-1])[targets] * (targets != FILLER)[..., None]
    return -(p_hat * _log_softmax(logits)).sum() / max(1, (targets != FILLER).sum())


@right_variant("cross_entropy")
def loss_by_loops(logits, targets):
    losses = []
    for place in np.ndindex(targets.shape):
        if targets[place] != FILLER:
            row = logits[place]
            peak = max(row)
            total = sum(math.exp(z - peak) for z in row)
            losses.append(math.log(total) + peak - row[targets[place]])
    return sum(losses) / len(losses) if losses else 0.0


def _gradient(logits, targets, sign=1, over=None):
    counted = targets != FILLER
    p_hat = np.eye(logits.shape[-1])[np.maximum(targets, 0)]
    difference = sign * (np.exp(_log_softmax(logits)) - p_hat) * counted[..., None]
    return difference / (max(counted.sum(), 1) if over is None else over)


@misconception(
    "cross_entropy_gradient",
    caught_by="test_the_gradient_of_one_word",
    says="This looks like p̂ − p, the direction in which the logits should move. The gradient is "
    "p − p̂; a step of training goes against it.",
)
def gradient_the_wrong_way(logits, targets):
    return _gradient(logits, targets, sign=-1)


@misconception(
    "cross_entropy_gradient",
    caught_by="test_the_gradient_with_filler",
    says="This looks like the sum of the losses' gradients. The loss is a mean: divide by the "
    "number of words that count.",
)
def gradient_of_the_sum(logits, targets):
    return _gradient(logits, targets, over=1)


@misconception(
    "cross_entropy_gradient",
    caught_by="test_the_gradient_with_filler",
    says="This looks like a mean over all positions, filler included.",
)
def gradient_over_all(logits, targets):
    return _gradient(logits, targets, over=targets.size)


@misconception(
    "cross_entropy_gradient",
    caught_by="test_the_gradient_with_filler",
    says="This looks as if filler were the last word. Its positions have no target, and so no "
    "gradient.",
)
def gradient_with_filler_as_a_word(logits, targets):
    p_hat = np.eye(logits.shape[-1])[targets]
    return (np.exp(_log_softmax(logits)) - p_hat) / max((targets != FILLER).sum(), 1)


@misconception(
    "cross_entropy_gradient",
    caught_by="test_the_gradient_of_one_word",
    says="This looks like the gradient with respect to the probabilities, −p̂ / p. The one with "
    "respect to the logits is wanted, after the softmax's own derivative.",
)
def gradient_by_probabilities(logits, targets):
    p = np.exp(_log_softmax(logits))
    return -np.eye(logits.shape[-1])[targets] / p / max((targets != FILLER).sum(), 1)


@misconception(
    "cross_entropy_gradient",
    caught_by="test_the_gradient_of_one_word",
    says="These look like the probabilities alone. At the word that came, 1 is subtracted.",
)
def gradient_without_target(logits, targets):
    counted = targets != FILLER
    p = np.exp(_log_softmax(logits)) * counted[..., None]
    return p / max(counted.sum(), 1)


@misconception(
    "cross_entropy_gradient",
    caught_by="test_the_gradient_where_the_loss_needs_care",
    says="This looks like a softmax that overflows: the exponential of a thousand is too large for "
    "a float. Subtract each row's largest logit first.",
)
def gradient_that_overflows(logits, targets):
    counted = targets != FILLER
    p = np.exp(logits) / np.exp(logits).sum(axis=-1, keepdims=True)
    p_hat = np.eye(logits.shape[-1])[np.maximum(targets, 0)]
    return (p - p_hat) * counted[..., None] / max(counted.sum(), 1)


@misconception(
    "cross_entropy_gradient",
    caught_by="test_the_gradient_where_the_loss_needs_care",
    says="This looks like dividing by the number of words that count, even where that is 0: 0 / "
    "0. Where no word counts, the loss is 0 whatever the logits, and its gradient is zero.",
)
def gradient_of_nothing(logits, targets):
    return _gradient(logits, targets, over=np.float64((targets != FILLER).sum()))


@misconception(
    "cross_entropy_gradient",
    caught_by="test_the_gradient_with_filler",
    says="These look like the bare probabilities where there is filler. Filler does not count at "
    "all: its rows are zeros.",
)
def gradient_with_probabilities_of_filler(logits, targets):
    counted = targets != FILLER
    p_hat = np.eye(logits.shape[-1])[np.maximum(targets, 0)] * counted[..., None]
    return (np.exp(_log_softmax(logits)) - p_hat) / max(counted.sum(), 1)


@right_variant("cross_entropy_gradient")
def gradient_by_one_hot(logits, targets):
    return _gradient(logits, targets)


@right_variant("cross_entropy_gradient")
def gradient_by_loops(logits, targets):
    gradient = np.zeros(logits.shape)
    count = max((targets != FILLER).sum(), 1)
    for place in np.ndindex(targets.shape):
        if targets[place] != FILLER:
            gradient[place] = np.exp(_log_softmax(logits[place])) / count
            gradient[place][targets[place]] -= 1 / count
    return gradient


def _kl(p, q):
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(p > 0, p * np.log(p / q), 0)


@misconception(
    "kl_divergence",
    caught_by="test_kl_has_a_direction",
    says="This looks like KL(q ‖ p), the other way round. The average is taken under the first.",
)
def kl_the_other_way(p, q):
    with np.errstate(divide="ignore"):
        return (q * (np.log(q) - np.log(p))).sum(axis=-1)


@misconception(
    "kl_divergence",
    caught_by="test_kl_has_a_direction",
    says="This looks like cross-entropy, −Σ p log q. KL divergence is that minus the entropy of p.",
)
def kl_as_cross_entropy(p, q):
    return -(p * np.log(q)).sum(axis=-1)


@misconception(
    "kl_divergence",
    caught_by="test_kl_has_a_direction",
    says="This looks like a mean over the outcomes, as PyTorch's reduction='mean' has it. The sum "
    "over the outcomes is wanted.",
)
def kl_averaged(p, q):
    return _kl(p, q).mean(axis=-1)


@misconception(
    "kl_divergence",
    caught_by="test_kl_has_a_direction",
    says="This looks like 0 · log 0, which is not a number. An outcome with p = 0 adds nothing.",
)
def kl_with_nan(p, q):
    with np.errstate(divide="ignore", invalid="ignore"):
        return (p * np.log(p / q)).sum(axis=-1)


@misconception(
    "kl_divergence",
    caught_by="test_kl_has_a_direction",
    says="This looks like the logarithm with its sign: KL divergence is never negative.",
)
def kl_with_the_wrong_sign(p, q):
    return -_kl(p, q).sum(axis=-1)


@misconception(
    "kl_divergence",
    caught_by="test_kl_has_a_direction",
    says="This looks like one number for the whole batch. Each distribution has its own.",
)
def kl_of_everything(p, q):
    return _kl(p, q).sum()


@misconception(
    "kl_divergence",
    caught_by="test_kl_has_a_direction",
    says="This looks like bits, the logarithm to base 2. Nats are wanted: the natural logarithm.",
)
def kl_in_bits(p, q):
    return _kl(p, q).sum(axis=-1) / math.log(2)


@right_variant("kl_divergence")
def kl_by_loops(p, q):
    result = np.zeros(p.shape[:-1])
    for place in np.ndindex(result.shape):
        pairs = zip(p[place], q[place], strict=True)
        result[place] = sum(a * (math.log(a) - math.log(b)) for a, b in pairs if a > 0)
    return result


@right_variant("kl_divergence")
def kl_as_a_difference(p, q):
    logarithm = np.log(np.maximum(p, 1e-300))
    return (p * logarithm).sum(axis=-1) - (p * np.log(q)).sum(axis=-1)


@misconception(
    "smoothed_targets",
    caught_by="test_smoothed_targets_of_four_words",
    says="This looks like spreading ε over the other words alone, ε / (V − 1). Here ε is spread "
    "over all V words, the target's included, as in PyTorch.",
)
def smoothing_over_the_others(targets, V, smoothing):
    one_hot = targets[..., None] == np.arange(V)
    return np.where(one_hot, 1 - smoothing, smoothing / (V - 1))


@misconception(
    "smoothed_targets",
    caught_by="test_smoothed_targets_of_four_words",
    says="This looks like adding ε / V without taking ε from the target: the sum is then more "
    "than 1.",
)
def smoothing_that_adds(targets, V, smoothing):
    return (targets[..., None] == np.arange(V)) + smoothing / V


@misconception(
    "smoothed_targets",
    caught_by="test_smoothed_targets_of_four_words",
    says="This looks like ε for each word instead of ε shared by all V of them.",
)
def smoothing_for_each(targets, V, smoothing):
    return (1 - smoothing) * (targets[..., None] == np.arange(V)) + smoothing


@misconception(
    "smoothed_targets",
    caught_by="test_smoothed_targets_of_four_words",
    says="These look like the targets without smoothing.",
)
def smoothing_forgotten(targets, V, smoothing):
    return targets[..., None] == np.arange(V)


@misconception(
    "smoothed_targets",
    caught_by="test_smoothed_targets_of_four_words",
    says="This looks like ε on the target and the rest spread: the two are exchanged.",
)
def smoothing_exchanged(targets, V, smoothing):
    return smoothing * (targets[..., None] == np.arange(V)) + (1 - smoothing) / V


@misconception(
    "smoothed_targets",
    caught_by="test_smoothed_targets_of_four_words",
    says="This looks as if the word that came got 1 − ε alone. It is one of the V words too, and "
    "gets its share of ε: without that share a row sums to less than 1.",
)
def smoothing_without_the_targets_share(targets, V, smoothing):
    return np.where(targets[..., None] == np.arange(V), 1 - smoothing, smoothing / V)


@right_variant("smoothed_targets")
def smoothing_by_where(targets, V, smoothing):
    one_hot = np.eye(V)[targets]
    return np.where(one_hot > 0, 1 - smoothing + smoothing / V, smoothing / V)


@right_variant("smoothed_targets")
def smoothing_by_filling(targets, V, smoothing):
    p_hat = np.full((*targets.shape, V), smoothing / V, dtype=np.float32)
    for place in np.ndindex(targets.shape):
        p_hat[place][targets[place]] += 1 - smoothing
    return p_hat
