"""What the metrics tell of runs: how long each node took, and what models read, wrote and cost."""

from decimal import Decimal

from tests.support.reasoner import PlainReasoner
from tests.support.runs import ask, researching, until_rests
from tests.support.server import Person

from intelli.app import App


async def test_the_metrics_tell_the_time_of_each_node_and_what_models_cost(app: App, owner: Person):
    async with researching(app, reasoner=PlainReasoner(cents=Decimal(1))):
        await until_rests(owner, await ask(owner))
    lines = (await app.telemetry.render()).body.decode().splitlines()
    value = {line.rpartition(" ")[0]: float(line.rpartition(" ")[2]) for line in lines if not line.startswith("#")}
    for node in ("plan", "research", "answer", "check", "finish"):
        assert value[f'intelli_run_node_seconds_count{{node="{node}"}}'] >= 1
    assert sum(cents for name, cents in value.items() if name.startswith("intelli_model_cost_cents_total")) > 0
    assert any(name.startswith("intelli_model_tokens_total") for name in value)
