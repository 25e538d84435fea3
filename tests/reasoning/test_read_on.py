"""A model may ask for more of a document before it answers: with the person's rights, once, recorded and replayed."""

import hashlib
from typing import Any
from uuid import UUID, uuid5

import pytest
from tests.reasoning.model import reasoner_on
from tests.reasoning.test_model_runs import run_with
from tests.support.model_server import ModelServer, Reply
from tests.support.runs import FakeLibrary
from tests.support.server import Person

from intelli.app import App
from intelli.content.passage import Passage
from intelli.content.span import Span
from intelli.kit.context import System
from intelli.kit.errors import NotFound
from intelli.reasoning.adapters.extractive import ExtractiveReasoner
from intelli.runs import replay
from intelli.runs.ports import Extract

FIRST = "The notice periods are as follows.\n"
REST = "Employees: 3 months.\nDirectors: 12 months.\n"
WHOLE = FIRST + REST + "\n".join(f"Clause {number} stays in force." for number in range(400))
QUESTION = "What are the notice periods of directors?"
ANSWERING = "You answer a question"


class CutLibrary(FakeLibrary):
    """A library whose only passage breaks off before what is asked."""

    def __init__(self, *, is_gone: bool = False) -> None:
        super().__init__({"contract.txt": WHOLE})
        self.read_by: list[tuple[UUID | None, int, int]] = []
        self._is_gone = is_gone

    async def read(self, who: System, document_id: UUID, *, start: int, end: int) -> Extract:
        self.read_by.append((who.user_id, start, end))
        if self._is_gone:
            raise NotFound("There is no such document.")
        end = min(end, len(WHOLE))
        span = Span(hashlib.sha256(WHOLE.encode()).hexdigest(), start, end)
        return Extract(document_id, "contract.txt", span, WHOLE[start:end], len(WHOLE))

    def _passage(self, name: str, score: float) -> Passage:
        span = Span(hashlib.sha256(WHOLE.encode()).hexdigest(), 0, len(FIRST))
        document_id = uuid5(UUID(int=0), name)
        return Passage(span, FIRST, name, f"/{name}", "text/plain", 1.0, document_id=document_id)


async def _events(owner: Person, run: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    listed = (await owner.client.get(f"/runs/{run['id']}/events")).raise_for_status().json()["items"]
    return [item["event"] for item in listed if item["event"]["type"] == kind]


async def test_what_is_asked_for_is_read_with_the_person_s_rights_cited_shown_and_replayed(
    app: App, owner: Person, server: ModelServer
) -> None:
    library = CutLibrary()
    server.script(Reply(text="READ s1", when=ANSWERING), Reply(text="Directors: 12 months [s2].", when=ANSWERING))
    async with reasoner_on(server) as reasoner:
        run = await run_with(app, owner, reasoner, library, question=QUESTION)

    asked = [prompt for prompt in server.prompts() if prompt.startswith(ANSWERING)]
    calls = (await owner.client.get(f"/runs/{run['id']}/interactions")).json()["items"]
    async with app.db.begin(System(UUID((await owner.me())["workspace"]["id"]))) as tx:
        recording = await replay.load(tx, UUID(run["id"]), max_tasks=5)
    replayed = await replay.replay(recording, ExtractiveReasoner())

    assert run["agent_response"].startswith("Directors: 12 months <gml-inlinecitation")
    assert run["problems"] == []
    assert "READ s3" in asked[0]
    assert "READ s3" not in asked[1]
    assert REST in asked[1]
    assert "Clause 399" not in asked[1]
    assert library.read_by == [(UUID((await owner.me())["user"]["id"]), len(FIRST), len(FIRST) + 4000)]
    assert [call["tool_name"] for call in calls if call["tool_name"] == "read_document"] == ["read_document"]
    actions = [event["current_action"] for event in await _events(owner, run, "update_subagent_current_action")]
    assert "Reading on in contract.txt" in actions
    (created,) = await _events(owner, run, "citations_created")
    assert (created["total"], created["failed"]) == (1, 0)
    assert replayed.is_same
    assert replayed.different == ()


async def test_a_document_that_can_no_longer_be_read_does_not_keep_the_answer_back(
    app: App, owner: Person, server: ModelServer
) -> None:
    server.script(Reply(text="READ s1", when=ANSWERING), Reply(text="The sources do not say.", when=ANSWERING))
    async with reasoner_on(server) as reasoner:
        run = await run_with(app, owner, reasoner, CutLibrary(is_gone=True), question=QUESTION)

    assert (run["status"], run["agent_response"]) == ("completed", "The sources do not say.")


async def test_a_model_that_only_ever_asks_to_read_is_not_asked_for_ever(
    app: App, owner: Person, server: ModelServer
) -> None:
    server.script(*[Reply(text="READ s1", when=ANSWERING)] * 5)
    async with reasoner_on(server) as reasoner:
        run = await run_with(app, owner, reasoner, CutLibrary(), question=QUESTION)

    assert run["status"] == "completed"
    assert sum(prompt.startswith(ANSWERING) for prompt in server.prompts()) == 2


@pytest.mark.parametrize("handles", ["s1 before", "s1"])
async def test_an_answer_goes_on_where_nothing_more_is_to_be_read(
    app: App, owner: Person, server: ModelServer, handles: str
) -> None:
    server.script(Reply(text=f"READ {handles}", when=ANSWERING))
    async with reasoner_on(server) as reasoner:
        run = await run_with(app, owner, reasoner, CutLibrary(), question=QUESTION)

    assert run["status"] == "completed"
    assert "The notice periods are as follows." in run["agent_response"]
