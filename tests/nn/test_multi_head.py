"""MultiHeadAttention against nn.MultiheadAttention, the reference, and what people get wrong."""

import numpy as np
import pytest
import torch
from torch import nn

from course_lib import reference
from course_lib.nn import (
    KVCache,
    MultiHeadAttention,
    causal_mask,
    padding_mask,
    record_attention,
)
from course_lib.nn.to_reference import projections
from tests.nn.helpers import (
    assert_finite_gradients,
    assert_same,
    assert_same_gradients,
    normal,
    seeded,
)

B, T, S, HEADS, D_MODEL = 2, 5, 7, 3, 12


def torch_twin(ours: MultiHeadAttention) -> nn.MultiheadAttention:
    """nn.MultiheadAttention with the same weights; cross-attention widths included."""
    d_model, d_key, d_value = (w.in_features for w in (ours.W_Q, ours.W_K, ours.W_V))
    theirs = nn.MultiheadAttention(
        d_model, ours.num_heads, bias=False, kdim=d_key, vdim=d_value, batch_first=True
    ).double()
    weights = [ours.W_Q.weight.data, ours.W_K.weight.data, ours.W_V.weight.data]
    if theirs.in_proj_weight is not None:
        theirs.in_proj_weight.data = torch.cat(weights)
    else:
        theirs.q_proj_weight.data, theirs.k_proj_weight.data, theirs.v_proj_weight.data = weights
    theirs.out_proj.weight.data = ours.W_O.weight.data
    return theirs


@pytest.mark.claim("B11")
@pytest.mark.parametrize(("d_key", "d_value"), [(12, 12), (5, 5), (5, 17)])  # A39, A40
def test_it_equals_nn_multihead_attention_forwards_and_backwards(d_key, d_value):
    ours = seeded(MultiHeadAttention(D_MODEL, HEADS, d_key=d_key, d_value=d_value))
    theirs = torch_twin(ours)
    query, key = normal(B, T, D_MODEL), normal(B, S, d_key, seed=1)
    value = normal(B, S, d_value, seed=2)
    mask = torch.rand(T, S, generator=torch.Generator().manual_seed(3)) < 0.6
    mask[:, 0] = True
    mine = ours(query, key, value, attn_mask=mask)
    other, mean_weights = theirs(query, key, value, attn_mask=~mask)  # True means "ignore" there
    assert_same(mine, other)
    assert_same_gradients(mine, other, query, key, value)
    assert_same(ours.weights(query, key, attn_mask=mask).mean(dim=1), mean_weights)  # A26


def test_the_same_mask_means_the_opposite_in_nn_multihead_attention():  # A10, A11
    ours = seeded(MultiHeadAttention(D_MODEL, HEADS))
    theirs, x, mask = torch_twin(ours), normal(B, T, D_MODEL), causal_mask(T)
    wrong = theirs(x, x, x, attn_mask=mask)[0][:, :-1]
    assert not torch.allclose(wrong, ours(x, attn_mask=mask)[:, :-1])
    assert_same(theirs(x, x, x, attn_mask=~mask)[0], ours(x, attn_mask=mask))


@pytest.mark.parametrize("num_kv_heads", [1, 2, 4])
def test_it_equals_the_reference_with_all_widths_different(num_kv_heads):  # A42, A43, A45
    ours = seeded(
        MultiHeadAttention(
            8, 4, num_kv_heads=num_kv_heads, d_k=3, d_v=5, d_query=11, d_key=6, d_value=7
        )
    )
    query, key, value = normal(B, T, 11), normal(B, S, 6, seed=1), normal(B, S, 7, seed=2)
    mask = torch.rand(B, T, S, generator=torch.Generator().manual_seed(3)) < 0.5
    expected = reference.multi_head_attention(
        *(x.detach().numpy() for x in (query, key, value)),
        projections(ours),
        4,
        mask.numpy(),
        num_kv_heads=num_kv_heads,
    )
    output = ours(query, key, value, attn_mask=mask)
    np.testing.assert_allclose(output.detach().numpy(), expected, atol=1e-12, strict=True)
    assert ours.weights(query, key, attn_mask=mask).shape == (B, 4, T, S)


