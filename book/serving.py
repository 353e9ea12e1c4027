"""Serve a folder on this machine alone, compressed as a web host does it: a page's weight is what readers wait for."""

import gzip
import mimetypes
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import unquote, urlsplit

PACKED_ALREADY = (".webp", ".png", ".woff2", ".gz")


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of `folder` while the block runs; nothing outside the folder is given out."""
    handler = type("Handler", (_Handler,), {"root": folder.resolve()})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


@cache
def compressed(path: Path, changed: int) -> bytes:
    """A file as it goes over the line; `changed` (its time in ns) makes an edited file another one."""
    whole = path.read_bytes()
    return whole if path.suffix in PACKED_ALREADY else gzip.compress(whole, 6)


def weight(path: Path) -> int:
    """How many bytes of a file go over the line."""
    return len(compressed(path, path.stat().st_mtime_ns))


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"  # connections stay open
    root: Path

    def do_GET(self):
        """A file, or 404; the name is http.server's."""
        path = (self.root / unquote(urlsplit(self.path).path).lstrip("/")).resolve()
        if self.root not in path.parents or not path.is_file():
            self.send_error(404)
            return
        body = compressed(path, path.stat().st_mtime_ns)
        self.send_response(200)
        self.send_header("Content-Type", mimetypes.guess_type(path.name)[0] or "application/octet-stream")
        self.send_header("Content-Length", str(len(body)))
        if path.suffix not in PACKED_ALREADY:
            self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *given):
        """Quiet."""
