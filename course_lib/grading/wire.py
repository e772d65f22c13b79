"""What crosses between judge and worker: frames of plain data. Nothing is ever unpickled.

A frame is two lengths, a header in JSON, and a body that holds the bytes of all arrays, one after
another. Whoever reads trusts none of it: lengths are bounded before they are read, an array's
shape has to fit the bytes that are there, and its type is one of a few plain ones.
"""

import json
import math
import os
import selectors
import struct
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from course_lib.grading.compare import kinds_in

LENGTHS = struct.Struct(">II")
LARGEST = 2**26  # bytes of one frame's arrays
LONGEST_HEADER = 2**23
DEEPEST = 30  # lists in lists
NUMBER = 32  # characters of a number that NumPy puts among strings
LOOK = 0.1  # seconds between two looks about while waiting
DTYPES = ("b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8")


class WireError(Exception):
    """A frame that is no frame of plain data, or none in time."""


class NoData(WireError):
    """A value that cannot be sent, since it is neither numbers nor text."""


class Closed(WireError):
    """The other side is gone."""


class TooLate(WireError):
    """The other side said nothing in time."""


def pack(message: dict[str, Any]) -> bytes:
    """The frame of a message: names with numbers, strings, arrays, lists and tuples of these."""
    body = bytearray()
    try:
        header = json.dumps({name: _plain(value, body) for name, value in message.items()}).encode()
    except (ValueError, RecursionError) as error:
        raise NoData(f"not plain data: {error}") from None
    if not _fits(len(header), len(body)):
        raise NoData(f"{len(header) + len(body)} bytes, which is too much")
    return LENGTHS.pack(len(header), len(body)) + header + body


def unpack(header: bytes, body: bytes) -> dict[str, Any]:
    """The message of a frame."""
    try:
        message = json.loads(header)
        if not isinstance(message, dict):
            raise WireError(f"a message is an object, not {type(message).__name__}")
        reader = _Reader(body)
        return {name: reader.value(entry) for name, entry in message.items()}
    except (ValueError, TypeError, KeyError, RecursionError, OverflowError) as error:
        raise WireError(f"no message: {type(error).__name__}: {error}") from None


def send(descriptor: int, message: dict[str, Any], seconds: float = math.inf) -> None:
    """Write a message to a pipe; `TooLate` if the other side does not take it in time."""
    frame = memoryview(pack(message))
    pause = _Pause(time.monotonic() + seconds)
    # Not epoll: one user's processes share a number of what they may watch with it.
    with selectors.PollSelector() as selector:
        selector.register(descriptor, selectors.EVENT_WRITE)
        while frame:
            pause.until(selector)
            try:
                frame = frame[os.write(descriptor, frame[: 2**16]) :]
            except BlockingIOError:
                continue
            except (BrokenPipeError, ConnectionResetError):
                raise Closed("the other side is gone") from None


def receive(
    descriptor: int, seconds: float = math.inf, watch: Callable[[], None] | None = None
) -> dict[str, Any]:
    """Read a message from a pipe; `TooLate` if it is not whole in time.

    `watch` is called every tenth of a second until it is; what it raises ends the wait.
    """
    pause = _Pause(time.monotonic() + seconds, watch)
    with selectors.PollSelector() as selector:
        selector.register(descriptor, selectors.EVENT_READ)
        lengths = LENGTHS.unpack(_read(selector, descriptor, LENGTHS.size, pause))
        if not _fits(*lengths):
            raise WireError(f"a frame of {sum(lengths)} bytes is too large")
        header, body = (_read(selector, descriptor, length, pause) for length in lengths)
    return unpack(header, body)


def _fits(header: int, body: int) -> bool:
    return header <= LONGEST_HEADER and body <= LARGEST


def _read(selector: selectors.BaseSelector, descriptor: int, length: int, pause: "_Pause") -> bytes:
    data = bytearray()
    while len(data) < length:
        pause.until(selector)
        piece = os.read(descriptor, min(length - len(data), 2**20))
        if not piece:
            raise Closed("the other side is gone")
        data += piece
    return bytes(data)


