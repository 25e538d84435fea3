"""With a model that fails: tried again once where that may help, told truthfully where it does not, never stuck."""

import asyncio
import gzip
import time

import pytest
from tests.reasoning.model import reasoner_on
from tests.reasoning.passages import ACME, note
from tests.support.model_server import ModelServer, Reply, broken, busy

from intelli.reasoning.adapters.model import ModelReasoner
from intelli.reasoning.errors import AnswerUnusable, ModelRefused, ModelUnavailable
from intelli.reasoning.model_settings import ModelSettings
from intelli.reasoning.verbs.answer import AnswerInput
from intelli.reasoning.verbs.brief import Brief
from intelli.reasoning.verbs.title import TitleInput

ASKED = TitleInput(question="Who founded Acme?")
BRIEF = Brief(title="Acme", question="Who?", findings=())


@pytest.mark.parametrize(
    "fault",
    [
        busy(),
        broken(500),
        broken(503),
        Reply(raw="<html>Bad gateway</html>"),
        Reply(raw="{}"),
        Reply(raw='{"choices": []}'),
        Reply(raw='{"choices": [{"mess'),
        Reply(cut_after=20),
        Reply(cut_after=0),
    ],
    ids=["429", "500", "503", "html", "empty", "no choices", "half", "cut", "cut at once"],
)
async def test_a_transient_fault_is_overcome_by_the_second_try(
    server: ModelServer, reasoner: ModelReasoner, fault: Reply
) -> None:
    server.script(fault)
    title, usage = await reasoner.do(ASKED)

    assert title.title == "Who founded Acme?"
    assert len(server.requests) == 2
    assert usage.output_tokens > 0


async def test_refused_calls_cost_nothing_and_cut_ones_what_was_sent(
    server: ModelServer, reasoner: ModelReasoner
) -> None:
    server.script(busy())
    _, refused = await reasoner.do(ASKED)
    server.script(Reply(cut_after=20))
    _, cut = await reasoner.do(ASKED)

    assert (refused.calls, refused.is_estimated) == (1, False)
    assert (cut.calls, cut.is_estimated) == (2, True)
    assert cut.cost > refused.cost


async def test_a_fault_that_stays_is_told_after_the_second_try(server: ModelServer, reasoner: ModelReasoner) -> None:
    server.script(broken(), broken(), broken())

    with pytest.raises(ModelUnavailable, match="status 500"):
        await reasoner.do(ASKED)
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    "base_url",
    ["http://127.0.0.1:9/v1", "https://{host}/v1", "http://nowhere.invalid/v1"],
    ids=["refused", "no TLS", "no name"],
)
async def test_an_endpoint_that_was_never_reached_is_told_and_costs_nothing(server: ModelServer, base_url: str) -> None:
    host = server.base_url.split("/")[2]
    async with reasoner_on(server, base_url=base_url.format(host=host)) as reasoner:
        with pytest.raises(ModelUnavailable) as told:
            await reasoner.do(ASKED)
        with pytest.raises(ModelUnavailable) as streamed:
            [part async for part in reasoner.answer(AnswerInput(question="Who?", brief=BRIEF, passages=()))]
    assert (told.value.usage.calls, told.value.usage.cost) == (0, 0)
    assert (streamed.value.usage.calls, streamed.value.usage.cost) == (0, 0)


async def test_an_answer_that_swells_is_given_up(server: ModelServer) -> None:
    swollen = gzip.compress(bytes(100 << 20))

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n" + swollen)
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as listening:
        port = listening.sockets[0].getsockname()[1]
        async with reasoner_on(server, base_url=f"http://127.0.0.1:{port}/v1") as reasoner:
            with pytest.raises(ModelUnavailable) as told:
                await reasoner.do(ASKED)
    assert told.value.usage.cost > 0


async def test_silence_ends_at_the_time_limit(server: ModelServer) -> None:
    server.script(Reply(delay_s=2), Reply(delay_s=2))
    began = time.monotonic()
    async with reasoner_on(server, timeout_s=0.1) as reasoner:
        with pytest.raises(ModelUnavailable, match="in time"):
            await reasoner.do(ASKED)
    assert time.monotonic() - began < 1.5


@pytest.mark.parametrize("status", [400, 401, 403, 404, 413])
async def test_a_refusal_is_not_tried_again_and_says_what_to_check(
    server: ModelServer, reasoner: ModelReasoner, status: int
) -> None:
    server.script(Reply(status=status, error="Incorrect API key provided."))

    with pytest.raises(ModelRefused, match=r"Incorrect API key.*model\.api_key") as refused:
        await reasoner.do(ASKED)
    assert len(server.requests) == 1
    assert refused.value.usage.cost == 0


async def test_a_used_up_account_is_a_refusal_and_no_rush(server: ModelServer, reasoner: ModelReasoner) -> None:
    server.script(Reply(status=429, error="You exceeded your quota (insufficient_quota)."))

    with pytest.raises(ModelRefused):
        await reasoner.do(ASKED)


