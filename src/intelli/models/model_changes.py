"""Changes of models: add, change and remove one. Prices must be known, or no budget could hold."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from intelli.audit.record import record
from intelli.audit.wire import EventType
from intelli.kit.db import Tx
from intelli.kit.ids import uuid7
from intelli.models import choice, show, start_test, store, wire
from intelli.models.endpoint_changes import check_version
from intelli.models.errors import ModelKnown, ModelLimitsUnfit, ModelPriceMissing, ModelTestFailed
from intelli.models.store import StoredModel
from intelli.models.tables import ModelEndpoint
from intelli.reasoning import prices
from intelli.reasoning.model_settings import ModelSettings

_ENTITY = "model"
_CONTEXT_TOKENS = 32_000
_OUTPUT_TOKENS = 4_000
_LEAST_CONTEXT, _LEAST_OUTPUT = 2_000, 100
# A model on a machine of one's own may take minutes until its first word, and does little at once.
_TIMEOUT_S, _OWN_TIMEOUT_S = 60.0, 300.0
_CONCURRENCY, _OWN_CONCURRENCY = 8, 2
_LIMITS = ("context_tokens", "output_tokens", "timeout_s", "input_price", "output_price")


async def add(tx: Tx, body: wire.NewModel, *, told_context: int | None) -> wire.Model:
    """Add a model of an endpoint and begin its test. Raises EndpointNotFound, ModelPriceMissing or ModelKnown.

    `told_context` is what the endpoint says the model can read.
    """
    endpoint = await show.get_endpoint_row(tx, body.endpoint_id)
    values = _complete(body, endpoint, told_context)
    _check(endpoint, body.name, values)
    model_id = uuid7()
    if body.role:
        await store.release_role(tx, body.role, keep=None)
    row = {"id": model_id, "endpoint_id": endpoint.id, "name": body.name, "role": body.role, **values}
    if not await store.insert_model(tx, row):
        raise ModelKnown(f"The model {body.name} is there already. Change it instead.")
    await start_test.start(tx, model_id, endpoint.base_url, body.name)
    made = await show.get_model(tx, model_id)
    await _record(tx, "model_added", model_id, made)
    return made


async def change(tx: Tx, model_id: UUID, body: wire.ChangeModel) -> wire.Model:
    """Change a model; a role is taken from the model that had it.

    Raises ModelNotFound, StaleModelVersion, or ModelTestFailed for a role unless that is insisted on.
    """
    stored = await show.get_stored(tx, model_id, locked=True)
    check_version(stored.model.version, body.expected_version, what="model")
    # What is left out stays; a price of null is one that the table is to tell.
    given = {name: getattr(body, name) for name in _LIMITS if name in body.model_fields_set}
    kept = {name: getattr(stored.model, name) for name in _LIMITS}
    values = {**kept, **{name: each for name, each in given.items() if each is not None or name.endswith("_price")}}
    _check(stored.endpoint, stored.model.name, values)
    if "role" in body.model_fields_set:
        if body.role and not body.even_if_failed:
            await _check_test(tx, stored)
        values["role"] = body.role
        if body.role:
            await store.release_role(tx, body.role, keep=model_id)
    await store.update_model(tx, model_id, **values)
    changed = await show.get_model(tx, model_id)
    await _record(tx, "model_chosen" if "role" in body.model_fields_set else "model_changed", model_id, changed)
    return changed


async def remove(tx: Tx, model_id: UUID) -> None:
    """Delete a model. Raises ModelNotFound."""
    removed = await show.get_model(tx, model_id)
    await store.delete_model(tx, model_id)
    await _record(tx, "model_removed", model_id, removed)


async def test_again(tx: Tx, model_id: UUID) -> wire.Model:
    """Begin a test of a model. Raises ModelNotFound."""
    stored = await show.get_stored(tx, model_id)
    await start_test.start(tx, model_id, stored.endpoint.base_url, stored.model.name)
    return await show.get_model(tx, model_id)


async def _check_test(tx: Tx, stored: StoredModel) -> None:
    """Raise ModelTestFailed for a model that could not be asked when it was last tested."""
    test = (await store.list_tests(tx)).get((stored.endpoint.base_url, stored.model.name))
    failure = choice.find_failure(test)
    if failure is not None:
        raise ModelTestFailed(
            f"{stored.model.name} failed its last test: {failure} Test it again first, or choose it all the same."
        )


def _complete(body: wire.NewModel, endpoint: ModelEndpoint, told_context: int | None) -> dict[str, object]:
    """Return the limits of a new model: as given, else as the endpoint tells, else a default."""
    is_own = prices.is_private_address(endpoint.base_url)
    context = body.context_tokens or max(told_context or _CONTEXT_TOKENS, _LEAST_CONTEXT)
    return {
        "context_tokens": context,
        "output_tokens": body.output_tokens or max(_LEAST_OUTPUT, min(_OUTPUT_TOKENS, context // 4)),
        "timeout_s": body.timeout_s or (_OWN_TIMEOUT_S if is_own else _TIMEOUT_S),
        "concurrency": _OWN_CONCURRENCY if is_own else _CONCURRENCY,
        "input_price": body.input_price,
        "output_price": body.output_price,
    }


def _check(endpoint: ModelEndpoint, name: str, values: Mapping[str, Any]) -> None:
    """Raise ModelLimitsUnfit or ModelPriceMissing for values that a model cannot be asked with."""
    if values["context_tokens"] < 2 * values["output_tokens"]:
        raise ModelLimitsUnfit(
            "The context must be at least twice the output, or sources do not fit. Lower the output's tokens."
        )
    known = ModelSettings.model_construct(
        name=name,
        base_url=endpoint.base_url,
        input_price=values["input_price"],
        output_price=values["output_price"],
    )
    if prices.find_price(known) is None:
        raise ModelPriceMissing(
            f"What {name} costs is not known, so no budget could hold. Enter both prices in US dollars for a million "
            "tokens; 0 if it is free."
        )


async def _record(tx: Tx, change: str, model_id: UUID, model: wire.Model) -> None:
    role = model.role.value if model.role else None
    await record(tx, EventType.SETTINGS_CHANGE, entity=(_ENTITY, model_id), change=change, model=model.name, role=role)
