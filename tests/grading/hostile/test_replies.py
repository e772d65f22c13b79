"""Replies that are well formed and mean harm: the judge's own code must not stumble over them."""

import json
import os
import struct
import threading
import time
from contextlib import closing

import numpy as np
import pytest

from course_lib.grading import wire
from course_lib.grading.failures import steady
from course_lib.grading.feedback import LONGEST, show
from course_lib.grading.grade import grade
from course_lib.grading.limits import Limits
from course_lib.grading.sandboxed import SandboxedStudent
from course_lib.reference import scaled_dot_product_attention
from tests.grading.hostile.conftest import LIMITS, SECRET
from tests.grading.hostile.kinds import GOOD, OTHERS

ARRAY = {"array": "f8", "shape": [2]}
PAIR = {"tuple": [ARRAY, "x"]}


def says(message) -> str:
    """Code that sends a frame with two numbers in its body in place of every answer."""
    header = json.dumps(message).encode()
    frame = struct.pack(">II", len(header), 16) + header + bytes(16)
    return f"""
import os
def out():
    for descriptor in range(3, 9):
        try:
            os.write(descriptor, {frame!r})
        except OSError:
            pass
"""


@pytest.mark.parametrize(
    "message",
    [
        {"nonce": ARRAY, "result": 1},
        {"nonce": {"list": []}},
        {"failed": 0, "values": {"list": [PAIR]}},
        {"ended": ARRAY, "signal": ARRAY},
        {"checking": ARRAY},
    ],
)
def test_an_array_in_place_of_a_word_costs_the_question_alone(graded, message):
    record = graded(GOOD, says(message) + "def double(x):\n    out()\n    return 2 * x")
    assert record.points == OTHERS, record.as_json()


def test_an_array_in_place_of_a_word_between_checks_is_no_failure_of_the_judge(graded):
    cell = f"""{says({"checking": ARRAY})}
import course_lib.grading.wire as wire
send = wire.send
wire.send = lambda to, message, *rest: out() if "checking" in message else send(to, message, *rest)
"""
    record = graded(GOOD, cell)
    assert (record.status, record.points) == ("crashed", "0")


def test_cells_that_sleep_have_the_time_of_the_whole_submission_and_no_more(
    small_exercise, sandbox
):
    short = LIMITS._replace(submission_seconds=4)
    cells = [GOOD, *["import time; time.sleep(1)"] * 200]
    start = time.monotonic()
    record = grade(cells, "0" * 64, small_exercise, sandbox, SECRET, short)
    assert time.monotonic() - start < 200  # as long as they all sleep, on the fastest machine
    assert (record.status, record.points) == ("timeout", "0")
    assert "the submission had used its 4 s by then" in record.as_json()


def test_functions_that_sleep_share_one_time_for_both_phases(small_exercise, sandbox, monkeypatch):
    started, start = [], sandbox.start
    monkeypatch.setattr(sandbox, "start", lambda cells: started.append(1) or start(cells))
    short = LIMITS._replace(submission_seconds=5)
    cell = "import time\ndef double(x): time.sleep(99)\ntotal = centre = double"
    record = grade([GOOD, cell], "0" * 64, small_exercise, sandbox, SECRET, short)
    assert record.status == "timeout"
    assert len(started) <= 3  # after three calls of two seconds none is left for the hidden phase


def test_memory_is_watched_while_bytes_drip_in():
    source, target = os.pipe()
    stop, looks = threading.Event(), []

    def drip():
        while not stop.wait(0.01):
            os.write(target, b"\0")

    thread = threading.Thread(target=drip)
    os.write(target, struct.pack(">II", 10**6, 0))
    thread.start()
    try:
        with pytest.raises(wire.TooLate):
            wire.receive(source, 1, lambda: looks.append(1))
    finally:
        stop.set()
        thread.join()
    assert 1 <= len(looks) <= 10  # though a byte has always come before a tenth of a second


def test_nothing_that_differs_from_run_to_run_stands_in_a_record(graded):
    cell = "def double(x):\n    raise ValueError(object())\nraise ValueError(double)"
    first, second = graded(GOOD, cell), graded(GOOD, cell)
    assert first.as_json() == second.as_json()
    assert "object at 0x…>" in first.as_json()
    assert steady("0x7f12a4b0c9d0 0x10") == "0x… 0x10"


def test_a_thousand_cells_that_fail_are_told_in_a_few_lines(graded):
    record = graded(GOOD, *["1 / 0"] * 1000)
    assert len(record.notes) == 50
    assert record.notes[0].startswith("code cell 2 failed with ZeroDivisionError")


def test_half_characters_reach_every_file(graded, tmp_path):
    cell = "def double(x):\n    raise ValueError('\\udcff\\ud800')"
    record = graded(GOOD, cell, "x = '\ud800'")
    assert record.points == OTHERS
    assert "failed with UnicodeEncodeError" in record.as_json()


def test_of_a_tuple_with_countless_entries_no_more_is_laid_out_than_is_shown(monkeypatch):
    laid_out = []
    array2string = np.array2string
    monkeypatch.setattr(
        np, "array2string", lambda *a, **k: laid_out.append(1) or array2string(*a, **k)
    )
    many = (np.ones(3),) * 1000
    for value in (many, (many,) * 1000):
        laid_out.clear()
        text = show(value)
        assert text.startswith("(" * (value is not many) + "([1., 1., 1.], [1., 1., 1.], ")
        assert (len(text), text[-2:]) == (LONGEST + 2, " …")
        assert len(laid_out) < 100
    assert show((np.ones(3), 2, ())) == "([1., 1., 1.], 2, ())"


def test_loops_that_are_right_and_slow_are_in_time(sandbox):  # I47
    cell = """
import math
def attention(query, key, value):
    out = [[0.0] * len(value[0]) for _ in query]
    for t, q in enumerate(query):
        scores = [sum(q[i] * k[i] for i in range(len(q))) / math.sqrt(len(q)) for k in key]
        weights = [math.exp(score - max(scores)) for score in scores]
        for s, weight in enumerate(weights):
            for v in range(len(value[0])):
                out[t][v] += weight / sum(weights) * value[s][v]
    return out
"""
    rng = np.random.default_rng(0)
    query, key, value = (rng.normal(size=(64, d)) for d in (11, 11, 7))
    student = SandboxedStudent([cell], {}, sandbox, LIMITS, lambda _: Limits().call_seconds)
    with closing(student):
        student.begin_check()
        got = student.attention(query, key, value)
    np.testing.assert_allclose(got, scaled_dot_product_attention(query, key, value), strict=True)
