"""Settings of the product, composed of the models that rooms declare, with the source of every value.

Sources, in falling precedence: the command line, the environment, `intelli.toml` in the data directory, the default.
Only this module reads the environment. `load` only reads; `complete` also generates the secret key that a server needs.
"""

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import IntEnum
from pathlib import Path
from typing import Annotated, get_args

from pydantic import (
    AfterValidator,
    Field,
    SecretStr,
    ValidationError,
)
from pydantic_settings import BaseSettings, EnvSettingsSource, PydanticBaseSettingsSource, SettingsConfigDict

from intelli.citations.settings import EvidenceSettings
from intelli.content.settings import ContentSettings
from intelli.identity.settings import IdentitySettings
from intelli.identity.wire import RegistrationMode
from intelli.kit import keyfile, provenance, setting_types
from intelli.kit.compute.settings import ComputeSettings
from intelli.kit.errors import IntelliError
from intelli.kit.log import LogFormat, LogLevel
from intelli.kit.setting_types import SettingsGroup
from intelli.kit.settings import BlobSettings, HttpSettings, WorkerSettings
from intelli.library.settings import LibrarySettings
from intelli.memory.settings import MemorySettings
from intelli.reasoning import prices
from intelli.reasoning.errors import ModelRefused
from intelli.reasoning.model_settings import ModelSettings
from intelli.reasoning.settings import EmbeddingSettings, EntailmentSettings
from intelli.retrieval.settings import SearchSettings
from intelli.runs.settings import RunSettings

TOML_NAME = "intelli.toml"
SECRET_NAME = "secret.key"  # noqa: S105  # the name of the file
PREFIX = "INTELLI_"
_DELIMITER = "__"
_MASK = "********"
_COMMAND_LINE = "command line"
_GENERATED = f"generated ({SECRET_NAME})"
_NOT_SETTINGS = ("INTELLI_SKIP_UI", "INTELLI_TEST_")


class SettingsError(IntelliError):
    """The settings cannot be used; `problems` holds one readable line for each thing to put right."""

    code = "settings_invalid"
    title = "The settings are not valid"

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


class PostgresVersion(IntEnum):
    """The major versions that the embedded PostgreSQL comes in."""

    PG16 = 16
    PG18 = 18


def _check_price(model: ModelSettings) -> ModelSettings:
    if not model.name:
        return model
    try:
        prices.get_price(model)
    except ModelRefused as refused:
        raise ValueError(refused.detail) from None
    return model


class ServerSettings(SettingsGroup):
    """Where the server is reached, and where it keeps what it holds."""

    data: setting_types.DirectoryPath = Field(
        setting_types.DEFAULT_DATA,
        description="Directory that holds the embedded database, the blobs and intelli.toml.",
    )
    host: str = Field("127.0.0.1", description="Address the server listens on; 0.0.0.0 for all.")
    port: int = Field(8000, ge=0, le=65535, description="Port the server listens on; 0 picks a free one.")
    public_url: setting_types.HttpUrl | None = Field(
        None, description="Address people open in their browser; one with https marks cookies as secure."
    )
    trusted_proxies: Annotated[tuple[setting_types.Network, ...], setting_types.SEPARATED] = Field(
        (), description="Proxies whose X-Forwarded-For is believed: addresses or networks, separated by commas."
    )
    database_url: setting_types.PostgresUrl | None = Field(
        None,
        description="PostgreSQL to use (16 or later, with pgvector); empty runs the embedded one.",
    )
    database_admin_url: setting_types.PostgresUrl | None = Field(
        None, description="The same database as a role that may change the schema; empty uses database_url."
    )
    database_pool_size: int = Field(
        10,
        ge=1,
        le=1000,
        description="Database connections that the requests of one process may hold; its streams and jobs have others.",
    )
    streams_per_person: int = Field(
        64, ge=1, le=100_000, description="Live streams that one person may hold open at one server process."
    )
    postgres_version: PostgresVersion = Field(
        PostgresVersion.PG18, description="Version of the embedded PostgreSQL: 16 or 18."
    )
    blobs_url: setting_types.BlobsUrl | None = Field(
        None, description="Where file contents are kept, such as s3://bucket/prefix; empty uses the data directory."
    )
    blobs: BlobSettings = BlobSettings()

    @property
    def is_embedded(self) -> bool:
        """True when this installation runs its own PostgreSQL."""
        return self.database_url is None

    @property
    def blobs_location(self) -> str:
        """Return the URL of the blob store; by default a directory below `data`."""
        return self.blobs_url or (self.data / "blobs").as_uri()


