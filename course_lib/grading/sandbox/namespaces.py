"""Namespaces within namespaces, for a process that bubblewrap has shut in already.

The network and all files but Python's own are closed already.
Source: the manual pages namespaces(7), user_namespaces(7), mount_namespaces(7), capabilities(7).
"""

import ctypes
import os
import struct
from contextlib import suppress
from pathlib import Path
from typing import Any

from course_lib.grading.sandbox.confine import LIBC

NEW_MOUNTS, NEW_IPC, NEW_USER, NEW_PROCESSES = 0x20000, 0x8000000, 0x10000000, 0x20000000
NO_SETUID, NO_DEVICES, NO_PROGRAMS = 2, 4, 8  # flags of a mount
FOLDER = b"mode=1777,size=%d,nr_inodes=%d"
MOST_FILES = 10_000  # in a temporary folder; an empty one takes memory too, which nobody counts

CAPABILITIES_VERSION = 0x20080522
DROP_FROM_BOUNDS = 24  # prctl's PR_CAPBSET_DROP
CAPABILITIES = 64  # more than there are


def unshare() -> None:
    """Leave the namespaces of the others; the next child is the first process of its own."""
    user, group = os.getuid(), os.getgid()
    _call(LIBC.unshare, NEW_USER | NEW_MOUNTS | NEW_IPC | NEW_PROCESSES)
    own = Path("/proc/self")
    (own / "setgroups").write_text("deny", encoding="ascii")
    (own / "uid_map").write_text(f"{user} {user} 1", encoding="ascii")
    (own / "gid_map").write_text(f"{group} {group} 1", encoding="ascii")


def furnish(temporary: int, shared: int) -> None:
    """Own processes in /proc; empty folders, of at most so many bytes, in /tmp and /dev/shm."""
    _mount(b"proc", b"/proc", NO_PROGRAMS)
    _mount(b"tmpfs", b"/tmp", options=FOLDER % (temporary, MOST_FILES))
    _mount(b"tmpfs", b"/dev/shm", options=FOLDER % (shared, MOST_FILES))
    os.chdir("/tmp")  # the folder that has been covered is everybody's
    Path("/proc/sys/user/max_user_namespaces").write_text("0", encoding="ascii")


def drop_capabilities() -> None:
    """Give up, for good, what the first process of a namespace may do in it."""
    with suppress(OSError):  # there are fewer
        for capability in range(CAPABILITIES):
            _call(LIBC.prctl, DROP_FROM_BOUNDS, capability, 0, 0, 0)
    none = struct.pack("=6I", 0, 0, 0, 0, 0, 0)
    _call(LIBC.capset, struct.pack("=Ii", CAPABILITIES_VERSION, 0), none)


def _mount(kind: bytes, folder: bytes, flags: int = 0, options: bytes = b"") -> None:
    _call(LIBC.mount, kind, folder, kind, flags | NO_SETUID | NO_DEVICES, options)


def _call(function: Any, *arguments: Any) -> None:
    if function(*arguments):
        raise OSError(ctypes.get_errno(), function.__name__)
