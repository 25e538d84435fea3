"""`intelli models install`, `status` and `uninstall`, and what `intelli doctor` says of the model."""

import json
from pathlib import Path

import pytest
from tests.cli.process import intelli

from intelli.models.local.install_command import build_command


@pytest.fixture
def source(weights: Path, tmp_path: Path) -> Path:
    path = tmp_path / "own.gguf"
    path.symlink_to(weights)
    return path


def test_a_model_is_installed_shown_and_uninstalled(source: Path, tmp_path: Path):
    data = tmp_path / "data"
    made = intelli("models", "install", "--file", source, "--yes", "--data", data)
    assert made.code == 0, made.err
    assert "it was tried, and answers" in made.out
    assert "A small model on this machine. It phrases answers" in made.out
    assert "intelli models add" in made.out
    shown = intelli("models", "status", "--json", "--data", data).json
    assert shown["served"]["name"] == "own"
    assert shown["served"]["state"] == "stopped"
    assert shown["installed"][0]["sha256"]
    assert "It starts with `intelli serve`" in intelli("models", "status", "--data", data).out
    assert intelli("models", "uninstall", "own", "--json", "--data", data).json["uninstalled"] == "own"
    told = intelli("models", "status", "--data", data).out
    assert f"No model is installed. `intelli models install --data {data}` installs one." in told
    assert intelli("models", "uninstall", "own", "--data", data).code == 3


def test_json_is_all_that_is_written(source: Path, tmp_path: Path):
    made = intelli("models", "install", "mine", "--file", source, "--yes", "--json", "--data", tmp_path / "data")
    assert json.loads(made.out)["installed"]["name"] == "mine"


def test_without_a_name_one_is_recommended_and_without_a_terminal_it_has_to_be_confirmed(tmp_path: Path):
    told = intelli("models", "install", "--data", tmp_path)
    assert told.code == 2
    assert "Recommended: qwen2.5-coder-" in told.out
    assert "packed by an unknown account" in told.out
    assert "never installed or imported" in told.out
    assert "--yes" in told.err
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_name_is_refused_with_those_that_are_known(tmp_path: Path):
    told = intelli("models", "install", "gpt-9", "--yes", "--data", tmp_path)
    assert told.code == 3
    assert "Known are qwen2.5-coder-1.5b" in told.err


def test_the_doctor_tells_of_the_model(source: Path, tmp_path: Path):
    data = tmp_path / "data"
    intelli("models", "install", "--file", source, "--yes", "--data", data)
    findings = {each["name"]: each for each in intelli("doctor", "--json", "--data", data).json["findings"]}
    assert findings["local model"] == {"name": "local model", "status": "ok", "found": "own, stopped", "remedy": None}


def test_the_command_names_the_data_directory_where_it_is_not_the_usual_one():
    assert build_command(Path("~/.intelli").expanduser()) == "intelli models install"
    assert build_command(Path("/srv/my data")) == "intelli models install --data '/srv/my data'"
