"""The closing project: what its checks say of models that learned, and of those that didn't."""

import numpy as np
import pytest
import torch

from course_lib.data import pronouns
from course_lib.grading.exercise import find_exercise
from course_lib.grading.run import run_checks
from course_lib.grading.student import Student
from course_lib.nn import cross_entropy, initialise, train
from tests.exercises.solutions import solved

EXERCISE = find_exercise("ex13")
CHECKS = EXERCISE.module("checks")
KIND, ROLE, FOURS, OWN = (
    "test_your_model_on_held_out_texts_by_kind",
    "test_your_model_on_held_out_texts_by_role",
    "test_your_model_on_texts_that_differ_in_one_thing",
    "test_the_three_answers_for_your_own_model",
)


def judged(**replaced):
    student = Student(solved(EXERCISE, **replaced), EXERCISE.shortcuts)
    return {o.check: o for o in run_checks(EXERCISE, student, phase="all")}


def share_in(reason):
    return int(reason.split("%")[0]) / 100


def a_reader(**options):
    names = solved(EXERCISE)
    model = names["Reader"](**options)
    initialise(model, torch.Generator().manual_seed(0))
    return names, model


def test_the_solution_names_nearly_all_held_out_nouns():
    model, language = CHECKS._numbers_of(Student(solved(EXERCISE)))
    for sentences in (pronouns.kind_sentences(), pronouns.role_sentences()):
        right = CHECKS._right(model, language, CHECKS._held_out(sentences))
        assert right.mean() >= 0.99


def test_a_reader_that_learned_nothing_gets_no_point_for_it_and_all_others():
    names, model = a_reader()
    found = judged(trained=lambda: names["as_arrays"](model))
    assert [name for name, o in found.items() if not o.passed] == [KIND, ROLE, FOURS]
    assert share_in(found[KIND].reason) < 0.2


def test_a_reader_without_roles_gets_the_point_by_kind_alone():
    names, model = a_reader(num_layers=1)
    tokens, answers = (torch.from_numpy(names[table]) for table in ("TOKENS", "ANSWERS"))
    batches = names["batches"](400, torch.Generator().manual_seed(1))
    optimiser = torch.optim.AdamW(model.parameters(), 4e-3)

    def loss_of(model, rows):
        return cross_entropy(model(tokens[rows])[:, pronouns.IT], answers[rows])

    train(model, batches, loss_of, optimiser)
    found = judged(trained=lambda: names["as_arrays"](model))
    assert [name for name, o in found.items() if not o.passed] == [ROLE, FOURS]
    assert 0.4 < share_in(found[ROLE].reason) < 0.6
    assert share_in(found[FOURS].reason) < 0.3
    assert "a bag of words, or a model with one layer" in found[ROLE].reason


def test_a_share_that_is_not_enough_is_not_shown_as_if_it_were():
    assert CHECKS._rounded_down(0.8999) == 0.89
    assert CHECKS._rounded_down(0.9) == 0.9


def test_no_habit_is_right_in_all_four_texts():
    fours = list(CHECKS._fours(np.random.default_rng(0)))
    assert len(fours) >= 40
    assert all(sentence.is_held_out and sentence.referent for sentence in fours)
    first = np.array([s.referent == s.first for s in fours]).reshape(-1, 4)
    assert (first == [False, True, True, False]).all()  # neither always the first, nor the second
    for place in (1, 2, 3):  # another predicate, another verb, the nouns exchanged
        one, other = fours[0], fours[place]
        assert one.referent != other.referent
        same = {0: one.first == other.first, 1: one.verb == other.verb}
        assert sum(same.values()) + (one.predicate == other.predicate) == 2
    bags = [{frozenset(fours[i + j]) for j in (0, 3)} for i in range(0, len(fours), 4)]
    assert all(len(both) == 1 for both in bags)


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        (lambda model: 3, "what `as_arrays` makes"),
        (lambda model: model[:5], "what `as_arrays` makes"),
        (lambda model: ("a",) * 6, "what `as_arrays` makes"),
        (lambda model: (*model[:5], model[5].T), "what `as_arrays` makes"),
        (lambda model: (7, *model[1:]), "do not fit together: a width of 48"),
        (lambda model: (*model[:2], model[2][:3], *model[3:]), "do not fit together"),
        (lambda model: (*model[:3], (), *model[4:]), "do not fit together"),
        (lambda model: (*model[:3], 5, *model[4:]), "do not fit together"),
        (lambda model: (*model[:2], model[2] * np.nan, *model[3:]), "rates words with NaN"),
        (lambda model: (*model[:2], model[2] * np.inf, *model[3:]), "rates words with NaN"),
        (lambda model: (*model[:5], model[5] * np.nan), "rates words with NaN"),
    ],
)
def test_numbers_that_are_no_reader_are_refused_in_words(broken, said):
    model = solved(EXERCISE)["trained"]()
    found = judged(trained=lambda: broken(model))
    for check in (KIND, ROLE, FOURS, OWN):
        assert said in found[check].reason
        assert found[check].misconception == ""


def test_a_reader_of_korean_texts_is_asked_in_korean():
    V, d = len(pronouns.vocabulary("ko")), 5
    rng = np.random.default_rng(0)
    model = CHECKS._model(rng, 1, 1, T=14, V=V)
    assert model[1].shape == (V, d)
    numbers, language = CHECKS._numbers_of(Student({"trained": lambda: model}))
    assert language == "ko"
    assert CHECKS._right(numbers, language, pronouns.role_sentences()).shape == (1720,)


def test_the_numbers_of_a_reader_may_come_in_lists():
    num_heads, embedding, positions, blocks, *rest = solved(EXERCISE)["trained"]()
    blocks = [list(map(list, block)) for block in blocks]
    numbers = [num_heads, embedding.tolist(), positions.tolist(), blocks, *rest]
    assert [o.reason for o in judged(trained=lambda: numbers).values() if not o.passed] == []


def test_a_share_of_one_is_not_taken_for_a_number_of_texts():
    found = judged(held_out_accuracy=lambda *_: 1.0)
    assert found["test_the_share_of_held_out_texts_that_are_right"].misconception == ""


def test_a_sum_over_the_texts_is_not_taken_for_one_without_the_half():
    def weight_moved(maps, exchanged):
        return np.abs(maps - exchanged).sum(axis=(0, -1)) / 2

    assert judged(weight_moved=weight_moved)["test_the_weight_that_moved"].misconception == ""
