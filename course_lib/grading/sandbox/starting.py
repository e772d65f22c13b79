"""Start a worker."""

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path


def start(
    command: list[str],
    *,
    stdin: int = subprocess.PIPE,
    env: Mapping[str, str] | None = None,
    cwd: str | Path | None = None,
    pass_fds: Sequence[int] = (),
) -> subprocess.Popen:
    """The process of a command, with pipes to it, in its own session: Ctrl-C is the judge's."""
    pipe = subprocess.PIPE
    return subprocess.Popen(
        command,
        stdin=stdin,
        stdout=pipe,
        stderr=pipe,
        bufsize=0,
        start_new_session=True,
        env=env,
        cwd=cwd,
        pass_fds=pass_fds,
    )
