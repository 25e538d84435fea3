"""Blob store: immutable bytes under their SHA-256, on a disk or in an S3, GCS or Azure bucket.

Content is hashed while it streams, in constant memory, and appears atomically at `{tenant}/{sha[:2]}/{sha}`. When `put`
returns, the bytes are durable; when it fails, nothing is left of them. A `draft` separates the two halves of a `put`:
the slow one, receiving, and the quick one, storing under the hash, which may then happen under a lock.
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
from intelli.kit.tasks import task_group

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
# Content up to this size stays in memory until it is placed, and is then written at once.
_SMALL_BYTES = 512 << 10
# Each file waits for the disk: a few concurrent writers hide that, more only slow each other down.
_WRITERS = 3
_WAIT_S = 90
_TIDY_S = 30
_CHECK_S = 5
_EXIT_PAUSE_S = 0.05


def open_blobs(url: str, *, options: Mapping[str, str] | None = None) -> "Blobs":
    """Open the store at `file:///…`, `s3://bucket/prefix`, `gs://…` or `az://…`; connects later. Raise Invalid."""
    # obstore's runtime aborts an interpreter that exits right after an async call. Unregistering keeps one handler.
    atexit.unregister(_wait_for_runtime)
    atexit.register(_wait_for_runtime)
    try:
        store, root = blob_stores.open_store(url, options or {})
    except (BaseError, ValueError, OSError) as error:
        raise Invalid(f"The blob store cannot be opened at {url}. Check its address and options.") from error
    return Blobs(store, root=root)


class Blobs:
    """Content-addressed store; every call names the workspace, and bytes are never shared between two."""

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
        """Store a stream unless the workspace has its bytes already. Raise HashMismatch or BlobTooLarge."""
        if expected_sha256 is not None:
            key(tenant_id, expected_sha256)
        async with self.draft(tenant_id, chunks, limit_bytes=limit_bytes) as draft:
            _check_hash(expected_sha256, draft.sha256)
            return StoredBlob(draft.sha256, draft.size_bytes, await draft.place())

    @asynccontextmanager
    async def draft(
        self, tenant_id: UUID, chunks: AsyncIterator[bytes], *, limit_bytes: int | None = None
    ) -> AsyncIterator[BlobDraft]:
        """Receive a stream as a draft, which can be placed while the block lasts. Raise BlobTooLarge."""
        if self._directory is not None:
            head, is_whole = await peek.read_head(chunks, most_bytes=_SMALL_BYTES)
            if is_whole:
                _check_size(len(head), limit_bytes)
                yield self.hold(tenant_id, head)
                return
            chunks = peek.prepend(head, chunks)
        name = f"{_DRAFTS}/{uuid4().hex}"
        writer = obstore.open_writer_async(self._store, name, buffer_size=_BUFFER_BYTES, max_concurrency=_BUFFERS)
        try:
            sha256, size_bytes = await _write_chunks(writer, chunks, limit_bytes=limit_bytes)
            async with _call_store():
                await writer.close()
                if self._root is not None:
                    await asyncio.to_thread(disk.sync, self._root / name)
            yield BlobDraft(sha256, size_bytes, partial(self._place, name, tenant_id, sha256, size_bytes))
        finally:
            await self._tidy(self._discard(writer, name))

    def hold(self, tenant_id: UUID, content: bytes) -> BlobDraft:
        """Make a draft of bytes in memory. They are durable only once the draft is placed."""
        sha256 = hashlib.sha256(content).hexdigest()
        held = BytesInMemory(key(tenant_id, sha256), content) if self._directory is not None else None
        return BlobDraft(sha256, len(content), partial(self._write, tenant_id, sha256, content), held=held)

    async def place_all(self, drafts: Iterable[BlobDraft]) -> None:
        """Place many drafts. A few concurrent writers handle those in memory, to share the waits for the disk."""
        drafts = list(drafts)
        held = [draft.held for draft in drafts if draft.held is not None]
        async with task_group() as group:
            for at in range(min(len(held), _WRITERS)):
                group.create_task(self._write_all(held[at::_WRITERS]))
            for draft in drafts:
                if draft.held is None:
                    group.create_task(_place_draft(draft))

    async def _write_all(self, held: Sequence[BytesInMemory]) -> None:
        assert self._directory is not None, "what is held in memory goes to a directory"
        contents = {each.key: each.content for each in held}
        async with _call_store():
            await asyncio.to_thread(self._directory.write_all, contents, draft=f"{_DRAFTS}/{uuid4().hex}")

    async def get(
        self, tenant_id: UUID, sha256: str, *, start: int = 0, end: int | None = None
    ) -> AsyncIterator[bytes]:
        """Stream a blob, or its bytes in [start, end). A whole one raises BlobDamaged before its last piece."""
        stat = await self.stat(tenant_id, sha256)
        stop = stat.size_bytes if end is None else min(end, stat.size_bytes)
        if start == 0 and stop == stat.size_bytes:
            return self._stream_whole(key(tenant_id, sha256), stat)
        return self._stream_range(key(tenant_id, sha256), start=start, stop=stop)

    async def read_small(self, tenant_id: UUID, hashes: Iterable[str]) -> dict[str, bytes]:
        """Read small blobs into memory and check their hashes; missing or damaged ones are left out."""
        wanted = {sha256: key(tenant_id, sha256) for sha256 in hashes}
        if self._directory is not None:
            async with _call_store():
                return await asyncio.to_thread(self._directory.read_all, wanted)
        found = dict[str, bytes]()
        for sha256 in wanted:
            with suppress(BlobDamaged, BlobMissing):
                found[sha256] = b"".join([piece async for piece in await self.get(tenant_id, sha256)])
        return found

    async def stat(self, tenant_id: UUID, sha256: str) -> BlobStat:
        """Return size and time of a blob. Raise BlobMissing."""
        async with _call_for_blob():
            meta = await obstore.head_async(self._store, key(tenant_id, sha256))
        return BlobStat(sha256, meta["size"], meta["last_modified"])

    async def exists(self, tenant_id: UUID, sha256: str) -> bool:
        """Return True when the workspace has a blob with this hash."""
        try:
            await self.stat(tenant_id, sha256)
        except BlobMissing:
            return False
        return True

    async def missing(self, tenant_id: UUID, hashes: Iterable[str]) -> set[str]:
        """Return the hashes that the workspace has no blob of."""
        wanted = {sha256: key(tenant_id, sha256) for sha256 in hashes}
        if self._root is None:
            return {sha256 for sha256 in wanted if not await self.exists(tenant_id, sha256)}
        root = self._root
        return await asyncio.to_thread(lambda: {each for each, at in wanted.items() if not (root / at).exists()})

    async def delete(self, tenant_id: UUID, sha256: str) -> None:
        """Delete a blob; does nothing when there is none."""
        with suppress(BlobMissing):
            async with _call_for_blob():
                await obstore.delete_async(self._store, key(tenant_id, sha256))

    async def list(self, tenant_id: UUID) -> AsyncIterator[BlobStat]:
        """Yield all blobs of a workspace, in no particular order."""
        async for path, size_bytes, modified_at in self._list_objects(str(tenant_id)):
            sha256 = path.rpartition("/")[2]
            if SHA256.fullmatch(sha256):
                yield BlobStat(sha256, size_bytes, modified_at)

    async def tenants(self) -> Sequence[UUID]:
        """List the workspaces that have blobs here, or had some."""
        async with _call_store():
            found = await obstore.list_with_delimiter_async(self._store)
        return [UUID(prefix) for prefix in found["common_prefixes"] if _TENANT.fullmatch(prefix)]

    async def verify(self, tenant_id: UUID, sha256: str) -> bool:
        """Read a blob; return True when its content still matches its hash."""
        try:
            async for _ in await self.get(tenant_id, sha256):
                pass
        except BlobDamaged:
            return False
        return True

    async def unfinished(self) -> Sequence[UnfinishedBlob]:
        """List the drafts that are being written now, or were left behind by killed writers."""
        if self._root is not None:
            # Listed without obstore, which leaves out the file of a killed writer.
            found = await asyncio.to_thread(disk.list_files, self._root / _DRAFTS)
            return [UnfinishedBlob(f"{_DRAFTS}/{name}", size_bytes, at) for name, size_bytes, at in found]
        return [UnfinishedBlob(*each) async for each in self._list_objects(_DRAFTS)]

    async def sweep(self, older_than: timedelta) -> int:
        """Delete drafts older than an age, which must exceed the longest upload; return their number."""
        before = clock.now() - older_than
        old = [each for each in await self.unfinished() if each.modified_at < before]
        for each in old:
            async with _call_store():
                if self._root is not None:
                    await asyncio.to_thread((self._root / each.name).unlink, missing_ok=True)
                else:
                    await obstore.delete_async(self._store, each.name)
        return len(old)

    async def check(self) -> None:
        """Write, read and delete a few bytes. Raise BlobsUnavailable when the store cannot be used."""
        probe = f"{_DRAFTS}/check-{uuid4().hex}"
        async with _call_store(_CHECK_S):
            await obstore.put_async(self._store, probe, b"check")
            await obstore.get_range_async(self._store, probe, start=0, length=5)
            await obstore.delete_async(self._store, probe)

    async def close(self) -> None:
        """Wait until the drafts of cancelled writes are removed, at most 30 seconds."""
        if self._tidying:
            await asyncio.wait(self._tidying, timeout=_TIDY_S)

    async def _place(self, draft: str, tenant_id: UUID, sha256: str, size_bytes: int) -> bool:
        """Copy a durable draft to its key: a crash leaves a draft behind, never half a blob under a hash."""
        name = key(tenant_id, sha256)
        is_new = await self._copy_new(draft, name)
        if not is_new and not await self._is_whole(tenant_id, sha256, size_bytes):
            is_new = True
            async with _call_store():
                await obstore.copy_async(self._store, draft, name)
        if self._directory is not None:
            async with _call_store():
                await asyncio.to_thread(self._directory.sync_up, name)
        return is_new

    async def _copy_new(self, draft: str, name: str) -> bool:
        async with _call_store():
            try:
                await obstore.copy_async(self._store, draft, name, overwrite=False)
            except AlreadyExistsError:
                return False
        return True

    async def _is_whole(self, tenant_id: UUID, sha256: str, size_bytes: int) -> bool:
        """Check a stored blob: in a bucket only its size, as that guards its bytes and reading costs a transfer."""
        try:
            if (await self.stat(tenant_id, sha256)).size_bytes != size_bytes:
                return False
            return self._root is None or await self.verify(tenant_id, sha256)
        except (BlobMissing, BlobsUnavailable):
            return False

    async def _write(self, tenant_id: UUID, sha256: str, content: bytes) -> bool:
        if self._directory is None:
            return (await self.put(tenant_id, peek.prepend(content))).is_new
        async with _call_store():
            draft = f"{_DRAFTS}/{uuid4().hex}"
            return await asyncio.to_thread(self._directory.write, content, key(tenant_id, sha256), draft=draft)

    async def _discard(self, writer: "AsyncWritableFile", draft: str) -> None:
        """Finish the draft and delete it: a bucket would keep the parts of an upload that is merely dropped."""
        with suppress(BlobsUnavailable):
            async with _call_store(_TIDY_S):
                await writer.close()
        with suppress(BlobsUnavailable):
            async with _call_store(_TIDY_S):
                await obstore.delete_async(self._store, draft)

    async def _tidy(self, work: Coroutine[None, None, None]) -> None:
        """Run cleanup to its end even when the caller is cancelled again; `close` waits for it then."""
        task = asyncio.create_task(work)
        self._tidying.add(task)
        task.add_done_callback(self._tidying.discard)
        await asyncio.shield(task)

    async def _stream_whole(self, key: str, stat: BlobStat) -> AsyncIterator[bytes]:
        """Stream a whole blob, and hold the last piece back until the hash is verified."""
        digest = hashlib.sha256()
        held = b""
        async for piece in self._stream_range(key, start=0, stop=stat.size_bytes):
            if held:
                yield held
            await _hash(digest, piece)
            held = piece
        if digest.hexdigest() != stat.sha256:
            raise BlobDamaged("The stored content no longer matches its hash. Restore it from a backup.")
        if held:
            yield held

    async def _stream_range(self, key: str, *, start: int, stop: int) -> AsyncIterator[bytes]:
        """Stream by range requests: each has its own timeout, so that a slow reader breaks nothing."""
        for at in range(start, stop, _PIECE_BYTES):
            async with _call_for_blob():
                piece = await obstore.get_range_async(self._store, key, start=at, end=min(at + _PIECE_BYTES, stop))
            yield piece.to_bytes()

    async def _list_objects(self, prefix: str) -> AsyncIterator[tuple[str, int, datetime]]:
        stream = obstore.list(self._store, prefix, chunk_size=1000)
        while batch := await _next_batch(stream):
            for meta in batch:
                yield meta["path"], meta["size"], meta["last_modified"]


async def _place_draft(draft: BlobDraft) -> None:
    await draft.place()


async def _next_batch(stream: "ListStream[Sequence[ObjectMeta]]") -> "Sequence[ObjectMeta]":
    """Return the next batch of a listing, empty at its end. `anext` with a default fails on obstore's streams."""
    async with _call_store():
        try:
            return await anext(stream)
        except StopAsyncIteration:
            return ()


