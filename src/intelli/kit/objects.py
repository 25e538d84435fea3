"""Small files under names of their own, in a directory or a bucket: whole and durable once written."""

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
    """Where the files are. A name is a path below the root, with `/` between its steps."""

    async def write(self, name: str, content: bytes) -> None:
        """Write a file, over one that has its name."""

    async def read(self, name: str) -> bytes | None:
        """The bytes of a file; None when there is none."""

    async def names(self, folder: str) -> list[str]:
        """The names of the files in a folder, without the folder."""

    async def folders(self) -> list[str]:
        """The names of the folders at the root."""

    async def delete(self, name: str) -> None:
        """Remove a file; one that is not there is as good as removed."""


def open_objects(url: str, folder: str, *, options: Mapping[str, str]) -> Objects:
    """The files in a folder of the store at an address; nothing is contacted yet."""
    store, root = blob_stores.open_store(url, options)
    return DirectoryObjects(root / folder) if root is not None else BucketObjects(store, folder)


class DirectoryObjects:
    """Files on a disk. The directory is made with the first of them."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._directory = disk.Directory(root)

    async def write(self, name: str, content: bytes) -> None:
        """Write a file, over one that has its name."""
        async with _reaching():
            draft = f"{_DRAFTS}/{uuid4().hex}"
            await asyncio.to_thread(self._directory.write, content, name, draft=draft)

    async def read(self, name: str) -> bytes | None:
        """The bytes of a file; None when there is none."""
        async with _reaching():
            try:
                return await asyncio.to_thread((self._root / name).read_bytes)
            except FileNotFoundError:
                return None

    async def names(self, folder: str) -> list[str]:
        """The names of the files in a folder, without the folder."""
        async with _reaching():
            return await asyncio.to_thread(_list, self._root / folder, directories=False)

    async def folders(self) -> list[str]:
        """The names of the folders at the root."""
        async with _reaching():
            return await asyncio.to_thread(_list, self._root, directories=True)

    async def delete(self, name: str) -> None:
        """Remove a file; one that is not there is as good as removed."""
        async with _reaching():
            await asyncio.to_thread((self._root / name).unlink, missing_ok=True)


class BucketObjects:
    """Files in a bucket, below a prefix."""

    def __init__(self, store: ObjectStore, prefix: str) -> None:
        self._store = store
        self._prefix = prefix

    async def write(self, name: str, content: bytes) -> None:
        """Write a file, over one that has its name."""
        async with _reaching():
            await obstore.put_async(self._store, f"{self._prefix}/{name}", content)

    async def read(self, name: str) -> bytes | None:
        """The bytes of a file; None when there is none."""
        async with _reaching():
            try:
                found = await obstore.get_async(self._store, f"{self._prefix}/{name}")
                return bytes(await found.bytes_async())
            except FileNotFoundError:
                return None

    async def names(self, folder: str) -> list[str]:
        """The names of the files in a folder, without the folder."""
        async with _reaching():
            found = await obstore.list_with_delimiter_async(self._store, f"{self._prefix}/{folder}")
        return sorted(each["path"].rpartition("/")[2] for each in found["objects"])

    async def folders(self) -> list[str]:
        """The names of the folders at the root."""
        async with _reaching():
            found = await obstore.list_with_delimiter_async(self._store, self._prefix)
        return sorted(prefix.rpartition("/")[2] for prefix in found["common_prefixes"])

    async def delete(self, name: str) -> None:
        """Remove a file; one that is not there is as good as removed."""
        async with _reaching():
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
async def _reaching() -> AsyncIterator[None]:
    try:
        async with asyncio.timeout(_WAIT_S):
            yield
    except (BaseError, OSError) as error:
        raise BlobsUnavailable("The store does not answer or refuses. Try again in a moment.") from error
