"""Background job of models: tests what a model can do, and writes each thing as it is found."""

import asyncio
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from uuid import UUID

import structlog

from intelli.kit import clock, lazy_import
from intelli.kit.db import Tx
from intelli.kit.jobs import Job
from intelli.kit.work import TRANSIENT, LeaseLost, Work
from intelli.models import choice, start_test, store
from intelli.models.choice import ChosenModel
from intelli.models.offered import EndpointAddress
from intelli.models.ports import InstallationModels
from intelli.models.wire import Ability, AbilityState, Provider
from intelli.reasoning.errors import ReasoningFailed

if TYPE_CHECKING:
    from intelli.models.abilities import ModelTrial

_ATTEMPTS = 3
_LONGEST_S = 600.0
_LEAST_CONTEXT = 2_000
_TOO_LONG = (
    "The test took longer than ten minutes. The model may be too slow for this machine: try a smaller one, or test it "
    "again when less is going on."
)
_OURS = "Something went wrong on our side. Test the model again."
log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class _Tested:
    """The model under test, by whose address and name the test is kept."""

    chosen: ChosenModel
    provider: Provider

    @property
    def key(self) -> tuple[str, str]:
        return self.chosen.settings.base_url, self.chosen.settings.name or ""

    @property
    def address(self) -> EndpointAddress:
        return EndpointAddress(self.provider, self.chosen.settings.base_url, self.chosen.settings.api_key)


async def _test(work: Work, *, model_id: str | None) -> None:
    """The edge: a test ends with what was found or with the reason why it could not be made."""
    installation = work.part(InstallationModels)
    async with work.begin() as tx:
        tested = await _load(tx, installation, UUID(model_id) if model_id else None)
        if tested is None:
            return
        await store.restart_test(tx, *tested.key, start_test.waiting(), started_at=clock.now())
    try:
        problem = tested.chosen.problem or await _try_all(work, tested, installation)
    except LeaseLost:
        raise
    except Exception as error:
        if isinstance(error, TRANSIENT) and work.attempt + 1 < _ATTEMPTS:
            raise
        log.exception("model_test_failed", error=type(error).__name__)
        problem = _OURS
    if problem is not None:
        await _end_early(work, tested, problem)


async def _end_early(work: Work, tested: _Tested, problem: str) -> None:
    async with work.begin() as tx:
        row = (await store.list_tests(tx))[tested.key]
        found = [Ability.model_validate(each) for each in row.abilities]
        ended = start_test.end_early(found, problem, running=AbilityState.NO)
        await store.update_test(tx, *tested.key, {"finished_at": clock.now(), "problem": problem, "abilities": ended})


async def _load(tx: Tx, installation: InstallationModels, model_id: UUID | None) -> _Tested | None:
    """Return the model to test; None when it was removed meanwhile."""
    tests = await store.list_tests(tx)
    if model_id is None:
        found = choice.from_installation(installation, tests)
        return _Tested(_with_schema(found), Provider.COMPATIBLE) if found else None
    stored = await store.find_model(tx, model_id)
    if stored is None:
        return None
    chosen = choice.from_stored(tx, stored, installation, tests)
    return _Tested(_with_schema(chosen), Provider(stored.endpoint.provider))


def _with_schema(chosen: ChosenModel) -> ChosenModel:
    """Return the model as if nothing was known of it: whether it takes a schema is to be found out."""
    return replace(chosen, settings=chosen.settings.model_copy(update={"takes_schema": True}))


async def _try_all(work: Work, tested: _Tested, installation: InstallationModels) -> str | None:
    """Try all abilities in their order; return why the test could not be made, or None."""
    # Its client is slow to load: a server that tests no model does without.
    await lazy_import.load("intelli.models.abilities")
    from intelli.models.abilities import ModelTrial

    # The installation's own model may be anywhere: the operator has chosen it.
    allow_private = installation.allow_private or tested.chosen.model_id is None
    try:
        trial = ModelTrial(tested.chosen.settings, tested.address, allow_private=allow_private)
    except ReasoningFailed as failed:
        return failed.detail
    try:
        async with asyncio.timeout(_LONGEST_S):
            await _try_each(work, tested, trial)
    except ReasoningFailed as failed:
        return failed.detail
    except TimeoutError:
        return _TOO_LONG
    finally:
        await trial.close()
    return None


async def _try_each(work: Work, tested: _Tested, trial: "ModelTrial") -> None:
    found = [Ability.model_validate(each) for each in start_test.waiting()]
    for place, ability in enumerate(found):
        found[place] = ability.model_copy(update={"state": AbilityState.RUNNING})
        await _write(work, tested, trial, found)
        tried = await trial.steps[ability.name]()
        found[place] = Ability(name=ability.name, state=tried.state, detail=tried.detail)
    ended = {"shape": trial.shape, "takes_schema": trial.takes_schema, "finished_at": clock.now()}
    async with work.begin() as tx:
        await store.update_test(tx, *tested.key, {**_columns(trial, found), **ended})
        await _lower_context(tx, tested, trial)


async def _write(work: Work, tested: _Tested, trial: "ModelTrial", found: list[Ability]) -> None:
    async with work.begin() as tx:
        await store.update_test(tx, *tested.key, _columns(trial, found))


def _columns(trial: "ModelTrial", found: list[Ability]) -> dict[str, object]:
    return {"abilities": [each.model_dump(mode="json") for each in found], "first_word_s": trial.first_word_s}


async def _lower_context(tx: Tx, tested: _Tested, trial: "ModelTrial") -> None:
    """Lower what a model is given to read to what its endpoint serves: the rest would be cut off without a word."""
    settings, model_id = tested.chosen.settings, tested.chosen.model_id
    context = max(trial.context_tokens, _LEAST_CONTEXT)
    if model_id is not None and context < settings.context_tokens:
        output = min(settings.output_tokens, context // 4)
        await store.update_model(tx, model_id, context_tokens=context, output_tokens=output)


TEST = Job(name=start_test.TEST.name, queue=start_test.TEST.queue, run=_test, attempts=_ATTEMPTS)
