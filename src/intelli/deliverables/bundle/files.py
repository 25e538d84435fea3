"""The files of a bundle wherever they are: in the zip as it was written, in one packed anew, or unpacked in a folder.

What counts is that every file has its hash. Only the zip as it was written also has every other byte accounted for.
"""

import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from intelli.deliverables.bundle.container import ZipDamage, ZipReader, is_valid_name, read_pieces

_PIECE = 1 << 20
# More than a bundle may hold is not read: whoever packed it can make a small zip of endless zeros.
_LARGEST = 1 << 32
_MOST_FILES = 60_000
_FIRST_TAG = "bagit.txt"


class BundleForm(StrEnum):
    """How the files of a bundle come."""

    AS_WRITTEN = "as_written"
    PACKED_ANEW = "packed_anew"
    UNPACKED = "unpacked"


class BundleFiles(Protocol):
    """Files of a bundle by name. `checksums` are those that the zip claims; a folder claims none."""

    form: BundleForm
    damages: list[ZipDamage]
    names: list[str]
    checksums: Mapping[str, int]

    def pieces(self, name: str) -> Iterator[bytes]:
        """Read a file in pieces."""

    def read(self, name: str, most: int) -> bytes | None:
        """Read a small file as a whole; None when it is missing or has more than `most` bytes."""


@contextmanager
def open_files(path: Path) -> Iterator[BundleFiles]:
    """Open the files of a bundle, a zip or the folder that it was unpacked to."""
    if path.is_dir():
        yield _Folder(path)
        return
    with path.open("rb") as opened:
        reader = ZipReader(opened)
        if not reader.is_repacked:
            yield _Written(reader)
            return
    with zipfile.ZipFile(path) as archive:
        yield _Repacked(archive)


class _Written:
    """The zip as it was written."""

    form = BundleForm.AS_WRITTEN

    def __init__(self, reader: ZipReader) -> None:
        self._reader = reader
        self.damages = reader.damages
        self.names = list(reader.entries)
        self.checksums: Mapping[str, int] = {name: entry.crc for name, entry in reader.entries.items()}

    def pieces(self, name: str) -> Iterator[bytes]:
        """Read a file in pieces."""
        return self._reader.pieces(self._reader.entries[name])

    def read(self, name: str, most: int) -> bytes | None:
        """Read a small file as a whole."""
        entry = self._reader.entries.get(name)
        return self._reader.read(entry, most) if entry is not None else None


class _Repacked:
    """A zip that another program packed."""

    form = BundleForm.PACKED_ANEW

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        entries = [entry for entry in archive.infolist() if not entry.is_dir()]
        root = _root([entry.filename for entry in entries])
        self._entries = {entry.filename.removeprefix(root): entry for entry in entries}
        self.damages = [
            ZipDamage(name, "a bundle has no file of this name") for name in self._entries if not is_valid_name(name)
        ]
        if len(entries) > _MOST_FILES or sum(entry.file_size for entry in entries) > _LARGEST:
            self.damages.append(ZipDamage("", "it holds more than a bundle can"))
            self._entries = {}
        self.names = list(self._entries)
        self.checksums: Mapping[str, int] = {}

    def pieces(self, name: str) -> Iterator[bytes]:
        """Read a file in pieces; one that cannot be read any more ends early, and has another hash by that."""
        left = self._entries[name].file_size
        try:
            with self._archive.open(self._entries[name]) as opened:
                while left > 0 and (piece := opened.read(min(left, _PIECE))):
                    left -= len(piece)
                    yield piece
        except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, EOFError):
            self.damages.append(ZipDamage(name, "it cannot be read: it was changed or cut off"))

    def read(self, name: str, most: int) -> bytes | None:
        """Read a small file as a whole."""
        entry = self._entries.get(name)
        return b"".join(self.pieces(name)) if entry is not None and entry.file_size <= most else None


class _Folder:
    """A folder that a bundle was unpacked to. Links are not followed."""

    form = BundleForm.UNPACKED

    def __init__(self, path: Path) -> None:
        root = find_root(path)
        self._paths = {
            each.relative_to(root).as_posix(): each
            for each in sorted(root.rglob("*"))
            if each.is_file() and not each.is_symlink()
        }
        self.damages: list[ZipDamage] = []
        self.names = list(self._paths)
        self.checksums: Mapping[str, int] = {}

    def pieces(self, name: str) -> Iterator[bytes]:
        """Read a file in pieces."""
        return read_pieces(self._paths[name])

    def read(self, name: str, most: int) -> bytes | None:
        """Read a small file as a whole."""
        path = self._paths.get(name)
        return path.read_bytes() if path is not None and path.stat().st_size <= most else None


def find_root(path: Path) -> Path:
    """Return the folder that has the bundle's own files: this one, or the only one in it that was made by unpacking."""
    if (path / _FIRST_TAG).is_file():
        return path
    inner = [each for each in path.iterdir() if (each / _FIRST_TAG).is_file()]
    return inner[0] if len(inner) == 1 else path


def _root(names: list[str]) -> str:
    """Return the folder inside a zip that all of its files are in, where the bundle's own are; empty for none."""
    tags = [name for name in names if name == _FIRST_TAG or name.endswith(f"/{_FIRST_TAG}")]
    root = min(tags, key=len).removesuffix(_FIRST_TAG) if tags else ""
    return root if all(name.startswith(root) for name in names) else ""
