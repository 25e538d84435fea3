"""The blob store: immutable bytes under their SHA-256, on a disk or in an S3, GCS or Azure bucket.

Content is hashed while it streams, in constant memory, and appears at `{tenant}/{sha[:2]}/{sha}` whole or not at all.
When `put` returns, the bytes are durable; when it fails, nothing is left of them. A `draft` parts the two halves of a
`put`: the slow one, receiving, and the quick one, filing under the hash, which may then happen under a lock.
"""

import asyncio
import atexit
import hashlib
import re
import time
from collections.abc import AsyncIterator, Coroutine, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import UUID, uuid4

import obstore
from obstore.exceptions import AlreadyExistsError, BaseError
from obstore.store import ObjectStore

from intelli.kit import blob_stores, clock, disk, peek
from intelli.kit.blob_drafts import SHA256, BlobDraft, BlobStat, BytesInMemory, StoredBlob, UnfinishedBlob, key
from intelli.kit.blob_errors import BlobDamaged, BlobMissing, BlobsUnavailable, BlobTooLarge, HashMismatch
from intelli.kit.errors import Invalid
from intelli.kit.tasks import children

if TYPE_CHECKING:
    from obstore import AsyncWritableFile, ListStream, ObjectMeta

__all__ = [
    "BlobDamaged",
    "BlobDraft",
    "BlobMissing",
    "BlobStat",
    "BlobTooLarge",
    "Blobs",
    "BlobsUnavailable",
    "HashMismatch",
    "StoredBlob",
    "key",
    "open_blobs",
]  # fmt: skip
_DRAFTS = "tmp"
_TENANT = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_BUFFER_BYTES = 8 << 20
_BUFFERS = 2
_PIECE_BYTES = 2 << 20
_HASH_INLINE_BYTES = 256 << 10
# A file that is this small is held in memory until it is placed, and then written in one go.
_SMALL_BYTES = 512 << 10
# The disk is waited for by the file: a few at once hide that, more only stand in each other's way.
_WRITERS = 3
_WAIT_S = 90
_TIDY_S = 30
_CHECK_S = 5
_EXIT_PAUSE_S = 0.05


def open_blobs(url: str, *, options: Mapping[str, str] | None = None) -> "Blobs":
    """The store at `file:///directory`, `s3://bucket/prefix`, `gs://…` or `az://…`; nothing is contacted yet."""
    # obstore's runtime aborts an interpreter that ends right after an async call. Unregistering keeps it to one guard.
    atexit.unregister(_outlive_runtime)
    atexit.register(_outlive_runtime)
    try:
        store, root = blob_stores.open_store(url, options or {})
    except (BaseError, ValueError, OSError) as error:
        raise Invalid(f"The blob store cannot be opened at {url}. Check its address and options.") from error
    return Blobs(store, root=root)


