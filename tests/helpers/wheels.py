"""Small wheels for the tests: real enough for pip, made in a moment."""

import hashlib
import os
import zipfile
from pathlib import Path


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def wheel(folder: Path, package: str, files: dict[str, str], version: str = "1.0") -> str:
    """Write a small wheel for pip into a folder; it wants another that nobody has. Returns its SHA-256."""
    info = f"{package}-{version}.dist-info"
    files = files | {
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {package}\nVersion: {version}\nRequires-Dist: absent\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = "".join(f"{name},,\n" for name in [*files, f"{info}/RECORD"])
    target = folder / f"{package}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(target, "w") as archive:
        for name, content in (files | {f"{info}/RECORD": record}).items():
            archive.writestr(name, content)
    return sha256(target.read_bytes())


def content(wheel: Path, name: str) -> str:
    """The text of one file in a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        return archive.read(name).decode()


def only_wheels_in(folder: Path, monkeypatch) -> None:
    """Let pip find the wheels of one folder and nothing else."""
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
