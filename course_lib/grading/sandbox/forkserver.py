"""Runs in bubblewrap, imports what is slow to import, and forks off workers for the judge.

No code of a learner's ever runs in this process. Each worker lives in namespaces of its own: it
sees neither this process nor another worker, and finds its temporary folder empty.
"""

import gc
import importlib
import json
import os
import socket
import traceback
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from course_lib.grading import wire, worker
from course_lib.grading.sandbox import confine, namespaces
from course_lib.grading.sandbox.bubblewrap import SHARED, TEMPORARY


def main() -> None:
    """Serve the judge, which is at the other end of standard input."""
    judge = socket.socket(fileno=os.dup(0))
    for module in json.loads(judge.recv(1000)):
        with suppress(Exception):  # whoever needs it gets to see the error
            importlib.import_module(module)
    gc.freeze()  # a child that collects would copy every page of its parent
    while True:
        request, streams, *_ = socket.recv_fds(judge, 1, 3)
        if not request:
            break
        if not streams:  # it asks whether anybody is here
            judge.send(b"here")
            continue
        child = _fork(partial(_begin, judge, streams))
        for stream in streams:
            os.close(stream)
        _, status = os.waitpid(child, 0)
        if status:
            judge.send(b"no worker")


def _fork(run: Callable[[], None]) -> int:
    """A child that runs this and ends, whatever comes of it."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            run()
            code = 0
        except Exception:
            traceback.print_exc()
        finally:
            os._exit(code)
    return child


def _begin(judge: socket.socket, streams: list[int]) -> None:
    """Fork off the first process of new namespaces, and hand the judge what ends it."""
    namespaces.unshare()
    first = _fork(partial(_first_process, judge, streams))
    socket.send_fds(judge, [b"worker"], [os.pidfd_open(first)])


def _first_process(judge: socket.socket, streams: list[int]) -> None:
    """Close the namespaces, have the worker run in them, and end with it, which ends all others."""
    judge.close()
    os.setsid()  # a signal to the whole group, and its priority, would reach the server too
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    namespaces.furnish(TEMPORARY, SHARED)
    namespaces.drop_capabilities()
    confine.close_calls()
    child = _fork(_work)
    worker.let_go_of_streams()
    while os.wait()[0] != child:
        pass


def _work() -> None:
    with suppress(wire.WireError):
        worker.main()


if __name__ == "__main__":
    main()
