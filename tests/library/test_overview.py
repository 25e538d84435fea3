"""The library as a whole: its numbers, the stream of what changes, artifacts of the knowledge base, the quota hook."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
from tests.content.makers import sha256_of
from tests.library.makers import add, get, listed, make_folder, reading_worker, until_status
from tests.support.server import Person, register, running

from intelli.app import App, Engine
from intelli.content.ports import ArtifactStored
from intelli.kit.db import Tx
from intelli.kit.errors import QuotaExceeded
from intelli.settings import Settings

PATIENCE_S = 60


class StorageExceeded(QuotaExceeded):
    code = "storage_exceeded_in_a_test"


async def test_the_numbers_add_up(owner: Person, app: App):
    await make_folder(owner, "a")
    await add(owner, "one.txt", b"The first text.")
    await add(owner, "two.txt", b"The second text.", folder_path="/a")
    before = await get(owner, "/library/status")
    assert (before["documents"], before["folders"], before["pending"], before["chunks"]) == (2, 1, 2, 0)
    assert before["size_bytes"] == len(b"The first text.") + len(b"The second text.")
    async with reading_worker(app):
        for document in await listed(owner, "/documents"):
            await until_status(owner, document, "completed")
    after = await get(owner, "/library/status")
    assert (after["pending"], after["completed"], after["chunks"]) == (0, 2, 2)


async def test_progress_is_told_as_it_happens(owner: Person, app: App):
    async with _stream(owner) as events:
        assert await anext(events) == ("status", await get(owner, "/library/status"))
        document = await add(owner, "one.txt", b"The first text.")
        async with reading_worker(app), asyncio.timeout(PATIENCE_S):
            told = [event async for event in _until_completed(events, document["id"])]
    progress = [data["indexing_status"] for kind, data in told if kind == "document"]
    assert progress[-1] == "completed"
    assert {data["documents"] for kind, data in told if kind == "status"} == {1}


async def test_numbers_that_did_not_change_are_not_repeated(owner: Person, app: App):
    document = await add(owner, "one.txt", b"The first text.")
    async with _stream(owner) as events, asyncio.timeout(PATIENCE_S):
        told = [await anext(events)]
        for name in ("two.txt", "three.txt"):
            answer = await owner.client.patch(f"/documents/{document['id']}", json={"name": name})
            assert answer.is_success
            told.append(await anext(events))
    assert [kind for kind, _ in told] == ["status", "document", "document"]


async def test_a_document_that_fails_again_is_told_of_again(owner: Person, app: App):
    document = await add(owner, "broken.pdf", b"%PDF-1.7 and no more")
    async with reading_worker(app):
        await until_status(owner, document, "failed")
        async with _stream(owner) as events, asyncio.timeout(PATIENCE_S):
            await anext(events)
            answer = await owner.client.post(f"/documents/{document['id']}/retry")
            assert answer.is_success
            async for kind, data in events:
                if kind == "document" and data["indexing_status"] == "failed":
                    break
    assert (await get(owner, "/library/status"))["failed"] == 1


async def test_an_artifact_for_the_knowledge_base_becomes_a_document(owner: Person):
    async def send(content: bytes) -> httpx.Response:
        fields = {"entity_type": "KNOWLEDGE_BASE"}
        return await owner.client.post("/artifacts", files={"file": ("fact.txt", content, "text/plain")}, data=fields)

    first, again, changed = await send(b"one"), await send(b"one"), await send(b"two")
    assert [answer.status_code for answer in (first, again, changed)] == [201, 200, 201]
    assert first.json()["sha256"] == sha256_of(b"one")
    (document,) = await listed(owner, "/documents")
    assert {answer.headers["Document-Id"] for answer in (first, again, changed)} == {document["id"]}
    assert (document["path"], document["version"], document["indexing_status"]) == ("/fact.txt", 2, "pending")
    assert first.json()["entity_type"] == "KNOWLEDGE"
    plain = await owner.client.post("/artifacts", files={"file": ("x.txt", b"x")})
    assert "Document-Id" not in plain.headers
    assert len(await listed(owner, "/documents")) == 1


class Metered(App):
    """An installation whose workspaces may keep a hundred bytes."""

    def __init__(self, settings: Settings, engine: Engine) -> None:
        super().__init__(settings, engine)
        self.storing = ArtifactStored(_meter)


async def _meter(tx: Tx, size_bytes: int) -> None:
    if size_bytes > 100:
        raise StorageExceeded("The storage of this workspace is full. Delete something, or ask for more.")


@pytest.mark.parametrize("path", ["/documents", "/artifacts"])
async def test_an_upload_over_the_quota_is_402_and_keeps_nothing(settings: Settings, engine: Engine, path: str):
    app = Metered(settings, engine)
    async with running(app) as address, httpx.AsyncClient(base_url=f"{address}/api/v1", timeout=60) as client:
        owner = await register(client, "owner@example.org", workspace_name="Research")
        refused = await client.post(path, files={"file": ("big.txt", b"x" * 101)}, data={"entity_type": "DOCUMENT"})
        assert (refused.status_code, refused.json()["code"]) == (402, StorageExceeded.code)
        assert (await client.get(f"/artifacts/{sha256_of(b'x' * 101)}")).status_code == 404
        assert await listed(owner, "/documents") == []
        assert (await client.post(path, files={"file": ("small.txt", b"x" * 100)})).status_code == 201
    await app.close()


@asynccontextmanager
async def _stream(person: Person) -> AsyncIterator[AsyncIterator[tuple[str, dict[str, Any]]]]:
    async with person.client.stream("GET", "/library/stream") as answer:
        yield _events(answer.raise_for_status())


async def _events(answer: httpx.Response) -> AsyncIterator[tuple[str, dict[str, Any]]]:
    kind = ""
    async for line in answer.aiter_lines():
        name, _, value = line.partition(": ")
        if name == "event":
            kind = value
        if name == "data":
            yield kind, json.loads(value)


async def _until_completed(
    events: AsyncIterator[tuple[str, dict[str, Any]]], document_id: str
) -> AsyncIterator[tuple[str, dict[str, Any]]]:
    is_completed = False
    async for kind, data in events:
        yield kind, data
        is_completed |= kind == "document" and data["id"] == document_id and data["indexing_status"] == "completed"
        if is_completed and (kind, data.get("completed")) == ("status", 1):
            return
