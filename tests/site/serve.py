"""A folder served on a free port of this machine, as GitHub Pages would serve it.

That is: below the repository's name, compressed, kept by the browser for ten minutes, and with the
site's own page for what is not there.
"""

import gzip
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

COMPRESSED = {".html", ".css", ".js", ".svg", ".xml", ".txt", ".ipynb"}


@cache
def compressed(path: Path, modified: float) -> bytes:
    return gzip.compress(path.read_bytes(), compresslevel=6)


class _Pages(SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def __init__(self, *arguments, base: str, **keywords) -> None:
        self.base = base
        super().__init__(*arguments, **keywords)

    def do_GET(self) -> None:
        requested = self.path.partition("?")[0]
        inside = requested.startswith(self.base)
        path = (
            Path(self.translate_path(requested[len(self.base) - 1 :])) if inside else Path("/none")
        )
        if path.is_dir():
            path /= "index.html"
        status = HTTPStatus.OK
        if not path.is_file():
            path, status = Path(self.directory) / "404.html", HTTPStatus.NOT_FOUND
        self._send(path, status)

    def _send(self, path: Path, status: HTTPStatus) -> None:
        squeeze = path.suffix in COMPRESSED and "gzip" in self.headers.get("Accept-Encoding", "")
        exists = path.is_file()
        body = compressed(path, path.stat().st_mtime) if squeeze and exists else b""
        body = body or (path.read_bytes() if exists else b"nothing here")
        self.send_response(status)
        self.send_header("Content-Type", self.guess_type(path) if exists else "text/plain")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "max-age=600")
        if squeeze and exists:
            self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args) -> None:
        pass


@contextmanager
def served(folder: Path, base: str = "/") -> Iterator[str]:
    """Serve `folder` below the path `base` while the block runs, and say at which address."""
    handler = partial(_Pages, directory=str(folder), base=base)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}{base.rstrip('/')}"
        server.shutdown()
        thread.join()
