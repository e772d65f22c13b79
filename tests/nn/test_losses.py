"""Cross-entropy on (B, T, V), and what happens where nothing counts."""

import math

import pytest
import torch
import torch.nn.functional as F

from course_lib import reference
from course_lib.nn import cross_entropy
from tests.nn.helpers import assert_same, assert_same_gradients, normal


@pytest.mark.claim("B22")
@pytest.mark.parametrize("smoothing", [0.0, 0.1])
def test_it_equals_pytorch_and_the_reference(smoothing):
    logits, targets = normal(2, 5, 7), torch.arange(10).reshape(2, 5) % 7
    targets[0, 1] = -1
    options = {"ignore_index": -1, "label_smoothing": smoothing}
    mine = cross_entropy(logits, targets, **options)
    other = F.cross_entropy(logits.reshape(-1, 7), targets.reshape(-1), **options)
    assert_same(mine, other)
    assert_same_gradients(mine, other, logits)
    numbers = logits.detach().numpy(), targets.numpy()
    assert mine.item() == pytest.approx(reference.cross_entropy(*numbers, **options))
    assert_same(
        torch.autograd.grad(mine, logits)[0],
        torch.from_numpy(reference.cross_entropy_gradient(*numbers, **options)),
    )


def test_the_classes_lie_on_the_last_axis_also_where_all_axes_are_alike():  # D17, D18, D24
    logits, targets = normal(1, 12, 12), torch.arange(12)[None]
    mine = cross_entropy(logits, targets)
    assert_same(mine, F.cross_entropy(logits.transpose(1, 2), targets))
    assert abs(mine - F.cross_entropy(logits, targets)) > 0.01


def test_where_every_target_is_ignored_the_loss_and_its_gradient_are_zero():  # D01
    logits, targets = normal(2, 4, 7), torch.full((2, 4), -1)
    loss = cross_entropy(logits, targets, ignore_index=-1)
    assert loss.item() == 0
    assert (torch.autograd.grad(loss, logits)[0] == 0).all()
    theirs = F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=-1)
    assert math.isnan(theirs.item())


def test_ignoring_is_by_value_and_the_mean_is_over_the_rest():  # D03, D12
    logits = normal(3, 7)
    two = cross_entropy(logits, torch.tensor([3, -1, 2]), ignore_index=-1)
    assert_same(two, cross_entropy(logits[[0, 2]], torch.tensor([3, 2])))


def test_logits_are_not_probabilities():  # D04
    certain = torch.tensor([[1.0, 0.0, 0.0]])
    target = torch.tensor([0])
    assert cross_entropy(certain, target).item() == pytest.approx(math.log(math.e + 2) - 1)
    assert cross_entropy(100 * certain, target).item() == pytest.approx(0, abs=1e-6)


def test_shapes_that_do_not_fit_are_refused(refuses):
    with refuses("logits of shape (2, 5, 7) need targets of shape (2, 5), got (2, 7)"):
        cross_entropy(torch.zeros(2, 5, 7), torch.zeros(2, 7).long())


def test_without_an_ignore_index_a_target_of_minus_100_is_refused_as_every_other(refuses):
    logits, targets = torch.zeros(4, 7), torch.tensor([1, -100, 2, -100])
    with refuses("target -100 is not among the V = 7 tokens"):
        cross_entropy(logits, targets)
    assert cross_entropy(logits, targets, ignore_index=-100).item() == pytest.approx(math.log(7))
    for ignored, token in ((None, 7), (0, -1), (-100, 7)):
        with refuses(f"target {token} is not among the V = 7 tokens"):
            cross_entropy(logits, torch.tensor([1, token, 2, 3]), ignore_index=ignored)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_precision_neither_overflows_nor_is_rounded_to_three_digits(dtype):
    logits = 3 * torch.randn(9001, 17, generator=torch.Generator().manual_seed(0))
    logits, targets = logits.to(dtype), torch.zeros(9001, dtype=torch.long)
    logits[:, 1] += 9
    exact = reference.cross_entropy(logits.double().numpy(), targets.numpy())
    assert exact * 9001 > torch.finfo(torch.float16).max
    for ignored in (None, 16):
        loss = cross_entropy(logits.requires_grad_(), targets, ignore_index=ignored)
        assert loss.item() == pytest.approx(exact, rel=1e-5)
    (gradient,) = torch.autograd.grad(loss, logits)
    assert gradient.dtype == dtype
    assert torch.isfinite(gradient).all()


