"""Tests of models: what a good and a bad one can do, how far a test is, and how one ends that cannot be made."""

from datetime import timedelta
from pathlib import Path
from uuid import UUID

import pytest
from sqlalchemy import text
from tests.models.makers import KEY, add, capable, capable_server, choose, connect, model_of, show, states, until_tested
from tests.support import rule_based_model
from tests.support.jobs import jobs_of, until, until_settled, working
from tests.support.model_server import ModelServer, Reply
from tests.support.runs import CORPUS, FakeLibrary, ask, until_rests
from tests.support.server import Person, settings_for

from intelli.app import JOBS, App
from intelli.kit import clock
from intelli.kit.context import System
from intelli.models import context_length, exam, store
from intelli.models.exam import QUESTIONS, SOURCES
from intelli.models.ports import InstallationModels
from intelli.models.reasoners import WorkspaceReasoners
from intelli.reasoning.model_settings import ModelSettings
from intelli.reasoning.verbs.answer import Answer
from intelli.runs.ports import LibraryAccess
from intelli.settings import Settings


async def test_a_good_model_passes_and_is_asked_in_full(app: App, owner: Person):
    with capable_server() as server:
        model = await choose(owner, server)
        assert set(states(model["test"]).values()) == {"waiting"}
        async with working(app.db, *JOBS, parts=app.parts):
            test = await until_tested(owner, model)
    assert states(test) == dict.fromkeys(
        ("chat", "streaming", "schema", "tools", "length", "language", "citing"), "yes"
    )
    assert (test["shape"], test["problem"]) == ("full", None)
    assert test["first_word_s"] is not None
    assert all(each["detail"] for each in test["abilities"])
    used = (await show(owner))["thinking"]
    assert (used["shape"], used["is_tested"], used["origin"]) == ("full", True, "workspace")


async def test_a_model_that_cites_everything_is_asked_in_short_steps(app: App, owner: Person):
    with ModelServer(knows_schema=False, models=({"id": "test-model", "max_model_len": 8192},)) as server:
        model = await choose(owner, server)
        async with working(app.db, *JOBS, parts=app.parts):
            test = await until_tested(owner, model)
    found = states(test)
    assert (found["chat"], found["tools"], found["length"], found["language"]) == ("yes", "no", "partly", "no")
    assert found["citing"] in {"partly", "no"}
    assert test["shape"] == "short"
    assert (await model_of(owner, model))["context_tokens"] == 8192


async def test_a_form_told_in_words_is_partly_a_form(app: App, owner: Person):
    with capable_server(knows_schema=False) as server:
        model = await choose(owner, server)
        async with working(app.db, *JOBS, parts=app.parts):
            test = await until_tested(owner, model)
    assert states(test)["schema"] == "partly"
    assert test["shape"] == "full"


async def test_a_schema_that_is_not_heeded_is_told_in_words_from_then_on(app: App, owner: Person):
    def deaf(body: rule_based_model.Body) -> str:
        is_told = "response_format" not in body or body["response_format"]["type"] != "json_schema"
        return capable(body) if is_told else "Bergen is lovely."

    with ModelServer(answer=deaf, models=({"id": "test-model", "context_length": 32768},)) as server:
        model = await choose(owner, server)
        async with working(app.db, *JOBS, parts=app.parts):
            test = await until_tested(owner, model)
            server.requests.clear()
            async with app.db.begin(System(UUID((await owner.me())["workspace"]["id"]))) as tx:
                pair = await app.reasoners.find(tx)
            await exam.examine(pair.reasoner)
    assert (states(test)["schema"], states(test)["citing"]) == ("partly", "yes")
    formats = [body["response_format"]["type"] for body in server.requests if "response_format" in body]
    assert set(formats) == {"json_object"}


async def test_a_model_with_a_small_window_is_asked_in_short_steps(app: App, owner: Person):
    with ModelServer(answer=capable, models=({"id": "test-model", "meta": {"n_ctx": 4096}},)) as server:
        model = await choose(owner, server)
        assert model["context_tokens"] == 4096
        async with working(app.db, *JOBS, parts=app.parts):
            test = await until_tested(owner, model)
    assert (states(test)["length"], test["shape"]) == ("no", "short")


