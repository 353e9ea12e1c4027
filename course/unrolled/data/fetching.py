"""One file from its public address into a folder, checked: or half a sentence on why not.

pooch downloads beside the target and moves the file into place only if its SHA-256 is the registered one, so a cut
connection or a wrong answer leaves the folder as it was. A file that its repository keeps in pieces is joined in
memory and held against the same kind of SHA-256. Left out on purpose: retries. There is a stand-in to go on with, and
the next run asks again.
"""

import hashlib
import os
from pathlib import Path
from urllib.parse import urlsplit

import pooch
from tqdm import tqdm

from .datasets import File

TIMEOUT = (5, 15)  # seconds to connect, and to wait for the next bytes


class NotFetched(Exception):
    """Why the address gave nothing, as half a sentence."""


def fetch(file: File, folder: Path, title: str) -> Path:
    """Download a file into a folder, with a progress bar. Raises NotFetched, or OSError if the folder refuses."""
    from requests import exceptions  # slow to import, and mostly not needed

    host = urlsplit(file.address).hostname
    try:
        return (_joined if file.parts else _retrieve)(file, folder, title)
    except exceptions.HTTPError as problem:
        with problem.response as answer:  # pooch leaves it open
            raise NotFetched(f"{host} answered with status {answer.status_code}") from None
    except exceptions.ChunkedEncodingError:
        raise NotFetched(f"the connection to {host} was cut") from None
    except exceptions.RequestException:
        raise NotFetched(f"{host} cannot be reached") from None
    except ValueError:  # pooch's word for a wrong SHA-256
        raise NotFetched(f"the file from {host} has a wrong SHA-256 and was thrown away") from None


def _retrieve(file: File, folder: Path, title: str) -> Path:
    logger = pooch.get_logger()
    level = logger.level
    logger.setLevel("WARNING")  # the bar says enough
    with tqdm(total=file.bytes, desc=title, unit="B", unit_scale=True, leave=False) as bar:
        fetcher = pooch.HTTPDownloader(progressbar=bar, timeout=TIMEOUT)
        try:
            return Path(pooch.retrieve(file.address, f"sha256:{file.sha256}", file.name, folder, downloader=fetcher))
        finally:
            logger.setLevel(level)


def _joined(file: File, folder: Path, title: str) -> Path:
    """Fetch the list of the pieces, then each, and write them as one file. ValueError for a wrong SHA-256."""
    from requests import Session

    with Session() as session, tqdm(total=file.bytes, desc=title, unit="B", unit_scale=True, leave=False) as bar:
        pieces = []
        for name in _content(session, file.at(file.parts)).decode().split():
            pieces.append(_content(session, file.at(f"{file.path}/{name}")))
            bar.update(len(pieces[-1]))
    whole = b"".join(pieces)
    if hashlib.sha256(whole).hexdigest() != file.sha256:
        raise ValueError("wrong SHA-256")
    target = folder / file.name
    part = target.with_name(f"{target.name}.{os.getpid()}.part")
    part.parent.mkdir(parents=True, exist_ok=True)
    part.write_bytes(whole)
    part.replace(target)
    return target


def _content(session, address: str) -> bytes:
    with session.get(address, timeout=TIMEOUT) as answer:
        answer.raise_for_status()
        return answer.content
