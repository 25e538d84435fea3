"""A weak model is not asked for what a program can tell from tables."""

from collections.abc import AsyncIterator, Mapping
from typing import Any

from tests.support.jobs import until_settled, working
from tests.support.runs import until_rests
from tests.support.server import Person

from intelli.app import JOBS, App
from intelli.reasoning.adapters.extractive import ExtractiveReasoner
from intelli.reasoning.reasoners import FixedReasoners
from intelli.reasoning.verbs.answer import AnswerEnd, AnswerInput, Delta
from intelli.runs.ports import RunReasoners

STORES = b"# Cold stores\n\n| Site | Pallet places |\n| --- | ---: |\n| Turku | 45000 |\n| Pori | 8000 |\n"


class ShortReasoner(ExtractiveReasoner):
    """Has the prompts of a model that is asked in short steps, and keeps what it was given to answer from."""

    def __init__(self) -> None:
        super().__init__()
        self.given: list[AnswerInput] = []

    @property
    def prompts(self) -> Mapping[str, str]:
        return {"answer.quote": "1"}

    async def answer(self, asked: AnswerInput) -> AsyncIterator[Delta | AnswerEnd]:
        self.given.append(asked)
        async for part in super().answer(asked):
            yield part


async def _ask(app: App, owner: Person, reasoner: ShortReasoner, question: str) -> dict[str, Any]:
    parts = {**app.parts, RunReasoners: RunReasoners(FixedReasoners(reasoner, ExtractiveReasoner()))}
    async with working(app.db, *JOBS, parts=parts, heartbeat_s=2, stall_s=20):
        (await owner.client.post("/documents", files={"file": ("stores.md", STORES)})).raise_for_status()
        await until_settled(app.db)
        run = await owner.client.post("/runs", json={"question": question})
        return await until_rests(owner, run.raise_for_status().json())


async def test_what_a_table_answers_is_told_as_without_a_model(app: App, owner: Person):
    reasoner = ShortReasoner()
    run = await _ask(app, owner, reasoner, "How many pallet places do Turku and Pori have together?")
    assert run["status"] == "completed", run
    assert "53,000" in run["agent_response"]
    assert reasoner.given[0].brief.findings


async def test_what_no_table_answers_is_left_to_the_model(app: App, owner: Person):
    reasoner = ShortReasoner()
    run = await _ask(app, owner, reasoner, "Who built the store in Turku?")
    assert run["status"] == "completed", run
    assert not reasoner.given[0].brief.findings
