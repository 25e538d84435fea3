"""Adding messages, criteria 2 and 32 to 39: stopping, restarting, failing steps, retries, limits, and the log."""

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence

import psycopg
import pytest
import pytest_asyncio
import structlog
from tests.memory.memory_server import ADDED, MemoryServer, Script, day, fact, message, named, opened, remembering
from tests.support.database import Cluster
from tests.support.jobs import jobs_of, until
from tests.support.spare import Spares

from intelli.kit import jobs
from intelli.kit.context import WorkspaceLister
from intelli.kit.jobs import Queue
from intelli.kit.queue import JobStatus
from intelli.memory import reasoning_calls
from intelli.memory.jobs import RECOVER
from intelli.memory.ports import MemoryReasoner
from intelli.reasoning.errors import AnswerUnusable, EmbeddingUnavailable, ModelRefused, ModelUnavailable
from intelli.reasoning.ports import Vectors
from intelli.reasoning.usage import Usage
from intelli.reasoning.verbs.extract import ExtractedFacts, ExtractInput

pytestmark = pytest.mark.asyncio(loop_scope="module")
_NOTHING = Usage(model="script")
ROME = "Ada lives in Rome."
LIVES = ExtractedFacts(
    things=(*named("Ada"), *named("Rome", kind="place")), facts=(fact("Ada", "lives in", "Rome", ROME),)
)


class Held(Script):
    """A model that keeps thinking until it is let go."""

    def __init__(self) -> None:
        super().__init__()
        self.begun, self.go = asyncio.Event(), asyncio.Event()

    async def extract(self, asked: ExtractInput) -> tuple[ExtractedFacts, Usage]:
        self.begun.set()
        await self.go.wait()
        return await super().extract(asked)


class NoVectors:
    """An embedder that does not answer, for a while."""

    name, dimensions, prior, background = "none", 2, 0.0, 0.0

    def __init__(self, failures: int = 99) -> None:
        self.failures = failures

    def fit(self, text: str) -> float:
        return 0.0

    async def embed(self, texts: Sequence[str]) -> Vectors:
        self.failures -= 1
        raise EmbeddingUnavailable("The embedding endpoint does not answer.")

    async def embed_query(self, text: str) -> Vectors:
        raise NotImplementedError


@pytest_asyncio.fixture(loop_scope="module")
async def settled_desk(idle_desk: MemoryServer) -> AsyncIterator[MemoryServer]:
    """A server that is left without anything that waits."""
    yield idle_desk
    async with remembering(idle_desk):
        await until(lambda: _is_idle(idle_desk))


async def _is_idle(server: MemoryServer) -> bool:
    jobs = await jobs_of(server.app.db, queue=Queue.MEMORY)
    return not any(job.status in {JobStatus.TODO, JobStatus.DOING} for job in jobs)


async def test_criterion_2_a_stop_executes_nothing_more_and_the_next_start_does_all_once(settled_desk: MemoryServer):
    server, model = settled_desk, Held()
    async with remembering(server, reasoner=model):
        await server.add("c2", *(message(f"Said {number}.", at=day(1)) for number in range(5)))
        await model.begun.wait()
    assert await server.rows("memory_episodes", "c2") == []
    assert (await server.group("c2"))["queued"] == 5
    async with remembering(server):
        await server.settled("c2")
    said = [row.content for row in await server.rows("memory_episodes", "c2", order="created_at")]
    assert said == [f"Uma(user): Said {number}." for number in range(5)]


