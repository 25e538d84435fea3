"""Private is private: what one person makes is in no answer to anybody else, whatever route they try with its ids."""

from uuid import UUID

import pytest
from sqlalchemy import text
from tests.contracts.caller import Caller
from tests.contracts.catalogue import Catalogue
from tests.contracts.private_work import HAS_A_MARK, MARKS, REST, TALK, Address, Work, addresses, work_in_private
from tests.contracts.routes import QUESTIONS, Operation, operations
from tests.support.server import Person, Visit, join

from intelli.app import App
from intelli.kit.context import System

# What a person's own words come back in, among others; and what of a conversation is read once it is shared.
_TELLING = {
    "download_artifact",
    "show_manifest",
    "show_run",
    "list_events",
    "show_plan",
    "list_entities",
    "show_entity",
}
_TELLING |= {"list_keys", "list_confirmations", "search_memory", "list_interactions", "show_deliverable"}
_TELLING |= {"list_checks", "show_check", "export_check"}
_SHARED = {"show_conversation", "list_messages", "download_artifact", "show_manifest", "show_content", "download_file"}
_SHARED |= {"show_brief", "list_deliverables", "list_entities", "show_evidence", "list_citations"}
_NEVER_SHARED = {"show_run", "list_runs", "list_events", "show_plan", "stream_run", "search_memory", "list_keys"}
_NEVER_SHARED |= {"list_checks", "show_check", "export_check", "stream_check"}
Asking = tuple[Operation, Address, dict[str, object]]
_TABLES = {f"public.{name}" for name in ("messages", "runs", "run_events", "entities", "manifests", "memory_facts")}
_TABLES |= {"public.agent_interactions", "public.api_keys", "public.text_checks", "public.checked_statements"}
_NUMBERS = {"from": "1", "to": "1", "start": "0", "end": "1"}
_AROUND = ("What did revenue of Nordwind come to in 2025?", "Ada works for")


@pytest.fixture
async def others(owner: Person, visit: Visit) -> list[Person]:
    """An administrator and someone who may only read."""
    return [owner, await join(owner, visit(), "viewer@example.org", role="viewer")]


@pytest.fixture
async def worker(owner: Person, visit: Visit) -> Person:
    return await join(owner, visit(), "worker@example.org")


async def test_what_a_person_makes_is_in_no_answer_to_anybody_else(
    app: App, worker: Person, others: list[Person], catalogue: Catalogue
):
    work = await work_in_private(app, worker)
    tables = list(catalogue.tables())
    assert set(await _tables_with_a_mark(app, worker, tables)) >= _TABLES
    for other in others:
        assert await _tables_with_a_mark(app, other, tables) == [], other.email
    assert [await _checkpoints(app, person) > 0 for person in (worker, *others)] == [True, False, False]
    looked = Looking(await _requests(worker, work))
    seen = await looked.marks(worker)
    assert {name for name, marks in seen.items() if marks} >= _TELLING
    for other in others:
        assert _told(await looked.marks(other)) == {}, other.email
    admin, viewer = others
    await _share(worker, work, is_shared=True)
    seen = await looked.marks(viewer)
    assert _told(seen, REST) == {}
    assert {name for name, marks in seen.items() if TALK in marks} >= _SHARED
    assert not {name for name, marks in seen.items() if marks} & _NEVER_SHARED
    await _changes_nothing(admin, worker)
    await _share(worker, work, is_shared=False)
    assert _told(await looked.marks(viewer)) == {}


async def _who(person: Person) -> System:
    me = await person.me()
    return System(UUID(me["workspace"]["id"]), UUID(me["user"]["id"]))


async def _checkpoints(app: App, person: Person) -> int:
    """How many steps of the graph a person's queries see."""
    async with app.db.begin(await _who(person)) as tx:
        return int(await tx.session.scalar(text("select count(*) from langgraph.checkpoints")))


