"""Frames that lie: early, late, huge, deep, slow, or no frames at all."""

import errno
import json
import os
import random
import selectors
import struct

import numpy as np
import pytest

from course_lib.grading import wire
from tests.grading.hostile.kinds import GOOD, OTHERS

WRITES = """\
import json, os, struct, time

def out(data):
    for descriptor in range(3, 9):
        try:
            os.write(descriptor, data)
        except OSError:
            pass

def double(x):
"""
FORGED = {
    "early": "out(b'\\0\\0\\0\\x0f\\0\\0\\0\\0' + b'{\"result\": 2.0}')",
    "huge": "out(struct.pack('>II', 2**32 - 1, 2**32 - 1))",
    "deep": "data = b'{\"x\": ' + b'[' * 10**5 + b']' * 10**5 + b'}'; "
    "out(struct.pack('>II', len(data), 0) + data)",
    "lying about its shape": "data = json.dumps({'result': {'array': 'f8', 'shape': [2, 3]}})."
    "encode(); out(struct.pack('>II', len(data), 8) + data + b'12345678')",
    "lying about its length": "out(struct.pack('>II', 10, 0) + b'{}')",
    "slow": "out(struct.pack('>II', 10**6, 0))\n    while True: out(b'x'); time.sleep(0.05)",
    "endless": "while True: out(b'{}' * 1000)",
    "no JSON": "out(struct.pack('>II', 4, 0) + b'\\xff\\xfe\\xfd\\xfc')",
    "a pickle": "import pickle; data = pickle.dumps(os.getcwd); "
    "out(struct.pack('>II', len(data), 0) + data)",
    "an end": 'data = b\'{"ended": 1, "signal": "x"}\'; '
    "out(struct.pack('>II', len(data), 0) + data)",
}


@pytest.mark.parametrize("name", FORGED)
def test_26_a_forged_frame_costs_its_own_question(graded, name):
    record = graded(GOOD, f"{WRITES}    {FORGED[name]}\n    return 2 * x")
    assert record.points == OTHERS, record.as_json()
    assert {q.task: q.status for q in record.questions}["double"] in ("crashed", "timeout")


@pytest.mark.parametrize("message", [{"ready": "x"}, {"cell": 1}, {"cell": 7}, {"hello": "x"}, {}])
def test_26_a_frame_forged_while_cells_run_gives_no_points(graded, message):
    data = json.dumps(message).encode()
    frame = struct.pack(">II", len(data), 0) + data
    cell = f"{WRITES}    pass\nout({frame!r} * 50)"
    record = graded(cell, GOOD.replace("2 *", "3 *"))
    assert record.status in ("graded", "crashed")
    assert int(record.points) <= int(OTHERS)


def rewritten(rng: random.Random, frame: bytes) -> bytes:
    """The frame with a few bytes changed, cut out or doubled, or with other lengths."""
    data = bytearray(frame)
    for _ in range(rng.randint(1, 6)):
        place = rng.randrange(len(data))
        change = rng.randrange(4)
        if change == 0:
            data[place] = rng.randrange(256)
        elif change == 1:
            del data[place : place + rng.randint(1, 9)]
        elif change == 2:
            data[place:place] = data[place : place + rng.randint(1, 30)]
        else:
            data[:8] = struct.pack(">II", rng.choice([0, 3, len(data), 2**31]), rng.randrange(99))
        if not data:
            return b""
    return bytes(data)


def test_a_hundred_random_frames_are_read_or_refused_and_nothing_else():
    rng = random.Random(0)
    good = wire.pack(
        {"nonce": "a", "result": (np.arange(6.0).reshape(2, 3), ["x", 1, None], np.array(["한"]))}
    )
    read = refused = 0
    for _ in range(100):
        source, target = os.pipe()
        os.write(target, rewritten(rng, good))
        os.close(target)
        try:
            message = wire.receive(source, 5)
        except wire.WireError:
            refused += 1
        else:
            read += 1
            assert isinstance(message, dict)
        finally:
            os.close(source)
    assert read + refused == 100
    assert refused > 20


@pytest.mark.parametrize(
    ("header", "body"),
    [
        ({"result": {"array": "f8", "shape": [2**26, 2**26]}}, b""),
        ({"result": {"array": "f8", "shape": [-1]}}, b"12345678"),
        ({"result": {"array": "f8", "shape": [True]}}, b"12345678"),
        ({"result": {"array": "O", "shape": [1]}}, b"12345678"),
        ({"result": {"array": "f8", "shape": [1] * 33}}, b"12345678"),
        ({"result": {"list": [{"array": "f8", "shape": [1]}] * 2}}, b"12345678"),
        ({"result": {"text": ["a"], "shape": [2]}}, b""),
        ({"result": {"text": [1], "shape": [1]}}, b""),
        ({"result": {"list": ["x" * 10**5] * 200}}, b""),
        ({"result": {"tuple": 1}}, b""),
        ({"result": {"object": 1}}, b""),
        ({"result": [1]}, b""),
        ([], b""),
    ],
)
def test_a_value_that_is_none_is_refused(header, body):
    with pytest.raises(wire.WireError):
        wire.unpack(json.dumps(header).encode(), body)


def test_frames_are_exchanged_also_when_other_submissions_have_taken_all_of_epoll(monkeypatch):
    def refuse(*_):
        raise OSError(errno.ENOSPC, "a user may watch no more descriptors")

    monkeypatch.setattr(selectors.DefaultSelector, "register", refuse)
    source, target = os.pipe()
    try:
        wire.send(target, {"ready": 7}, 5)
        assert wire.receive(source, 5) == {"ready": 7}
    finally:
        os.close(source)
        os.close(target)


def test_what_is_sent_arrives_with_its_types_and_shapes():
    message = {
        "array": np.arange(6, dtype="float32").reshape(2, 3),
        "empty": np.zeros((0, 3), dtype="int64"),
        "one": np.array(2.5),
        "truth": np.array([True, False]),
        "text": np.array([["it", "그것"]]),
        "list": [1, [2.0, "three"], (None, True)],
    }
    frame = wire.pack(message)
    header, _ = wire.LENGTHS.unpack(frame[:8])
    got = wire.unpack(frame[8 : 8 + header], frame[8 + header :])
    for name in ("array", "empty", "one", "truth", "text"):
        np.testing.assert_array_equal(got[name], message[name], strict=True)
    assert got["list"] == message["list"]


def test_text_of_any_length_is_sent_as_the_text_that_it_is():
    words = np.array(["it", "그것"], dtype=np.dtypes.StringDType())
    frame = wire.pack({"words": words})
    got = wire.unpack(frame[wire.LENGTHS.size :], b"")["words"]
    np.testing.assert_array_equal(got, np.array(["it", "그것"]), strict=True)