def _check_hash(expected: str | None, found: str) -> None:
    if expected not in {None, found}:
        raise HashMismatch("The content does not match the announced SHA-256. Send it again.")


async def _write_chunks(
    writer: "AsyncWritableFile", chunks: AsyncIterator[bytes], *, limit_bytes: int | None
) -> tuple[str, int]:
    digest = hashlib.sha256()
    size_bytes = 0
    async for chunk in chunks:
        size_bytes += len(chunk)
        _check_size(size_bytes, limit_bytes)
        await _hash(digest, chunk)
        async with _call_store():
            await writer.write(chunk)
    return digest.hexdigest(), size_bytes


def _check_size(size_bytes: int, limit_bytes: int | None) -> None:
    if limit_bytes is not None and size_bytes > limit_bytes:
        raise BlobTooLarge(f"The content is larger than {limit_bytes} bytes.", limit_bytes=limit_bytes)


async def _hash(digest: "hashlib._Hash", chunk: bytes) -> None:
    if len(chunk) > _HASH_INLINE_BYTES:
        await asyncio.to_thread(digest.update, chunk)
    else:
        digest.update(chunk)


@asynccontextmanager
async def _call_store(timeout_s: float = _WAIT_S) -> AsyncIterator[None]:
    """Limit a call to the store in time, and raise its failures as BlobsUnavailable."""
    try:
        async with asyncio.timeout(timeout_s):
            yield
    except (BaseError, OSError) as error:
        raise BlobsUnavailable("The blob store does not answer or refuses. Try again in a moment.") from error


@asynccontextmanager
async def _call_for_blob() -> AsyncIterator[None]:
    async with _call_store():
        try:
            yield
        except FileNotFoundError as error:
            raise BlobMissing("There is no such content.") from error


def _wait_for_runtime() -> None:
    time.sleep(_EXIT_PAUSE_S)
