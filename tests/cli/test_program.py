"""The program itself: help, version, exit codes and error messages, without a database."""

import subprocess
import sys
from pathlib import Path
from typing import Any, get_args

import pytest
import typer
from tests.cli.process import intelli
from typer.main import get_command

from intelli.cli import error_exit, jobs
from intelli.cli.program import app
from intelli.kit.jobs import Queue
from intelli.kit.queue import JobStatus


def commands(command: Any, path: tuple[str, ...] = ()) -> list[tuple[tuple[str, ...], Any]]:
    inner = getattr(command, "commands", {})
    found = [(path, command)] if path and (not inner or command.invoke_without_command) else []
    return found + [one for name, child in inner.items() for one in commands(child, (*path, name))]


COMMANDS = commands(get_command(app))


def named(command: tuple[tuple[str, ...], Any]) -> str:
    return " ".join(command[0])


def test_the_program_has_every_command_that_is_promised() -> None:
    promised = {"serve", "worker", "db", "config", "doctor", "keys", "jobs", "verify", "users", "gc"}
    promised |= {"add", "ask", "research", "search", "reindex", "replay", "check", "recheck", "memory", "runs"}
    promised |= {"approvals", "models", "tables", "deliverables", "card"}
    assert {path[0] for path, _ in COMMANDS} == promised


@pytest.mark.parametrize("command", COMMANDS, ids=named)
def test_every_command_tells_what_it_does_and_speaks_json(command: tuple[tuple[str, ...], Any]) -> None:
    _, found = command
    assert (found.help or "").rstrip().endswith(".")
    options = {option: parameter for parameter in found.params for option in parameter.opts}
    assert {"--json", "--data"} <= set(options)
    unexplained = [name for name, parameter in options.items() if not getattr(parameter, "help", "")]
    assert unexplained == []


def test_the_choices_of_jobs_are_those_of_the_queue() -> None:
    assert set(get_args(jobs.StatusName)) == set(JobStatus)
    assert set(get_args(jobs.QueueName)) == set(Queue)


def test_help_names_the_commands() -> None:
    done = intelli("--help")
    assert done.code == 0
    assert "serve" in done.out


def test_the_command_line_is_read_without_the_database_library() -> None:
    heavy = "{'sqlalchemy', 'fastapi', 'pydantic', 'psycopg', 'alembic'}"
    code = f"import sys, intelli.cli; found = {heavy} & set(sys.modules); sys.exit(str(found) if found else 0)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr


def test_the_version_is_told() -> None:
    done = intelli("--version")
    assert (done.code, done.out) == (0, "intelli 0.1.0\n")


def test_an_unknown_command_suggests_the_one_that_was_meant() -> None:
    done = intelli("docter")
    assert done.code == 2
    assert "Did you mean 'doctor'?" in done.err
    assert done.out == ""


def test_an_unknown_setting_suggests_the_one_that_was_meant(tmp_path: Path) -> None:
    done = intelli("config", "--data", tmp_path, env={"INTELLI_PROT": "1"})
    assert done.code == 2
    assert "Did you mean INTELLI_PORT?" in done.err
    assert "Traceback" not in done.err


def test_secrets_are_masked_and_every_value_names_its_source(tmp_path: Path) -> None:
    secret = "s3cret-" * 8
    (tmp_path / "intelli.toml").write_text("port = 8123\n")
    env = {"INTELLI_SECRET_KEY": secret, "INTELLI_DATABASE_URL": "postgresql://me:hush@db.example.org/intelli"}
    done = intelli("config", "--data", tmp_path, "--json", env=env)
    lines = {line["name"]: line for line in done.json}
    assert (lines["port"]["value"], lines["port"]["source"]) == ("8123", "intelli.toml")
    assert lines["secret_key"] == {
        "name": "secret_key",
        "value": "********",
        "source": "environment (INTELLI_SECRET_KEY)",
    }
    assert lines["data"]["source"] == "command line"
    human = intelli("config", "--data", tmp_path, env=env)
    for text in (done.out, human.out):
        assert secret not in text
        assert "hush" not in text


def test_options_may_stand_before_the_command(tmp_path: Path) -> None:
    before = intelli("--data", tmp_path, "--json", "config", "path")
    after = intelli("config", "path", "--data", tmp_path, "--json")
    between = intelli("config", "--data", tmp_path, "--json", "path")
    assert before.json == after.json == between.json == {"path": str(tmp_path / "intelli.toml"), "exists": False}


@pytest.mark.parametrize(
    "command",
    [
        ("jobs", "list"),
        ("users", "list"),
        ("verify",),
        ("db", "check"),
        ("worker",),
        ("keys", "list", "--email", "a@b.c"),
    ],
    ids=" ".join,
)
def test_a_command_makes_no_database_by_the_way(command: tuple[str, ...], tmp_path: Path) -> None:
    done = intelli(*command, "--data", tmp_path / "data")
    assert done.code == 3
    assert "Run `intelli serve` first" in done.err
    assert not (tmp_path / "data" / "postgres").exists()


def test_a_database_that_does_not_answer_is_told_with_an_exit_code_of_its_own(tmp_path: Path) -> None:
    env = {"INTELLI_DATABASE_URL": "postgresql://me:hush@127.0.0.1:1/intelli"}
    done = intelli("db", "current", "--data", tmp_path, env=env)
    assert done.code == 75
    assert "cannot be reached" in done.err
    assert "hush" not in done.err
    assert "Traceback" not in done.err


def test_without_a_terminal_nothing_is_coloured(tmp_path: Path) -> None:
    assert "\x1b" not in intelli("config", "--data", tmp_path).out


def test_a_fault_of_ours_shows_where_it_happened_and_how_to_report_it(capsys: pytest.CaptureFixture[str]) -> None:
    broken = typer.Typer(pretty_exceptions_enable=False)

    @broken.command()
    def fail() -> None:
        raise ZeroDivisionError

    assert error_exit.guard(lambda: broken([])) == error_exit.ExitCode.FAULT
    told = capsys.readouterr().err
    assert "ZeroDivisionError" in told
    assert "Please report it" in told
