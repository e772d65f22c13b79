"""Checks of exercise 05: heads cut, merged and shared, and the attention that runs in them."""

import numpy as np

from course_lib import reference, words
from course_lib.grading import expect, hidden, points

SHORTCUTS = {
    "split_heads": ["course_lib.reference.split_heads"],
    "merge_heads": ["course_lib.reference.merge_heads"],
    "multi_head_attention": [
        "course_lib.reference.multi_head_attention",
        "course_lib.reference.scaled_dot_product_attention",
        "torch.nn.MultiheadAttention",
        "torch.nn.functional.multi_head_attention_forward",
        "torch.nn.functional.scaled_dot_product_attention",
    ],
    "repeat_heads": ["course_lib.reference.repeat_heads"],
    "attention_parameters": ["course_lib.cost.attention_parameters"],
}


def _labelled(num_heads, T, d):
    """Heads of one sentence; 213 is head 2, token 1, entry 3, all counted from 1."""
    head, token, entry = np.ogrid[1 : num_heads + 1, 1 : T + 1, 1 : d + 1]
    return (100 * head + 10 * token + entry)[None]


@points(1, task="split_heads")
def test_one_sentence_is_split(student):
    """The number 213 belongs to head 2, token 1, entry 3."""
    heads = _labelled(3, 5, 2)
    expect(student.split_heads(reference.merge_heads(heads), 3), heads)


@points("1/2", task="split_heads")
def test_two_sentences_are_split(student):
    """Each sentence of a batch keeps its own tokens."""
    x = np.arange(36).reshape(2, 3, 6)
    expect(student.split_heads(x, 2), reference.split_heads(x, 2))


@points("1/2", task="split_heads")
@hidden
def test_a_batch_of_any_numbers_is_split(student, rng):
    """Other numbers, other sizes."""
    x = rng.normal(size=(3, 7, 10))
    expect(student.split_heads(x, 5), reference.split_heads(x, 5))


@points(1, task="merge_heads")
def test_one_sentence_is_merged(student):
    """The number 213 comes from head 2, token 1, entry 3."""
    heads = _labelled(2, 3, 5)
    expect(student.merge_heads(heads), reference.merge_heads(heads))


@points("1/2", task="merge_heads")
def test_two_sentences_are_merged(student):
    """Each sentence of a batch keeps its own tokens."""
    heads = np.arange(36).reshape(2, 3, 2, 3)
    expect(student.merge_heads(heads), reference.merge_heads(heads))


@points("1/2", task="merge_heads")
@hidden
def test_a_batch_of_any_numbers_is_merged(student, rng):
    """Other numbers, other sizes."""
    heads = rng.normal(size=(3, 5, 7, 2))
    expect(student.merge_heads(heads), reference.merge_heads(heads))


def _attention(student, query, key, value, matrices, num_heads):
    got = student.multi_head_attention(query, key, value, *matrices, num_heads)
    projections = reference.Projections(*matrices)
    expect(got, reference.multi_head_attention(query, key, value, projections, num_heads))


@points(1, task="multi_head_attention")
def test_it_asks_two_questions(student):
    """“It” asks whom it stands for and what the object is, with the chapter's two heads."""
    roles = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]])
    x = np.hstack([words.embed("cat", "car", "it"), roles])[None]
    W_Q, W_K, W_V = np.zeros((4, 4)), np.eye(4), np.eye(4)
    W_Q[:2, :2], W_Q[2:, 2:] = words.W_Q, [[0, 2], [0, 2]]
    W_K[:2, :2] = words.W_K
    W_O = np.array([[1.0, 0.0, 0.0, 2.0], [0.0, 1.0, 0.0, 0.0], [0.0, 3.0, 1.0, 0.0], [0, 0, 0, 1]])
    _attention(student, x[:, 2:], x[:, :2], x[:, :2], (W_Q, W_K, W_V, W_O), 2)


def _draw(rng, *, batch, num_heads, d_k, d_v):
    """Query, key and value, and four matrices; all widths are different."""
    T, S, d_query, d_key, d_value, d_model = 5, 7, 11, 13, 17, 19
    inputs = [rng.normal(size=(batch, *s)) for s in ((T, d_query), (S, d_key), (S, d_value))]
    key_width, value_width = num_heads * d_k, num_heads * d_v
    shapes = (d_query, key_width), (d_key, key_width), (d_value, value_width)
    matrices = [rng.normal(size=s) / 3 for s in (*shapes, (value_width, d_model))]
    return inputs, matrices


@points(1, task="multi_head_attention")
def test_all_sizes_are_different(student, rng):
    """T, S, the three input widths, d_k, d_v and d_model: no two are alike."""
    inputs, matrices = _draw(rng, batch=2, num_heads=3, d_k=4, d_v=6)
    _attention(student, *inputs, matrices, 3)


@points(1, task="multi_head_attention")
@hidden
def test_other_numbers_of_heads(student, rng):
    """One head alone, and five."""
    for num_heads in (1, 5):
        inputs, matrices = _draw(rng, batch=3, num_heads=num_heads, d_k=2, d_v=3)
        _attention(student, *inputs, matrices, num_heads)


@points(1, task="repeat_heads")
def test_two_key_heads_serve_six(student):
    """Query heads 1, 2, 3 share key head 1, and query heads 4, 5, 6 share key head 2."""
    heads = _labelled(2, 3, 2)
    expect(student.repeat_heads(heads, 6), reference.repeat_heads(heads, 6))


@points("1/2", task="repeat_heads")
@hidden
def test_key_heads_of_a_batch_serve_others(student, rng):
    """A batch, and other numbers of heads, also as many as there are."""
    heads = rng.normal(size=(2, 3, 5, 7))
    for num_heads in (12, 3):
        expect(student.repeat_heads(heads, num_heads), reference.repeat_heads(heads, num_heads))


@points("1/2", task="attention_parameters")
def test_the_base_model_of_2017(student):
    """Width 512, eight heads, each with keys and values of its own."""
    expect(student.attention_parameters(512, 8, 8), 1_048_576, rtol=0)


@points("1/2", task="attention_parameters")
def test_a_model_with_shared_keys(student):
    """Width 4096, 32 query heads, 8 heads of keys and values, as in Llama 3 8B."""
    expect(student.attention_parameters(4096, 32, 8), 41_943_040, rtol=0)


@points("1/2", task="attention_parameters")
@hidden
def test_any_model(student, rng):
    """The number of weights in four matrices of the right shapes."""
    num_kv_heads, group, d_k = (int(n) for n in rng.integers(2, 12, size=3))
    num_heads = num_kv_heads * group
    d_model = num_heads * d_k
    shapes = [(d_model, n * d_k) for n in (num_heads, num_kv_heads, num_kv_heads, num_heads)]
    expected = sum(np.zeros(shape).size for shape in shapes)
    expect(student.attention_parameters(d_model, num_heads, num_kv_heads), expected, rtol=0)