async def _tables_with_a_mark(app: App, person: Person, tables: list[str]) -> list[str]:
    """Which tables the database itself would show a mark in, to a query without any filter."""
    async with app.db.begin(await _who(person)) as tx:
        return [
            name
            for name in tables
            if await tx.session.scalar(text("select has_table_privilege(:name, 'select')"), {"name": name})
            and await tx.session.scalar(text(f"select 1 from {name} t where {HAS_A_MARK} limit 1"))
        ]


class Looking:
    """Asks every route that reads, with everything that the worker has, for the marks."""

    def __init__(self, requests: list[Asking]) -> None:
        self._requests = requests

    async def marks(self, person: Person) -> dict[str, set[str]]:
        """The marks that the answers of each operation have."""
        caller = Caller(person.client)
        found: dict[str, set[str]] = {}
        for operation, address, request in self._requests:
            path = operation.at(address)
            if operation.is_stream:
                said = await _stream(person, path)
            else:
                answer = await caller.send(operation, path, **request)
                said = f"{answer.headers}{answer.content.decode(errors='replace')}"
            found.setdefault(operation.id, set()).update(mark for mark in MARKS if mark in said.lower())
        return found


async def _requests(worker: Person, work: Work) -> list[Asking]:
    fill = await addresses(worker, work)
    found: list[Asking] = []
    for operation in operations():
        if operation.id in QUESTIONS:
            # In the words around the marks: a search may repeat what it was asked for.
            more = {"group_ids": [work.group_id]} if "group_ids" in operation.fields() else {}
            found += [(operation, {}, {"json": {"query": query, **more}}) for query in _AROUND]
        elif operation.method == "GET":
            found += [
                (operation, address, {"params": params})
                for address in fill(operation)
                for params in _asked(operation, work)
            ]
    return found


def _asked(operation: Operation, work: Work) -> list[dict[str, str]]:
    """What a route needs to be asked with, and once more with each mark in every field for words."""
    queries = operation.parameters("query")
    needed = {name: _value(name, work) for name in operation.needed_names()}
    plain = {"limit": "200"} if "limit" in queries else {}
    words = [name for name, schema in queries.items() if schema.get("type") == "string" and name in {"q", "query"}]
    several = [{"shared": "true"}] if "shared" in queries else []
    return [{**plain, **needed, **more} for more in ({}, *several, *({name: TALK} for name in words))]


def _value(name: str, work: Work) -> str:
    known = {**_NUMBERS, "group_id": work.group_id, "with": work.run["id"]}
    assert name in known, f"a route needs {name}: tell the test what to ask with"
    return known[name]


async def _stream(person: Person, path: str) -> str:
    """The headers of a stream, and what it says first or why there is none."""
    url = f"{str(person.client.base_url.copy_with(path='/')).rstrip('/')}{path}"
    async with person.client.stream("GET", url) as answer:
        return f"{answer.headers}{await anext(aiter(answer.aiter_text()))}"


def _told(seen: dict[str, set[str]], *marks: str) -> dict[str, set[str]]:
    wanted = set(marks or MARKS)
    return {name: found & wanted for name, found in seen.items() if found & wanted}


async def _share(worker: Person, work: Work, *, is_shared: bool) -> None:
    path = f"/conversations/{work.conversation['id']}"
    (await worker.client.patch(path, json={"is_shared": is_shared})).raise_for_status()


async def _changes_nothing(other: Person, worker: Person) -> None:
    """Who reads what is shared can neither move nor delete its pointers."""
    pointers = (await worker.client.get("/pointers")).raise_for_status().json()["items"]
    for pointer in pointers:
        path = f"/pointers/{pointer['namespace']}/{pointer['name']}"
        body = {"manifest_sha256": pointer["manifest_sha256"], "expected": pointer["manifest_sha256"]}
        assert (await other.client.delete(path)).status_code == 404
        assert (await other.client.put(path, json=body)).status_code == 404
        assert (await other.client.post(f"{path}/reset", json=body)).status_code == 404
    assert (await worker.client.get("/pointers")).json()["items"] == pointers
