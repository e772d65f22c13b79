"""Checks of exercise 11: the loss of a next word, its gradient, and what does not count."""

import numpy as np

from course_lib import reference
from course_lib.grading import expect, hidden, points

SHORTCUTS = {
    "cross_entropy": [
        "course_lib.reference.cross_entropy",
        "course_lib.nn.cross_entropy",
        "torch.nn.functional.cross_entropy",
        "torch.nn.functional.nll_loss",
    ],
    "cross_entropy_gradient": ["course_lib.reference.cross_entropy_gradient"],
    "kl_divergence": [
        "course_lib.reference.kl_divergence",
        "torch.nn.functional.kl_div",
        "torch.kl_div",
        "torch.distributions.kl_divergence",
        "scipy.special.kl_div",
        "scipy.special.rel_entr",
        "scipy.stats.entropy",
    ],
    "smoothed_targets": ["course_lib.reference.smoothed_targets"],
}
FILLER = -1


@points(1, task="cross_entropy")
def test_the_loss_of_one_word(student):
    """Logits 2, 1, 0 and the second word."""
    logits, targets = np.array([[2.0, 1.0, 0.0]]), np.array([1])
    expect(student.cross_entropy(logits, targets), reference.cross_entropy(logits, targets))


@points(1, task="cross_entropy")
def test_filler_is_left_out_of_the_mean(student):
    """Of four targets two are filler, −1: the mean is over the other two."""
    logits = np.array([[2.0, 1.0, 0.0], [0.0, 3.0, 1.0], [5.0, 0.0, 0.0], [1.0, 1.0, 4.0]])
    targets = np.array([0, FILLER, 2, FILLER])
    expected = reference.cross_entropy(logits, targets, ignore_index=FILLER)
    expect(student.cross_entropy(logits, targets), expected)


@points("1/2", task="cross_entropy")
def test_logits_of_a_thousand(student):
    """A sure prediction costs nothing, a surely wrong one a thousand nats."""
    logits, targets = np.array([[1000.0, 0.0], [-1000.0, 0.0]]), np.array([0, 0])
    expect(student.cross_entropy(logits, targets), 500.0)


@points("1/2", task="cross_entropy")
def test_a_text_of_filler_alone(student):
    """Where nothing counts, the loss is 0."""
    expect(student.cross_entropy(np.ones((2, 3)), np.array([FILLER, FILLER])), 0.0)


@points(1, task="cross_entropy")
@hidden
def test_the_loss_of_a_batch(student, rng):
    """A batch of texts, classes on the last axis, as many positions as classes."""
    logits, targets = rng.normal(size=(2, 7, 7)), rng.integers(-1, 7, size=(2, 7))
    expected = reference.cross_entropy(logits, targets, ignore_index=FILLER)
    expect(student.cross_entropy(logits, targets), expected)


@points(1, task="cross_entropy_gradient")
def test_the_gradient_of_one_word(student):
    """Logits 2, 1, 0 and the second word."""
    logits, targets = np.array([[2.0, 1.0, 0.0]]), np.array([1])
    expected = reference.cross_entropy_gradient(logits, targets)
    expect(student.cross_entropy_gradient(logits, targets), expected)


@points("1/2", task="cross_entropy_gradient")
def test_the_gradient_with_filler(student):
    """Filler gets no gradient, and the others share the mean."""
    logits = np.array([[2.0, 1.0, 0.0], [0.0, 3.0, 1.0], [5.0, 0.0, 1.0]])
    targets = np.array([0, FILLER, 2])
    expected = reference.cross_entropy_gradient(logits, targets, ignore_index=FILLER)
    expect(student.cross_entropy_gradient(logits, targets), expected)


@points("1/2", task="cross_entropy_gradient")
def test_the_gradient_where_the_loss_needs_care(student):
    """Logits of a thousand, one prediction surely wrong; then a text of filler alone."""
    logits, targets = np.array([[1000.0, 0.0], [-1000.0, 0.0]]), np.array([0, 0])
    expected = np.array([[0.0, 0.0], [-0.5, 0.5]])
    expect(student.cross_entropy_gradient(logits, targets), expected)
    filler = np.array([FILLER, FILLER])
    expect(student.cross_entropy_gradient(np.ones((2, 3)), filler), np.zeros((2, 3)))


@points(1, task="cross_entropy_gradient")
@hidden
def test_the_gradient_of_a_batch(student, rng):
    """A batch of texts with some filler."""
    logits, targets = 3 * rng.normal(size=(2, 5, 7)), rng.integers(-1, 7, size=(2, 5))
    expected = reference.cross_entropy_gradient(logits, targets, ignore_index=FILLER)
    expect(student.cross_entropy_gradient(logits, targets), expected)


@points(1, task="kl_divergence")
def test_kl_has_a_direction(student):
    """KL(p ‖ q) for p = (0.5, 0.5) and q = (0.9, 0.1), and for a p with a zero."""
    p = np.array([[0.5, 0.5], [1.0, 0.0]])
    q = np.array([[0.9, 0.1], [0.4, 0.6]])
    expect(student.kl_divergence(p, q), reference.kl_divergence(p, q))


@points("1/2", task="kl_divergence")
@hidden
def test_kl_of_many_outcomes(student, rng):
    """Distributions over ten outcomes, one number for each."""
    p, q = reference.softmax(rng.normal(size=(2, 3, 4, 10)))
    expect(student.kl_divergence(p, q), reference.kl_divergence(p, q))


@points(1, task="smoothed_targets")
def test_smoothed_targets_of_four_words(student):
    """ε = 0.2 over four words."""
    targets = np.array([0, 2])
    expect(student.smoothed_targets(targets, 4, 0.2), reference.smoothed_targets(targets, 4, 0.2))


@points("1/2", task="smoothed_targets")
@hidden
def test_smoothed_targets_of_a_batch(student, rng):
    """Any number of words and any ε."""
    targets, smoothing = rng.integers(7, size=(2, 3)), float(rng.uniform(0.05, 0.5))
    expected = reference.smoothed_targets(targets, 7, smoothing)
    expect(student.smoothed_targets(targets, 7, smoothing), expected)
