"""Clients of memory for `intelli memory`: of a server over HTTP, or of this machine's installation."""

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
    """Access to memory: add messages, search, show and forget items."""

    async def add(self, body: Json) -> None:
        """Queue messages to be remembered."""

    async def search(self, body: Json) -> Json:
        """Return the facts, nodes and episodes that match a query, as JSON."""

    async def show(self, kind: str, name: str) -> Json | None:
        """Return an item as JSON; None when there is none."""

    async def forget(self, kind: str, name: str, *, dry_run: bool) -> Json:
        """Forget an item; return the counts of what is removed, or with `dry_run` would be."""


async def get_item(memory: MemoryClient, name: str) -> tuple[str, Json]:
    """Return kind and content of the item with an id, or of the group with a name; raise NothingRemembered."""
    for kind in KINDS if _is_id(name) else ("groups",):
        shown = await memory.show(kind, name)
        if shown is not None:
            return kind, shown
    raise NothingRemembered("Memory has nothing of that name. Search for it, or name a group.")


def _is_id(name: str) -> bool:
    try:
        return bool(UUID(name))
    except ValueError:
        return False


class RemoteMemoryClient:
    """Memory of a server, over HTTP."""

    def __init__(self, client: "httpx.AsyncClient") -> None:
        self._client = client

    async def add(self, body: Json) -> None:
        """Queue messages to be remembered."""
        remote.parse_response(await self._client.post("memory/messages", json=body))

    async def search(self, body: Json) -> Json:
        """Return the facts, nodes and episodes that match a query, as JSON."""
        found: Json = remote.parse_response(await self._client.post("memory/search", json=body))
        return found

    async def show(self, kind: str, name: str) -> Json | None:
        """Return an item as JSON; None when there is none."""
        try:
            shown: Json = remote.parse_response(await self._client.get(f"memory/{kind}/{name}"))
        except NotFound:
            return None
        return shown

    async def forget(self, kind: str, name: str, *, dry_run: bool) -> Json:
        """Forget an item; return the counts of what is removed, or with `dry_run` would be."""
        asked = {"dry_run": str(dry_run).lower()}
        gone: Json = remote.parse_response(await self._client.delete(f"memory/{kind}/{name}", params=asked))
        return gone


class LocalMemoryClient:
    """Memory of this machine's installation, through its database."""

    def __init__(self, db: "Database", who: "System", embedder: "Embedder", settings: "MemorySettings") -> None:
        self._db = db
        self._who = who
        self._embedder = embedder
        self._settings = settings

    async def add(self, body: Json) -> None:
        """Queue messages; the server or worker of this installation extracts facts from them."""
        from intelli.cli import local
        from intelli.memory import enqueue, jobs, wire

        asked = local.parse_request(wire.AddMessages, **body)
        async with self._db.begin(self._who) as tx:
            one = self._settings.in_one_queue
            await enqueue.add_messages(tx, asked.group_id, asked.messages, job=jobs.REMEMBER, in_one_queue=one)

    async def search(self, body: Json) -> Json:
        """Return the facts, nodes and episodes that match a query, as JSON."""
        from functools import partial

        from intelli.cli import local
        from intelli.memory import search, wire_read

        asked = local.parse_request(wire_read.SearchMemory, **body)
        found = await search.search(partial(self._db.begin, self._who), asked, embedder=self._embedder)
        return found.model_dump(mode="json")

    async def show(self, kind: str, name: str) -> Json | None:
        """Return an item as JSON; None when there is none."""
        from intelli.memory import groups, show

        try:
            async with self._db.begin(self._who) as tx:
                match kind:
                    case "facts":
                        return (await show.get_fact(tx, UUID(name))).model_dump(mode="json")
                    case "nodes":
                        return (await show.get_node(tx, UUID(name))).model_dump(mode="json")
                    case "episodes":
                        return (await show.get_episode(tx, UUID(name))).model_dump(mode="json")
                    case _:
                        return (await groups.get(tx, name)).model_dump(mode="json")
        except NotFound:
            return None

    async def forget(self, kind: str, name: str, *, dry_run: bool) -> Json:
        """Forget an item as the HTTP route does, in two transactions with embedding between; return the counts."""
        from intelli.memory import forget, vectors

        if kind == "groups":
            async with self._db.begin(self._who) as tx:
                gone = await (forget.preview_group(tx, name) if dry_run else forget.forget_group(tx, name))
            return gone.model_dump(mode="json")
        async with self._db.begin(self._who) as tx:
            texts = await forget.texts_to_embed(tx, await _target(tx, kind, name))
        made = await vectors.embed(self._embedder, texts)
        async with self._db.begin(self._who) as tx:
            target = await _target(tx, kind, name)
            gone = await (forget.preview(tx, target) if dry_run else forget.forget(tx, target, made))
        return gone.model_dump(mode="json")


async def _target(tx: "Tx", kind: str, name: str) -> "ForgetTarget":
    from intelli.memory import forget

    match kind:
        case "facts":
            return await forget.get_fact_target(tx, UUID(name))
        case "nodes":
            return await forget.get_node_target(tx, UUID(name), with_episodes=False)
        case _:
            return await forget.get_episode_target(tx, UUID(name))


@asynccontextmanager
async def open_client(
    data: Path | None, *, server: str | None, key: str | None, email: str | None
) -> AsyncIterator[MemoryClient]:
    """Open the memory of the server that is given or set; without one, of this machine."""
    from intelli.cli import local

    settings = local.load(data)
    address = remote.find_address(settings, server, key)
    if address is not None:
        async with remote.connect(*address) as client:
            yield RemoteMemoryClient(client)
        return
    from intelli.cli.library_client import choose_context
    from intelli.reasoning.embedders import Embedders

    embedders = Embedders(settings.embedding, settings.data / "models")
    try:
        async with local.database(data) as db:
            who = await choose_context(db, email=email, workspace_id=None)
            memory = settings.memory.queued(in_one_queue=settings.is_embedded)
            yield LocalMemoryClient(db, who, embedders.quick, memory)
    finally:
        await embedders.close()
