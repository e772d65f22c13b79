"""Every kind of submission gets what it is worth, and a status, from a judge that goes on."""

import pytest

from tests.grading.hostile.conftest import in_both_tiers
from tests.grading.hostile.kinds import GOOD, KINDS


@in_both_tiers
@pytest.mark.parametrize("name", KINDS)
def test_a_kind_of_submission(name, graded, small_exercise, monkeypatch):
    # I01, I02, I24, I28, I33, I35, I37, I44
    kind = KINDS[name]
    if not kind.may_hang:  # who does not hang has all the time that a busy machine takes
        monkeypatch.setattr(small_exercise, "limits", dict.fromkeys(small_exercise.limits, 60))
    record = graded(GOOD, *kind.cells)
    questions = {question.task: question for question in record.questions}
    assert record.points == kind.points, record.as_json()
    assert record.worth == "10"
    assert kind.double in ("*", questions["double"].status)
    assert kind.says in record.as_json()
