"""The fused attention: its masks, its empty rows, its precision."""

import math

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel

from course_lib import reference
from course_lib.nn import attention_weights, causal_mask, padding_mask, scaled_dot_product_attention
from tests.nn.helpers import assert_same, assert_same_gradients, normal

B, H, T, S, D_K, D_V = 2, 3, 5, 7, 11, 13
HALF = [torch.float16, torch.bfloat16]


def inputs(T=T, S=S, seed=0):
    return (
        normal(B, H, T, D_K, seed=seed),
        normal(B, H, S, D_K, seed=seed + 1),
        normal(B, H, S, D_V, seed=seed + 2),
    )


def random_mask(T=T, S=S, seed=3):
    generator = torch.Generator().manual_seed(seed)
    mask = torch.rand(B, H, T, S, generator=generator) < 0.5
    mask[..., 0] = True
    return mask


@pytest.mark.claim("B5")
def test_it_equals_pytorch_forwards_and_backwards():
    q, k, v = inputs()
    mask, bias = random_mask(), normal(1, H, 1, S, seed=4)
    for ours, theirs in [
        (scaled_dot_product_attention(q, k, v), F.scaled_dot_product_attention(q, k, v)),
        (
            scaled_dot_product_attention(q, k, v, mask, scale=0.3),
            F.scaled_dot_product_attention(q, k, v, attn_mask=mask, scale=0.3),
        ),
        (
            scaled_dot_product_attention(q, k, v, mask, bias=bias),
            F.scaled_dot_product_attention(
                q, k, v, attn_mask=bias.expand(B, H, T, S).masked_fill(~mask, -math.inf)
            ),
        ),
    ]:
        assert_same(ours, theirs)
        assert_same_gradients(ours, theirs, q, k, v)


@pytest.mark.parametrize("is_causal", [False, True])
@pytest.mark.parametrize(("T", "S"), [(5, 7), (7, 5), (1, 7), (5, 1), (1, 1)])
def test_it_equals_the_reference_at_every_pair_of_lengths(T, S, is_causal):
    q, k, v = inputs(T, S)
    arrays = [x.detach().numpy() for x in (q, k, v)]
    mask = reference.causal_mask(T, S) if is_causal else None
    output = scaled_dot_product_attention(q, k, v, is_causal=is_causal)
    weights = attention_weights(q, k, is_causal=is_causal)
    np.testing.assert_allclose(
        output.detach().numpy(),
        reference.scaled_dot_product_attention(*arrays, mask),
        rtol=1e-10,
        atol=1e-12,
        strict=True,
    )
    assert_same(weights @ v, output)
    np.testing.assert_allclose(
        weights.detach().numpy(), reference.attention_weights(*arrays[:2], mask), atol=1e-12
    )


def test_weights_times_values_equal_the_output_and_its_gradients_with_mask_and_bias():
    q, k, v = inputs()
    mask, bias = random_mask(), normal(1, H, 1, S, seed=4)
    mask[0, 1, 2] = False
    ours = scaled_dot_product_attention(q, k, v, mask, bias=bias)
    by_weights = attention_weights(q, k, mask, bias=bias) @ v
    assert_same(ours, by_weights)
    assert_same_gradients(ours, by_weights, q, k, v, bias)


def test_a_row_that_may_see_nothing_is_zero_and_leaves_the_other_rows_alone():  # A01, A02, A51
    q, k, v = (normal(1, 1, 8, 8, seed=s) for s in range(3))
    mask = torch.zeros(8, 8, dtype=torch.bool)
    mask[:4, :4] = True
    for causal in (False, True):
        output = scaled_dot_product_attention(q, k, v, mask, is_causal=causal)
        four = [x[..., :4, :] for x in (q, k, v)]
        assert (output[..., 4:, :] == 0).all()
        assert_same(output[..., :4, :], scaled_dot_product_attention(*four, is_causal=causal))
        gradients = torch.autograd.grad(output.sum(), (q, k, v))
        assert all(torch.isfinite(g).all() for g in gradients)
        assert (gradients[0][..., 4:, :] == 0).all()
    assert (attention_weights(q, k, mask)[..., 4:, :] == 0).all()


