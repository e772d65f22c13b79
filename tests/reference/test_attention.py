"""Scaled dot-product attention against its definition and the documents' numbers."""

import numpy as np
import pytest

from course_lib import words
from course_lib.reference import attention_weights, causal_mask, scaled_dot_product_attention


@pytest.mark.claim("A12", "A13")
def test_it_attends_to_the_cat_with_weight_0_793_and_mixes_0_676_0_514():
    it, nouns = words.embed("it"), words.embed("cat", "car")
    weights = attention_weights(it @ words.W_Q, nouns @ words.W_K)
    np.testing.assert_array_equal(weights.round(3), [[0.793, 0.207]], strict=True)
    mixed = scaled_dot_product_attention(it @ words.W_Q, nouns @ words.W_K, nouns @ words.W_V)
    np.testing.assert_array_equal(mixed.round(3), [[0.676, 0.514]], strict=True)


def test_a_query_that_may_see_nothing_gets_zeros():
    rng = np.random.default_rng(0)
    q, k, v = rng.normal(size=(5, 3)), rng.normal(size=(2, 3)), rng.normal(size=(2, 7))
    output = scaled_dot_product_attention(q, k, v, causal_mask(5, 2))
    assert (output[:3] == 0).all()
    assert (output[3:] != 0).all()


def test_a_mask_of_floats_is_refused(refuses):
    x = np.ones((2, 3))
    with refuses("attn_mask must be boolean, True where a query may look, got dtype float64"):
        attention_weights(x, x, np.ones((2, 2)))
