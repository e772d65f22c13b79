"""The documents' claims about words as vectors: what a table of embeddings can say and cannot."""

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from course_lib import messages, words
from course_lib.reference import cosine_similarity, dot, nearest_neighbours

DOG, CAT, CAR, IT = (words.VECTORS[name] for name in ("dog", "cat", "car", "it"))
WANTED = ("cat", "car")  # what "it" is in the two sentences


@pytest.mark.claim("A1")
def test_a_dog_is_0_98_like_a_cat_and_0_46_like_a_car():
    for other, printed in ((CAT, 0.98), (CAR, 0.46)):
        by_hand = (DOG[0] * other[0] + DOG[1] * other[1]) / (np.hypot(*DOG) * np.hypot(*other))
        assert by_hand.round(2) == printed
        np.testing.assert_allclose(cosine_similarity(DOG, other), by_hand, rtol=1e-14)
    np.testing.assert_allclose([dot(DOG, CAT), dot(DOG, CAR)], [0.82, 0.4175], rtol=1e-14)


@pytest.mark.claim("A2")
@pytest.mark.parametrize("language", messages.LANGUAGES)
def test_both_sentences_look_up_the_same_rows_for_it_cat_and_car(language):
    """The sentences differ; the words of theirs that the table holds, and the rows, do not."""
    say = words.speaker(language)
    hungry, red = words.SENTENCES[language]
    assert hungry != red
    found = [[name for name in words.VECTORS if say(name) in s.lower()] for s in (hungry, red)]
    assert found[0] == found[1] == ["cat", "car", "it"]
    rows = [words.embed(*names) for names in found]
    np.testing.assert_array_equal(rows[0], rows[1], strict=True)
    np.testing.assert_array_equal(rows[0], [[0.80, 0.40], [0.20, 0.95], [0.60, 0.60]], strict=True)


@pytest.mark.claim("A2")
def test_a_lookup_differs_only_where_the_words_differ():
    """Any table: the one changed word gets another row, and no other word notices."""
    hungry, red = (s.replace(".", " .").lower().split() for s in words.SENTENCES["en"])
    vocabulary = sorted({*hungry, *red})
    table = torch.randn(len(vocabulary), 7, generator=torch.Generator().manual_seed(0))
    ids = torch.tensor([[vocabulary.index(word) for word in s] for s in (hungry, red)])
    first, second = F.embedding(ids, table)
    changed = (first != second).any(dim=-1)
    assert changed.tolist() == [one != other for one, other in zip(hungry, red, strict=True)]
    assert changed.sum() == 1
    one_hot = F.one_hot(ids, len(vocabulary)).to(table.dtype)
    torch.testing.assert_close(one_hot @ table, torch.stack([first, second]))


@pytest.mark.claim("A3")
def test_it_sits_between_the_two_nouns_so_similarity_barely_decides():
    to_cat, to_car = cosine_similarity(IT, CAT), cosine_similarity(IT, CAR)
    assert to_cat.round(3) == 0.949
    assert to_car.round(3) == 0.838
    bearing = {name: np.arctan2(y, x) for name, (x, y) in words.VECTORS.items()}
    assert bearing["cat"] < bearing["it"] < bearing["car"]
    assert nearest_neighbours(IT, words.embed("car", "cat"), k=2).tolist() == [1, 0]


@pytest.mark.claim("A4")
def test_a_cosine_is_the_same_both_ways_to_the_last_bit():
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, 101, 13))
    assert (cosine_similarity(a, b) - cosine_similarity(b, a) == 0).all()
    for one in words.VECTORS.values():
        for other in words.VECTORS.values():
            assert cosine_similarity(one, other) - cosine_similarity(other, one) == 0


@pytest.mark.claim("A4")
def test_no_table_makes_a_dot_product_directed_but_two_matrices_do():
    rng = np.random.default_rng(1)
    table, w_q, w_k = rng.normal(size=(11, 5)), rng.normal(size=(5, 3)), rng.normal(size=(5, 3))
    scores = table @ table.T
    np.testing.assert_allclose(scores, scores.T, strict=True)
    directed = (table @ w_q) @ (table @ w_k).T
    off_diagonal = ~np.eye(len(table), dtype=bool)
    assert (np.abs(directed - directed.T)[off_diagonal] > 1e-3).all()


def who_is_it(table: dict[str, np.ndarray], sentence: str) -> str:
    """The noun of the sentence whose row is most like the row of "it"."""
    nouns = [name for name in ("cat", "car") if name in sentence]
    rows = np.stack([table[noun] for noun in nouns])
    return nouns[nearest_neighbours(table["it"], rows, k=1)[0]]


@pytest.mark.claim("A5")
def test_the_documents_table_says_cat_to_hungry_and_to_red():
    assert [who_is_it(words.VECTORS, s) for s in words.SENTENCES["en"]] == ["cat", "cat"]


@pytest.mark.claim("A5")
def test_every_table_is_right_about_it_in_exactly_one_of_the_two_sentences():
    rng = np.random.default_rng(2)
    seen = set()
    for _ in range(100):
        table = dict(zip(("it", "cat", "car"), rng.normal(size=(3, 5)), strict=True))
        answers = [who_is_it(table, sentence) for sentence in words.SENTENCES["en"]]
        assert sum(a == w for a, w in zip(answers, WANTED, strict=True)) == 1
        seen.add(answers[0])
    assert seen == {"cat", "car"}


@pytest.mark.claim("E3")
def test_on_a_grid_of_0_05_only_two_rows_for_dog_give_both_printed_cosines():
    steps = np.arange(-20, 21) / 20
    grid = np.array([(x, y) for x in steps for y in steps if (x, y) != (0, 0)])
    lengths = np.linalg.norm(grid, axis=1)
    to_cat, to_car = (grid @ noun / (lengths * np.linalg.norm(noun)) for noun in (CAT, CAR))
    found = grid[(to_cat.round(2) == 0.98) & (to_car.round(2) == 0.46)]
    assert found.tolist() == [[0.55, 0.15], [0.9, 0.25]]
    assert DOG.tolist() in found.tolist()


@pytest.mark.claim("E11")
def test_lengthening_a_vector_moves_its_dot_products_and_no_cosine():
    rng = np.random.default_rng(3)
    a, b = rng.normal(size=(2, 17, 5))
    for factor in (1.05, 3.0):
        np.testing.assert_allclose(dot(a, factor * b), factor * dot(a, b), strict=True)
        np.testing.assert_allclose(
            cosine_similarity(a, factor * b), cosine_similarity(a, b), rtol=1e-13, strict=True
        )


@pytest.mark.claim("E11")
def test_by_dot_product_the_cat_is_closer_to_the_dog_than_to_itself():
    assert dot(CAT, DOG) > dot(CAT, CAT)
    assert cosine_similarity(CAT, DOG) < cosine_similarity(CAT, CAT)
    assert dot(IT, CAR) < dot(IT, CAT) < dot(IT, 1.05 * CAR)
