"""The budget: a hard cap, whatever the prices, however many steps at once, however often a worker dies."""

import asyncio
import random
from contextlib import suppress
from decimal import Decimal
from uuid import UUID

import pytest
from sqlalchemy import text
from tests.support.reasoner import PlainReasoner
from tests.support.runs import ask, log_of, researching, until_rests
from tests.support.server import Person
from tests.support.soak import often

from intelli.app import App
from intelli.kit.context import System
from intelli.kit.ids import uuid7
from intelli.reasoning.usage import Usage
from intelli.reasoning.verbs.title import Title, TitleInput
from intelli.reasoning.verbs.verb import ReasonerInput
from intelli.runs.errors import BudgetSpent
from intelli.runs.lease import Lease
from intelli.runs.ledger import DatabaseLedger
from intelli.runs.recorded_reasoner import RecordedReasoner
from intelli.runs.store import runs as store
from intelli.runs.tables import Run

_RUNS = often(40, soaking=500)


class Dear(PlainReasoner):
    """Each call costs something else, up to its ceiling."""

    def __init__(self, chance: random.Random) -> None:
        super().__init__(name="dear")
        self._chance = chance

    def ceiling(self, asked: ReasonerInput) -> Decimal:
        return Decimal(len(asked.model_dump_json()) % 97 + 1)

    async def title(self, asked: TitleInput) -> tuple[Title, Usage]:
        await asyncio.sleep(0)
        cost = self.ceiling(asked) * Decimal(self._chance.randint(0, 100)) / 100
        return Title(title=asked.question), Usage(model=self.name, calls=1, input_cost=cost)


@pytest.mark.slow
async def test_no_run_ever_spends_more_than_its_budget(app: App, owner: Person):
    """Random prices and caps, steps side by side, and now and then a worker that vanishes between two of them."""
    chance = random.Random(11)
    me = await owner.me()
    who = System(UUID(me["workspace"]["id"]), UUID(me["user"]["id"]))
    limit = asyncio.Semaphore(8)

    async def one(seed: int) -> None:
        async with limit:
            await _spend(app, who, random.Random(seed))

    async with asyncio.TaskGroup() as group:
        for _ in range(_RUNS):
            group.create_task(one(chance.randint(0, 1 << 30)))
    async with app.db.begin(who) as tx:
        rows = (
            await tx.session.execute(
                text(
                    "select r.budget_cents, r.cost_llm_input + r.cost_llm_output as told, "
                    "sum(c.input_cost + c.output_cost) as kept, "
                    "count(*) filter (where c.problem is not null) as refused "
                    "from runs r join model_calls c on c.run_id = r.id group by r.id, 1, 2"
                )
            )
        ).all()
    assert len(rows) == _RUNS
    assert [row for row in rows if row.kept > row.budget_cents] == []
    assert [row for row in rows if row.kept != row.told] == []
    assert sum(row.refused > 0 for row in rows) > _RUNS / 4


async def _spend(app: App, who: System, chance: random.Random) -> None:
    run_id = uuid7()
    assert who.user_id is not None
    async with app.db.begin(who) as tx:
        cap = Decimal(chance.randint(0, 150))
        store.add(tx, Run(tenant_id=who.tenant_id, id=run_id, user_id=who.user_id, question="?", budget_cents=cap))
    for _ in range(chance.randint(1, 2)):
        async with app.db.begin(who) as tx:
            epoch = await store.claim(tx, run_id, job_id=1, lease_s=60)
        assert epoch is not None
        lease = Lease(app.db, who.tenant_id, who.user_id, run_id, epoch)
        reasoner = RecordedReasoner(
            Dear(chance), PlainReasoner(name="fallback"), DatabaseLedger(lease), lambda *_: None
        )
        vanished = DatabaseLedger(lease)
        lost = TitleInput(question="lost")
        with suppress(BudgetSpent):
            await vanished.begin("lost", lost, ceiling=Decimal(1), model="dear")
        async with asyncio.TaskGroup() as group:
            for step in range(chance.randint(1, 3)):
                asked = TitleInput(question="x" * chance.randint(1, 200))
                group.create_task(reasoner.step(f"step:{step}", asked))


async def test_a_run_whose_budget_is_spent_says_so_and_answers_from_what_it_has(app: App, owner: Person):
    reasoner = PlainReasoner(cents=Decimal(60))
    async with researching(app, reasoner=reasoner):
        run = await until_rests(owner, await ask(owner))
    assert run["status"] == "completed"
    assert "412.7 million euros" in run["agent_response"]
    assert run["cost"]["total"] == 180
    assert len(reasoner.calls) == 3
    assert any("The budget of 200 cents" in problem for problem in run["problems"])
    assert "The budget of 200 cents" in run["agent_response"]
    usage = [line["event"] for line in await log_of(owner, run) if line["event"]["type"] == "usage-update"]
    assert usage[-1]["cost_cents"] == 180
    assert usage[-1]["budget_cents"] == 200


async def test_what_a_failed_call_cost_is_charged(app: App, owner: Person):
    reasoner = PlainReasoner(cents=Decimal(3), fails=frozenset({"understand"}))
    async with researching(app, reasoner=reasoner):
        run = await until_rests(owner, await ask(owner))
    assert run["cost"]["total"] == 3 * len(reasoner.calls)
    assert run["cost"]["llm_input"] == pytest.approx(run["cost"]["total"] * 0.75)
