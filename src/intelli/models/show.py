"""How models are shown: endpoints without their keys, models with their tests, and which of them answer now."""

from collections import defaultdict
from datetime import timedelta
from uuid import UUID

from intelli.kit import clock
from intelli.kit.db import Tx
from intelli.models import choice, start_test, store, wire
from intelli.models.errors import EndpointNotFound, ModelNotFound
from intelli.models.ports import InstallationModels
from intelli.models.store import StoredModel
from intelli.models.tables import ModelEndpoint, ModelTest

# A test ends within ten minutes; one that is at work for longer was left by a worker that is no more.
_LONGEST_TEST = timedelta(minutes=15)
_LEFT = "The test was interrupted. Test the model again."


async def show_models(tx: Tx, installation: InstallationModels, *, with_hints: bool) -> wire.Models:
    """Show the models of the workspace; hints of keys and of the server's disk are for admins."""
    chosen = await choice.choose(tx, installation)
    return wire.Models(
        thinking=chosen.thinking.describe() if chosen.thinking else None,
        small=chosen.small.describe() if chosen.small else None,
        installed=installation.local.describe(),
        endpoints=await list_endpoints(tx, with_hints=with_hints),
        install_command=installation.install_command if with_hints else None,
    )


async def list_endpoints(tx: Tx, *, with_hints: bool = True) -> list[wire.Endpoint]:
    """List the endpoints of the workspace with their models."""
    tests = await store.list_tests(tx)
    models: dict[UUID, list[wire.Model]] = defaultdict(list)
    for stored in await store.list_models(tx):
        models[stored.endpoint.id].append(to_model(stored, tests))
    return [_to_endpoint(row, models[row.id], with_hint=with_hints) for row in await store.list_endpoints(tx)]


async def get_endpoint(tx: Tx, endpoint_id: UUID) -> wire.Endpoint:
    """Return an endpoint with its models. Raises EndpointNotFound."""
    row = await get_endpoint_row(tx, endpoint_id)
    tests = await store.list_tests(tx)
    models = [to_model(each, tests) for each in await store.list_models(tx, endpoint_id=endpoint_id)]
    return _to_endpoint(row, models, with_hint=True)


async def get_model(tx: Tx, model_id: UUID) -> wire.Model:
    """Return a model with its last test. Raises ModelNotFound."""
    return to_model(await get_stored(tx, model_id), await store.list_tests(tx))


async def get_endpoint_row(tx: Tx, endpoint_id: UUID, *, locked: bool = False) -> ModelEndpoint:
    """Load an endpoint. Raises EndpointNotFound."""
    row = await store.find_endpoint(tx, endpoint_id, locked=locked)
    if row is None:
        raise EndpointNotFound("This workspace has no such endpoint. Connect it first.")
    return row


async def get_stored(tx: Tx, model_id: UUID, *, locked: bool = False) -> StoredModel:
    """Load a model with its endpoint. Raises ModelNotFound."""
    stored = await store.find_model(tx, model_id, locked=locked)
    if stored is None:
        raise ModelNotFound("This workspace has no such model. Add it first.")
    return stored


def to_model(stored: StoredModel, tests: choice.Tests) -> wire.Model:
    """Convert a row to the model that is shown."""
    row = stored.model
    test = tests.get((stored.endpoint.base_url, row.name))
    return wire.Model(
        id=row.id,
        endpoint_id=row.endpoint_id,
        name=row.name,
        role=wire.ModelRole(row.role) if row.role else None,
        context_tokens=row.context_tokens,
        output_tokens=row.output_tokens,
        timeout_s=row.timeout_s,
        input_price=row.input_price,
        output_price=row.output_price,
        test=to_test(test) if test else None,
        version=row.version,
        created_at=row.created_at,
    )


def to_test(row: ModelTest) -> wire.ModelTest:
    """Convert a row to the test that is shown; one that a worker left is shown as ended."""
    is_left = row.finished_at is None and clock.now() - row.started_at > _LONGEST_TEST
    finished_at = row.started_at + _LONGEST_TEST if is_left else row.finished_at
    abilities = [wire.Ability.model_validate(each) for each in row.abilities]
    if finished_at is not None:
        # Of a test that was left, and of those that earlier versions ended.
        ended = start_test.end_early(abilities, row.problem or _LEFT, running=wire.AbilityState.UNTRIED)
        abilities = [wire.Ability.model_validate(each) for each in ended]
    return wire.ModelTest(
        started_at=row.started_at,
        finished_at=finished_at,
        abilities=abilities,
        shape=wire.PromptShape(row.shape) if row.shape and row.finished_at else None,
        problem=_LEFT if is_left else row.problem,
        first_word_s=row.first_word_s,
    )


def _to_endpoint(row: ModelEndpoint, models: list[wire.Model], *, with_hint: bool) -> wire.Endpoint:
    return wire.Endpoint(
        id=row.id,
        provider=wire.Provider(row.provider),
        base_url=row.base_url,
        key_hint=row.key_hint if with_hint else None,
        version=row.version,
        created_at=row.created_at,
        models=models,
    )
