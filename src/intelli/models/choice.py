"""Choice of the models that a workspace thinks with: its own, else that of the settings, else the installed one."""

from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from pydantic import SecretStr

from intelli.kit import clock
from intelli.kit.db import Tx
from intelli.models import keys, providers, store
from intelli.models.errors import ModelKeyUnreadable
from intelli.models.ports import InstallationModels
from intelli.models.store import StoredModel
from intelli.models.tables import ModelTest
from intelli.models.wire import ModelInUse, ModelRole, Origin, PromptShape, Provider
from intelli.reasoning.model_settings import ModelSettings

_TESTED_AGAIN = timedelta(minutes=2)
_UNTESTED = {
    Origin.WORKSPACE: PromptShape.FULL,
    Origin.SETTINGS: PromptShape.FULL,
    Origin.INSTALLED: PromptShape.SHORT,
}


def find_failure(test: ModelTest | None) -> str | None:
    """Return why a test has ended without being made, so that the model would not answer; None where it has not."""
    return test.problem if test is not None and test.finished_at is not None else None


@dataclass(frozen=True, slots=True)
class ChosenModel:
    """A model in use and how it is asked. `problem` says why it cannot be asked; then the settings have no key."""

    origin: Origin
    settings: ModelSettings
    test: ModelTest | None
    model_id: UUID | None = None
    problem: str | None = None

    @property
    def shape(self) -> PromptShape:
        """How the model is asked: as the settings say, or its last test showed, else by where it was chosen."""
        if self.settings.shape != "auto":
            return PromptShape(self.settings.shape)
        shape = self.test.shape if self.test is not None else None
        return PromptShape(shape) if shape else _UNTESTED[self.origin]

    @property
    def is_to_be_tested(self) -> bool:
        """True for a model of the installation of which nobody knows yet how it is to be asked.

        One whose test failed may answer by now, and nobody can begin its test by hand.
        """
        if self.origin is Origin.WORKSPACE or self.settings.shape != "auto":
            return False
        if self.test is None:
            return True
        return find_failure(self.test) is not None and clock.now() - self.test.started_at > _TESTED_AGAIN

    def describe(self) -> ModelInUse:
        """Return the model as it is shown."""
        return ModelInUse(
            origin=self.origin,
            name=self.settings.name or "",
            base_url=self.settings.base_url,
            model_id=self.model_id,
            shape=self.shape,
            is_tested=self.test is not None and self.test.shape is not None,
            problem=self.problem or find_failure(self.test),
        )


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """The models of a workspace: one for thinking, None where answers are made without one, and a small one."""

    thinking: ChosenModel | None
    small: ChosenModel | None = None


async def choose(tx: Tx, installation: InstallationModels) -> ModelChoice:
    """Choose the models of the transaction's workspace."""
    tests = await store.list_tests(tx)
    chosen = await store.list_chosen(tx)
    own = {role: from_stored(tx, stored, installation, tests) for role, stored in chosen.items()}
    thinking = own.get(ModelRole.THINKING) or from_installation(installation, tests)
    return ModelChoice(thinking, own.get(ModelRole.SMALL) if thinking is not None else None)


Tests = dict[tuple[str, str], ModelTest]


def from_stored(tx: Tx, stored: StoredModel, installation: InstallationModels, tests: Tests) -> ChosenModel:
    """Return a model of the workspace with its key; one whose key cannot be read has a problem instead."""
    model, endpoint = stored.model, stored.endpoint
    test = tests.get((endpoint.base_url, model.name))
    key, problem = None, None
    try:
        key = keys.decrypt(endpoint.api_key, tx.secret) if endpoint.api_key else None
    except ModelKeyUnreadable as unreadable:
        problem = unreadable.detail
    settings = build_settings(stored, key, installation, takes_schema=test is None or test.takes_schema)
    return ChosenModel(Origin.WORKSPACE, settings, test, model.id, problem)


def build_settings(
    stored: StoredModel, key: SecretStr | None, installation: InstallationModels, *, takes_schema: bool = True
) -> ModelSettings:
    """Build the settings of a model of the workspace."""
    model, endpoint = stored.model, stored.endpoint
    return ModelSettings(
        name=model.name,
        base_url=endpoint.base_url,
        api_key=key,
        timeout_s=model.timeout_s,
        concurrency=model.concurrency,
        output_tokens=model.output_tokens,
        context_tokens=model.context_tokens,
        input_price=model.input_price,
        output_price=model.output_price,
        is_of_workspace=True,
        is_guarded=not installation.allow_private,
        takes_schema=takes_schema,
        key_header=providers.KEY_HEADERS.get(Provider(endpoint.provider)),
    )


def from_installation(installation: InstallationModels, tests: Tests) -> ChosenModel | None:
    """Return the model of the settings, else the installed one; None where there is neither."""
    local = installation.local.settings()
    if installation.settings.name:
        origin, settings = Origin.SETTINGS, installation.settings
    elif local is not None:
        origin, settings = Origin.INSTALLED, local
    else:
        return None
    test = tests.get((settings.base_url, settings.name or ""))
    if test is not None and not test.takes_schema:
        settings = settings.model_copy(update={"takes_schema": False})
    return ChosenModel(origin, settings, test)
