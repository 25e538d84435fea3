"""The zip of a bundle, in which every byte has one possible value: stored files, fixed headers, no gaps.

A reader compares each header with the one it must have. Files are never compressed: archives stay readable when zip is
forgotten, and nothing unpacks to more than its size.
"""

import re
import struct
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from intelli.kit.errors import TooLarge

_LOCAL = struct.Struct("<4s5H3I2H")
_CENTRAL = struct.Struct("<4s6H3I5H2I")
_END = struct.Struct("<4s4H2IH")
_VERSION, _MADE_BY, _UTF8 = 20, 3 << 8 | 20, 0x800
_DAY = 0x21  # 1 January 1980, the first that zip can say
_MODE = 0o100644 << 16
_PIECE = 1 << 20
_LARGEST = (1 << 32) - (1 << 24)
_MOST_FILES = 60_000
_LONGEST_NAME = 200
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]*(?:/[A-Za-z0-9_][A-Za-z0-9._-]*)*")


class BundleTooLarge(TooLarge):
    """More than one zip can hold."""

    code = "bundle_too_large"


@dataclass(frozen=True, slots=True)
class ZipEntry:
    """A file of the zip: offset of its header, size in bytes, and the checksum in the header."""

    name: str
    offset: int
    size: int
    crc: int

    @property
    def start(self) -> int:
        """Offset of its bytes."""
        return self.offset + _LOCAL.size + len(self.name)


@dataclass(frozen=True, slots=True)
class ZipDamage:
    """A deviation of the zip from its only valid form, and the file it is about."""

    file: str
    what: str


def is_valid_name(name: str) -> bool:
    """Return whether a file may have this name: ASCII letters, no path out of the bundle."""
    return len(name) <= _LONGEST_NAME and _NAME.fullmatch(name) is not None


class ZipWriter:
    """Writes files one after the other into a zip."""

    def __init__(self, out: BinaryIO) -> None:
        self._out = out
        self._at = 0
        self._entries: list[ZipEntry] = []

    def add(self, name: str, content: bytes | Path) -> None:
        """Add a file. The checksum precedes the content, so a file that is not in memory is read twice."""
        size = len(content) if isinstance(content, bytes) else content.stat().st_size
        if self._at + size > _LARGEST or len(self._entries) >= _MOST_FILES:
            raise BundleTooLarge("The sources of this are too large for one bundle. Export it without some of them.")
        crc = 0
        for piece in read_pieces(content):
            crc = zlib.crc32(piece, crc)
        entry = ZipEntry(name, self._at, size, crc)
        self._write(_local_header(entry))
        for piece in read_pieces(content):
            self._write(piece)
        self._entries.append(entry)

    def finish(self) -> None:
        """Write the directory at the end."""
        start = self._at
        for entry in self._entries:
            self._write(_central_header(entry))
        self._write(_end_record(self._entries, start, self._at - start))

    def _write(self, piece: bytes) -> None:
        self._out.write(piece)
        self._at += len(piece)


def read_pieces(content: bytes | Path) -> Iterator[bytes]:
    """Read content in pieces of at most 1 MiB; bytes are one piece."""
    if isinstance(content, bytes):
        yield content
        return
    with content.open("rb") as opened:
        while piece := opened.read(_PIECE):
            yield piece