class ClientSettings(SettingsGroup):
    """Another Intelli that commands talk to instead of this machine's."""

    server: setting_types.HttpUrl | None = Field(None, description="Address of a server that commands talk to.")
    key: SecretStr | None = Field(None, description="API key for that server.")


# The order in which settings are listed: the fields of the bases, last base first, then our own.
class Settings(IdentitySettings, ServerSettings, BaseSettings):
    """Everything that can be set. Made directly it holds what it is given; `load` fills it from all sources."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        env_nested_delimiter=_DELIMITER,
        enable_decoding=False,
        extra="forbid",
        frozen=True,
        validate_default=True,
    )

    json_limit_bytes: int = Field(1_048_576, ge=1024, description="Largest JSON body of a request, in bytes.")
    http: HttpSettings = HttpSettings()
    content: ContentSettings = ContentSettings()
    budget: RunSettings = RunSettings()
    evidence: EvidenceSettings = EvidenceSettings()
    model: Annotated[ModelSettings, AfterValidator(_check_price)] = ModelSettings()
    library: LibrarySettings = LibrarySettings()
    embedding: EmbeddingSettings = EmbeddingSettings()
    entailment: EntailmentSettings = EntailmentSettings()
    search: SearchSettings = SearchSettings()
    memory: MemorySettings = MemorySettings()
    worker: WorkerSettings = WorkerSettings()
    compute: ComputeSettings = ComputeSettings()
    client: ClientSettings = ClientSettings()
    log_format: LogFormat = Field(
        LogFormat.AUTO, description="Form of the log: json, console, or auto (console on a terminal)."
    )
    log_level: LogLevel = Field(
        LogLevel.INFO, description="Least severity that is logged: debug, info, warning or error."
    )
    otlp_endpoint: setting_types.HttpUrl | None = Field(
        None, description="OTLP/HTTP address that traces are sent to; empty sends none."
    )

    @classmethod
    def settings_customise_sources(  # noqa: PLR0917  # the library's signature
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Use only the values passed in: `load` reads the other sources itself, to record where a value came from."""
        return (init_settings,)

    @property
    def allows_private_endpoints(self) -> bool:
        """Return whether workspaces may connect models of this machine and its network.

        By default not where the server may be one of several, nor where strangers may make workspaces of their own.
        """
        allowed = self.model.private_endpoints
        if allowed is None:
            return self.is_embedded and self.registration is not RegistrationMode.OPEN
        return allowed

    @property
    def signing_key(self) -> bytes:
        """Return the secret key; raise SettingsError when there is none, which `complete` prevents."""
        if self.secret_key is None:
            raise SettingsError([_missing_secret_message()])
        return super().signing_key


@dataclass(frozen=True, slots=True)
class Loaded:
    """Effective settings, and the source of each value by dotted name."""

    settings: Settings
    sources: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class SettingLine:
    """One setting as `intelli config` displays it, with secrets masked."""

    name: str
    value_masked: str
    source: str
    description: str


def load(data: Path | None = None, overrides: Mapping[str, object] = {}) -> Loaded:
    """Load the settings from all sources; raise SettingsError listing all problems.

    `overrides` are values of the command line by dotted name; None means not given.
    """
    layers = [provenance.Layer(_COMMAND_LINE, {"data": data, **overrides}), _environment_layer()]
    known = dict(provenance.iter_fields(Settings))
    directory = provenance.merge(layers, known=known).values.get("data", setting_types.DEFAULT_DATA)
    merged = provenance.merge([*layers, _file_layer(setting_types.absolute(Path(str(directory))))], known=known)
    try:
        settings = Settings.model_validate(provenance.nest(merged.values))
    except ValidationError as error:
        secret = [name for name, info in known.items() if _is_secret(info.annotation)]
        raise SettingsError(merged.problems + provenance.explain(error, merged, secret=secret)) from None
    if merged.problems:
        raise SettingsError(merged.problems)
    return _add_stored_secret(Loaded(settings, {name: merged.origin(name) for name in known}))