def test_one_prediction_without_a_batch_is_taken_and_so_are_shorter_whole_numbers():
    logits = normal(7)
    expected = F.cross_entropy(logits, torch.tensor(3))
    for dtype in (torch.long, torch.int32):
        assert_same(cross_entropy(logits, torch.tensor(3, dtype=dtype)), expected)
    empty = cross_entropy(torch.zeros(0, 7), torch.zeros(0, dtype=torch.long))
    assert empty.item() == 0


@pytest.mark.parametrize("dtype", [torch.uint8, torch.uint16, torch.int16])
def test_targets_may_be_stored_in_few_bits(as_a_user, dtype):
    logits, targets = normal(3, 300), torch.tensor([50, 156, 255])
    expected = cross_entropy(logits, targets)
    assert_same(cross_entropy(logits, targets.to(dtype)), expected)
    # In a byte, −100 would be 156, and 156 left out.
    assert_same(cross_entropy(logits, targets.to(dtype), ignore_index=-100), expected)


@pytest.mark.parametrize("row", [[math.nan, 0, 1], [-math.inf] * 3, [math.inf, 0, 1]])
@pytest.mark.parametrize("smoothing", [0.0, 0.1])
def test_what_an_ignored_position_predicts_does_not_matter(row, smoothing):
    logits = torch.tensor([[row, [1.0, 2.0, 3.0]]], requires_grad=True)
    options = {"ignore_index": -1, "label_smoothing": smoothing}
    loss = cross_entropy(logits, torch.tensor([[-1, 1]]), **options)
    (gradient,) = torch.autograd.grad(loss, logits)
    alone = logits[0, 1].detach().requires_grad_()
    expected = cross_entropy(alone, torch.tensor(1), **options)
    assert_same(loss, expected)
    assert_same(gradient[0, 1], torch.autograd.grad(expected, alone)[0])
    assert (gradient[0, 0] == 0).all()


def test_targets_of_another_type_and_impossible_smoothing_are_refused(refuses):
    logits = torch.zeros(2, 7)
    for dtype in (torch.float32, torch.bool):
        with refuses(f"targets must be whole token numbers, got dtype {dtype}"):
            cross_entropy(logits, torch.zeros(2, dtype=dtype))
    with refuses("targets must be a tensor, got list"):
        cross_entropy(logits, [0, 1])
    with refuses("logits must be a tensor, got list"):
        cross_entropy([[0.0, 1.0]], torch.tensor([1]))
    for smoothing in (-0.1, 1.5):
        with refuses(f"label_smoothing must lie in [0, 1], got {smoothing}"):
            cross_entropy(logits, torch.zeros(2).long(), label_smoothing=smoothing)


def test_batches_are_joined_by_their_counts_and_their_means_are_not_averaged():
    logits, targets = normal(2, 5, 7), torch.arange(10).reshape(2, 5) % 7
    targets[1, 1:] = -1  # five targets that count, and one
    whole = cross_entropy(logits, targets, ignore_index=-1)
    parts = [cross_entropy(z, y, ignore_index=-1) for z, y in zip(logits, targets, strict=True)]
    joined = (5 * parts[0] + 1 * parts[1]) / 6
    assert_same(joined, whole)
    assert_same_gradients(joined, whole, logits)
    assert abs(sum(parts) / 2 - whole) > 0.1
