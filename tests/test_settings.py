"""Settings: every source, every refusal, every provenance."""

import os
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from pydantic import SecretStr
from pydantic.fields import FieldInfo

from intelli import settings
from intelli.identity.wire import RegistrationMode
from intelli.kit import provenance
from intelli.kit.jobs import Queue
from intelli.settings import Settings, SettingsError

DATABASE_URL = "postgresql://intelli:hunter2@db.example.org/intelli"
STRONG = "s" * 32


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in [name for name in os.environ if name.startswith("INTELLI_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))


@pytest.fixture
def data(tmp_path: Path) -> Path:
    directory = tmp_path / "data"
    directory.mkdir()
    return directory


def write_toml(data: Path, text: str) -> None:
    (data / "intelli.toml").write_text(text, encoding="utf-8")


def problems_of(data: Path, **overrides: object) -> list[str]:
    with pytest.raises(SettingsError) as refusal:
        settings.load(data, overrides)
    return refusal.value.problems


def test_with_nothing_given_everything_has_a_default(tmp_path: Path) -> None:
    loaded = settings.load()

    assert loaded.settings.data == tmp_path / "home" / ".intelli"
    assert (loaded.settings.host, loaded.settings.port) == ("127.0.0.1", 8000)
    assert loaded.settings.is_embedded
    assert loaded.settings.registration is RegistrationMode.INVITE
    assert loaded.settings.worker.queues == tuple(Queue)
    assert set(loaded.sources.values()) == {"default"}


def test_reading_the_settings_creates_nothing(tmp_path: Path) -> None:
    settings.load(tmp_path / "new")
    assert list(tmp_path.iterdir()) == []


def test_the_command_line_lies_over_the_environment_over_the_file(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_toml(data, 'host = "file"\nport = 1\npublic_url = "https://file.example.org/"\n[worker]\nconcurrency = 1\n')
    monkeypatch.setenv("INTELLI_HOST", "environment")
    monkeypatch.setenv("INTELLI_PORT", "2")
    monkeypatch.setenv("INTELLI_WORKER__STALL_S", "20")
    loaded = settings.load(data, {"port": 3, "worker.heartbeat_s": 2, "log_level": None})

    effective = loaded.settings
    assert (effective.public_url, effective.host, effective.port) == ("https://file.example.org", "environment", 3)
    assert (effective.worker.concurrency, effective.worker.stall_s, effective.worker.heartbeat_s) == (1, 20, 2)
    assert loaded.sources["public_url"] == "intelli.toml"
    assert loaded.sources["host"] == "environment (INTELLI_HOST)"
    assert loaded.sources["port"] == "command line"
    assert loaded.sources["worker.stall_s"] == "environment (INTELLI_WORKER__STALL_S)"
    assert loaded.sources["log_level"] == "default"


def test_the_data_directory_of_the_environment_is_where_the_file_is_read(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_toml(data, "port = 4711")
    monkeypatch.setenv("INTELLI_DATA", str(data))
    loaded = settings.load()

    assert loaded.settings.port == 4711
    assert loaded.sources["data"] == "environment (INTELLI_DATA)"


def test_lists_are_written_with_commas_or_as_lists(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INTELLI_WORKER__QUEUES", "runs, index")
    write_toml(data, 'trusted_proxies = ["10.0.0.1", "fd00::/8"]')
    loaded = settings.load(data)

    assert loaded.settings.worker.queues == (Queue.RUNS, Queue.INDEX)
    assert loaded.settings.trusted_proxies == ("10.0.0.1/32", "fd00::/8")


@pytest.mark.parametrize(
    ("variable", "suggestion"),
    [
        ("INTELLI_PROT", "INTELLI_PORT"),
        ("INTELLI_WORKER__CONCURENCY", "INTELLI_WORKER__CONCURRENCY"),
        ("INTELLI_DATABASEURL", "INTELLI_DATABASE_URL"),
    ],
)
def test_an_unknown_variable_is_named_with_a_suggestion(
    data: Path, monkeypatch: pytest.MonkeyPatch, variable: str, suggestion: str
) -> None:
    monkeypatch.setenv(variable, "1")
    (problem,) = problems_of(data)

    assert problem == f"{variable} in environment: there is no such setting. Did you mean {suggestion}?"


def test_an_unknown_key_of_the_file_is_named_with_a_suggestion(data: Path) -> None:
    write_toml(data, "prot = 1\n[worker]\nconcurency = 2\n[zzz]\nyyy = 1\n")

    assert problems_of(data) == [
        "prot in intelli.toml: there is no such setting. Did you mean port?",
        "worker.concurency in intelli.toml: there is no such setting. Did you mean worker.concurrency?",
        "zzz.yyy in intelli.toml: there is no such setting. Remove it, or see `intelli config` for the known names.",
    ]


def test_a_group_given_as_one_value_is_pointed_to_its_parts(data: Path) -> None:
    write_toml(data, "blobs = 3\n")
    (problem,) = problems_of(data)
    assert "Did you mean blobs" in problem


def test_variables_of_the_build_and_of_tests_are_no_settings(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INTELLI_SKIP_UI", "1")
    monkeypatch.setenv("INTELLI_TEST_POSTGRES", "16")
    settings.load(data)


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("port", "http", "a valid integer"),
        ("port", "70000", "less than or equal to 65535"),
        ("registration", "maybe", "'invite', 'open' or 'closed'"),
        ("postgres_version", "17", "16 or 18"),
        ("public_url", "intelli.example.org", "https://"),
        ("trusted_proxies", "everyone", "10.0.0.0/8"),
        ("blobs_url", "ftp://x", "s3://bucket/prefix"),
        ("worker.queues", "runs,nonsense", "'maintenance'"),
        ("worker.concurrency", "0", "greater than or equal to 1"),
    ],
)
def test_a_wrong_value_is_told_with_its_name_its_source_and_what_would_be_right(
    data: Path, monkeypatch: pytest.MonkeyPatch, *, name: str, value: str, expected: str
) -> None:
    monkeypatch.setenv(settings.variable(name), value)
    (problem,) = problems_of(data)

    assert problem.startswith(f"{name} = '{value}', set by environment ({settings.variable(name)}): ")
    assert expected in problem
    assert "pydantic" not in problem


def test_a_heartbeat_slower_than_its_limit_is_refused(data: Path) -> None:
    (problem,) = problems_of(data, **{"worker.stall_s": 5, "worker.heartbeat_s": 5})
    assert "worker.stall_s must be at least twice worker.heartbeat_s" in problem


def test_all_problems_are_told_at_once(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INTELLI_PROT", "1")
    monkeypatch.setenv("INTELLI_PORT", "x")
    write_toml(data, 'registration = "x"')
    assert len(problems_of(data)) == 3


@pytest.mark.parametrize("name", ["secret_key", "database_url", "database_admin_url"])
def test_no_message_and_no_description_shows_a_secret(data: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv(settings.variable(name), "mysql://hunter2")
    assert "hunter2" not in str(problems_of(data))

    monkeypatch.setenv(settings.variable("secret_key"), STRONG + "hunter2")
    monkeypatch.setenv(settings.variable("blobs.secret_access_key"), "hunter2")
    monkeypatch.setenv(settings.variable("database_url"), DATABASE_URL)
    monkeypatch.setenv(settings.variable("database_admin_url"), DATABASE_URL)
    loaded = settings.load(data)
    lines = {line.name: line for line in settings.describe(loaded)}
    assert "hunter2" not in repr(lines) + repr(loaded)
    assert lines[name].value_masked == "********"


def test_a_file_that_is_no_toml_says_where_it_is_broken(data: Path) -> None:
    write_toml(data, "host = 'a'\nport = \n")
    (problem,) = problems_of(data)
    assert str(data / "intelli.toml") in problem
    assert "line 2" in problem


def test_the_file_cannot_move_the_directory_it_lies_in(data: Path) -> None:
    write_toml(data, 'data = "/elsewhere"')
    (problem,) = problems_of(data)
    assert "INTELLI_DATA" in problem


def test_the_first_embedded_start_makes_a_private_key_that_later_starts_keep(data: Path) -> None:
    assert settings.load(data).settings.secret_key is None
    first = settings.complete(settings.load(data))
    again = settings.load(data)

    assert len(first.settings.signing_key) >= 32
    assert again.settings.signing_key == first.settings.signing_key
    assert again.sources["secret_key"] == "generated (secret.key)"
    assert stat.S_IMODE((data / "secret.key").stat().st_mode) == 0o600
    assert [path.name for path in data.iterdir()] == ["secret.key"]


def test_first_starts_at_the_same_moment_agree_on_one_key(data: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        keys = set(pool.map(lambda _: settings.complete(settings.load(data)).settings.signing_key, range(32)))
    assert len(keys) == 1


def test_a_given_key_is_used_and_none_is_generated(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INTELLI_SECRET_KEY", STRONG)
    loaded = settings.complete(settings.load(data))

    assert loaded.settings.signing_key == STRONG.encode()
    assert list(data.iterdir()) == []


@pytest.mark.parametrize("given", [None, "", "   "])
def test_with_a_database_of_its_own_a_missing_or_empty_key_stops_the_start(
    data: Path, monkeypatch: pytest.MonkeyPatch, given: str | None
) -> None:
    settings.complete(settings.load(data))
    monkeypatch.setenv("INTELLI_DATABASE_URL", DATABASE_URL)
    if given is not None:
        monkeypatch.setenv("INTELLI_SECRET_KEY", given)

    with pytest.raises(SettingsError, match=r"INTELLI_SECRET_KEY is missing.*token_urlsafe"):
        settings.complete(settings.load(data))
    with pytest.raises(SettingsError, match="INTELLI_SECRET_KEY is missing"):
        _ = settings.load(data).settings.signing_key


def test_an_empty_key_in_the_file_counts_as_missing_too(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_toml(data, 'secret_key = ""')
    monkeypatch.setenv("INTELLI_DATABASE_URL", DATABASE_URL)
    with pytest.raises(SettingsError, match="is missing"):
        settings.complete(settings.load(data))


def test_a_short_key_is_refused_with_the_way_to_make_one(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INTELLI_SECRET_KEY", "s" * 31)
    (problem,) = problems_of(data)
    assert "at least 32 bytes" in problem
    assert "token_urlsafe" in problem


def test_a_damaged_key_file_is_told_and_not_replaced(data: Path) -> None:
    (data / "secret.key").write_text("half", encoding="ascii")
    (problem,) = problems_of(data)
    assert "damaged" in problem
    assert (data / "secret.key").read_text(encoding="ascii") == "half"


def test_a_directory_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(SettingsError, match="--data"):
        settings.complete(settings.load(tmp_path / "file" / "data"))


def test_settings_made_directly_read_nothing_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INTELLI_PORT", "1")
    assert Settings(secret_key=SecretStr(STRONG)).port == 8000


def test_blobs_lie_in_the_data_directory_unless_told_otherwise(data: Path) -> None:
    assert settings.load(data).settings.blobs_location == (data / "blobs").as_uri()
    assert settings.load(data, {"blobs_url": "s3://bucket/x"}).settings.blobs_location == "s3://bucket/x"


def test_options_of_the_blob_store_carry_only_what_is_given(data: Path) -> None:
    given = {"blobs.endpoint": "http://127.0.0.1:9000/", "blobs.secret_access_key": "hush"}
    assert settings.load(data, given).settings.blobs.options() == {
        "endpoint": "http://127.0.0.1:9000",
        "secret_access_key": "hush",
        "virtual_hosted_style_request": "false",
    }


@pytest.mark.parametrize(("name", "info"), list(provenance.iter_fields(Settings)))
def test_every_setting_has_a_description(name: str, info: FieldInfo) -> None:
    assert info.description, name
    assert info.description.endswith("."), name


def test_the_reference_names_every_setting_and_no_machine() -> None:
    text = settings.reference()
    for name, _ in provenance.iter_fields(Settings):
        assert f"| `{name}` | `{settings.variable(name)}` |" in text
    assert "`~/.intelli`" in text
    assert str(Path.home()) not in text


def test_the_settings_do_not_need_the_web_framework() -> None:
    program = "import intelli.settings, sys; sys.exit('fastapi' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], timeout=60, check=False).returncode == 0
