"""Give up, for good, all that a worker does not need; then become the worker.

Run as `python confine.py USER FOLDER… -- LISTED… -- COMMAND…`; of what lies below LISTED, names can
be read and nothing else. It stands alone: nothing of the course is imported. Landlock closes every
file but those below the folders, every TCP port, and signals to others; seccomp closes sockets of
all kinds and the ways to look into another process.
"""

import ctypes
import os
import platform
import struct
import sys
from typing import Any

LIBC: Any = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None
NO_NEW_PRIVILEGES, SECCOMP, FILTER = 38, 22, 2  # prctl's names for them
PARENT_DIES, KILLED = 1, 9

# Landlock: linux/landlock.h
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
PATH_BENEATH = 1
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1, 2, 4, 8
FILE_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}  # how many rights each version knows
CONNECT_AND_BIND = 3
SIGNALS_AND_ABSTRACT_SOCKETS = 3

# Calls that are refused. RECENT have one number everywhere: io_uring_setup, pidfd_getfd,
# process_madvise, landlock_create_ruleset and memfd_secret. The others: socket, ptrace,
# process_vm_readv and _writev, unshare; then what one submission could leave for the next of the
# same user, shmget, semget, msgget, mq_open, add_key, request_key, keyctl and syslog;
# perf_event_open, kcmp, bpf, userfaultfd; then what holds memory that no process shows,
# memfd_create, socketpair, vmsplice and io_setup; what tells one submission of another that runs
# beside it, flock, inotify_init1, fanotify_init and on x86_64 inotify_init; and sched_setaffinity,
# by which a worker would get at the processors of others.
RECENT = (425, 438, 440, 444, 447)
X86_64: tuple[int, ...] = (41, 101, 310, 311, 272, 29, 64, 68, 240, 248, 249, 250, 103, 298)
X86_64 += (312, 321, 323, 319, 53, 278, 206, 73, 294, 300, 253, 203)
AARCH64: tuple[int, ...] = (198, 117, 270, 271, 97, 194, 190, 186, 180, 217, 218, 219, 116, 241)
AARCH64 += (272, 280, 282, 279, 199, 75, 0, 32, 26, 262, 122)
REFUSED = {
    "x86_64": (0xC000003E, (*X86_64, *RECENT)),
    "aarch64": (0xC00000B7, (*AARCH64, *RECENT)),
}
# These do nothing and say that they did, since times stay on a device for others to read:
# utimensat, and on x86_64 utime, utimes and futimesat.
IGNORED = {"x86_64": (280, 132, 235, 261), "aarch64": (88,)}
# These are refused with certain arguments alone: mmap of memory that processes share, which none of
# them shows once nobody has touched it, and the locks of fcntl. Where the argument stands, which of
# its bits count, and what they may not be.
ARGUMENTS = {"x86_64": {"mmap": 9, "fcntl": 72}, "aarch64": {"mmap": 222, "fcntl": 25}}
FOURTH, SECOND, SHARED_MEMORY, ALL = 40, 24, 0x21, 0xFFFFFFFF  # MAP_SHARED | MAP_ANONYMOUS
LOCKS = (6, 7, 37, 38)  # F_SETLK, F_SETLKW, F_OFD_SETLK, F_OFD_SETLKW
BY_ARGUMENT = [("mmap", FOURTH, SHARED_MEMORY, SHARED_MEMORY)]
BY_ARGUMENT += [("fcntl", SECOND, ALL, lock) for lock in LOCKS]
X32 = 0x40000000  # from here on, x86_64 has the same calls a second time
LOAD, AND, JUMP_IF_EQUAL, JUMP_IF_NOT_LESS, RETURN = 0x20, 0x54, 0x15, 0x35, 0x06  # bpf_common.h
STEP = "=HBBI"  # one instruction: what to do, where to go on if so and if not, with which number
ALLOW, REFUSE, IGNORE, KILL = 0x7FFF0000, 0x00050001, 0x00050000, 0x80000000


