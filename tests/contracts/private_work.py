"""Everything that a person can make for themselves, with marked words in it, and the addresses of all of it.

What belongs to one conversation has one mark, and all the rest another.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from tests.contracts.routes import Operation
from tests.conversations.makers import begin, exchange, history, say
from tests.support.jobs import until, until_settled, working
from tests.support.runs import ask, until_rests
from tests.support.server import Person

from intelli.app import JOBS, App

# Words of no language, so that nothing else can bring them.
TALK, REST = "qvuzzlewick", "blorfantide"
MARKS = (TALK, REST)
# A row of a table `t` with a mark in any column; bytes are shown by their digits.
HAS_A_MARK = " or ".join(
    f"strpos(lower(t::text), '{shape}') > 0" for mark in MARKS for shape in (mark, mark.encode().hex())
)
QUESTION = "What did revenue of Nordwind come to in 2025, for {}?"
_DOCUMENT = b"# Annual report\n\nRevenue of Nordwind came to 398.1 million euros in 2025.\n"
Json = dict[str, Any]
Address = dict[str, str]


@dataclass(frozen=True)
class Work:
    """What was made: ids that a test names."""

    conversation: Json
    answer: Json
    run: Json
    waiting: Json
    entity: Json
    group_id: str
    key: Json
    check: Json


async def work_in_private(app: App, person: Person) -> Work:
    """Use all that the product has for a person."""
    place = {"folder_path": "/reports"}
    file = {"file": ("report.md", _DOCUMENT)}
    (await person.client.post("/documents", files=file, data=place)).raise_for_status()
    async with working(app.db, *JOBS, parts=app.parts, heartbeat_s=2, stall_s=20):
        await until_settled(app.db)
        conversation = await begin(person, title=f"About {TALK}")
        question = QUESTION.format(TALK)
        answer = await exchange(person, conversation, question, key=TALK, deliverable_type="REPORT_WITH_WEBSITE")
        await _judge(person, answer)
        await _deliver(app, person, answer)
        run = await until_rests(person, await ask(person, QUESTION.format(REST), deliverable_type="REPORT"))
        waiting = await _wait_for_approval(person)
        group_id = await _remember(person)
        check = await _check(person)
        await until_settled(app.db)
    key = (await person.client.post("/api-keys", json={"name": REST})).raise_for_status().json()
    return Work(conversation, answer, run, waiting, await _note(person), group_id, key, check)


async def _judge(person: Person, answer: Json) -> None:
    opinion = {"rating": "thumbs_down", "text": f"Nothing on {REST}"}
    (await person.client.put(f"/messages/{answer['id']}/feedback", json=opinion)).raise_for_status()
    review = {"decision": "disputed", "note": f"Not for {TALK}"}
    path = f"/citations/{answer['citations'][0]['id']}/review"
    (await person.client.put(path, json=review)).raise_for_status()


async def _deliver(app: App, person: Person, answer: Json) -> None:
    """The other kinds from the answer, each in another form, and each given a title of the person's own."""
    for kind in ("SLIDES", "DOCUMENT"):
        path = f"/messages/{answer['id']}/deliverables"
        (await person.client.post(path, json={"kind": kind})).raise_for_status()
    await until_settled(app.db)
    for made in await _all(person, "/deliverables"):
        assert made["status"] == "completed", made
        (await person.client.post(f"/deliverables/{made['id']}/exports", json={"format": "md"})).raise_for_status()
        title = {"title": f"Revenue for {TALK}"}
        (await person.client.post(f"/deliverables/{made['id']}/versions", json=title)).raise_for_status()


async def _wait_for_approval(person: Person) -> Json:
    """A conversation whose run asks before it writes."""
    conversation = await begin(person, title=f"To write on {REST}")
    wanted = f"What did revenue of Nordwind come to? Save the answer as notes/{REST}.md"
    asked = await say(person, conversation, wanted)
    await until_rests(person, asked["run"])
    assert await _all(person, "/interactions", confirmation_status="pending")
    return conversation


async def _remember(person: Person) -> str:
    group_id = f"user:{(await person.me())['user']['id']}"
    said = [{"content": f"Ada works for {REST.title()} since May 2024.", "role_type": "user", "role": "Ada"}]
    (await person.client.post("/memory/messages", json={"group_id": group_id, "messages": said})).raise_for_status()

    async def is_remembered() -> bool:
        group = (await person.client.get(f"/memory/groups/{quote(group_id, safe='')}")).json()
        return bool(group.get("episodes")) and not group["queued"]

    await until(is_remembered)
    return group_id


