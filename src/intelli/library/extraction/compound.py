"""Compound files of old Office: a small file system whose streams are read by path."""

import struct
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from intelli.library.extraction.model import Refusal, Unreadable

MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_END, _FREE, _FAT = 0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFFD
_HEADER = struct.Struct("<8s16xHHHHH6xIIIIIIIII")
_ENTRY = struct.Struct("<64sHBBIII16s4x8x8xIQ")
_STREAM, _STORAGE, _ROOT = 2, 1, 5
_STREAM_LIMIT_BYTES = 400 << 20


class Compound:
    """A compound file in memory. Raises Unreadable when its structure is damaged."""

    def __init__(self, raw: bytes) -> None:
        try:
            self._read_header(raw)
        except (struct.error, IndexError, ValueError, OverflowError) as error:
            raise damaged_error() from error

    def _read_header(self, raw: bytes) -> None:
        self._raw = raw
        (_, _, _, _, shift, mini_shift, _, fats, directory, _, self._cutoff, mini_fat, _, difat, _) = (
            _HEADER.unpack_from(raw)
        )
        if not 7 <= shift <= 16 or not 4 <= mini_shift <= shift:
            raise ValueError("sector size")
        self._size, self._mini_size = 1 << shift, 1 << mini_shift
        self._sectors = max(0, (len(raw) - 1) // self._size)
        self._fat = self._read_fat(fats, difat)
        self._mini_fat = self._numbers(self._chain(mini_fat, self._fat))
        self._entries = self._read_directory(directory)
        root = next((entry for entry in self._entries.values() if entry[1] == _ROOT), None)
        self._mini = self._chain(root[2], self._fat)[: root[3]] if root else b""

    def _sector(self, number: int) -> bytes:
        if number >= self._sectors:
            raise ValueError("sector beyond the end")
        start = (number + 1) * self._size
        return self._raw[start : start + self._size].ljust(self._size, b"\0")

    def _read_fat(self, count: int, difat: int) -> tuple[int, ...]:
        numbers = list(struct.unpack_from("<109I", self._raw, 76))
        seen = 0
        while difat < _FAT and seen <= self._sectors:
            more = struct.unpack(f"<{self._size // 4}I", self._sector(difat))
            numbers += more[:-1]
            difat, seen = more[-1], seen + 1
        used = [number for number in numbers if number < self._sectors][: max(count, 1)]
        return self._numbers(b"".join(self._sector(number) for number in used))

    @staticmethod
    def _numbers(raw: bytes) -> tuple[int, ...]:
        return struct.unpack(f"<{len(raw) // 4}I", raw[: len(raw) // 4 * 4])

    def _chain(self, first: int, fat: tuple[int, ...]) -> bytes:
        pieces, number = [], first
        while number < _FAT:
            pieces.append(self._sector(number))
            # A chain longer than the file goes in circles.
            if len(pieces) > self._sectors or number >= len(fat):
                raise ValueError("circular chain")
            number = fat[number]
        return b"".join(pieces)

    def _read_directory(self, first: int) -> dict[int, tuple[str, int, int, int, int, int, int]]:
        raw = self._chain(first, self._fat)
        entries = {}
        for number in range(len(raw) // 128):
            name, length, kind, _, left, right, child, _, start, size = _ENTRY.unpack_from(raw, number * 128)
            if kind in (_STREAM, _STORAGE, _ROOT):
                text = name[: max(0, min(length, 64) - 2)].decode("utf-16-le", "replace")
                size = size if self._size > 512 else size & 0xFFFFFFFF
                entries[number] = (text, kind, start, size, left, right, child)
        return entries

    @property
    def names(self) -> set[str]:
        """The names of all streams and storages, wherever they are."""
        return {entry[0] for entry in self._entries.values()}

    def paths(self) -> dict[str, int]:
        """Map the path of every stream, from the root and joined by `/`, to its entry number."""
        found: dict[str, int] = {}
        pending = [(number, "") for number, entry in self._entries.items() if entry[1] == _ROOT][:1]
        pending = [(self._entries[number][6], "") for number, _ in pending]
        seen: set[int] = set()
        while pending:
            number, prefix = pending.pop()
            if number in seen or number not in self._entries:
                continue
            seen.add(number)
            name, kind, _, _, left, right, child = self._entries[number]
            pending += [(left, prefix), (right, prefix)]
            if kind == _STREAM:
                found[prefix + name] = number
            else:
                pending.append((child, f"{prefix}{name}/"))
        return found

    def read(self, path: str) -> bytes:
        """Return the bytes of a stream; empty when there is no such stream."""
        number = self.paths().get(path)
        return b"" if number is None else self._stream(number)

    def _stream(self, number: int) -> bytes:
        _, _, start, size, *_ = self._entries[number]
        if size > min(len(self._raw), _STREAM_LIMIT_BYTES):
            raise damaged_error()
        try:
            if size >= self._cutoff:
                return self._chain(start, self._fat)[:size]
            return self._mini_chain(start)[:size]
        except (ValueError, IndexError) as error:
            raise damaged_error() from error

    def _mini_chain(self, first: int) -> bytes:
        pieces, number = [], first
        while number < _FAT:
            pieces.append(self._mini[number * self._mini_size : (number + 1) * self._mini_size])
            if len(pieces) > len(self._mini_fat):
                raise ValueError("circular chain")
            number = self._mini_fat[number]
        return b"".join(pieces)


def damaged_error() -> Unreadable:
    """Return the error for a file whose inner structure is broken."""
    return Unreadable(
        Refusal.DAMAGED, "The file is damaged. Open it in the program that made it, save it again, upload."
    )


@contextmanager
def open_compound(path: Path) -> Iterator[Compound]:
    """Load the compound file at a path."""
    yield Compound(path.read_bytes())
