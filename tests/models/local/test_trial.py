"""A model is served once it was loaded and has answered: one that does neither leaves what was installed as it is."""

import resource
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from tests.cli.process import intelli
from tests.models.local.servers import PATIENCE_S, accept, find_children, supervised, until
from tests.models.local.wheels import HEAD, HUB
from tests.support.forks import Fork

from intelli.models.local.errors import MachineTooSmall, ModelFileRefused, ModelNotFetched
from intelli.models.local.folder import InstalledFile, ModelsFolder
from intelli.models.local.install import install, plan_file
from intelli.models.local.lease import ServerState
from intelli.models.local.trial import try_model


@pytest.fixture
def torn(weights: Path, tmp_path: Path) -> Path:
    """A file that begins as a model does, and has the name of the one that is installed."""
    path = tmp_path / "elsewhere" / "smollm2-135m.gguf"
    path.parent.mkdir()
    path.write_bytes(weights.read_bytes()[:1_000_000])
    return path


def _install(path: Path, data: Path) -> InstalledFile:
    return install(plan_file(path), ModelsFolder(data), hub=HUB, on_progress=lambda *_: None, try_model=try_model)


async def test_a_torn_file_displaces_no_model_that_works(own_data: Path, torn: Path):
    folder = ModelsFolder(own_data)
    before = folder.find_served()
    async with supervised(own_data) as server:
        assert await server.wait_ready(PATIENCE_S), server.describe()
        (child,) = find_children()
        told = intelli("models", "install", "--file", torn, "--yes", "--data", own_data)
        assert told.code != 0
        assert "could not be loaded" in told.err
        assert "smollm2-135m stays the model that is served" in told.err
        assert folder.find_served() == before
        assert find_children() == [child], "the server was left alone"
        described = server.describe()
        assert described is not None
        assert described.state == ServerState.READY
    assert {path.name for path in folder.path.glob("*.gguf*")} == {"smollm2-135m.gguf"}


async def test_a_model_that_answers_takes_over_and_its_namesake_goes(own_data: Path, weights: Path, tmp_path: Path):
    folder = ModelsFolder(own_data)
    another = _write(tmp_path / "elsewhere.gguf", weights.read_bytes() + b"padding")  # noqa: ASYNC240  # once
    async with supervised(own_data) as server:
        assert await server.wait_ready(PATIENCE_S), server.describe()
        told = intelli("models", "install", "smollm2-135m", "--file", another, "--yes", "--data", own_data)
        assert told.code == 0, told.err
        served = folder.find_served()
        assert served is not None
        assert served.file != "smollm2-135m.gguf"
        await until(lambda: len(folder.list_installed()) == 1 and server.describe() is not None)
        assert await server.wait_ready(PATIENCE_S), server.describe()
    assert [path.name for path in folder.path.glob("*.gguf*")] == [served.file]


def test_a_first_model_that_cannot_be_loaded_is_not_installed(tmp_path: Path):
    source = tmp_path / "own.gguf"
    source.write_bytes(HEAD + b"weights")
    with pytest.raises(ModelFileRefused, match="No model is installed"):
        _install(source, tmp_path)
    assert ModelsFolder(tmp_path).find_served() is None
    assert list((tmp_path / "models").glob("*.gguf*")) == []


def test_a_model_is_not_tried_without_the_memory_that_it_needs(own_data: Path):
    model = ModelsFolder(own_data).find_served()
    assert model is not None
    with pytest.raises(MachineTooSmall, match=r"of free memory.*(?s:.)*What was fetched is kept"):
        try_model(replace(model, memory_bytes=10**15), ModelsFolder(own_data))


def test_a_disk_that_has_no_room_left_is_told_and_the_model_before_stays(tmp_path: Path):
    folder, log = ModelsFolder(tmp_path), tmp_path / "log"
    _install_any(_write(tmp_path / "before.gguf", HEAD), tmp_path)
    large = _write(tmp_path / "large.gguf", HEAD + bytes(3_000_000))
    process = Fork(_install_on_a_full_disk, large, tmp_path, log=log)
    process.wait()
    assert "cannot be written: File too large" in log.read_text()
    assert [each.name for each in folder.list_installed()] == ["before"]
    assert _install_any(large, tmp_path).name == "large", "it goes on once there is room"


def _install_any(path: Path, data: Path) -> InstalledFile:
    return install(plan_file(path), ModelsFolder(data), hub=HUB, on_progress=lambda *_: None, try_model=accept)


def _write(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


def _install_on_a_full_disk(source: Path, data: Path) -> None:
    """A limit on the size of files fails a write as a full disk does, in the middle of it."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (2_000_000, resource.RLIM_INFINITY))
    try:
        _install_any(source, data)
    except ModelNotFetched as error:
        sys.stderr.write(error.detail)
