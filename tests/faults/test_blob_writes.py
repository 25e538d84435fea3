"""Blob writes while the store fails: what is acknowledged is there and whole, what is not leaves nothing."""

import asyncio
import hashlib
import os
import random
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from pathlib import Path
from uuid import UUID, uuid4

import pytest
from tests.kit import s3_server
from tests.support.soak import often

from intelli.kit.blobs import Blobs, BlobsUnavailable, open_blobs

MEGABYTE = 1 << 20
_UPLOADS = often(50, soaking=1000)


class EndedError(Exception):
    """One direction of a connection ended, and so must the other."""


class Proxy:
    """Stands between us and the store; drops connections when told to, or after a number of bytes drawn by chance."""

    def __init__(self, upstream_port: int, *, chance: random.Random | None = None) -> None:
        self.port = 0
        self.resets = 0
        self.is_cut = False
        self._upstream_port = upstream_port
        self._chance = chance
        self._open: set[asyncio.StreamWriter] = set()

    def cut(self) -> None:
        """From now on nothing passes, as if the server had died."""
        self.is_cut = True
        for writer in self._open:
            writer.transport.abort()

    @asynccontextmanager
    async def serving(self) -> AsyncIterator["Proxy"]:
        server = await asyncio.start_server(self._pass, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        try:
            yield self
        finally:
            server.close()
            self.cut()
            await asyncio.wait_for(server.wait_closed(), 10)

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.is_cut:
            writer.transport.abort()
            return
        up_reader, up_writer = await asyncio.open_connection("127.0.0.1", self._upstream_port)
        self._open |= {writer, up_writer}
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._pump(reader, up_writer, left=self._bytes_until_reset()))
                group.create_task(self._pump(up_reader, writer, left=None))
        except* EndedError:
            pass
        finally:
            self._open -= {writer, up_writer}
            writer.transport.abort()
            up_writer.transport.abort()

    def _bytes_until_reset(self) -> int | None:
        return self._chance.randrange(60_000) if self._chance else None

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, left: int | None) -> None:
        with suppress(ConnectionError):
            while data := await reader.read(65536):
                left = None if left is None else left - len(data)
                if left is not None and left < 0:
                    self.resets += 1
                    break
                writer.write(data)
                await writer.drain()
        raise EndedError