class Blobs:
    """Content-addressed storage; every call names the workspace, and bytes are never shared between two."""

    def __init__(self, store: ObjectStore, *, root: Path | None) -> None:
        self._store = store
        self._root = root
        self._directory = disk.Directory(root) if root is not None else None
        self._tidying: set[asyncio.Task[None]] = set()

    async def put(
        self,
        tenant_id: UUID,
        chunks: AsyncIterator[bytes],
        *,
        expected_sha256: str | None = None,
        limit_bytes: int | None = None,
    ) -> StoredBlob:
        """Store a stream. Bytes the workspace already has are stored no second time."""
        if expected_sha256 is not None:
            key(tenant_id, expected_sha256)
        async with self.draft(tenant_id, chunks, limit_bytes=limit_bytes) as draft:
            _expect(expected_sha256, draft.sha256)
            return StoredBlob(draft.sha256, draft.size_bytes, await draft.place())

    @asynccontextmanager
    async def draft(
        self, tenant_id: UUID, chunks: AsyncIterator[bytes], *, limit_bytes: int | None = None
    ) -> AsyncIterator[BlobDraft]:
        """Receive a stream, to be placed while the block lasts."""
        if self._directory is not None:
            head, is_whole = await peek.begin(chunks, most_bytes=_SMALL_BYTES)
            if is_whole:
                _insist_on_size(len(head), limit_bytes)
                yield self.hold(tenant_id, head)
                return
            chunks = peek.again(head, chunks)
        name = f"{_DRAFTS}/{uuid4().hex}"
        writer = obstore.open_writer_async(self._store, name, buffer_size=_BUFFER_BYTES, max_concurrency=_BUFFERS)
        try:
            sha256, size_bytes = await _fill(writer, chunks, limit_bytes=limit_bytes)
            async with _reaching():
                await writer.close()
                if self._root is not None:
                    await asyncio.to_thread(disk.sync, self._root / name)
            yield BlobDraft(sha256, size_bytes, partial(self._place, name, tenant_id, sha256, size_bytes))
        finally:
            await self._tidy(self._discard(writer, name))

    def hold(self, tenant_id: UUID, content: bytes) -> BlobDraft:
        """Bytes in memory, to be placed: durable from then on, and not before."""
        sha256 = hashlib.sha256(content).hexdigest()
        held = BytesInMemory(key(tenant_id, sha256), content) if self._directory is not None else None
        return BlobDraft(sha256, len(content), partial(self._write, tenant_id, sha256, content), held=held)

    async def place_all(self, drafts: Iterable[BlobDraft]) -> None:
        """File many drafts: those that are held in memory some at a time, for which the disk is waited for together."""
        drafts = list(drafts)
        held = [draft.held for draft in drafts if draft.held is not None]
        async with children() as group:
            for at in range(min(len(held), _WRITERS)):
                group.create_task(self._write_all(held[at::_WRITERS]))
            for draft in drafts:
                if draft.held is None:
                    group.create_task(_placed(draft))

    async def _write_all(self, held: Sequence[BytesInMemory]) -> None:
        assert self._directory is not None, "what is held in memory goes to a directory"
        contents = {each.key: each.content for each in held}
        async with _reaching():
            await asyncio.to_thread(self._directory.write_all, contents, draft=f"{_DRAFTS}/{uuid4().hex}")

    async def get(
        self, tenant_id: UUID, sha256: str, *, start: int = 0, end: int | None = None
    ) -> AsyncIterator[bytes]:
        """Stream a blob, or its bytes from `start` up to but without `end`. A damaged blob never streams to its end."""
        stat = await self.stat(tenant_id, sha256)
        stop = stat.size_bytes if end is None else min(end, stat.size_bytes)
        if start == 0 and stop == stat.size_bytes:
            return self._whole(key(tenant_id, sha256), stat)
        return self._pieces(key(tenant_id, sha256), start=start, stop=stop)

    async def read_small(self, tenant_id: UUID, hashes: Iterable[str]) -> dict[str, bytes]:
        """Small blobs as a whole, each checked; those that are missing or damaged are left out."""
        wanted = {sha256: key(tenant_id, sha256) for sha256 in hashes}
        if self._directory is not None:
            async with _reaching():
                return await asyncio.to_thread(self._directory.read_all, wanted)
        found = dict[str, bytes]()
        for sha256 in wanted:
            with suppress(BlobDamaged, BlobMissing):
                found[sha256] = b"".join([piece async for piece in await self.get(tenant_id, sha256)])
        return found

    async def stat(self, tenant_id: UUID, sha256: str) -> BlobStat:
        """Size and age of a blob."""
        async with _reading():
            meta = await obstore.head_async(self._store, key(tenant_id, sha256))
        return BlobStat(sha256, meta["size"], meta["last_modified"])

    async def exists(self, tenant_id: UUID, sha256: str) -> bool:
        """True when the workspace has these bytes."""
        try:
            await self.stat(tenant_id, sha256)
        except BlobMissing:
            return False
        return True

    async def missing(self, tenant_id: UUID, hashes: Iterable[str]) -> set[str]:
        """Those of which the workspace does not have the bytes."""
        wanted = {sha256: key(tenant_id, sha256) for sha256 in hashes}
        if self._root is None:
            return {sha256 for sha256 in wanted if not await self.exists(tenant_id, sha256)}
        root = self._root
        return await asyncio.to_thread(lambda: {each for each, at in wanted.items() if not (root / at).exists()})

    async def delete(self, tenant_id: UUID, sha256: str) -> None:
        """Remove a blob; one that is not there is as good as removed."""
        with suppress(BlobMissing):
            async with _reading():
                await obstore.delete_async(self._store, key(tenant_id, sha256))

    async def list(self, tenant_id: UUID) -> AsyncIterator[BlobStat]:
        """All blobs of a workspace, in no promised order."""
        async for path, size_bytes, modified_at in self._listing(str(tenant_id)):
            sha256 = path.rpartition("/")[2]
            if SHA256.fullmatch(sha256):
                yield BlobStat(sha256, size_bytes, modified_at)

    async def tenants(self) -> Sequence[UUID]:
        """The workspaces that have blobs here, or had some."""
        async with _reaching():
            found = await obstore.list_with_delimiter_async(self._store)
        return [UUID(prefix) for prefix in found["common_prefixes"] if _TENANT.fullmatch(prefix)]

    async def verify(self, tenant_id: UUID, sha256: str) -> bool:
        """Read a blob and say whether it still has its hash."""
        try:
            async for _ in await self.get(tenant_id, sha256):
                pass
        except BlobDamaged:
            return False
        return True

    async def unfinished(self) -> Sequence[UnfinishedBlob]:
        """What is being written now, and what killed writers left behind."""
        if self._root is not None:
            # By hand, because obstore does not list the file that a writer was killed over.
            found = await asyncio.to_thread(disk.listed, self._root / _DRAFTS)
            return [UnfinishedBlob(f"{_DRAFTS}/{name}", size_bytes, at) for name, size_bytes, at in found]
        return [UnfinishedBlob(*each) async for each in self._listing(_DRAFTS)]

    async def sweep(self, older_than: timedelta) -> int:
        """Remove what killed writers left behind; the age must exceed the longest upload. Returns how many."""
        before = clock.now() - older_than
        old = [each for each in await self.unfinished() if each.modified_at < before]
        for each in old:
            async with _reaching():
                if self._root is not None:
                    await asyncio.to_thread((self._root / each.name).unlink, missing_ok=True)
                else:
                    await obstore.delete_async(self._store, each.name)
        return len(old)

    async def check(self) -> None:
        """Write, read and remove a few bytes; raises when the store cannot be used."""
        probe = f"{_DRAFTS}/check-{uuid4().hex}"
        async with _reaching(_CHECK_S):
            await obstore.put_async(self._store, probe, b"check")
            await obstore.get_range_async(self._store, probe, start=0, length=5)
            await obstore.delete_async(self._store, probe)

    async def close(self) -> None:
        """Wait for the removal of cancelled writes that is still under way."""
        if self._tidying:
            await asyncio.wait(self._tidying, timeout=_TIDY_S)

    async def _place(self, draft: str, tenant_id: UUID, sha256: str, size_bytes: int) -> bool:
        """Durable first, visible second: a crash in between leaves a draft, never a half blob under a hash."""
        name = key(tenant_id, sha256)
        is_new = await self._copy_new(draft, name)
        if not is_new and not await self._is_whole(tenant_id, sha256, size_bytes):
            is_new = True
            async with _reaching():
                await obstore.copy_async(self._store, draft, name)
        if self._directory is not None:
            async with _reaching():
                await asyncio.to_thread(self._directory.sync_up, name)
        return is_new

    async def _copy_new(self, draft: str, name: str) -> bool:
        async with _reaching():
            try:
                await obstore.copy_async(self._store, draft, name, overwrite=False)
            except AlreadyExistsError:
                return False
        return True

    async def _is_whole(self, tenant_id: UUID, sha256: str, size_bytes: int) -> bool:
        """A bucket guards its bytes itself: only their number is looked at there, for to read them costs a transfer."""
        try:
            if (await self.stat(tenant_id, sha256)).size_bytes != size_bytes:
                return False
            return self._root is None or await self.verify(tenant_id, sha256)
        except (BlobMissing, BlobsUnavailable):
            return False

    async def _write(self, tenant_id: UUID, sha256: str, content: bytes) -> bool:
        if self._directory is None:
            return (await self.put(tenant_id, peek.again(content))).is_new
        async with _reaching():
            draft = f"{_DRAFTS}/{uuid4().hex}"
            return await asyncio.to_thread(self._directory.write, content, key(tenant_id, sha256), draft=draft)

    async def _discard(self, writer: "AsyncWritableFile", draft: str) -> None:
        """Finish the draft and remove it: a bucket would keep the parts of an upload that is merely dropped."""
        with suppress(BlobsUnavailable):
            async with _reaching(_TIDY_S):
                await writer.close()
        with suppress(BlobsUnavailable):
            async with _reaching(_TIDY_S):
                await obstore.delete_async(self._store, draft)

    async def _tidy(self, work: Coroutine[None, None, None]) -> None:
        """Let the work run to its end even when the caller is cancelled once more; `close` waits for it then."""
        task = asyncio.create_task(work)
        self._tidying.add(task)
        task.add_done_callback(self._tidying.discard)
        await asyncio.shield(task)

    async def _whole(self, key: str, stat: BlobStat) -> AsyncIterator[bytes]:
        """Hold the last piece back until the hash is known to be right."""
        digest = hashlib.sha256()
        held = b""
        async for piece in self._pieces(key, start=0, stop=stat.size_bytes):
            if held:
                yield held
            await _hash(digest, piece)
            held = piece
        if digest.hexdigest() != stat.sha256:
            raise BlobDamaged("The stored content no longer matches its hash. Restore it from a backup.")
        if held:
            yield held

    async def _pieces(self, key: str, *, start: int, stop: int) -> AsyncIterator[bytes]:
        """Ranges instead of one long answer: each wait has its own limit, so a slow reader breaks nothing."""
        for at in range(start, stop, _PIECE_BYTES):
            async with _reading():
                piece = await obstore.get_range_async(self._store, key, start=at, end=min(at + _PIECE_BYTES, stop))
            yield piece.to_bytes()

    async def _listing(self, prefix: str) -> AsyncIterator[tuple[str, int, datetime]]:
        stream = obstore.list(self._store, prefix, chunk_size=1000)
        while batch := await _next(stream):
            for meta in batch:
                yield meta["path"], meta["size"], meta["last_modified"]


