"""Kernels that are reached through a folder of sockets instead of network ports.

Jupyter looks for free ports, and the kernel takes them a second later. In between another process
may have taken one, which happens when several notebooks start at once. Windows has no such sockets
and keeps to the ports.
"""

import os
import shutil
import tempfile
from pathlib import Path

from jupyter_client import AsyncKernelManager, KernelManager
from jupyter_client.connect import ConnectionFileMixin
from traitlets import default


class _Sockets(ConnectionFileMixin):
    @default("transport")
    def _transport_default(self) -> str:
        return "tcp" if os.name == "nt" else "ipc"

    @default("ip")
    def _ip_default(self) -> str:
        if self.transport == "tcp":
            return "127.0.0.1"
        return str(Path(tempfile.mkdtemp(prefix="kernel-")) / "socket")

    def cleanup_ipc_files(self) -> None:
        """Remove the sockets and their folder."""
        super().cleanup_ipc_files()
        if self.transport == "ipc":
            shutil.rmtree(Path(self.ip).parent, ignore_errors=True)


class SocketKernelManager(_Sockets, KernelManager):
    """A manager for callers that wait."""


class AsyncSocketKernelManager(_Sockets, AsyncKernelManager):
    """A manager for nbclient."""
