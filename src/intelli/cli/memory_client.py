"""Where `intelli memory` looks: a server reached over HTTP, or the installation on this machine."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol
from uuid import UUID

from intelli.cli import remote
from intelli.kit.errors import NotFound

if TYPE_CHECKING:
    import httpx

    from intelli.kit.context import System
    from intelli.kit.db import Database, Tx
    from intelli.memory.forget import ForgetTarget
    from intelli.memory.settings import MemorySettings
    from intelli.reasoning.ports import Embedder

Json = dict[str, Any]
# What an id may be of, as paths below /memory.
KINDS = ("facts", "nodes", "episodes")


class NothingRemembered(NotFound):
    """Memory has nothing of that name or id."""

    code = "nothing_remembered"


class MemoryClient(Protocol):
    """A memory to add to, search, look at and forget from."""

    async def add(self, body: Json) -> None:
        """Have messages remembered."""

    async def search(self, body: Json) -> Json:
        """What memory has on a query."""

    async def show(self, kind: str, name: str) -> Json | None:
        """A thing of memory as it is told; None when there is none."""

    async def forget(self, kind: str, name: str, *, dry_run: bool) -> Json:
        """What is gone, or would be."""


async def find(memories: MemoryClient, name: str) -> tuple[str, Json]:
    """What a name or an id stands for, and which kind of thing that is."""
    for kind in KINDS if _is_id(name) else ("groups",):
        shown = await memories.show(kind, name)
        if shown is not None:
            return kind, shown
    raise NothingRemembered("Memory has nothing of that name. Search for it, or name a group.")


def _is_id(name: str) -> bool:
    try:
        return bool(UUID(name))
    except ValueError:
        return False


class RemoteMemoryClient:
    """The memory of a server."""

    def __init__(self, client: "httpx.AsyncClient") -> None:
        self._client = client

    async def add(self, body: Json) -> None:
        """Have messages remembered."""
        remote.answer(await self._client.post("memory/messages", json=body))

    async def search(self, body: Json) -> Json:
        """What memory has on a query."""
        found: Json = remote.answer(await self._client.post("memory/search", json=body))
        return found

    async def show(self, kind: str, name: str) -> Json | None:
        """A thing of memory as the server tells it."""
        try:
            shown: Json = remote.answer(await self._client.get(f"memory/{kind}/{name}"))
        except NotFound:
            return None
        return shown

    async def forget(self, kind: str, name: str, *, dry_run: bool) -> Json:
        """What is gone, or would be."""
        asked = {"dry_run": str(dry_run).lower()}
        told: Json = remote.answer(await self._client.delete(f"memory/{kind}/{name}", params=asked))
        return told


class LocalMemoryClient:
    """The memory of this machine's installation."""

    def __init__(self, db: "Database", who: "System", embedder: "Embedder", settings: "MemorySettings") -> None:
        self._db = db
        self._who = who
        self._embedder = embedder
        self._settings = settings

    async def add(self, body: Json) -> None:
        """Have messages remembered, by the server or worker that works on this installation."""
        from intelli.cli import local
        from intelli.memory import enqueue, jobs, wire

        asked = local.request(wire.AddMessages, **body)
        async with self._db.begin(self._who) as tx:
            one = self._settings.in_one_queue
            await enqueue.queue(tx, asked.group_id, asked.messages, job=jobs.REMEMBER, in_one_queue=one)

    async def search(self, body: Json) -> Json:
        """What memory has on a query."""
        from functools import partial

        from intelli.cli import local
        from intelli.memory import search, wire_read

        asked = local.request(wire_read.SearchMemory, **body)
        found = await search.search(partial(self._db.begin, self._who), asked, embedder=self._embedder)
        return found.model_dump(mode="json")

    async def show(self, kind: str, name: str) -> Json | None:
        """A thing of memory."""
        from intelli.memory import groups, show

        try:
            async with self._db.begin(self._who) as tx:
                match kind:
                    case "facts":
                        return (await show.fact(tx, UUID(name))).model_dump(mode="json")
                    case "nodes":
                        return (await show.node(tx, UUID(name))).model_dump(mode="json")
                    case "episodes":
                        return (await show.episode(tx, UUID(name))).model_dump(mode="json")
                    case _:
                        return (await groups.get(tx, name)).model_dump(mode="json")
        except NotFound:
            return None

    async def forget(self, kind: str, name: str, *, dry_run: bool) -> Json:
        """Forget by the same two steps as over HTTP."""
        from intelli.memory import forget, vectors

        if kind == "groups":
            async with self._db.begin(self._who) as tx:
                told = await (forget.imagine_group(tx, name) if dry_run else forget.forget_group(tx, name))
            return told.model_dump(mode="json")
        async with self._db.begin(self._who) as tx:
            texts = await forget.texts_of(tx, await _target(tx, kind, name))
        made = await vectors.read(self._embedder, texts)
        async with self._db.begin(self._who) as tx:
            target = await _target(tx, kind, name)
            told = await (forget.imagine(tx, target) if dry_run else forget.forget(tx, target, made))
        return told.model_dump(mode="json")


async def _target(tx: "Tx", kind: str, name: str) -> "ForgetTarget":
    from intelli.memory import forget

    match kind:
        case "facts":
            return await forget.of_fact(tx, UUID(name))
        case "nodes":
            return await forget.of_node(tx, UUID(name), with_episodes=False)
        case _:
            return await forget.of_episode(tx, UUID(name))


@asynccontextmanager
async def opened(
    data: Path | None, *, server: str | None, key: str | None, email: str | None
) -> AsyncIterator[MemoryClient]:
    """The memory of the server that is given or set; without one, of this machine."""
    from intelli.cli import local

    settings = local.load(data)
    address = remote.address(settings, server, key)
    if address is not None:
        async with remote.connected(*address) as client:
            yield RemoteMemoryClient(client)
        return
    from intelli.cli.library_client import standing
    from intelli.reasoning.embedders import Embedders

    embedders = Embedders(settings.embedding)
    try:
        async with local.database(data) as db:
            who = await standing(db, email=email, workspace_id=None)
            told = settings.memory.queued(in_one_queue=settings.is_embedded)
            yield LocalMemoryClient(db, who, embedders.chosen, told)
    finally:
        await embedders.close()