def become(user: int) -> None:
    """Stop being root."""
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)


def close_files(folders: list[str], listed: list[str]) -> None:
    """Leave nothing to read but what lies below the folders, and nothing to write but /dev/null."""
    version = _call(CREATE_RULESET, None, 0, 1)
    if version < 6:
        raise OSError(f"Landlock is version {version} here, and 6 is needed")
    rights = (1 << FILE_RIGHTS[min(version, 5)]) - 1
    attributes = struct.pack("=QQQ", rights, CONNECT_AND_BIND, SIGNALS_AND_ABSTRACT_SOCKETS)
    ruleset = _call(CREATE_RULESET, attributes, len(attributes), 0)
    for folder in folders:
        _allow(ruleset, folder, EXECUTE | READ_FILE | READ_DIR)
    for folder in listed:
        _allow(ruleset, folder, READ_DIR)
    _allow(ruleset, os.devnull, READ_FILE | WRITE_FILE)
    _allow(ruleset, "/dev/urandom", READ_FILE)
    _call(RESTRICT_SELF, ruleset, 0)
    os.close(ruleset)


def filter_of_calls() -> bytes:
    """A program for seccomp: it refuses what reaches a network or another, or hides memory."""
    machine, numbers = REFUSED[platform.machine()]
    refuse, load_number = (RETURN, 0, 0, REFUSE), (LOAD, 0, 0, 0)
    steps = [(LOAD, 0, 0, 4), (JUMP_IF_EQUAL, 1, 0, machine), (RETURN, 0, 0, KILL)]
    steps += [load_number, (JUMP_IF_NOT_LESS, 0, 1, X32), refuse]
    for number in numbers:
        steps += [(JUMP_IF_EQUAL, 0, 1, number), refuse]
    for number in IGNORED[platform.machine()]:
        steps += [(JUMP_IF_EQUAL, 0, 1, number), (RETURN, 0, 0, IGNORE)]
    for name, place, bits, value in BY_ARGUMENT:
        steps += [load_number, (JUMP_IF_EQUAL, 0, 4, ARGUMENTS[platform.machine()][name])]
        steps += [(LOAD, 0, 0, place), (AND, 0, 0, bits), (JUMP_IF_EQUAL, 0, 1, value), refuse]
    steps.append((RETURN, 0, 0, ALLOW))
    return b"".join(struct.pack(STEP, *step) for step in steps)


def close_calls() -> None:
    """Refuse these system calls from here on."""
    program = filter_of_calls()
    buffer = ctypes.create_string_buffer(program)
    count = len(program) // struct.calcsize(STEP)
    header = struct.pack("@HP", count, ctypes.addressof(buffer))
    if LIBC.prctl(SECCOMP, FILTER, header, 0, 0):
        raise OSError(ctypes.get_errno(), "seccomp")


def _allow(ruleset: int, path: str, rights: int) -> None:
    if not os.path.isdir(path):
        rights &= ~READ_DIR
    descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    rule = struct.pack("=Qi", rights, descriptor)
    _call(ADD_RULE, ruleset, PATH_BENEATH, rule, 0)
    os.close(descriptor)


def _call(number: int, *arguments: object) -> int:
    result = LIBC.syscall(number, *arguments)
    if result < 0:
        raise OSError(ctypes.get_errno(), f"system call {number}")
    return result


def main(user: str, *rest: str) -> None:
    """Confine this process and run the command in it."""
    first = rest.index("--")
    second = rest.index("--", first + 1)
    folders, listed, command = rest[:first], rest[first + 1 : second], rest[second + 1 :]
    become(int(user))
    LIBC.prctl(PARENT_DIES, KILLED)  # a judge that is killed leaves no worker
    if LIBC.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "no_new_privs")
    close_files(list(folders), list(listed))
    close_calls()
    os.execv(command[0], command)


if __name__ == "__main__":
    main(*sys.argv[1:])