class ZipReader:
    """Reads the directory of a zip, and its files; deviations are collected in `damages`.

    One that another program packed has other bytes all over: it is said to be that, and not read.
    """

    def __init__(self, opened: BinaryIO) -> None:
        self._opened = opened
        self._size = opened.seek(0, 2)
        self.damages: list[ZipDamage] = []
        self.is_repacked = False
        self.entries: Mapping[str, ZipEntry] = self._read_directory()

    def pieces(self, entry: ZipEntry) -> Iterator[bytes]:
        """Read the bytes of a file in pieces."""
        self._opened.seek(entry.start)
        left = entry.size
        while left and (piece := self._opened.read(min(left, _PIECE))):
            left -= len(piece)
            yield piece

    def read(self, entry: ZipEntry, most: int) -> bytes | None:
        """Read a small file as a whole; None when it has more than `most` bytes."""
        return b"".join(self.pieces(entry)) if entry.size <= most else None

    def _read_directory(self) -> Mapping[str, ZipEntry]:
        end = self._read(self._size - _END.size, _END.size)
        if len(end) < _END.size or not end.startswith(b"PK\x05\x06"):
            self._add_damage("", "the zip has no end, or something was added behind it: it was cut off or changed")
            return {}
        said = _END.unpack(end)
        count, size, start = said[4], said[5], said[6]
        if start + size + _END.size != self._size:
            self._add_damage("", "the directory at the end of the zip was changed, or something was put before it")
            return {}
        directory = self._read(start, size)
        if _is_repacked(directory, count):
            self.is_repacked = True
            return {}
        entries = list(self._read_entries(directory, count))
        if end != _end_record(entries, start, size):
            self._add_damage("", "the end of the zip was changed")
        self._check_headers(entries, start)
        return {entry.name: entry for entry in entries}

    def _read_entries(self, directory: bytes, count: int) -> Iterator[ZipEntry]:
        at = 0
        for number in range(count):
            fixed = directory[at : at + _CENTRAL.size]
            if len(fixed) < _CENTRAL.size:
                self._add_damage("", f"the directory of the zip names {count} files, but has {number}")
                return
            values = _CENTRAL.unpack(fixed)
            name = directory[at + _CENTRAL.size : at + _CENTRAL.size + values[10]].decode("latin-1")
            entry = ZipEntry(name, values[16], values[9], values[7])
            at += _CENTRAL.size + len(name)
            if not is_valid_name(name):
                self._add_damage(name, "a bundle has no file of this name")
                continue
            if _central_header(entry) != fixed + name.encode():
                self._add_damage(name, "its line in the directory of the zip was changed")
            yield entry
        if at != len(directory):
            self._add_damage("", "the directory of the zip is longer than what it names")

    def _check_headers(self, entries: list[ZipEntry], end: int) -> None:
        """Check that the files follow each other without gaps, each after the header it must have."""
        at = 0
        seen: set[str] = set()
        for entry in entries:
            if entry.name in seen:
                self._add_damage(entry.name, "it is there twice")
            seen.add(entry.name)
            header = self._read(entry.offset, _LOCAL.size + len(entry.name))
            if entry.offset != at or header != _local_header(entry):
                self._add_damage(entry.name, "its header in the zip was changed")
            at = entry.start + entry.size
        if at != end:
            self._add_damage("", "something stands between the files of the zip")

    def _read(self, start: int, size: int) -> bytes:
        if start < 0 or start > self._size:
            return b""
        self._opened.seek(start)
        return self._opened.read(size)

    def _add_damage(self, name: str, what: str) -> None:
        self.damages.append(ZipDamage(name, what))


def _is_repacked(directory: bytes, count: int) -> bool:
    """Return whether no line of a directory is one of ours: a changed byte would spoil one of them, not all."""
    at = 0
    for _ in range(count):
        fixed = directory[at : at + _CENTRAL.size]
        if len(fixed) < _CENTRAL.size:
            return False
        values = _CENTRAL.unpack(fixed)
        name = directory[at + _CENTRAL.size : at + _CENTRAL.size + values[10]]
        if _central_header(ZipEntry(name.decode("latin-1"), values[16], values[9], values[7])) == fixed + name:
            return False
        at += _CENTRAL.size + sum(values[10:13])
    return count > 1


def checksum(feed: Callable[[], Iterator[bytes]]) -> int:
    """Compute the CRC-32 of some bytes."""
    crc = 0
    for piece in feed():
        crc = zlib.crc32(piece, crc)
    return crc


def _local_header(entry: ZipEntry) -> bytes:
    name = entry.name.encode()
    sizes = (entry.crc, entry.size, entry.size)
    return _LOCAL.pack(b"PK\x03\x04", _VERSION, _UTF8, 0, 0, _DAY, *sizes, len(name), 0) + name


def _central_header(entry: ZipEntry) -> bytes:
    name = entry.name.encode()
    sizes = (entry.crc, entry.size, entry.size)
    fixed = (b"PK\x01\x02", _MADE_BY, _VERSION, _UTF8, 0, 0, _DAY, *sizes, len(name), 0, 0, 0, 0, _MODE, entry.offset)
    return _CENTRAL.pack(*fixed) + name


def _end_record(entries: list[ZipEntry], start: int, size: int) -> bytes:
    return _END.pack(b"PK\x05\x06", 0, 0, len(entries), len(entries), size, start, 0)