def test_empty_rows_raise_no_false_alarm_in_the_search_for_nan():
    q, k, v = inputs()
    mask = causal_mask(T, S)
    mask[2] = False
    bias = torch.zeros(T, S, dtype=q.dtype).masked_fill(~mask, -math.inf).requires_grad_()
    for options in ({"attn_mask": mask}, {"bias": bias}):
        with torch.autograd.set_detect_anomaly(True):  # looks at every step of the way back
            scaled_dot_product_attention(q, k, v, **options).sum().backward()
            (attention_weights(q, k, **options) @ v).sum().backward()
    assert torch.isfinite(bias.grad).all()


def test_empty_rows_are_zero_also_with_a_kernel_that_makes_them_nan(monkeypatch):
    def plain_formula(query, key, value, attn_mask, dropout_p, scale):
        scores = query @ key.mT
        if attn_mask.dtype == torch.bool:
            scores = scores.masked_fill(~attn_mask, -math.inf)
        else:
            scores = scores + attn_mask
        return scores.softmax(dim=-1) @ value

    monkeypatch.setattr(F, "scaled_dot_product_attention", plain_formula)
    q, k, v = inputs()
    mask = causal_mask(T, S)
    mask[2] = False
    for options in ({"attn_mask": mask}, {"bias": torch.zeros(T, S).masked_fill(~mask, -math.inf)}):
        output = scaled_dot_product_attention(q, k, v, **options)
        assert (output[..., 2, :] == 0).all()
        gradients = torch.autograd.grad(output.sum(), (q, k, v))
        assert all(torch.isfinite(g).all() for g in gradients)


@pytest.mark.parametrize("hidden_by", ["bias", "mask and bias", "causality and bias"])
def test_a_bias_of_minus_infinity_hides_keys_as_a_mask_does(hidden_by):
    q, k, v = inputs(S, S)
    by_bias, by_mask = torch.ones(S, S, dtype=torch.bool), None
    by_bias[1] = by_bias[3, 2:] = False
    if hidden_by == "mask and bias":
        by_mask = random_mask(S, S)
        by_mask[..., 3, :2] = False  # a row that neither would leave empty alone
    options = {"is_causal": hidden_by == "causality and bias"}
    mask = by_bias if by_mask is None else by_bias & by_mask
    numbers = normal(S, S, seed=5)
    bias = numbers.masked_fill(~by_bias, -math.inf)
    for attend in (scaled_dot_product_attention, lambda *x, **o: attention_weights(*x, **o) @ v):
        tensors = (q, k, v) if attend is scaled_dot_product_attention else (q, k)
        ours = attend(*tensors, by_mask, bias=bias, **options)
        same = attend(*tensors, mask, bias=numbers, **options)
        assert (ours[..., 1, :] == 0).all()
        assert_same(ours, same)
        assert_same_gradients(ours, same, q, k, v, numbers)


def test_a_bias_takes_the_type_of_the_query():  # G03
    q, k, v = (x.detach().float() for x in inputs())
    bias = normal(T, S).detach()
    ours = scaled_dot_product_attention(q, k, v, bias=bias)
    assert_same(ours, scaled_dot_product_attention(q, k, v, bias=bias.float()))
    assert_same(attention_weights(q, k, bias=bias) @ v, ours, tolerance=1e-5)


def test_a_finite_fill_attends_to_masked_keys_where_a_row_is_empty_and_ours_does_not():  # A02
    q, k, _ = inputs()
    mask = causal_mask(T, S)
    mask[-1] = False
    scores = (q @ k.mT) / math.sqrt(D_K)
    finite = scores.masked_fill(~mask, torch.finfo(scores.dtype).min).softmax(-1)
    assert_same(finite[..., :-1, :], attention_weights(q, k, mask)[..., :-1, :])
    assert_same(finite[..., -1, :], torch.full((B, H, S), 1 / S, dtype=torch.float64))


@pytest.mark.claim("B19")
def test_causal_attention_is_aligned_to_the_last_key():  # A13
    expected = torch.tensor([[1, 1, 1, 1, 0], [1, 1, 1, 1, 1]], dtype=torch.bool)
    assert torch.equal(causal_mask(2, 5), expected)
    q, k, v = inputs(T=2, S=5)
    ours = scaled_dot_product_attention(q, k, v, is_causal=True)
    assert_same(ours, F.scaled_dot_product_attention(q, k, v, attn_mask=expected))
    top_left = F.scaled_dot_product_attention(q, k, v, is_causal=True)
    assert_same(top_left[..., 0, :], v[..., 0, :])
    assert not torch.allclose(ours, top_left)