async def test_a_test_of_a_model_that_is_gone_ends_with_the_remedy(app: App, owner: Person):
    with capable_server() as server:
        endpoint = await connect(owner, server)
    model = await add(owner, endpoint, role="thinking")
    async with working(app.db, *JOBS, parts=app.parts):
        test = await until_tested(owner, model)
    assert "cannot be reached" in test["problem"]
    assert "Settings, Models" in test["problem"]
    assert test["shape"] is None
    assert states(test)["chat"] == "no"
    assert set(states(test).values()) == {"no", "untried"}, "nothing is at work any more"
    assert "cannot be reached" in test["abilities"][0]["detail"]


async def test_a_test_with_a_key_that_is_refused_says_so(app: App, owner: Person):
    with capable_server(key=KEY) as server:
        model = await choose(owner, server, api_key=KEY)
        server.key = "another"
        async with working(app.db, *JOBS, parts=app.parts):
            test = await until_tested(owner, model)
    assert "401" in test["problem"]


async def test_progress_can_be_seen_and_a_test_can_be_made_again(app: App, owner: Person):
    with capable_server() as server:
        server.script(Reply(text="One, two, three.", hold_after=3, when="Count from one to ten"))
        model = await choose(owner, server)
        async with working(app.db, *JOBS, parts=app.parts):

            async def is_counting() -> bool:
                return states((await model_of(owner, model))["test"])["streaming"] == "running"

            await until(is_counting)
            assert states((await model_of(owner, model))["test"])["chat"] == "yes"
            server.goes_on.set()
            first = await until_tested(owner, model)
            begun = (await owner.client.post(f"/models/{model['id']}/test")).raise_for_status()
            assert begun.status_code == 202
            await until_settled(app.db)
            second = await until_tested(owner, model)
    assert second["started_at"] > first["started_at"]
    assert second["shape"] == "full"


async def test_a_test_that_a_worker_left_is_not_at_work_for_ever(app: App, owner: Person):
    with capable_server() as server:
        model = await choose(owner, server)
    async with app.db.begin(System(UUID((await owner.me())["workspace"]["id"]))) as tx:
        long_ago = {"then": clock.now() - timedelta(hours=1)}
        await tx.session.execute(text("update model_tests set started_at = :then"), long_ago)
    test = (await model_of(owner, model))["test"]
    assert test["finished_at"] is not None
    assert "interrupted" in test["problem"]
    assert set(states(test).values()) == {"untried"}


@pytest.mark.parametrize(
    ("number", "said", "is_right"),
    [
        (0, 'It came to 412.7 million euros.<gml-inlinecitation identifier="exam-1"/>', True),
        (0, 'It came to 412.7 million euros.<gml-inlinecitation identifier="exam-2"/>', False),
        (0, "It came to 412.7 million euros.", False),
        (0, "".join(f'412.7 <gml-inlinecitation identifier="{each.identifier}"/>' for each in SOURCES), False),
        (2, "The sources do not say how many patents it holds.", True),
        (2, "It holds 12 patents.", False),
        (2, "Nordwind holds many patents.", False),
    ],
)
def test_an_answer_is_right_with_its_fact_and_its_source(number: int, said: str, is_right: bool):
    assert exam.is_right(QUESTIONS[number], Answer(text=said, is_answered=True)) is is_right


class TestOfTheSettings:
    """The model that the settings name is tested at its first use in a workspace."""

    @pytest.fixture
    def server(self):
        with capable_server() as server:
            yield server

    @pytest.fixture
    def settings(self, tmp_path: Path, server: ModelServer) -> Settings:
        model = {"name": "test-model", "base_url": server.base_url, "backoff_s": 0}
        return settings_for(tmp_path, model=model)

    async def test_it_is_tested_once_and_used_as_before(self, app: App, owner: Person, server: ModelServer):
        before = (await show(owner))["thinking"]
        assert (before["origin"], before["shape"], before["is_tested"]) == ("settings", "full", False)
        parts = {**app.parts, LibraryAccess: FakeLibrary(CORPUS).library()}
        async with working(app.db, *JOBS, parts=parts):
            for _ in range(2):
                run = await until_rests(owner, await ask(owner))
                assert run["status"] == "completed"
            await until_settled(app.db)
        assert [job.name for job in await jobs_of(app.db)].count("models.test") <= 1
        after = (await show(owner))["thinking"]
        assert (after["origin"], after["shape"], after["is_tested"], after["model_id"]) == (
            "settings",
            "full",
            True,
            None,
        )
        counted = [prompt for prompt in server.prompts() if "Count from one to ten" in prompt]
        assert len(counted) == 1


