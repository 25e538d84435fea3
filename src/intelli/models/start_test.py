"""Start tests of models: the row shows at once what is to be tried, and a job does it."""

import hashlib
from collections.abc import Iterable
from uuid import UUID

from intelli.kit import clock
from intelli.kit.db import Tx
from intelli.kit.jobs import JobRef, Queue
from intelli.models import store
from intelli.models.choice import ChosenModel
from intelli.models.wire import Ability, AbilityName, AbilityState

_NOT_REACHED = "Not tried: the test ended before."
TEST = JobRef(name="models.test", queue=Queue.MAINTENANCE)


def waiting() -> list[store.Values]:
    """Return all abilities as they are before a test: waiting."""
    return [Ability(name=name, state=AbilityState.WAITING, detail="").model_dump(mode="json") for name in AbilityName]


def end_early(abilities: Iterable[Ability], reason: str, *, running: AbilityState) -> list[store.Values]:
    """Return the abilities of a test that ended before its end: nothing is at work any more, and why is told."""
    return [_end_early(each, reason, running).model_dump(mode="json") for each in abilities]


def _end_early(ability: Ability, reason: str, running: AbilityState) -> Ability:
    if ability.state is AbilityState.RUNNING:
        return ability.model_copy(update={"state": running, "detail": reason})
    if ability.state is AbilityState.WAITING:
        return ability.model_copy(update={"state": AbilityState.UNTRIED, "detail": _NOT_REACHED})
    return ability


async def start(tx: Tx, model_id: UUID, base_url: str, name: str) -> None:
    """Begin a test of a model of the workspace, again if it was tested before."""
    await store.restart_test(tx, base_url, name, waiting(), started_at=clock.now())
    await _defer(tx, base_url, name, model_id)


async def start_first(tx: Tx, chosen: ChosenModel) -> None:
    """Begin a test of a model of the installation unless another question has begun it; again if it failed."""
    base_url, name = chosen.settings.base_url, chosen.settings.name or ""
    if chosen.test is not None:
        await store.restart_test(tx, base_url, name, waiting(), started_at=clock.now())
    elif not await store.insert_test(tx, base_url, name, waiting()):
        return
    await _defer(tx, base_url, name, None)


async def _defer(tx: Tx, base_url: str, name: str, model_id: UUID | None) -> None:
    # One test of a model at a time: two would write into the same row.
    which = hashlib.sha256(f"{base_url}\0{name}".encode()).hexdigest()[:16]
    await tx.defer(TEST, key=f"models.test:{which}", model_id=str(model_id) if model_id else None)