async def test_a_worker_whose_connection_is_cut_while_it_writes_leaves_nothing_and_does_it_again_once(
    settled_desk: MemoryServer,
):
    server = settled_desk
    with psycopg.connect(server.app.engine.admin_url, autocommit=True) as admin:
        admin.execute("""
            create function slow() returns trigger language plpgsql as $$
            begin if new.group_id = 'cut' then perform pg_sleep(30); end if; return new; end $$;
            create trigger slow before insert on memory_claims for each row execute function slow()
        """)
        async with remembering(server):
            await server.add("cut", message("Ada lives in Rome.", at=day(1)))
            sleeping = "select pid from pg_stat_activity where wait_event = 'PgSleep'"
            await until(lambda: _found(admin, sleeping))
            (pid,) = admin.execute(sleeping).fetchone() or (0,)
            admin.execute("select pg_terminate_backend(%s)", [pid])
            admin.execute("drop trigger slow on memory_claims; drop function slow()")
            assert await server.rows("memory_nodes", "cut") == []
            await server.settled("cut")
    assert len(await server.rows("memory_episodes", "cut")) == 1
    assert len(await server.facts("cut")) == 1


async def _found(admin: psycopg.Connection[tuple[int]], query: str) -> bool:
    return admin.execute(query).fetchone() is not None  # type: ignore[call-overload]  # the query is ours


async def test_criteria_32_and_33_a_failing_job_changes_no_answer_and_later_ones_still_run(settled_desk: MemoryServer):
    model = Script()
    model.failures = [RuntimeError("a fault of ours")]
    async with remembering(settled_desk, reasoner=model):
        answer = await settled_desk.add("c32", "First.", "Second.", "Third.")
        await settled_desk.settled("c32")
    assert (answer.status_code, answer.json()) == (202, ADDED)
    group = await settled_desk.group("c32")
    assert (group["episodes"], group["failed"], group["queued"]) == (2, 1, 0)
    assert [letter["code"] for letter in group["dead_letters"]] == ["unexpected"]


async def test_what_waits_although_nobody_comes_is_called_for_again(settled_desk: MemoryServer):
    server = settled_desk
    await server.add("lost", message("Ada lives in Rome."))
    with psycopg.connect(server.app.engine.admin_url, autocommit=True) as admin:
        admin.execute("set search_path = public, jobs")
        admin.execute("delete from procrastinate_jobs where task_name = 'memory.remember' and status = 'todo'")
        admin.execute("update memory_arrivals set created_at = created_at - interval '1 hour'")
    async with server.app.db.begin(WorkspaceLister()) as tx:
        await jobs.defer(await tx._driver_connection(), RECOVER, keys=[None], args=[{}])
    async with remembering(server):
        await server.settled("lost")
    assert len(await server.facts("lost")) == 1


async def test_a_message_that_is_forgotten_while_it_is_read_leaves_nothing(settled_desk: MemoryServer):
    server, model = settled_desk, Held()
    model.things[ROME] = LIVES
    async with remembering(server, reasoner=model):
        await server.add("withdrawn", message(ROME), message("Said after."))
        await model.begun.wait()
        with psycopg.connect(server.app.engine.admin_url, autocommit=True) as admin:
            admin.execute("delete from memory_arrivals where message #>> '{message,content}' = %s", [ROME])
        model.go.set()
        await server.settled("withdrawn")
    assert [row.content for row in await server.rows("memory_episodes", "withdrawn")] == ["Uma(user): Said after."]
    assert await server.nodes("withdrawn") == {}


async def test_criterion_34_telemetry_that_cannot_be_reached_changes_nothing(
    cluster: Cluster, spares: Spares, tmp_path_factory: pytest.TempPathFactory
):
    with spares.use() as name:
        data = tmp_path_factory.mktemp("telemetry")
        async with (
            opened(data, cluster.engine(name), otlp_endpoint="http://127.0.0.1:9") as server,
            remembering(server),
        ):
            await server.tell("c34", "Ada lives in Rome.")
            assert len(await server.facts("c34")) == 1


@pytest.mark.parametrize("kind", [ModelUnavailable, AnswerUnusable])
async def test_criterion_35_a_passing_model_error_is_tried_once_more(
    settled_desk: MemoryServer, kind: type[ModelUnavailable]
):
    model, group = Script(), f"c35-{kind.code}"
    model.things[ROME] = LIVES
    model.failures = [kind("Not now.", usage=_NOTHING)]
    async with remembering(settled_desk, reasoner=model):
        with structlog.testing.capture_logs() as lines:
            await settled_desk.tell(group, message(ROME))
    (done,) = [line for line in lines if line["event"] == "memory_episode_remembered"]
    assert (done["retries"], done["skipped"], done["model_calls"]) == (1, 0, 1)
    assert len(model.asked) == 2
    assert len(await settled_desk.facts(group)) == 1


