"""Which model answers: each workspace has its own, a change needs no restart, and roles are given to one model each."""

from contextlib import AbstractAsyncContextManager
from pathlib import Path
from uuid import UUID

import pytest
from sqlalchemy import text
from tests.models.makers import KEY, add, capable_server, choose, connect, model_of, show, until_tested
from tests.support.jobs import until_settled, working
from tests.support.model_server import ModelServer
from tests.support.runs import CORPUS, FakeLibrary, ask, until_rests
from tests.support.server import Person, Visit, join, register, settings_for

from intelli.app import JOBS, App
from intelli.identity.wire import RegistrationMode
from intelli.kit.context import System
from intelli.models.reasoners import WorkspaceReasoners
from intelli.reasoning.reasoners import ReasonerPair
from intelli.reasoning.verbs.title import TitleInput
from intelli.runs.ports import LibraryAccess
from intelli.settings import Settings


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Open registration, so that there can be two workspaces."""
    return settings_for(tmp_path, registration=RegistrationMode.OPEN, model={"private_endpoints": True})


async def _find(app: App, person: Person, reasoners: WorkspaceReasoners | None = None) -> ReasonerPair:
    async with app.db.begin(System(UUID((await person.me())["workspace"]["id"]))) as tx:
        return await (reasoners or app.reasoners).find(tx)


async def _run(person: Person) -> dict[str, object]:
    return await until_rests(person, await ask(person))


def _working(app: App) -> AbstractAsyncContextManager[None]:
    return working(app.db, *JOBS, parts={**app.parts, LibraryAccess: FakeLibrary(CORPUS).library()})


async def test_each_workspace_asks_its_own_model(app: App, owner: Person, visit: Visit):
    other = await register(visit(), "other@example.org", workspace_name="Elsewhere")
    with capable_server(key=KEY) as first, capable_server() as second:
        await choose(owner, first, api_key=KEY)
        await choose(other, second)
        async with _working(app):
            await until_settled(app.db)
            before = len(first.requests), len(second.requests)
            mine = await _run(owner)
            between = len(first.requests), len(second.requests)
            theirs = await _run(other)
        after = len(first.requests), len(second.requests)
    assert (mine["status"], theirs["status"]) == ("completed", "completed")
    assert between[0] > before[0]
    assert between[1] == before[1]
    assert after[1] > between[1]
    assert [each["models"][0]["name"] for each in (await show(other))["endpoints"]] == ["test-model"]
    assert (await show(owner))["thinking"]["base_url"] == first.base_url
    assert (await show(other))["thinking"]["base_url"] == second.base_url


async def test_a_change_takes_effect_with_the_next_run(app: App, owner: Person):
    async with _working(app):
        without = await _run(owner)
        with capable_server() as server:
            model = await choose(owner, server)
            await until_settled(app.db)
            asked = len(server.requests)
            with_model = await _run(owner)
            assert len(server.requests) > asked
            await owner.client.delete(f"/models/{model['id']}")
            asked = len(server.requests)
            again = await _run(owner)
            assert len(server.requests) == asked
    assert [without["status"], with_model["status"], again["status"]] == ["completed"] * 3


async def test_a_role_is_taken_from_the_model_that_had_it(owner: Person):
    with capable_server() as server:
        endpoint = await connect(owner, server)
        first = await add(owner, endpoint, "first", role="thinking")
        second = await add(owner, endpoint, "second", role="thinking")
        assert (await model_of(owner, first))["role"] is None
        given = {"role": "thinking", "expected_version": 2}
        chosen = (await owner.client.patch(f"/models/{first['id']}", json=given)).raise_for_status().json()
        assert (await show(owner))["thinking"]["name"] == "first"
        longer = {"timeout_s": 99, "expected_version": chosen["version"]}
        longer = (await owner.client.patch(f"/models/{first['id']}", json=longer)).raise_for_status().json()
        assert (longer["role"], longer["timeout_s"]) == ("thinking", 99)
        none = {"role": None, "expected_version": longer["version"]}
        assert (await owner.client.patch(f"/models/{first['id']}", json=none)).json()["role"] is None
    assert (await model_of(owner, second))["role"] is None
    assert (await show(owner))["thinking"] is None
    stale = await owner.client.patch(f"/models/{first['id']}", json=none)
    assert (stale.status_code, stale.json()["code"]) == (409, "stale_model_version")


async def test_a_small_model_takes_notes_and_finds_titles(app: App, owner: Person):
    with capable_server() as thinking, capable_server() as small:
        await choose(owner, thinking)
        await choose(owner, small, role="small")
        pair = await _find(app, owner)
        await pair.reasoner.do(TitleInput(question="What is new?", answer="Nothing."))
        assert (len(thinking.requests), len(small.requests)) == (0, 1)
        async with working(app.db, *JOBS, parts=app.parts):
            await until_settled(app.db)
            group = {"group_id": "g", "messages": [{"content": "Ada lives in Oslo.", "role_type": "user"}]}
            asked = len(thinking.requests), len(small.requests)
            (await owner.client.post("/memory/messages", json=group)).raise_for_status()
            await until_settled(app.db)
        assert len(small.requests) > asked[1]
        assert len(thinking.requests) == asked[0]
    assert (await show(owner))["small"]["base_url"] == small.base_url


async def test_what_a_model_costs_must_be_known(owner: Person):
    with capable_server() as server:
        endpoint = await connect(owner, server)
        assert (await add(owner, endpoint, "at-home"))["input_price"] is None
    body = {"endpoint_id": endpoint["id"], "name": "x", "context_tokens": 3000, "output_tokens": 2000}
    unfit = await owner.client.post("/models", json=body)
    assert (unfit.status_code, unfit.json()["code"]) == (422, "model_limits_unfit")
    known = await owner.client.post("/models", json={"endpoint_id": endpoint["id"], "name": "at-home"})
    assert (known.status_code, known.json()["code"]) == (409, "model_known")


async def test_a_model_of_the_world_without_a_known_price_is_refused(app: App, owner: Person):
    with capable_server() as server:
        endpoint = await connect(owner, server)
    async with app.db.begin(System(UUID((await owner.me())["workspace"]["id"]))) as tx:
        await tx.session.execute(text("update model_endpoints set base_url = 'https://models.example.org/v1'"))
    body = {"endpoint_id": endpoint["id"], "name": "never-heard-of", "context_tokens": 32000}
    refused = await owner.client.post("/models", json=body)
    assert (refused.status_code, refused.json()["code"]) == (422, "model_price_missing")
    free = await owner.client.post("/models", json={**body, "input_price": 0, "output_price": 0})
    assert free.status_code == 201
    table = await owner.client.post("/models", json={**body, "name": "gpt-4o-mini"})
    assert table.status_code == 201
    wrong = {"input_price": None, "expected_version": 1}
    refused = await owner.client.patch(f"/models/{free.json()['id']}", json=wrong)
    assert refused.json()["code"] == "model_price_missing"


async def test_a_key_that_can_no_longer_be_read_is_told_and_answers_go_on(app: App, owner: Person):
    with capable_server(key=KEY) as server:
        await choose(owner, server, api_key=KEY)
        endpoint = (await show(owner))["endpoints"][0]
        async with app.db.begin(System(UUID((await owner.me())["workspace"]["id"]))) as tx:
            await tx.session.execute(text("update model_endpoints set api_key = '\\x00'"))
        offered = await owner.client.get(f"/models/endpoints/{endpoint['id']}/offered")
        assert (offered.status_code, offered.json()["code"]) == (409, "model_key_unreadable")
        async with _working(app):
            run = await _run(owner)
            await until_settled(app.db)
        assert run["status"] == "completed"
        assert server.requests == []
        test = (await show(owner))["endpoints"][0]["models"][0]["test"]
        assert "Enter the key again" in test["problem"]
        again = {"api_key": KEY, "expected_version": 1}
        (await owner.client.patch(f"/models/endpoints/{endpoint['id']}", json=again)).raise_for_status()
        await (await _find(app, owner)).reasoner.do(TitleInput(question="What is new?", answer="Nothing."))
    assert len(server.requests) == 1


async def test_reasoners_of_the_same_model_are_one_until_it_changes(app: App, owner: Person):
    with ModelServer() as server:
        model = await choose(owner, server)
        first, second = await _find(app, owner), await _find(app, owner)
        change = {"timeout_s": 7, "expected_version": 1}
        (await owner.client.patch(f"/models/{model['id']}", json=change)).raise_for_status()
        third = await _find(app, owner)
    assert first.reasoner is second.reasoner
    assert third.reasoner is not first.reasoner


async def test_without_any_model_the_fallback_answers(app: App, owner: Person):
    pair = await _find(app, owner)
    assert not pair.has_model
    assert pair.reasoner is app.without_model
    shown = await show(owner)
    assert (shown["thinking"], shown["small"], shown["installed"]) == (None, None, None)


async def test_a_model_that_failed_its_test_is_chosen_only_by_who_insists_and_not_said_to_answer(
    app: App, owner: Person
):
    with capable_server() as server:
        endpoint = await connect(owner, server)
    model = await add(owner, endpoint)
    async with _working(app):
        await until_tested(owner, model)
        choice = {"role": "thinking", "expected_version": 1}
        refused = await owner.client.patch(f"/models/{model['id']}", json=choice)
        assert (refused.status_code, refused.json()["code"]) == (409, "model_test_failed")
        assert "cannot be reached" in refused.json()["detail"]
        insisted = await owner.client.patch(f"/models/{model['id']}", json={**choice, "even_if_failed": True})
        assert insisted.raise_for_status().json()["role"] == "thinking"
        run = await _run(owner)
    used = (await show(owner))["thinking"]
    assert "cannot be reached" in used["problem"]
    assert run["status"] == "completed"
    assert run["reasoner"] == "extractive", "no model wrote it"
    assert any("cannot be reached" in problem for problem in run["problems"])


async def test_an_answer_that_a_model_wrote_names_it(app: App, owner: Person):
    with capable_server() as server:
        model = await choose(owner, server)
        async with _working(app):
            await until_tested(owner, model)
            run = await _run(owner)
    assert run["reasoner"] == "model:test-model"
    assert (await show(owner))["thinking"]["problem"] is None


async def test_the_command_that_installs_names_the_data_directory_and_is_told_to_admins(
    app: App, owner: Person, visit: Visit
):
    member = await join(owner, visit(), "member@example.org")
    assert (await show(owner))["install_command"] == f"intelli models install --data {app.settings.data}"
    assert (await show(member))["install_command"] is None
