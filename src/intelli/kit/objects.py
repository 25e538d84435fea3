"""Store of small named files in a directory or a bucket; a write is atomic and durable."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Protocol
from uuid import uuid4

import obstore
from obstore.exceptions import BaseError
from obstore.store import ObjectStore

from intelli.kit import blob_stores, disk
from intelli.kit.blob_errors import BlobsUnavailable

_DRAFTS = "tmp"
_WAIT_S = 30


class Objects(Protocol):
    """Store of named files. A name is a path below the root, separated by `/`. All calls may raise BlobsUnavailable."""

    async def write(self, name: str, content: bytes) -> None:
        """Write a file atomically; replaces one of this name."""

    async def read(self, name: str) -> bytes | None:
        """Read a file; None when there is none."""

    async def list_names(self, folder: str) -> list[str]:
        """Return the sorted names of the files in a folder, without the folder."""

    async def list_folders(self) -> list[str]:
        """Return the sorted names of the folders at the root."""

    async def delete(self, name: str) -> None:
        """Delete a file; does nothing when there is none."""


def open_objects(url: str, folder: str, *, options: Mapping[str, str]) -> Objects:
    """Open a folder of the store at a URL; no connection is made yet."""
    store, root = blob_stores.open_store(url, options)
    return DirectoryObjects(root / folder) if root is not None else BucketObjects(store, folder)


class DirectoryObjects:
    """Files in a directory, which is created with the first write."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._directory = disk.Directory(root)

    async def write(self, name: str, content: bytes) -> None:
        """Write a file atomically; replaces one of this name."""
        async with _translate_errors():
            draft = f"{_DRAFTS}/{uuid4().hex}"
            await asyncio.to_thread(self._directory.write, content, name, draft=draft)

    async def read(self, name: str) -> bytes | None:
        """Read a file; None when there is none."""
        async with _translate_errors():
            try:
                return await asyncio.to_thread((self._root / name).read_bytes)
            except FileNotFoundError:
                return None

    async def list_names(self, folder: str) -> list[str]:
        """Return the sorted names of the files in a folder, without the folder."""
        async with _translate_errors():
            return await asyncio.to_thread(_list, self._root / folder, directories=False)

    async def list_folders(self) -> list[str]:
        """Return the sorted names of the folders at the root."""
        async with _translate_errors():
            return await asyncio.to_thread(_list, self._root, directories=True)

    async def delete(self, name: str) -> None:
        """Delete a file; does nothing when there is none."""
        async with _translate_errors():
            await asyncio.to_thread((self._root / name).unlink, missing_ok=True)


class BucketObjects:
    """Files in a bucket below a prefix."""

    def __init__(self, store: ObjectStore, prefix: str) -> None:
        self._store = store
        self._prefix = prefix

    async def write(self, name: str, content: bytes) -> None:
        """Write a file atomically; replaces one of this name."""
        async with _translate_errors():
            await obstore.put_async(self._store, f"{self._prefix}/{name}", content)

    async def read(self, name: str) -> bytes | None:
        """Read a file; None when there is none."""
        async with _translate_errors():
            try:
                found = await obstore.get_async(self._store, f"{self._prefix}/{name}")
                return bytes(await found.bytes_async())
            except FileNotFoundError:
                return None

    async def list_names(self, folder: str) -> list[str]:
        """Return the sorted names of the files in a folder, without the folder."""
        async with _translate_errors():
            found = await obstore.list_with_delimiter_async(self._store, f"{self._prefix}/{folder}")
        return sorted(each["path"].rpartition("/")[2] for each in found["objects"])

    async def list_folders(self) -> list[str]:
        """Return the sorted names of the folders at the root."""
        async with _translate_errors():
            found = await obstore.list_with_delimiter_async(self._store, self._prefix)
        return sorted(prefix.rpartition("/")[2] for prefix in found["common_prefixes"])

    async def delete(self, name: str) -> None:
        """Delete a file; does nothing when there is none."""
        async with _translate_errors():
            try:
                await obstore.delete_async(self._store, f"{self._prefix}/{name}")
            except FileNotFoundError:
                return


def _list(directory: Path, *, directories: bool) -> list[str]:
    try:
        return sorted(path.name for path in directory.iterdir() if path.is_dir() == directories)
    except (FileNotFoundError, NotADirectoryError):
        return []


@asynccontextmanager
async def _translate_errors() -> AsyncIterator[None]:
    try:
        async with asyncio.timeout(_WAIT_S):
            yield
    except (BaseError, OSError) as error:
        raise BlobsUnavailable("The store does not answer or refuses. Try again in a moment.") from error
