"""Gradescope's and Classroom's results, and the records themselves, held to their schemas."""

import json
from importlib.resources import files

import jsonschema
import pytest

from course_lib.grading.exports import classroom, gradescope
from course_lib.grading.record import from_json
from tests.grading.exports.made import HOSTILE, blank, check, half_right, question, record


def schema(name):
    text = (files("course_lib.grading") / "schemas" / f"{name}.schema.json").read_text("utf-8")
    jsonschema.Draft202012Validator.check_schema(json.loads(text))
    return jsonschema.Draft202012Validator(json.loads(text))


RECORD, GRADESCOPE, CLASSROOM = map(schema, ("record", "gradescope", "classroom"))


def hostile_record():
    checks = [check("x", "1", "failed", title=t, reason=t, case=[t]) for t in HOSTILE]
    named = [question(text) for text in HOSTILE]
    return record(questions=[question(checks=checks), *named], notes=HOSTILE)


RECORDS = [
    record(),
    half_right(),
    half_right("not run"),
    record(status="timeout", language="ko"),
    blank(),
    blank(status="infra_error", reason=HOSTILE[0]),
    hostile_record(),
]


@pytest.mark.parametrize("made", RECORDS)
def test_a_record_keeps_its_schema_and_comes_back_as_it_was(made):
    RECORD.validate(json.loads(made.as_json()))
    assert from_json(made.as_json()) == made


@pytest.mark.parametrize(
    "change",
    [
        {"points": None},
        {"points": "0.5"},
        {"points": "2/0"},
        {"status": "done"},
        {"sha256": "a"},
        {"status": "unreadable"},
    ],
)
def test_a_record_that_says_nonsense_breaks_its_schema(change):
    with pytest.raises(jsonschema.ValidationError):
        RECORD.validate(json.loads(record().as_json()) | change)


def test_a_hidden_check_with_a_case_breaks_the_records_schema():  # I11
    made = half_right()
    made.questions[0].checks[3].case = ["softmax([7])"]
    with pytest.raises(jsonschema.ValidationError):
        RECORD.validate(json.loads(made.as_json()))


@pytest.mark.parametrize("made", RECORDS)
def test_gradescope_and_classroom_get_what_they_document(made):
    GRADESCOPE.validate(json.loads(gradescope.as_json(made)))
    CLASSROOM.validate(json.loads(classroom.as_json(made)))
    for platform in (gradescope, classroom):
        assert platform.as_json(made) == platform.as_json(from_json(made.as_json()))


def test_the_schemas_refuse_what_the_platforms_would_misread():
    for wrong in ({"tests": [{}]}, {"score": "4"}, {"score": 1, "visibility": "never"}, {}):
        with pytest.raises(jsonschema.ValidationError):
            GRADESCOPE.validate(wrong)
    test = {"name": "a", "status": "pass", "message": None}
    for wrong in (
        {"version": 1, "status": "pass", "max_score": 1, "tests": [test]},
        {"version": 1, "status": "pass", "tests": [test]},
        {"version": 1, "status": "error", "tests": []},
    ):
        with pytest.raises(jsonschema.ValidationError):
            CLASSROOM.validate(wrong)


@pytest.mark.parametrize("status", ["unreadable", "infra_error"])
def test_a_blank_submission_has_no_number_for_anyone_to_take_for_a_grade(status):
    made = blank(status=status, reason="/secret/path: broken")
    result = gradescope.result(made)
    assert set(result) == {"output", "output_format"}
    result = classroom.result(made)
    assert "max_score" not in result
    assert all("score" not in test for test in result["tests"])
    assert result["status"] == "error"


def test_a_failure_of_grading_itself_is_no_business_of_the_student():
    made = blank(status="infra_error", reason="/secret/path: broken")
    for said in (gradescope.as_json(made), classroom.as_json(made)):
        assert "secret" not in said
        assert "no fault of your submission" in said


def test_gradescope_gets_every_check_with_the_exact_sum_rounded_once():
    result = gradescope.result(half_right())
    assert result["score"] == 2.33
    assert [(t["score"], t["max_score"], t["status"]) for t in result["tests"]] == [
        (2, 2, "passed"),
        (0, 0.67, "failed"),
        (0.33, 0.33, "passed"),
        (0, 1, "failed"),
    ]


@pytest.mark.parametrize("parts", [6, 7, 9])
def test_gradescope_gets_the_whole_of_what_rounded_parts_would_not_add_up_to(parts):  # I09
    checks = [check(f"test_{part}", f"4/{parts}") for part in range(parts)]
    result = gradescope.result(record(questions=[question(checks=checks)]))
    assert result["score"] == 4
    assert sum(test["score"] for test in result["tests"]) != 4


def test_a_visible_failure_shows_reason_mistake_and_case_a_hidden_one_the_mistake_alone():  # I11
    made = half_right()
    hidden = made.questions[0].checks[3]
    hidden.reason, hidden.case = "The values differ.", ["softmax([7.654321])"]
    tests = gradescope.result(made)["tests"]
    assert tests[1]["output"].split("\n")[:3] == [
        "The values differ.",
        "This looks like a sum.",
        "softmax([1. 2.])",
    ]
    assert tests[3]["output"] == "This looks like a mean."
    assert [t["visibility"] for t in tests] == ["visible"] * 3 + ["after_published"]


def test_what_gradescope_shows_at_once_does_not_tell_the_hidden_part():  # I11, I49
    said = "Public part: 2 1/3 of 3 points. Hidden part: graded later, 1 points."
    for status in ("passed", "failed", "timeout", "not run"):
        result = gradescope.result(half_right(status))
        assert result["output"] == said
        assert len(result["tests"]) == (3 if status == "not run" else 4)
    assert gradescope.result(record())["output"] == "1 of 1 points"


def test_classroom_gets_the_visible_checks_marked_as_practice():
    result = classroom.result(half_right())
    assert (result["status"], result["max_score"]) == ("fail", 3)
    assert [t["name"] for t in result["tests"]] == [
        f"Practice: softmax: Title of test_{letter}." for letter in "abc"
    ]
    assert result["tests"][1]["message"] == "The values differ. This looks like a sum."
    assert sum(t["score"] for t in result["tests"]) == 2.33


def test_no_name_of_a_check_leaves_the_house():
    for made in (half_right(), half_right("not run")):
        for check_ in made.questions[0].checks:
            check_.title = "A title."
        for said in (gradescope.as_json(made), classroom.as_json(made)):
            assert "test_" not in said


def test_what_a_submission_says_does_nothing_on_the_platforms():
    for said in (gradescope.as_json(hostile_record()), classroom.as_json(hostile_record())):
        assert not set(said) & set("\x00\x1b\u202e\ud800")
        texts = json.loads(said)["tests"]
        assert max(len(str(value)) for test in texts for value in test.values()) < 10_000
        assert '"output_format": "html"' not in said
