"""Opens ZIP files after checking their directory: bombs, paths that lead out, and passwords are refused."""

import zipfile
import zlib
from pathlib import Path

from intelli.library.extraction.limits import Limits
from intelli.library.extraction.model import Refusal, Unreadable

_RATIO = 200
_RATIO_FROM_BYTES = 10 << 20
_DAMAGED = "The file is damaged: a part of it cannot be unpacked. Upload the original again."
_BOMB = "The file unpacks to far more than its size, as attacks do. It was not read."
_ERRORS = (zipfile.BadZipFile, zlib.error, OSError, EOFError, ValueError, NotImplementedError, KeyError)


def open_zip(path: Path, limits: Limits) -> zipfile.ZipFile:
    """Open an archive whose directory is harmless. Raises Unreadable."""
    try:
        archive = zipfile.ZipFile(path)
    except _ERRORS as error:
        reason = "The file is damaged: its archive cannot be opened. Upload the original again."
        raise Unreadable(Refusal.DAMAGED, reason) from error
    try:
        _check(archive.infolist(), limits)
    except Unreadable:
        archive.close()
        raise
    return archive


def read_entry(archive: zipfile.ZipFile, entry: zipfile.ZipInfo | str) -> bytes:
    """Return the content of an entry, never more than the directory declares. Raises Unreadable."""
    try:
        return archive.read(entry)
    except RuntimeError as error:
        raise _locked_error() from error
    except _ERRORS as error:
        raise Unreadable(Refusal.DAMAGED, _DAMAGED) from error


def _check(entries: list[zipfile.ZipInfo], limits: Limits) -> None:
    if len(entries) > limits.max_entries:
        raise Unreadable(Refusal.HOSTILE, f"The archive has {len(entries):,} entries. Split it and upload the parts.")
    total = sum(entry.file_size for entry in entries)
    packed = sum(entry.compress_size for entry in entries)
    if total > limits.max_archive_bytes:
        if total > _RATIO * max(packed, 1):
            raise Unreadable(Refusal.HOSTILE, _BOMB)
        reason = (
            f"The archive unpacks to {total >> 20:,} MB; {limits.max_archive_bytes >> 20:,} MB is the limit. Split it."
        )
        raise Unreadable(Refusal.TOO_LARGE, reason)
    for entry in entries:
        _check_entry(entry, limits)


def _check_entry(entry: zipfile.ZipInfo, limits: Limits) -> None:
    if leads_out(entry.filename):
        reason = "The archive has an entry whose path leads out of it, as attacks do. It was not read."
        raise Unreadable(Refusal.HOSTILE, reason)
    is_inflated = entry.file_size > _RATIO * max(entry.compress_size, 1)
    if is_inflated and entry.file_size > _RATIO_FROM_BYTES:
        raise Unreadable(Refusal.HOSTILE, _BOMB)
    if entry.file_size > limits.max_entry_bytes:
        reason = f"The archive has an entry over {limits.max_entry_bytes >> 20:,} MB. Upload it on its own."
        raise Unreadable(Refusal.TOO_LARGE, reason)
    if entry.flag_bits & 1:
        raise _locked_error()


def leads_out(name: str) -> bool:
    """Return whether a path inside an archive leads out of it: "../a", "/a", "C:/a"."""
    path = name.replace("\\", "/")
    return path.startswith("/") or ".." in path.split("/") or (len(path) > 1 and path[1] == ":")


def _locked_error() -> Unreadable:
    """Return the error for an encrypted archive."""
    return Unreadable(Refusal.ENCRYPTED, "The archive is protected by a password. Unpack it and upload what is inside.")
