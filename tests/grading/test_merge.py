"""Shards joined: nothing lost, nothing mixed, the same in whatever order and however often."""

import itertools
import shutil
import unicodedata

import pytest

from course_lib.grading.class_run import with_notes
from course_lib.grading.merge import merge
from course_lib.grading.record import Entry, Results
from tests.grading.exports.made import VERSIONS, blank, record, results, sha


def content(folder):
    return {p.relative_to(folder): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def class_of(*names):
    return [(name, record(name)) for name in names]


def test_merged_shards_are_what_one_run_would_have_written(tmp_path):
    whole = results(tmp_path / "whole", *class_of("가", "b", "C", "d"), missing=["e"])
    whole.save_entries(with_notes(whole.entries()))
    results(tmp_path / "1", *class_of("d", "가"), missing=["e"])
    results(tmp_path / "2", *class_of("C", "b"))
    assert merge([tmp_path / "1", tmp_path / "2"], tmp_path / "joined") == []
    assert content(tmp_path / "joined") == content(tmp_path / "whole")


def test_order_and_repetition_change_nothing(tmp_path):
    shards = [tmp_path / name for name in "123"]
    for shard, names in zip(shards, ("ab", "cd", "e"), strict=True):
        results(shard, *class_of(*names))
    seen = set()
    for number, order in enumerate(itertools.permutations(shards)):
        into = tmp_path / f"joined {number}"
        merge(list(order), into)
        merge([*order, order[0], into], into)
        seen.add(frozenset(content(into).items()))
    assert len(seen) == 1


def test_a_student_is_not_missing_whose_submission_lies_in_another_shard(tmp_path):
    decomposed = unicodedata.normalize("NFD", "홍길동")
    results(tmp_path / "1", *class_of("a", "홍길동_7"))
    results(tmp_path / "2", *class_of("b"), missing=["A", "c", decomposed])
    merge([tmp_path / "2"], tmp_path / "joined")
    merge([tmp_path / "2", tmp_path / "1"], tmp_path / "joined")
    entries = Results(tmp_path / "joined").entries()
    assert [(e.student, e.sha256 is None) for e in entries] == [
        ("a", False),
        ("b", False),
        ("c", True),
        ("홍길동_7", False),
    ]


def test_two_submissions_of_one_student_are_both_kept_and_noted(tmp_path):
    results(tmp_path / "1", ("a", record("first")))
    results(tmp_path / "2", ("a", record("second")))
    merge([tmp_path / "1", tmp_path / "2"], tmp_path / "joined")
    entries = Results(tmp_path / "joined").entries()
    assert {e.sha256 for e in entries} == {sha("first"), sha("second")}
    assert {e.note for e in entries} == {"one of 2 submissions under this name"}


def test_entries_without_a_record_are_listed_and_kept(tmp_path):
    results(tmp_path / "1", *class_of("a", "b"))
    Results(tmp_path / "1").record_path("ex04_scaling", sha("b")).write_text("{", encoding="utf-8")
    (gap,) = merge([tmp_path / "1"], tmp_path / "joined")
    assert gap.student == "b"
    assert [e.student for e in Results(tmp_path / "joined").entries()] == ["a", "b"]


def test_old_points_do_not_stay_where_a_submission_has_no_new_record(tmp_path):
    shard = results(tmp_path / "1", *class_of("a", "b"))
    merge([tmp_path / "1"], tmp_path / "joined")
    shard.record_path("ex04_scaling", sha("b")).unlink()
    (gap,) = merge([tmp_path / "1"], tmp_path / "joined")
    assert gap.student == "b"
    assert Results(tmp_path / "joined").record("ex04_scaling", sha("b")) is None
    assert Results(tmp_path / "joined").record("ex04_scaling", sha("a")) is not None


@pytest.mark.parametrize("what", VERSIONS)
def test_shards_graded_with_different_versions_are_refused_with_both(tmp_path, refuses, what):
    results(tmp_path / "1", *class_of("a"))
    other = record("b", graded_with=VERSIONS | {what: "another"})
    results(tmp_path / "2", ("b", other))
    with refuses(f"graded with different {what}: {VERSIONS[what]} in {tmp_path / '1'}, another in"):
        merge([tmp_path / "1", tmp_path / "2"], tmp_path / "joined")
    assert not (tmp_path / "joined").exists()


def test_other_exercises_have_other_checks(tmp_path):
    results(tmp_path / "1", *class_of("a"))
    other = record("b", exercise="ex05_multi_head", graded_with=VERSIONS | {"checks": "c2"})
    results(tmp_path / "2", ("b", other))
    assert merge([tmp_path / "1", tmp_path / "2"], tmp_path / "joined") == []


def test_what_was_graded_at_last_replaces_a_failure_of_grading(tmp_path):
    results(tmp_path / "1", ("a", blank("a", "infra_error")))
    results(tmp_path / "2", *class_of("a"))
    for order in (["1", "2"], ["2", "1"]):
        into = tmp_path / f"joined {order}"
        merge([tmp_path / name for name in order], into)
        assert Results(into).record("ex04_scaling", sha("a")).status == "graded"


def test_two_different_results_for_one_submission_are_refused(tmp_path, refuses):
    results(tmp_path / "1", *class_of("a"))
    results(tmp_path / "2", ("a", record("a", points="0")))
    with refuses("a.ipynb of a has 1 points (graded) in"):
        merge([tmp_path / "1", tmp_path / "2"], tmp_path / "joined")


def test_results_that_no_shard_has_are_not_overwritten(tmp_path, refuses):
    results(tmp_path / "1", *class_of("a"))
    results(tmp_path / "joined", *class_of("z"))
    before = content(tmp_path / "joined")
    with refuses("holds results that no shard has, of z; merge into a new folder"):
        merge([tmp_path / "1"], tmp_path / "joined")
    assert content(tmp_path / "joined") == before


def test_numbers_tell_apart_whom_a_merge_would_lose(tmp_path, refuses):
    results(tmp_path / "1", ("kim_1", record("a")))
    results(tmp_path / "joined", ("kim_1", record("a")), ("kim_2", record("b")))
    with refuses("holds results that no shard has, of kim_2; merge into a new folder"):
        merge([tmp_path / "1"], tmp_path / "joined")


@pytest.mark.parametrize("parts", ["{", "null", "[1]", '["3"]', '{"a": 1}', "[[1]]"])
def test_parts_that_cannot_be_read_are_refused_with_their_file(tmp_path, refuses, parts):
    results(tmp_path / "1", *class_of("a"))
    (tmp_path / "1" / "parts.json").write_text(parts, encoding="utf-8")
    with refuses(f"{tmp_path / '1' / 'parts.json'} lists no parts such as 2/8: "):
        merge([tmp_path / "1"], tmp_path / "joined")


NUMBER_FOR_A_NAME = '[{"student": 5, "file": "a", "exercise": "ex04_scaling", "sha256": null}]'


@pytest.mark.parametrize(
    "index", [None, "{", "[1]", '[{"student": "a"}]', "{}x", NUMBER_FOR_A_NAME]
)
def test_a_folder_without_a_readable_class_is_refused_with_its_name(tmp_path, refuses, index):
    results(tmp_path / "1", *class_of("a"))
    if index is None:
        shutil.rmtree(tmp_path / "1")
    else:
        (tmp_path / "1" / "index.json").write_text(index, encoding="utf-8")
    with refuses(f"{tmp_path / '1'} holds no results that can be read"):
        merge([tmp_path / "1"], tmp_path / "joined")


def test_hostile_names_are_joined_as_they_are(tmp_path):
    for number, name in enumerate(("=1", "../../x", "<b>", "\u202e")):
        made = results(tmp_path / str(number))
        made.save(record(name))
        made.save_entries([Entry(name, name, "ex04_scaling", sha(name))])
    assert merge([tmp_path / str(number) for number in range(4)], tmp_path / "joined") == []
    names = {entry.student for entry in Results(tmp_path / "joined").entries()}
    assert names == {"=1", "../../x", "<b>", "\u202e"}