class _Pause:
    """Waits for a pipe until a deadline, and looks about meanwhile."""

    def __init__(self, deadline: float, watch: Callable[[], None] | None = None) -> None:
        self._deadline, self._watch = deadline, watch
        self._looked = time.monotonic()

    def until(self, selector: selectors.BaseSelector) -> None:
        """Return when the pipe is ready; `TooLate` after the deadline."""
        while (left := self._deadline - time.monotonic()) > 0:
            ready = selector.select(min(LOOK, left))
            if self._watch is not None and time.monotonic() - self._looked >= LOOK:
                self._watch()  # also while bytes drip in
                self._looked = time.monotonic()
            if ready:
                return
        raise TooLate("nothing came in time")


def _plain(value: Any, body: bytearray) -> Any:
    """The value as JSON can say it; the bytes of arrays go to the body, in the same order."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, list | tuple):
        kind = "list" if isinstance(value, list) else "tuple"
        return {kind: [_plain(entry, body) for entry in value]}
    if not isinstance(value, np.ndarray | np.generic):
        raise NoData(type(value).__name__)
    value = np.asarray(value)
    if value.dtype.kind in "TU":
        return {"text": value.ravel().tolist(), "shape": value.shape}
    if value.dtype.kind == "f" and value.dtype.itemsize > 8:  # such as np.longdouble
        value = value.astype("f8")
    dtype = value.dtype.newbyteorder("<")
    if dtype.str[1:] not in DTYPES:
        raise NoData(f"an array of {kinds_in(value)}" if value.ndim else kinds_in(value))
    if len(body) + value.nbytes > LARGEST:
        raise NoData(f"{value.nbytes} bytes, which is too much")
    body += np.ascontiguousarray(value, dtype=dtype).tobytes()
    return {"array": dtype.str[1:], "shape": value.shape}


class _Reader:
    """Turns what JSON said back into values, with a bound on everything that they take."""

    def __init__(self, body: bytes) -> None:
        self._body, self._place = body, 0
        self._entries, self._longest = 0, 1

    def value(self, plain: Any, depth: int = 0) -> Any:
        if depth > DEEPEST:
            raise WireError(f"more than {DEEPEST} lists in one another")
        if not isinstance(plain, dict):
            return self._entry(plain)
        if "array" in plain:
            return self._array(plain["array"], _shape(plain["shape"]))
        if "text" in plain:
            return self._text(plain["text"], _shape(plain["shape"]))
        for kind, make in (("list", list), ("tuple", tuple)):
            if isinstance(plain.get(kind), list):
                return make(self.value(entry, depth + 1) for entry in plain[kind])
        raise WireError("an object that is no value")

    def _entry(self, plain: Any) -> Any:
        if isinstance(plain, list):
            raise WireError("a list without its kind")
        self._entries += 1
        if isinstance(plain, str):
            self._longest = max(self._longest, len(plain), NUMBER)
        # NumPy gives every string of an array the room of the longest.
        if self._entries * self._longest * 4 > LARGEST:
            raise WireError("more text than fits a frame")
        return plain

    def _array(self, name: Any, shape: tuple[int, ...]) -> np.ndarray:
        if name not in DTYPES:
            raise WireError(f"no plain type: {name!r}")
        dtype = np.dtype("<" + name)
        start, length = self._place, math.prod(shape) * dtype.itemsize
        if start + length > len(self._body):
            raise WireError(f"an array of {length} bytes where {len(self._body) - start} are left")
        self._place += length
        return np.frombuffer(self._body[start : self._place], dtype).reshape(shape).copy()

    def _text(self, words: Any, shape: tuple[int, ...]) -> np.ndarray:
        if not isinstance(words, list) or not all(type(word) is str for word in words):
            raise WireError("no text")
        if math.prod(shape) != len(words):
            raise WireError(f"{len(words)} words where there should be {math.prod(shape)}")
        return np.array([self._entry(word) for word in words], dtype=str).reshape(shape)


def _shape(shape: Any) -> tuple[int, ...]:
    if not isinstance(shape, list) or len(shape) > 32:
        raise WireError("no shape")
    if not all(type(size) is int and 0 <= size <= LARGEST for size in shape):
        raise WireError("a shape of other than whole numbers")
    return tuple(shape)