def complete(loaded: Loaded) -> Loaded:
    """Ensure a secret key: generate and store it once when the database is embedded, else raise SettingsError."""
    if loaded.settings.secret_key is not None:
        return loaded
    if not loaded.settings.is_embedded:
        raise SettingsError([_missing_secret_message()])
    try:
        keyfile.generate(loaded.settings.data / SECRET_NAME)
    except OSError as error:
        raise SettingsError(
            [f"{loaded.settings.data} cannot be written: {error.strerror}. Choose another with --data."]
        ) from None
    return _add_stored_secret(loaded)


def environment_of_other_installation() -> dict[str, str]:
    """Return our environment without the variables that locate this installation, for a child that serves another."""
    ours = {variable(name) for name in ("data", "host", "port", "database_url", "database_admin_url", "blobs_url")}
    return {name: value for name, value in os.environ.items() if name not in ours}


def describe(loaded: Loaded) -> list[SettingLine]:
    """List every setting with its effective value, secrets masked, and its source."""
    flat = provenance.flatten(loaded.settings.model_dump())
    return [
        SettingLine(name, _display(flat[name]), loaded.sources[name], info.description or "")
        for name, info in provenance.iter_fields(Settings)
    ]


def reference() -> str:
    """Render the settings as a Markdown table: name, environment variable, default, meaning."""
    rows = [
        f"| `{name}` | `{variable(name)}` | {_code(_display(info.get_default()))} | {info.description} |"
        for name, info in provenance.iter_fields(Settings)
    ]
    return "\n".join(["| name | environment variable | default | meaning |", "|---|---|---|---|", *rows, ""])


def variable(name: str) -> str:
    """Return the environment variable of a dotted name (`http.keep_alive_s` → `INTELLI_HTTP__KEEP_ALIVE_S`)."""
    return PREFIX + name.replace(".", _DELIMITER).upper()


def _environment_layer() -> provenance.Layer:
    """Return known variables as pydantic-settings parses them, and unknown ones with our prefix, to be reported."""
    ours = {
        key.removeprefix(PREFIX).replace(_DELIMITER, ".").lower(): value
        for key, value in os.environ.items()
        if key.startswith(PREFIX) and not key.startswith(_NOT_SETTINGS)
    }
    known = provenance.flatten(EnvSettingsSource(Settings)())
    return provenance.Layer("environment", {**ours, **known}, spell=variable)


def _file_layer(directory: Path) -> provenance.Layer:
    path = directory / TOML_NAME
    try:
        given = provenance.flatten(tomllib.loads(path.read_text(encoding="utf-8")))
    except (FileNotFoundError, NotADirectoryError):
        given = {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError([f"{path} is not valid TOML: {error}."]) from None
    except OSError as error:
        raise SettingsError([f"{path} cannot be read: {error.strerror}. Check its permissions."]) from None
    if "data" in given:
        raise SettingsError(
            [f"data in {path}: the file is found through it. Use --data or {variable('data')} instead."]
        )
    return provenance.Layer(TOML_NAME, given)


def _is_secret(annotation: object) -> bool:
    return annotation is SecretStr or any(_is_secret(part) for part in get_args(annotation))


def _display(value: object) -> str:
    match value:
        case None | ():
            return "not set"
        case SecretStr():
            return _MASK
        case bool():
            return str(value).lower()
        case float():
            return f"{value:g}"
        case tuple():
            return ",".join(value)
        case _:
            return str(value)


def _code(text: str) -> str:
    return text if text == "not set" else f"`{text}`"


def _missing_secret_message() -> str:
    name, database = variable("secret_key"), variable("database_url")
    return f"{name} is missing. With {database} set, every server must be given the same one. {keyfile.HOW_TO_MAKE_ONE}"


def _add_stored_secret(loaded: Loaded) -> Loaded:
    """Add the key that an earlier start generated, when the database is embedded and no other key is given."""
    path = loaded.settings.data / SECRET_NAME
    if loaded.settings.secret_key is not None or not loaded.settings.is_embedded or not path.exists():
        return loaded
    try:
        secret = keyfile.read(path)
    except OSError as error:
        raise SettingsError([f"{path} cannot be read: {error.strerror}. Check its permissions."]) from None
    if not keyfile.is_strong(secret):
        raise SettingsError(
            [f"{path} is damaged. Restore it from a backup, or delete it: everyone then signs in again."]
        )
    settings = loaded.settings.model_copy(update={"secret_key": SecretStr(secret)})
    return replace(loaded, settings=settings, sources={**loaded.sources, "secret_key": _GENERATED})