async def test_criterion_35_a_lasting_model_error_costs_its_step_and_what_needs_no_model_goes_on(
    settled_desk: MemoryServer,
):
    model = Script()
    model.failures = [ModelRefused("The key is not right.", usage=_NOTHING)]
    async with remembering(settled_desk, reasoner=model):
        with structlog.testing.capture_logs() as lines:
            await settled_desk.tell("c35-lasting", message(ROME, at=day(1)))
    assert [line["code"] for line in lines if line["event"] == "memory_step_skipped"] == ["model_refused"]
    assert await settled_desk.facts("c35-lasting") == [("Ada", "lives_in", "Rome", day(1), None)]


async def test_criterion_36_partial_extraction_goes_on_without_vectors_or_relations(settled_desk: MemoryServer):
    model = Script()
    model.things["Ada and Bob."] = ExtractedFacts(things=named("Ada", "Bob"), facts=())
    async with remembering(settled_desk, reasoner=model, embedder=NoVectors()):
        await settled_desk.tell("c36", message("Ada and Bob."))
    assert set(await settled_desk.nodes("c36")) == {"Ada", "Bob"}
    assert await settled_desk.facts("c36") == []
    assert await settled_desk.rows("memory_vectors", "c36", order="kind") == []


async def test_criterion_37_calls_to_the_model_are_bounded(settled_desk: MemoryServer):
    class Slow(Script):
        async def extract(self, asked: ExtractInput) -> tuple[ExtractedFacts, Usage]:
            self.at_work += 1
            self.most_at_work = max(self.most_at_work, self.at_work)
            await asyncio.sleep(0.05)
            self.at_work -= 1
            return ExtractedFacts(things=(), facts=()), _NOTHING

    model, shared = Slow(), settled_desk.app.memory_reasoners
    turns = asyncio.Semaphore(1)
    bounded = MemoryReasoner(model, settled_desk.app.without_model, shared.embedder, turns=turns)
    asked = ExtractInput(passage={"identifier": "a", "title": "", "text": "x"})  # type: ignore[arg-type]  # as JSON
    await asyncio.gather(
        *(reasoning_calls.extract(bounded, asked, reasoning_calls.ReasoningEffort()) for _ in range(4))
    )
    assert model.most_at_work == 1


async def test_criteria_37_and_39_outcomes_are_logged_in_numbers_and_ids_and_never_in_words(
    settled_desk: MemoryServer, caplog: pytest.LogCaptureFixture
):
    caplog.set_level(logging.DEBUG)
    secret = "Zanzibar"
    said = message(f"Ada lives in {secret}.", at=day(1), source_description=secret, name=secret)
    with structlog.testing.capture_logs() as lines:
        async with remembering(settled_desk):
            await settled_desk.tell("c39", said, message(f"Ada lives in {secret}.", timestamp="2026-01-02T00:00:00Z"))
            await settled_desk.tell("c39", message(f"Ada {secret}", uuid="01a1e36d-f725-72b2-88c8-5a05dc26ac2f"))
    done = [line for line in lines if line["event"] == "memory_episode_remembered"]
    assert len(done) == 2
    assert {"episode_id", "duration_s", "candidate_things", "candidate_facts", "accepted_facts", "retries"} <= set(
        done[0]
    )
    assert (done[0]["accepted_facts"], done[0]["new_nodes"], done[1]["accepted_facts"]) == (1, 2, 0)
    assert secret not in str(lines)
    assert secret not in caplog.text
    (episode, _) = await settled_desk.rows("memory_episodes", "c39", order="seq")
    assert done[0]["episode_id"] == str(episode.id)