def test_padding_and_causal_masks_are_merged():  # A07, A09
    lengths = torch.tensor([5, 4])
    merged = causal_mask(5) & padding_mask(lengths, 5)
    assert merged.shape == (2, 5, 5)
    assert not merged[1, :, 4].any()
    assert merged[1, 4, :4].all()
    q, k, v = inputs(5, 5)
    ours = scaled_dot_product_attention(q, k, v, padding_mask(lengths, 5)[:, None], is_causal=True)
    assert_same(ours, scaled_dot_product_attention(q, k, v, merged[:, None]))
    assert torch.isfinite(ours).all()


@pytest.mark.parametrize("dtype", HALF)
def test_half_precision_masks_exactly_and_stays_finite(dtype):  # A15
    q, k = (100 * torch.ones(1, n, 4, dtype=dtype) for n in (3, 5))
    value = torch.arange(5, dtype=dtype).reshape(1, 5, 1)
    mask = torch.tensor([[1, 0, 0, 0, 0], [0, 1, 1, 0, 0], [0, 0, 0, 0, 0]], dtype=torch.bool)
    assert attention_weights(q, k, mask).dtype == dtype
    expected = torch.tensor([[0.0], [1.5], [0.0]], dtype=dtype)[None]
    assert_same(scaled_dot_product_attention(q, k, value, mask), expected)
    assert_same(attention_weights(q, k, mask) @ value, expected)


@pytest.mark.parametrize("autocast", [False, True])
def test_scores_past_the_largest_half_precision_number_give_the_weights_of_the_output(autocast):
    dtype = torch.float32 if autocast else torch.float16
    q = torch.full((1, 2, 64), 300, dtype=dtype)  # q · k / 8 = 720000 and 480000
    k = torch.tensor([300, 300, 200], dtype=dtype)[None, :, None].expand(1, 3, 64)
    value = torch.tensor([[[1.0], [2.0], [9.0]]], dtype=dtype)
    with torch.autocast("cpu", torch.float16, enabled=autocast):
        weights = attention_weights(q, k)
        output = scaled_dot_product_attention(q, k, value)
    assert weights.dtype == dtype
    assert weights.tolist() == [[[0.5, 0.5, 0.0]] * 2]
    assert output.tolist() == [[[1.5]] * 2]


def test_logits_of_ten_thousand_pick_one_key_and_pass_finite_gradients():
    q = torch.tensor([[[1e2]]], dtype=torch.float32, requires_grad=True)
    k = torch.tensor([[[1e2], [-1e2], [99.0]]], dtype=torch.float32)
    value = torch.tensor([[[1.0], [2.0], [3.0]]])
    output = scaled_dot_product_attention(q, k, value)
    assert output.item() == 1.0
    output.sum().backward()
    assert torch.isfinite(q.grad).all()


@pytest.mark.parametrize("options", [{}, {"is_causal": True}, {"attn_mask": causal_mask(T, S)}])
def test_the_plain_kernel_has_second_derivatives(options):
    q, k, v = inputs(S, S) if "is_causal" in options else inputs()
    with sdpa_kernel(SDPBackend.MATH):
        output = scaled_dot_product_attention(q, k, v, **options)
        by_weights = attention_weights(q, k, **options) @ v
        firsts = [
            torch.autograd.grad(x.square().sum(), q, create_graph=True)[0]
            for x in (output, by_weights)
        ]
        assert_same_gradients(*firsts, q, k, v)


def test_dropout_drops_weights_and_rescales_the_rest():  # A08
    q, k, v = inputs()
    with torch.random.fork_rng():
        torch.manual_seed(0)
        dropped = scaled_dot_product_attention(q, k, torch.ones_like(v), dropout_p=0.5)
    assert (dropped - 1).abs().max() > 0.1
    assert_same(
        scaled_dot_product_attention(q, k, torch.ones_like(v)), torch.ones(B, H, T, D_V).double()
    )