async def _placed(draft: BlobDraft) -> None:
    await draft.place()


async def _next(stream: "ListStream[Sequence[ObjectMeta]]") -> "Sequence[ObjectMeta]":
    """The next part of a listing, empty at its end. `anext` with a default fails on obstore's streams."""
    async with _reaching():
        try:
            return await anext(stream)
        except StopAsyncIteration:
            return ()


def _expect(expected: str | None, found: str) -> None:
    if expected not in {None, found}:
        raise HashMismatch("The content does not match the announced SHA-256. Send it again.")


async def _fill(
    writer: "AsyncWritableFile", chunks: AsyncIterator[bytes], *, limit_bytes: int | None
) -> tuple[str, int]:
    digest = hashlib.sha256()
    size_bytes = 0
    async for chunk in chunks:
        size_bytes += len(chunk)
        _insist_on_size(size_bytes, limit_bytes)
        await _hash(digest, chunk)
        async with _reaching():
            await writer.write(chunk)
    return digest.hexdigest(), size_bytes


def _insist_on_size(size_bytes: int, limit_bytes: int | None) -> None:
    if limit_bytes is not None and size_bytes > limit_bytes:
        raise BlobTooLarge(f"The content is larger than {limit_bytes} bytes.", limit_bytes=limit_bytes)


async def _hash(digest: "hashlib._Hash", chunk: bytes) -> None:
    if len(chunk) > _HASH_INLINE_BYTES:
        await asyncio.to_thread(digest.update, chunk)
    else:
        digest.update(chunk)


@asynccontextmanager
async def _reaching(timeout_s: float = _WAIT_S) -> AsyncIterator[None]:
    """A wait on the store: limited, and whatever goes wrong there is told as the store being unavailable."""
    try:
        async with asyncio.timeout(timeout_s):
            yield
    except (BaseError, OSError) as error:
        raise BlobsUnavailable("The blob store does not answer or refuses. Try again in a moment.") from error


@asynccontextmanager
async def _reading() -> AsyncIterator[None]:
    async with _reaching():
        try:
            yield
        except FileNotFoundError as error:
            raise BlobMissing("There is no such content.") from error


def _outlive_runtime() -> None:
    time.sleep(_EXIT_PAUSE_S)