@pytest.mark.parametrize(
    "bad",
    [
        Reply(text="I would call it: Acme"),
        Reply(text='{"name": "Acme"}'),
        Reply(text='{"title": 7, "more": 1}'),
        Reply(text='{"title": "Acme'),
        Reply(text=""),
        Reply(text='{"title": "Ac', finish_reason="length"),
        Reply(text='{"title": ""}'),
    ],
)
async def test_an_unfit_answer_is_repaired_once(server: ModelServer, reasoner: ModelReasoner, bad: Reply) -> None:
    server.script(bad, Reply(data={"title": "Acme"}))
    title, usage = await reasoner.do(ASKED)

    assert title.title == "Acme"
    assert usage.calls == 2
    roles = [message["role"] for message in server.requests[1]["messages"]]
    assert roles == ["system", "user", "assistant", "user"]


async def test_two_unfit_answers_end_the_step_with_what_they_cost(server: ModelServer, reasoner: ModelReasoner) -> None:
    server.script(Reply(text="no"), Reply(text="still no"), Reply(data={"title": "late"}))

    with pytest.raises(AnswerUnusable, match="twice") as failed:
        await reasoner.do(ASKED)
    assert failed.value.usage.calls == 2
    assert failed.value.usage.cost > 0


@pytest.mark.parametrize(
    "text",
    [
        '```json\n{"title": "Acme"}\n```',
        'Sure! Here it is: {"title": "Acme"} Anything else?',
        '<think>{"title": "no"}</think>{"title": "Acme"}',
        '{not json} {"title": "Acme"}',
    ],
)
async def test_json_is_found_among_other_words(server: ModelServer, reasoner: ModelReasoner, text: str) -> None:
    server.script(Reply(text=text))
    title, usage = await reasoner.do(ASKED)

    assert title.title == "Acme"
    assert usage.calls == 1


@pytest.mark.parametrize(("knows_json", "forms"), [(True, ["json_schema", "json_object"]), (False, None)])
async def test_an_endpoint_without_schemas_is_asked_in_words_and_remembered(
    knows_json: bool, forms: list[str] | None
) -> None:
    with ModelServer(knows_schema=False, knows_json=knows_json) as server:
        async with reasoner_on(server) as reasoner:
            notes = await note(reasoner, "who founded Acme", ACME)
            before = len(server.requests)
            await note(reasoner, "who founded Acme", ACME)
        asked = [body.get("response_format", {}).get("type") for body in server.requests]

    assert notes.findings[0].identifier == "acme-report"
    assert asked[:before] == (forms or ["json_schema", "json_object", None])
    assert len(server.requests) == before + 1


async def test_an_endpoint_that_names_the_limit_otherwise_is_understood() -> None:
    with ModelServer(limit_field="max_completion_tokens") as server:
        async with reasoner_on(server) as reasoner:
            await reasoner.do(ASKED)
            await reasoner.do(ASKED)

    assert [("max_tokens" in body, "max_completion_tokens" in body) for body in server.requests] == [
        (True, False),
        (False, True),
        (False, True),
    ]


async def test_an_endpoint_that_takes_no_temperature_is_asked_without_it() -> None:
    with ModelServer(knows_temperature=False, limit_field="max_completion_tokens", knows_schema=False) as server:
        async with reasoner_on(server) as reasoner:
            title, usage = await reasoner.do(ASKED)
            learning = len(server.requests)
            await reasoner.do(ASKED)

    assert title.title == "Who founded Acme?"
    assert usage.calls == 1
    assert len(server.requests) == learning + 1
    assert "temperature" not in server.requests[-1]


async def test_a_run_of_faults_always_ends(server: ModelServer, reasoner: ModelReasoner) -> None:
    faults = [busy(), broken(), Reply(raw="?"), Reply(text="?"), Reply(cut_after=5), Reply(status=401), Reply()]
    outcomes = set()
    for shift in range(len(faults)):
        server.script(*faults[shift:], *faults[:shift])
        for _ in range(3):
            try:
                await reasoner.do(ASKED)
                outcomes.add("done")
            except (ModelUnavailable, ModelRefused, AnswerUnusable) as failed:
                outcomes.add(type(failed).__name__)

    assert "done" in outcomes
    assert outcomes <= {"done", "ModelUnavailable", "ModelRefused", "AnswerUnusable"}


async def test_an_endpoint_that_cannot_be_reached_is_named_with_the_remedy_and_not_waited_for_twice() -> None:
    settings = ModelSettings(name="gone", base_url="http://127.0.0.1:9/v1", backoff_s=0)
    reasoner = ModelReasoner(settings)
    for _ in range(2):
        with pytest.raises(ModelUnavailable, match=r"reached at http://127\.0\.0\.1:9/v1\. Start its server") as failed:
            await reasoner.do(TitleInput(question="Who?"))
        assert failed.value.usage.cost == 0
    began = time.monotonic()
    with pytest.raises(ModelUnavailable):
        await reasoner.do(TitleInput(question="Who?"))
    assert time.monotonic() - began < 1
    await reasoner.close()
