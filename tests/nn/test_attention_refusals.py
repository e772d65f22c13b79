"""What the fused attention and its masks refuse, and that they name the values."""

import numpy as np
import pytest
import torch

from course_lib import reference
from course_lib.nn import attention_weights, causal_mask, padding_mask, scaled_dot_product_attention
from tests.nn.helpers import normal

B, H, T, S, D_K, D_V = 2, 3, 5, 7, 11, 13


def inputs():
    return normal(B, H, T, D_K), normal(B, H, S, D_K, seed=1), normal(B, H, S, D_V, seed=2)


def test_masks_that_are_not_boolean_or_of_the_wrong_rank_are_refused(refuses):  # A29, A53
    q, k, v = inputs()
    with refuses("attn_mask must be boolean, True where a query may look, got dtype torch.float32"):
        scaled_dot_product_attention(q, k, v, torch.ones(T, S))
    with refuses(f"attn_mask has shape (2, 7), but the scores have shape ({B}, {H}, {T}, {S})"):
        scaled_dot_product_attention(q, k, v, torch.ones(B, S, dtype=torch.bool))
    with refuses("attn_mask has shape (3, 5, 7)"):
        attention_weights(q, k, torch.ones(H, T, S, dtype=torch.bool))
    with refuses("attn_mask has shape (2, 1, 1, 3)"):
        attention_weights(q, k, torch.ones(B, 1, 1, 3, dtype=torch.bool))


def test_what_is_not_a_tensor_is_refused_by_name(refuses):  # the reference's masks are arrays
    q, k, v = inputs()
    with refuses("attn_mask must be a tensor, got ndarray"):
        scaled_dot_product_attention(q, k, v, reference.causal_mask(T, S))
    with refuses("attn_mask must be a tensor, got list"):
        attention_weights(q, k, [[True] * S] * T)
    with refuses("bias must be a tensor, got ndarray"):
        scaled_dot_product_attention(q, k, v, bias=np.zeros((T, S)))
    with refuses("query must be a tensor, got ndarray"):
        scaled_dot_product_attention(q.detach().numpy(), k, v)
    with refuses("lengths must be a tensor, got list"):
        padding_mask([3, 5], 5)


def test_a_table_of_real_tokens_is_not_taken_for_lengths(refuses):
    real = torch.tensor([[1, 1, 0], [1, 1, 1]])
    message = "lengths must be one whole number for each sequence, got shape "
    for lengths, found in (
        (real, "(2, 3) of dtype torch.int64"),
        (real[:, 0].bool(), "(2,) of dtype torch.bool"),
        (real[:, 0].float(), "(2,) of dtype torch.float32"),
        (real[0, 0], "() of dtype torch.int64"),
    ):
        with refuses(message + found):
            padding_mask(lengths, 3)


@pytest.mark.parametrize("dtype", [torch.uint8, torch.int8, torch.uint16])
def test_lengths_in_few_bits_do_not_wrap_around(dtype, as_a_user):  # in 8 bits, 256 is 0
    lengths = torch.tensor([101, 3])
    assert torch.equal(padding_mask(lengths.to(dtype), 256), padding_mask(lengths, 256))


def test_a_bias_follows_the_shapes_of_a_mask_and_holds_numbers(refuses):
    q, k, v = inputs()
    for attend in (
        scaled_dot_product_attention,
        lambda q, k, v, bias: attention_weights(q, k, bias=bias),
    ):
        with refuses("bias has shape (3, 1, 7), but the scores have shape (2, 3, 5, 7)"):
            attend(q, k, v, bias=torch.zeros(H, 1, S).double())
        with refuses("bias must hold numbers; a boolean mask goes in `attn_mask`"):
            attend(q, k, v, bias=torch.ones(T, S, dtype=torch.bool))


def test_inputs_that_do_not_fit_are_refused_with_their_sizes(refuses):
    q, k, v = inputs()
    with refuses("query has d_k = 11 but key has d_k = 13"):
        scaled_dot_product_attention(q, v, v)
    with refuses("key has S = 7 but value has S = 6"):
        scaled_dot_product_attention(q, k, v[..., :6, :])
    with refuses("query has batch axes (2, 3) but key has (1, 3)"):
        scaled_dot_product_attention(q, k[:1], v)
    with refuses("query has d_k = 11 but key has d_k = 13"):
        attention_weights(q, v)
    with refuses("query and key have d_k = 0, so that there is nothing to compare"):
        scaled_dot_product_attention(q[..., :0], k[..., :0], v)
    with refuses("query and key have d_k = 0, so that there is nothing to compare"):
        attention_weights(q[..., :0], k[..., :0])
    with refuses("lengths must lie between 0 and S = 5, got [3, 6]"):
        padding_mask(torch.tensor([3, 6]), 5)
    with refuses("expected T ≥ 0 and S ≥ 0, got -1 and 5"):
        causal_mask(-1, 5)
    with refuses("query must have at least two axes, got shape (11,)"):
        scaled_dot_product_attention(q[0, 0, 0], k, v)
    with refuses("query must hold floating-point numbers, got dtype torch.int64"):
        scaled_dot_product_attention(q.long(), k.long(), v)
    with refuses("key must hold floating-point numbers, got dtype torch.int64"):
        attention_weights(q, k.long())
    for dropout in (-0.5, 1.5):
        with refuses(f"dropout must lie between 0 and 1, got {dropout}"):
            scaled_dot_product_attention(q, k, v, dropout_p=dropout)