@pytest.fixture(scope="module")
def endpoint(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with s3_server.running(tmp_path_factory.mktemp("s3") / "server.log") as address:
        yield address


@pytest.fixture
def bucket(endpoint: str) -> s3_server.Bucket:
    return s3_server.make_bucket(endpoint)


def port_of(endpoint: str) -> int:
    return int(endpoint.rpartition(":")[2])


async def chunked(content: bytes) -> AsyncIterator[bytes]:
    for at in range(0, len(content), 65536):
        yield content[at : at + 65536]


async def held(blobs: Blobs, tenant_id: UUID) -> list[str]:
    return [stat.sha256 async for stat in blobs.list(tenant_id)]


async def drafts(blobs: Blobs) -> list[str]:
    return [path async for path, _, _ in blobs._list_objects("tmp")]


@pytest.mark.parametrize("passed_megabytes", [1, 30])
async def test_a_store_that_dies_in_an_upload_is_unavailable_and_has_no_object(
    bucket: s3_server.Bucket, passed_megabytes: int
) -> None:
    tenant_id, content = uuid4(), os.urandom(40 * MEGABYTE)
    direct = bucket.open()
    async with Proxy(port_of(bucket.endpoint)).serving() as proxy:
        blobs = bucket.through(proxy.port).open()

        async def dying() -> AsyncIterator[bytes]:
            async for chunk in chunked(content[: passed_megabytes * MEGABYTE]):
                yield chunk
            proxy.cut()
            async for chunk in chunked(content[passed_megabytes * MEGABYTE :]):
                yield chunk

        with pytest.raises(BlobsUnavailable) as failure:
            await blobs.put(tenant_id, dying())

    assert failure.value.retry_after_s > 0
    assert await held(direct, tenant_id) == []
    assert (await direct.put(tenant_id, chunked(content))).is_new


async def test_a_store_that_is_not_there_is_unavailable_for_every_call() -> None:
    async with Proxy(0).serving() as proxy:
        proxy.cut()
        blobs = s3_server.Bucket(f"http://127.0.0.1:{proxy.port}", "nowhere").open()
        sha256 = "0" * 64
        for call in (blobs.check(), blobs.stat(uuid4(), sha256), blobs.delete(uuid4(), sha256), held(blobs, uuid4())):
            with pytest.raises(BlobsUnavailable):
                await call


@pytest.mark.slow
async def test_every_acknowledged_upload_through_a_flaky_network_is_whole(bucket: s3_server.Bucket) -> None:
    tenant_id, chance = uuid4(), random.Random(7)
    direct, acknowledged = bucket.open(), set[str]()
    async with Proxy(port_of(bucket.endpoint), chance=chance).serving() as proxy:
        blobs = bucket.through(proxy.port).open()
        for _ in range(_UPLOADS):
            content = chance.randbytes(chance.randrange(40_000))
            with suppress(BlobsUnavailable):
                acknowledged.add((await blobs.put(tenant_id, chunked(content))).sha256)
        await blobs.close()

    assert proxy.resets > _UPLOADS / 5
    assert len(acknowledged) > _UPLOADS / 5
    for sha256 in acknowledged:
        assert await direct.verify(tenant_id, sha256)
    assert [sha256 for sha256 in await held(direct, tenant_id) if not await direct.verify(tenant_id, sha256)] == []
    await direct.sweep(timedelta(seconds=-60))
    assert await drafts(direct) == []


FULL_DISK = """
import asyncio, resource, signal, sys, uuid
from intelli.kit.blobs import BlobsUnavailable, open_blobs
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (20 << 20, 20 << 20))
async def content(megabytes):
    for _ in range(megabytes):
        yield bytes(1 << 20)
async def main():
    blobs = open_blobs(sys.argv[1])
    try:
        await blobs.put(uuid.UUID(int=1), content(60))
    except BlobsUnavailable:
        stored = await blobs.put(uuid.UUID(int=2), content(10))
        print("refused, then", stored.size_bytes)
asyncio.run(main())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs resource limits")
def test_a_disk_without_room_refuses_the_write_keeps_nothing_of_it_and_goes_on(tmp_path: Path) -> None:
    command = [sys.executable, "-c", FULL_DISK, tmp_path.as_uri()]
    outcome = subprocess.run(command, timeout=60, check=True, stdout=subprocess.PIPE, text=True)

    assert outcome.stdout.strip() == f"refused, then {10 * MEGABYTE}"
    assert [path.parts[0] for path in files(tmp_path)] == [str(UUID(int=2))]


ENDLESS_WRITER = """
import asyncio, sys, uuid
from intelli.kit.blobs import open_blobs
async def content():
    for _ in range(20):
        yield bytes(1 << 20)
    print("halfway", flush=True)
    await asyncio.Event().wait()
asyncio.run(open_blobs(sys.argv[1]).put(uuid.UUID(int=1), content()))
"""


def kill_a_writer_halfway(directory: Path) -> None:
    command = [sys.executable, "-c", ENDLESS_WRITER, directory.as_uri()]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline().strip() == "halfway"
        process.kill()


def files(directory: Path) -> list[Path]:
    return [path.relative_to(directory) for path in directory.rglob("*") if path.is_file()]


async def test_a_writer_killed_halfway_leaves_a_draft_that_the_sweep_removes(tmp_path: Path) -> None:
    await asyncio.to_thread(kill_a_writer_halfway, tmp_path)
    blobs = open_blobs(tmp_path.as_uri())

    assert await held(blobs, UUID(int=1)) == []
    assert await blobs.sweep(timedelta(hours=1)) == 0
    assert await blobs.sweep(timedelta(seconds=-60)) == 1
    assert files(tmp_path) == []


async def test_a_disk_that_lost_its_directory_is_unavailable(tmp_path: Path) -> None:
    blobs = open_blobs((tmp_path / "blobs").as_uri())
    (tmp_path / "blobs").rmdir()
    (tmp_path / "blobs").write_bytes(hashlib.sha256().digest())

    with pytest.raises(BlobsUnavailable):
        await blobs.check()
    with pytest.raises(BlobsUnavailable):
        await blobs.put(uuid4(), chunked(b"x"))