def test_neighbouring_query_heads_share_a_key_head():  # E09
    ours = seeded(MultiHeadAttention(8, 4, num_kv_heads=2, d_k=2, d_v=1, d_value=1))
    ours.W_V.weight.data = torch.tensor([[0.0], [1.0]], dtype=torch.float64)
    ours.W_O = nn.Identity()
    heads = ours(normal(1, 1, 8), normal(1, 3, 8, seed=1), torch.ones(1, 3, 1).double())
    assert_same(heads, torch.tensor([[[0.0, 0.0, 1.0, 1.0]]], dtype=torch.float64))


def test_scores_are_divided_by_the_root_of_the_head_width():  # A17, A18, A20
    ours = MultiHeadAttention(8, 2).double()
    for linear in (ours.W_Q, ours.W_K):
        linear.weight.data = torch.eye(8, dtype=torch.float64)
    query = torch.ones(1, 1, 8, dtype=torch.float64)
    key = torch.stack([torch.ones(8), torch.zeros(8)])[None].double()
    weights = ours.weights(query, key)[0, 0, 0]
    assert (weights[0] / weights[1]).log().item() == pytest.approx(2.0)  # 4 / √4, not 4 / √8


def test_heads_are_split_by_columns_and_merged_back_in_order():  # A21, A22
    ours = MultiHeadAttention(6, 3).double()
    for linear in (ours.W_Q, ours.W_K, ours.W_V, ours.W_O):
        linear.weight.data = torch.eye(6, dtype=torch.float64)
    x = torch.arange(24, dtype=torch.float64).reshape(1, 4, 6)
    itself = torch.eye(4, dtype=torch.bool)
    assert_same(ours(x, attn_mask=itself), x)


def test_no_sample_depends_on_another_sample():  # A31
    ours, x = seeded(MultiHeadAttention(8, 2)), normal(2, 3, 8)
    changed = torch.stack([x[0], normal(3, 8, seed=5)])
    assert_same(ours(x)[0], ours(changed)[0])
    assert not torch.allclose(ours(x)[1], ours(changed)[1])


@pytest.mark.claim("B19")
def test_changing_a_future_token_changes_no_earlier_output():  # A10
    ours, x = seeded(MultiHeadAttention(8, 2)), normal(2, 5, 8)
    changed = x.detach().clone()
    changed[:, 3] = 7.0
    before, after = ours(x, is_causal=True), ours(changed, is_causal=True)
    assert torch.equal(before[:, :3], after[:, :3])
    assert (before[:, 3:] != after[:, 3:]).any(dim=-1).all()


def test_texts_that_share_a_row_are_kept_apart_by_a_mask_of_their_numbers():
    ours, x = seeded(MultiHeadAttention(8, 2)), normal(1, 7, 8)
    text = torch.tensor([0, 0, 0, 1, 1, 1, 1])
    packed = ours(x, attn_mask=text[:, None] == text, is_causal=True)
    alone = [ours(part, is_causal=True) for part in x.split([3, 4], dim=1)]
    assert_same(packed, torch.cat(alone, dim=1))
    assert not torch.allclose(packed, ours(x, is_causal=True))


def test_left_padding_leaves_every_gradient_finite():  # A04
    ours, x = seeded(MultiHeadAttention(8, 2)), normal(1, 3, 8)
    real = torch.tensor([[[False, True, True]]])
    output = ours(x, attn_mask=real, is_causal=True)
    assert_finite_gradients(output[:, 1:].square().sum(), ours)
    assert (output[:, 0] == 0).all()


def test_a_sequence_of_length_zero_gives_zeros_and_finite_gradients():  # A08
    ours, x = seeded(MultiHeadAttention(8, 2)), normal(4, 5, 8)
    output = ours(x, attn_mask=padding_mask(torch.tensor([5, 3, 1, 0]), 5))
    assert (output[3] == 0).all()
    assert (output[:3] != 0).all()
    assert_finite_gradients(output.square().sum(), ours)


def test_dropout_acts_in_training_only():  # A08, A34
    ours, x = seeded(MultiHeadAttention(8, 2, dropout=0.5)), normal(2, 5, 8)
    ours.eval()
    assert torch.equal(ours(x), ours(x))
    ours.train()
    with torch.random.fork_rng():
        torch.manual_seed(0)
        assert not torch.equal(ours(x), ours(x))


