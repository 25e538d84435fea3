"""Ports of models: the model that the installation runs itself, and what it offers to all of its workspaces."""

from dataclasses import dataclass, field
from typing import Protocol

from intelli.models.wire import InstalledModel, Provider
from intelli.reasoning.model_settings import ModelSettings

LOOPBACK = "127.0.0.1"


class LocalModelSource(Protocol):
    """The model that this installation runs itself, if it has one."""

    def settings(self) -> ModelSettings | None:
        """Return how the model is asked; None without one, or while it cannot be asked."""

    def describe(self) -> InstalledModel | None:
        """Return what is installed and how it is; None without one."""


class NoLocalModel:
    """Source of an installation that runs no model."""

    def settings(self) -> ModelSettings | None:
        """Return None."""
        return None

    def describe(self) -> InstalledModel | None:
        """Return None."""
        return None


@dataclass(frozen=True, slots=True)
class ServerPlace:
    """Where a model server usually listens, and which one that is unless its answer tells."""

    port: int
    provider: Provider
    host: str = LOOPBACK


PLACES: tuple[ServerPlace, ...] = (
    ServerPlace(11434, Provider.OLLAMA),
    ServerPlace(1234, Provider.LM_STUDIO),
    ServerPlace(8080, Provider.LLAMA_CPP),
    ServerPlace(8000, Provider.VLLM),
)


@dataclass(frozen=True, slots=True)
class InstallationModels:
    """What the installation gives to all workspaces: the model of its settings, the one it runs, and its rules.

    `own_port` is where this server listens, which is no model server; `install_command` is what installs one on it.
    """

    settings: ModelSettings
    local: LocalModelSource = field(default_factory=NoLocalModel)
    allow_private: bool = False
    own_port: int = 0
    places: tuple[ServerPlace, ...] = PLACES
    install_command: str = "intelli models install"
