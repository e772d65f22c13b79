"""What a hostile submission would try, run in the sandbox before anything is graded.

The source of this file is the cell of a submission like any other: it imports what it needs itself
and gets to know what to attack through its arguments. `attack` returns what succeeded.
"""

import ctypes
import os
import socket
import time
from contextlib import suppress

MARK = "left by another"  # the longest name that a process can have
TEMPORARY = (".", "/tmp", "/dev/shm")
NEW_USER, NEW_MOUNTS = 0x10000000, 0x20000
SET_NAME = 15  # prctl's PR_SET_NAME


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


def see(what, marker):
    """Find a process of somebody else's, to read or to signal it."""
    pids = []
    with suppress(OSError):
        pids = list(filter(str.isdigit, os.listdir("/proc")))
    for pid in pids:
        with suppress(OSError), open(f"/proc/{pid}/{what}") as file:
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


def leave():
    """Be what another worker must not find: files, and a process that can be told by its name."""
    for folder in TEMPORARY:
        with suppress(OSError), open(f"{folder}/{MARK}", "w") as file:
            file.write("here")
    ctypes.CDLL(None).prctl(SET_NAME, MARK.encode())
    return True


def find_files_of_another():
    """Find in a temporary folder what another worker left there."""
    return any(os.path.exists(f"{folder}/{MARK}") for folder in TEMPORARY)


def mount():
    """Rearrange the folders, as the one who may, or in a namespace of one's own."""
    libc = ctypes.CDLL(None)
    libc.unshare(NEW_USER | NEW_MOUNTS)
    return libc.mount(b"tmpfs", b"/tmp", b"tmpfs", 0, None) == 0


def attack(port, unix_path, secrets, outside, marker, processes, megabytes):
    """The attacks that succeeded; an empty list in a sandbox that holds."""
    attempts = {
        "connect to a socket": connect(port, unix_path),
        "read a planted secret": read(secrets),
        "write outside": write(outside),
        "see the judge's processes": see("cmdline", marker),
        "see another's processes": see("comm", MARK),
        "find another's files": find_files_of_another(),
        "fork without limit": fork(processes),
        "allocate without limit": allocate(2 * megabytes),
        "be root": os.getuid() == 0,
        "mount a folder": mount(),
    }
    leave_a_process()
    return [what for what, succeeded in attempts.items() if succeeded] or ["nothing"]