async def _check(person: Person) -> Json:
    """A check of a file, which is kept with it."""
    file = {"file": (f"{REST}.md", f"Revenue of Nordwind is that of {REST}.\n".encode())}
    made: Json = (await person.client.post("/checks/file", files=file)).raise_for_status().json()
    return made


async def _note(person: Person) -> Json:
    note = {"entity_type": "GENERATED_CONTENT", "file_name": "n.md", "mimetype": "text/markdown", "title": REST}
    made: Json = (await person.client.post("/entities", json=note)).raise_for_status().json()
    return made


async def _all(person: Person, path: str, **params: Any) -> list[Json]:
    page = (await person.client.get(path, params={"limit": 200, **params})).raise_for_status().json()
    assert page.get("next_cursor") is None, f"more of {path} than the test looks at"
    return list(page["items"])


async def addresses(person: Person, work: Work) -> "Callable[[Operation], list[Address]]":
    """How to fill in the path of any route, with every id that the person can see."""
    conversations, deliverables = await _all(person, "/conversations"), await _all(person, "/deliverables")
    messages = [each for conversation in conversations for each in await history(person, conversation)]
    pointers = await _all(person, "/pointers")
    manifests = sorted(
        {each["manifest_sha256"] for each in pointers} | {each["manifest_hash"] for each in deliverables}
    )
    asked = {"group_ids": [work.group_id], "query": f"Ada {REST} Nordwind", "limit": 50}
    memory = (await person.client.post("/memory/search", json=asked)).raise_for_status().json()
    of = {
        "sha256": sorted({each["sha256"] for each in await _all(person, "/artifacts")}),
        "key_id": [work.key["id"]],
        "conversation_id": [each["id"] for each in conversations],
        "message_id": [each["id"] for each in messages],
        "run_id": [each["id"] for each in await _all(person, "/runs")],
        "deliverable_id": [each["id"] for each in deliverables],
        "document_id": [each["id"] for each in await _all(person, "/documents")],
        "folder_id": [each["id"] for each in await _all(person, "/folders")],
        "entity_id": [each["id"] for each in await _all(person, "/entities")],
        "manifest_sha256": manifests,
        "check_id": [each["id"] for each in await _all(person, "/checks")],
        "group_id": [work.group_id],
        # Of the workspace and not of a person: an admin connects endpoints, and none is connected here.
        "endpoint_id": ["0198c0de-0000-7000-8000-000000000000"],
        "node_id": [each["id"] for each in memory["nodes"]],
        "fact_id": [each["id"] for each in memory["facts"]],
        "episode_id": [each["id"] for each in memory["episodes"]],
    }
    files = [(each["id"], file["name"]) for each in deliverables for file in await _files(person, each)]
    several = {
        ("namespace", "name"): [(each["namespace"], each["name"]) for each in pointers],
        ("deliverable_id", "name"): files,
        ("before_sha256", "after_sha256"): [(each, manifests[0]) for each in manifests],
        ("document_id", "page"): [(each, "1") for each in of["document_id"]],
        ("document_id", "number"): [(each, "0") for each in of["document_id"]],
        ("source_type", "external_id"): [("web", "of/nobody")],
        ("deliverable_id", "token", "path"): [(each, "feed.beef", "index.html") for each in of["deliverable_id"]],
    }

    def fill(operation: Operation) -> list[Address]:
        names = tuple(name for name in _in_order(operation.path))
        if not names:
            return [{}]
        known = several.get(names) or [(value,) for value in of.get(names[0], [])] * (len(names) == 1)
        assert known, f"{operation.id} is new here: tell `addresses` what to fill in for {', '.join(names)}"
        return [dict(zip(names, (quote(each, safe="") for each in values), strict=True)) for values in known]

    return fill


async def _files(person: Person, deliverable: Json) -> list[Json]:
    exports = (await person.client.get(f"/deliverables/{deliverable['id']}/exports")).raise_for_status().json()
    return [*deliverable["files"], *(each["file"] for each in exports)]


def _in_order(path: str) -> list[str]:
    return [part.partition("}")[0] for part in path.split("{")[1:]]