async def test_what_ollama_gives_a_model_to_read_counts_and_not_what_the_model_could(app: App, owner: Person):
    loaded = {"models": [{"name": "test-model", "context_length": 4096}]}
    with capable_server(pages={"/api/ps": loaded}) as server:
        model = await choose(owner, server, provider="ollama")
        assert model["context_tokens"] == 32768
        async with working(app.db, *JOBS, parts=app.parts):
            test = await until_tested(owner, model)
    assert (states(test)["length"], test["shape"]) == ("no", "short")
    assert (await model_of(owner, model))["context_tokens"] == 4096


async def test_a_length_that_nobody_tells_is_called_assumed(app: App, owner: Person):
    with ModelServer(answer=capable) as server:
        model = await choose(owner, server)
        async with working(app.db, *JOBS, parts=app.parts):
            test = await until_tested(owner, model)
    length = next(each for each in test["abilities"] if each["name"] == "length")
    assert length["state"] == "unknown"
    assert "32,000 tokens are assumed" in length["detail"]
    assert test["shape"] == "full"


async def test_a_length_is_found_out_by_the_refusal_of_too_much(app: App, owner: Person):
    with ModelServer(answer=capable, most_tokens=8192) as server:
        model = await choose(owner, server)
        async with working(app.db, *JOBS, parts=app.parts):
            test = await until_tested(owner, model)
    assert states(test)["length"] == "partly"
    assert (await model_of(owner, model))["context_tokens"] == 8192


@pytest.mark.parametrize(
    ("provider", "pages"),
    [
        ("llama_cpp", {"/props": {"default_generation_settings": {"n_ctx": 4096}}}),
        ("ollama", {"/api/show": {"parameters": 'stop  "x"\nnum_ctx                        4096'}}),
    ],
)
async def test_a_length_is_asked_of_servers_as_they_tell_it(
    app: App, owner: Person, provider: str, pages: dict[str, object]
):
    with ModelServer(answer=capable, pages=pages) as server:
        model = await choose(owner, server, provider=provider)
        async with working(app.db, *JOBS, parts=app.parts):
            await until_tested(owner, model)
    assert (await model_of(owner, model))["context_tokens"] == 4096


@pytest.mark.parametrize(
    ("said", "tokens"),
    [
        ("This model's maximum context length is 16384 tokens. However, you requested 20000012 tokens.", 16384),
        ("the request exceeds the available context size (8192 tokens), try increasing it", 8192),
        ("max_tokens too large for model with 32768 maximum context length", 32768),
        ("This endpoint's maximum context length is 131,072 tokens.", 131072),
        ("max_tokens is too large: 20000000. This model supports at most 16384 completion tokens.", None),
        ("Incorrect API key provided.", None),
    ],
)
def test_the_context_is_read_out_of_refusals_that_state_it(said: str, tokens: int | None):
    assert context_length.parse_refusal(said) == tokens


async def test_the_model_of_the_settings_is_tested_again_after_a_test_that_failed(app: App, owner: Person):
    workspace = System(UUID((await owner.me())["workspace"]["id"]))
    installation = InstallationModels(ModelSettings(name="test-model", base_url="http://127.0.0.1:1/v1"))
    reasoners = WorkspaceReasoners(installation, app.without_model)
    async with app.db.begin(workspace) as tx:
        await reasoners.find(tx)
        failed = {"finished_at": clock.now(), "problem": "It cannot be reached."}
        await store.update_test(tx, "http://127.0.0.1:1/v1", "test-model", failed)
        await reasoners.find(tx)
        (just_failed,) = (await store.list_tests(tx)).values()
        assert just_failed.problem is not None
        long_ago = clock.now() - timedelta(hours=1)
        await store.update_test(tx, "http://127.0.0.1:1/v1", "test-model", {"started_at": long_ago})
        await reasoners.find(tx)
        (again,) = (await store.list_tests(tx)).values()
    await reasoners.close()
    assert (again.problem, again.finished_at) == (None, None)
    assert again.started_at > long_ago
