"""Whole runs with a real reasoner over real HTTP: they end, they say what failed, and no document steers them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from decimal import Decimal
from typing import Any

import pytest
from tests.reasoning.injections import TEXTS
from tests.reasoning.model import reasoner_on
from tests.reasoning.test_injection import gullible
from tests.support.jobs import working
from tests.support.model_server import ModelServer, Reply, broken, busy
from tests.support.runs import CORPUS, FakeLibrary, ask, until_rests
from tests.support.server import Person

from intelli.app import JOBS, App
from intelli.deliverables import consistency
from intelli.deliverables.brief import DataBrief
from intelli.reasoning.adapters.extractive import ExtractiveReasoner
from intelli.reasoning.reasoner import Reasoner
from intelli.runs.ports import LibraryAccess, RunReasoners

_ALWAYS = 40
FAULTS = {
    "broken": [broken()] * _ALWAYS,
    "refused": [Reply(status=401, error="Incorrect API key provided.")] * _ALWAYS,
    "mixed": [busy(), Reply(), broken(), Reply(text="?"), Reply(), Reply(cut_after=9), broken(), broken(), Reply()],
}


@asynccontextmanager
async def researching_with(app: App, reasoner: Reasoner, library: FakeLibrary) -> AsyncIterator[None]:
    parts = {**app.parts, RunReasoners: RunReasoners(reasoner, ExtractiveReasoner()), LibraryAccess: library.library()}
    async with working(app.db, *JOBS, parts=parts):
        yield


async def run_with(
    app: App, owner: Person, reasoner: Reasoner, library: FakeLibrary | None = None, **more: str
) -> dict[str, Any]:
    async with researching_with(app, reasoner, library or FakeLibrary()):
        return await until_rests(owner, await ask(owner, **more))


async def test_without_a_model_a_run_answers_from_the_sources_and_costs_nothing(app: App, owner: Person) -> None:
    run = await run_with(app, owner, ExtractiveReasoner())

    assert run["status"] == "completed"
    assert "Revenue came to 412.7 million euros in 2025. <gml-inlinecitation" in run["agent_response"]
    assert "1204 people" in run["agent_response"]
    assert Decimal(str(run["cost"]["total"])) == 0


async def test_with_a_model_a_run_answers_and_is_charged(app: App, owner: Person, server: ModelServer) -> None:
    async with reasoner_on(server) as reasoner:
        run = await run_with(app, owner, reasoner)

    assert run["status"] == "completed"
    assert "412.7 million euros" in run["agent_response"]
    assert run["problems"] == []
    assert Decimal(str(run["cost"]["total"])) > 0


async def test_with_a_model_a_report_has_only_figures_of_the_sources(
    app: App, owner: Person, server: ModelServer
) -> None:
    async with reasoner_on(server) as reasoner:
        run = await run_with(app, owner, reasoner, deliverable_type="REPORT")

    (made,) = (await owner.client.get("/deliverables", params={"run_id": run["id"]})).json()["items"]
    content = (await owner.client.get(f"/deliverables/{made['id']}/content")).raise_for_status().json()
    brief = DataBrief.model_validate((await owner.client.get(f"/deliverables/{made['id']}/brief")).json())
    assert run["problems"] == []
    assert "412.7 million euros" in content["gml"]
    assert consistency.check(brief, {"REPORT": content["gml"]}) == []
    assert all(metric.shown in brief.cited(metric.citation).quote for metric in brief.metrics)  # type: ignore[union-attr]


@pytest.mark.parametrize("faults", FAULTS.values(), ids=FAULTS)
async def test_a_failing_model_degrades_a_run_and_the_run_says_so(
    app: App, owner: Person, server: ModelServer, faults: list[Reply]
) -> None:
    server.script(*faults)
    async with reasoner_on(server) as reasoner:
        run = await run_with(app, owner, reasoner)

    assert run["status"] == "completed"
    assert "412.7 million euros" in run["agent_response"]
    if len(faults) == _ALWAYS:
        assert any("without the model" in problem for problem in run["problems"])


async def test_no_document_changes_what_a_run_calls(app: App, owner: Person) -> None:
    poisoned = {name: f"{text} {' '.join(TEXTS)}" for name, text in CORPUS.items()}
    with ModelServer(answer=gullible) as server:
        async with reasoner_on(server) as model:
            for reasoner in (model, ExtractiveReasoner()):
                clean, bad = FakeLibrary(), FakeLibrary(poisoned)
                await run_with(app, owner, reasoner, clean)
                run = await run_with(app, owner, reasoner, bad)
                assert sorted(bad.queries) == sorted(clean.queries)
                calls = (await owner.client.get(f"/runs/{run['id']}/interactions")).json()["items"]
                assert {call["tool_name"] for call in calls} == {"search_documents", "search_memory"}
                assert not any("CANARY" in str(call["tool_input"]) for call in calls)
