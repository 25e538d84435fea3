"""Wire models of language models: the JSON of requests and responses."""

from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import Annotated
from uuid import UUID

from pydantic import ConfigDict, Field, SecretStr, StringConstraints

from intelli.kit.wire import Request, Wire

ModelName = Annotated[str, StringConstraints(min_length=1, max_length=200, strip_whitespace=True)]
Address = Annotated[str, StringConstraints(min_length=1, max_length=500, strip_whitespace=True)]
Price = Annotated[Decimal, Field(ge=0, le=100_000)]


class Provider(StrEnum):
    """Who serves a model. `local` is the server that Intelli runs itself; `compatible` is any other endpoint."""

    OPENAI = "openai"
    AZURE = "azure"
    ANTHROPIC = "anthropic"
    GEMINI = "gemini"
    MISTRAL = "mistral"
    OPENROUTER = "openrouter"
    OLLAMA = "ollama"
    LM_STUDIO = "lm_studio"
    LLAMA_CPP = "llama_cpp"
    VLLM = "vllm"
    LOCAL = "local"
    COMPATIBLE = "compatible"


class ModelRole(StrEnum):
    """What a model is used for: `thinking` understands, answers and judges; `small` takes notes and finds titles."""

    THINKING = "thinking"
    SMALL = "small"


class Origin(StrEnum):
    """Where the model in use was chosen: in the workspace, in the server's settings, or as the installed one."""

    WORKSPACE = "workspace"
    SETTINGS = "settings"
    INSTALLED = "installed"


class AbilityName(StrEnum):
    """What a test tries, in this order."""

    CHAT = "chat"
    STREAMING = "streaming"
    SCHEMA = "schema"
    TOOLS = "tools"
    LENGTH = "length"
    LANGUAGE = "language"
    CITING = "citing"


class AbilityState(StrEnum):
    """How a test of an ability ended; `running` and `waiting` while it goes on.

    `unknown`: it cannot be found out. `untried`: the test ended before.
    """

    WAITING = "waiting"
    RUNNING = "running"
    YES = "yes"
    PARTLY = "partly"
    NO = "no"
    UNKNOWN = "unknown"
    UNTRIED = "untried"


class PromptShape(StrEnum):
    """How a model is asked: with all rules in one prompt, or with one short task at a time."""

    FULL = "full"
    SHORT = "short"


class Ability(Wire):
    """One thing that a test tried, how it ended, and what that means, in a sentence for people."""

    name: AbilityName
    state: AbilityState
    detail: str = Field(examples=["Replies hold to a JSON schema."])


class ModelTest(Wire):
    """The last test of a model. `problem` says why it could not be made, with the remedy."""

    started_at: datetime
    finished_at: datetime | None
    abilities: list[Ability]
    shape: PromptShape | None = Field(description="Null until the test has ended.")
    problem: str | None
    first_word_s: float | None = Field(description="Seconds until the first word of a short reply.")


class Model(Wire):
    """A model of the workspace."""

    id: UUID
    endpoint_id: UUID
    name: str
    role: ModelRole | None
    context_tokens: int
    output_tokens: int
    timeout_s: float
    input_price: Decimal | None = Field(description="US dollars for a million tokens read; null where unknown.")
    output_price: Decimal | None
    test: ModelTest | None
    version: int
    created_at: datetime


class Endpoint(Wire):
    """Address of a provider, and whether a key is kept for it. The key itself is never given back."""

    id: UUID
    provider: Provider
    base_url: str
    key_hint: str | None = Field(description="The last characters of the key, such as “…h7Qe”; null without a key.")
    version: int
    created_at: datetime
    models: list[Model]


class ModelInUse(Wire):
    """A model that is chosen to answer. `problem` says why it may not: its last test failed, or its key is lost."""

    origin: Origin
    name: str
    base_url: str
    model_id: UUID | None = Field(description="Set where the workspace chose it.")
    shape: PromptShape
    is_tested: bool
    problem: str | None = Field(description="Until the model answers, answers are made without one.")


class InstalledModel(Wire):
    """The model that this installation runs itself."""

    name: str
    title: str
    licence: str
    size_bytes: int
    state: str = Field(examples=["starting", "ready", "failed", "stopped"])
    problem: str | None


class Models(Wire):
    """All that is known of a workspace's models. `thinking` is null where answers are made without a model.

    `install_command` is what installs a small model on the server, told to admins.
    """

    thinking: ModelInUse | None
    small: ModelInUse | None
    installed: InstalledModel | None
    endpoints: list[Endpoint]
    install_command: str | None = Field(examples=["intelli models install"])


class OfferedModel(Wire):
    """A model that an endpoint offers."""

    name: str
    context_tokens: int | None


class FoundServer(Wire):
    """A model server that answers on this machine."""

    provider: Provider
    base_url: str
    models: list[OfferedModel]
    endpoint_id: UUID | None = Field(description="Set where the workspace is connected to it already.")


class FoundServers(Wire):
    """The servers that were found, and where was looked."""

    items: list[FoundServer]
    looked_at: list[str]


class ProviderPreset(Wire):
    """A provider that is known by name: where its endpoint is, and whether it needs a key."""

    provider: Provider
    title: str
    base_url: str | None = Field(description="Null where it is each customer's own.")
    needs_key: bool
    hint: str = Field(description="What to enter, and where it is found.")


class NewEndpoint(Request):
    """Connect a provider. The endpoint is asked for its models before anything is kept."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"provider": "ollama", "base_url": "http://127.0.0.1:11434/v1"}]}
    )

    provider: Provider = Provider.COMPATIBLE
    base_url: Address | None = Field(None, description="Empty takes the provider's own.")
    api_key: SecretStr | None = None


class ChangeEndpoint(Request):
    """Another address or key. A key of null removes the one that is kept; leave it out to keep it."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"api_key": "sk-another", "expected_version": 1}]})

    base_url: Address | None = None
    api_key: SecretStr | None = None
    expected_version: int


class NewModel(Request):
    """Add a model of an endpoint; it is tested at once. What is left out is taken from the endpoint or a default."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"endpoint_id": "0198c0de-0000-7000-8000-000000000000", "name": "gpt-4o-mini", "role": "thinking"}
            ]
        }
    )

    endpoint_id: UUID
    name: ModelName
    role: ModelRole | None = None
    context_tokens: Annotated[int, Field(ge=2_000, le=10_000_000)] | None = None
    output_tokens: Annotated[int, Field(ge=100, le=1_000_000)] | None = None
    timeout_s: Annotated[float, Field(gt=0, le=3600)] | None = None
    input_price: Price | None = None
    output_price: Price | None = None


class ChangeModel(Request):
    """Change a model. A role that it gets is taken from the model that had it; null takes its role away.

    A model whose last test failed gets a role only with `even_if_failed`.
    """

    model_config = ConfigDict(json_schema_extra={"examples": [{"role": "thinking", "expected_version": 1}]})

    role: ModelRole | None = None
    even_if_failed: bool | None = None
    context_tokens: Annotated[int, Field(ge=2_000, le=10_000_000)] | None = None
    output_tokens: Annotated[int, Field(ge=100, le=1_000_000)] | None = None
    timeout_s: Annotated[float, Field(gt=0, le=3600)] | None = None
    input_price: Price | None = None
    output_price: Price | None = None
    expected_version: int
