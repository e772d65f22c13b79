"""What a hostile submission would try, run in the sandbox before anything is graded.

The source of this file is the cell of a submission like any other: it imports what it needs itself
and gets to know what to attack through its arguments. `attack` returns what succeeded.
"""

import os
import socket
import time
from contextlib import suppress


def connect(port, unix_path):
    """Reach the judge over the loopback interface, or a socket in its folder."""
    for family, address in (
        (socket.AF_INET, ("127.0.0.1", port)),
        (socket.AF_UNIX, unix_path),
        (socket.AF_UNIX, "\0" + unix_path),
    ):
        with suppress(OSError), socket.socket(family) as attempt:
            attempt.settimeout(1)
            attempt.connect(address)
            return True
    return False


def read(paths):
    """Read a file of the judge's."""
    for path in paths:
        with suppress(OSError), open(path, "rb") as file:
            file.read(1)
            return True
    return False


def write(paths):
    """Leave a file outside of the temporary folder."""
    for path in paths:
        with suppress(OSError), open(path, "w") as file:
            file.write("here")
            return True
    return False


def see(marker):
    """Find a process of the judge's, to read or to signal it."""
    pids = []
    with suppress(OSError):
        pids = list(filter(str.isdigit, os.listdir("/proc")))
    for pid in pids:
        with suppress(OSError), open(f"/proc/{pid}/cmdline") as file:
            if marker in file.read():
                return True
    return False


def fork(most):
    """Have more processes than are allowed."""
    children = []
    with suppress(OSError):
        while len(children) < 2 * most:
            child = os.fork()
            if child == 0:
                time.sleep(30)
                os._exit(0)
            children.append(child)
    for child in children:
        os.kill(child, 9)
        os.waitpid(child, 0)
    return len(children) >= most


def allocate(megabytes):
    """Take more memory than is allowed."""
    try:
        return len(bytearray(megabytes * 2**20)) > 0
    except MemoryError:
        return False


def leave_a_process():
    """Start a process that would outlive the worker; the judge looks for it afterwards."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(30)
        os._exit(0)
    time.sleep(0.05)


def attack(port, unix_path, secrets, outside, marker, processes, megabytes):
    """The attacks that succeeded; an empty list in a sandbox that holds."""
    attempts = {
        "connect to a socket": connect(port, unix_path),
        "read a planted secret": read(secrets),
        "write outside": write(outside),
        "see the judge's processes": see(marker),
        "fork without limit": fork(processes),
        "allocate without limit": allocate(2 * megabytes),
        "be root": os.getuid() == 0,
    }
    leave_a_process()
    return [what for what, succeeded in attempts.items() if succeeded] or ["nothing"]