@pytest.mark.parametrize("chunks", [(5,), (1, 1, 1, 1, 1), (3, 2), (2, 1, 2)])
@pytest.mark.claim("A20")
def test_a_cache_filled_in_chunks_gives_what_one_pass_gives(chunks):
    ours, x = seeded(MultiHeadAttention(12, 6, num_kv_heads=2)), normal(2, 5, 12)
    cache = KVCache()
    outputs = [ours(part, is_causal=True, cache=cache) for part in x.split(chunks, dim=1)]
    assert_same(torch.cat(outputs, dim=1), ours(x, is_causal=True))
    assert len(cache) == 5
    assert cache.nbytes == 2 * 2 * 2 * 2 * 5 * 8  # keys and values · B · heads · d · tokens · bytes


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_the_reference_reads_weights_in_half_precision(dtype):  # NumPy has no bfloat16
    ours = MultiHeadAttention(8, 2).to(dtype)
    W_Q = projections(ours).W_Q
    np.testing.assert_array_equal(W_Q, ours.W_Q.weight.detach().float().numpy().T)


@pytest.mark.claim("A18")
def test_each_head_projects_from_the_full_width():  # A44
    ours = MultiHeadAttention(8, 2)
    assert sum(p.numel() for p in ours.parameters()) == 4 * 8 * 8


def test_sizes_that_do_not_fit_are_refused_with_their_remainder(refuses):  # A25
    with refuses("d_model = 1600 can't be split evenly by num_heads = 48: remainder 16"):
        MultiHeadAttention(1600, 48)
    with refuses("d_model = 10 can't be split evenly by num_heads = 3: remainder 1"):
        MultiHeadAttention(10, 3)
    with refuses("num_heads = 4 can't be split evenly by num_kv_heads = 3: remainder 1"):
        MultiHeadAttention(8, 4, num_kv_heads=3)
    with refuses("d_model = 8 can't be split evenly by num_heads = 0"):
        MultiHeadAttention(8, 0)
    for name in ("d_k", "d_v", "d_query", "d_key", "d_value"):
        for size in (0, -4):
            with refuses(f"{name} must be at least 1, got {size}"):
                MultiHeadAttention(8, 2, **{name: size})
    with refuses("d_k must be at least 1, got 0"):
        MultiHeadAttention(0, 2)
    with refuses("dropout must lie between 0 and 1, got 10"):
        MultiHeadAttention(8, 2, dropout=10)
    with refuses("query must have at least two axes, got shape (8,)"):
        MultiHeadAttention(8, 2).double()(normal(8))
    with refuses("attn_mask must be a tensor, got ndarray"):
        MultiHeadAttention(8, 2).double()(normal(2, 5, 8), attn_mask=reference.causal_mask(5))
    with refuses("key has width 9, but its projection was made for 6"):
        MultiHeadAttention(8, 2, d_key=6).double()(normal(1, 2, 8), normal(1, 3, 9))


def test_a_mask_of_the_wrong_rank_is_refused_where_it_would_broadcast(refuses):  # A53
    ours, x = seeded(MultiHeadAttention(8, 2)), normal(2, 5, 8)
    with refuses("attn_mask has shape (2, 5)"):
        ours(x, attn_mask=torch.ones(2, 5, dtype=torch.bool))
    with refuses("attn_mask has shape (5,)"):
        ours(x, attn_mask=torch.ones(5, dtype=torch.bool))


def test_a_mask_for_each_sequence_is_not_taken_for_one_for_each_head():  # A53
    ours, x = seeded(MultiHeadAttention(8, 2)), normal(2, 5, 8)
    real = padding_mask(torch.tensor([2, 5]), 5)
    weights = ours.weights(x, attn_mask=real.expand(2, 5, 5))
    assert (weights[0, :, :, 2:] == 0).all()
    assert (weights[1] > 0).all()


def test_a_module_is_recorded_whichever_way_its_arguments_are_passed():
    ours, x, memory = seeded(MultiHeadAttention(8, 2)), normal(2, 5, 8), normal(2, 7, 8, seed=1)
    ways = [
        lambda: ours(x, memory, memory),
        lambda: ours(x, memory, value=memory),
        lambda: ours(query=x, key=memory, value=memory),
    ]
    for call in ways:
        with record_attention(ours) as maps:
            call()
        assert_same(maps[""], ours.weights(x, memory))
