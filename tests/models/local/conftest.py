"""The smallest real model, downloaded once for each environment by the product's own code."""

import fcntl
import sys
from pathlib import Path

import pytest
from tests.models.local.servers import accept

from intelli.models.local.folder import ModelsFolder
from intelli.models.local.hub import ModelHub
from intelli.models.local.install import install, plan_by_name

NAME = "smollm2-135m"


@pytest.fixture(scope="session")
def weights() -> Path:
    """Its GGUF file, kept beside the environment; test processes that come second wait for the first."""
    cache = ModelsFolder(Path(sys.prefix))
    hub = ModelHub("https://hub.invalid")
    with (Path(sys.prefix) / "models.lock").open("w") as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        install(plan_by_name(NAME, hub), cache, hub=hub, on_progress=lambda *_: None, try_model=accept)
    return cache.path / f"{NAME}.gguf"


@pytest.fixture(scope="module")
def data(weights: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory in which the model is installed, for all tests of a module."""
    return furnish(tmp_path_factory.mktemp("data"), weights)


@pytest.fixture
def own_data(weights: Path, tmp_path: Path) -> Path:
    """A data directory in which the model is installed, for one test."""
    return furnish(tmp_path, weights)


def furnish(data: Path, weights: Path) -> Path:
    """Install the model into a data directory without a copy of its file."""
    folder = ModelsFolder(data)
    folder.path.mkdir()
    model = plan_by_name(NAME, ModelHub("https://hub.invalid")).model
    (folder.path / model.file).symlink_to(weights)
    folder.add(model)
    return data
