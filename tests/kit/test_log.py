"""The log: data, with ids and without content."""

import asyncio
import io
import json
import logging
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

import pytest
import structlog
from hypothesis import given, settings
from hypothesis import strategies as st

from intelli.kit import log
from intelli.kit.errors import Conflict
from intelli.kit.log import LogFormat, LogLevel

Lines = Callable[[], list[dict[str, object]]]
LIBRARIES = ("uvicorn", "uvicorn.error", "uvicorn.access", "sqlalchemy", "procrastinate", "alembic", "httpx")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Unprintable:
    def __repr__(self) -> str:
        return "hunter2"


class TakenError(Conflict):
    code = "taken"


@pytest.fixture(autouse=True)
def kept_logging() -> Iterator[None]:
    """Logging belongs to the process: put back what a test changed."""
    root = logging.getLogger()
    loggers = [logging.getLogger(name) for name in LIBRARIES]
    before = [(each, each.handlers, each.level, each.propagate) for each in (root, *loggers)]
    yield
    for each, handlers, level, propagate in before:
        each.handlers, each.propagate = handlers, propagate
        each.setLevel(level)
    structlog.reset_defaults()


@pytest.fixture
def lines() -> Lines:
    stream = io.StringIO()
    log.configure(LogFormat.JSON, LogLevel.INFO, stream)
    return lambda: [json.loads(line) for line in stream.getvalue().splitlines()]


def test_an_event_is_one_json_line_with_time_level_and_logger(lines: Lines) -> None:
    log.get_logger("intelli.web").info("request", status=200, duration_s=0.25)
    (line,) = lines()

    assert datetime.fromisoformat(str(line.pop("timestamp"))).tzinfo == UTC
    assert line == {"event": "request", "level": "info", "logger": "intelli.web", "status": 200, "duration_s": 0.25}


async def test_ids_are_on_every_line_of_their_task_and_on_no_other(lines: Lines) -> None:
    async def work(job_id: int) -> None:
        with log.bind_ids(job_id=job_id):
            await asyncio.sleep(0)
            log.get_logger("ours").info("work", of=job_id)
            logging.getLogger("library").warning("work")

    async with asyncio.TaskGroup() as group:
        for job_id in range(3):
            group.create_task(work(job_id))
    log.get_logger("ours").info("after")

    assert sorted(str(line.get("job_id")) for line in lines()) == ["0", "0", "1", "1", "2", "2", "None"]
    assert all(line["job_id"] == line["of"] for line in lines() if "of" in line)


def test_what_libraries_log_has_the_same_form(lines: Lines) -> None:
    logging.getLogger("uvicorn.error").info("Started server process [%d]", 7)
    (line,) = lines()
    assert (line["event"], line["level"], line["logger"]) == ("Started server process [7]", "info", "uvicorn.error")


def test_lines_below_the_level_are_not_written(lines: Lines) -> None:
    log.get_logger("x").debug("quiet")
    logging.getLogger("library").debug("quiet")
    assert lines() == []


def test_libraries_that_log_content_are_quiet_even_when_debugging() -> None:
    stream = io.StringIO()
    log.configure(LogFormat.JSON, LogLevel.DEBUG, stream)
    logging.getLogger("sqlalchemy.engine.Engine").info("INSERT … hunter2")
    logging.getLogger("httpx").info("GET https://example.org/?q=hunter2")
    logging.getLogger("uvicorn.access").info("GET /?token=hunter2")
    assert stream.getvalue() == ""


@pytest.mark.parametrize(
    "key",
    [
        "password",
        "new_password",
        "access_token",
        "refreshToken",
        "Authorization",
        "Set-Cookie",
        "api_key",
        "X-API-Key",
        "secret",
        "client_secret",
        "key",
        "secret_key",
        "credentials",
        "dsn",
        "database_url",
    ],
)
def test_a_value_under_a_secret_name_is_masked_at_any_depth(lines: Lines, key: str) -> None:
    log.get_logger("x").info("e", **{key: "hunter2"}, nested={"headers": [{key: ["hunter2"]}]})
    assert "hunter2" not in json.dumps(lines())


@pytest.mark.parametrize("key", ["input_tokens", "key_count"])
def test_a_number_under_such_a_name_is_shown(lines: Lines, key: str) -> None:
    log.get_logger("x").info("e", **{key: 42})
    assert lines()[0][key] == 42


@pytest.mark.parametrize(
    "text",
    [
        "connecting to postgresql://intelli:hunter2@db/intelli",
        "Authorization: Bearer hunter2",
        "GET /?token=hunter2&x=1",
        "ik_hunter2",
        "eyJhunter2.eyJhunter2.hunter2",
    ],
)
def test_a_secret_inside_a_text_is_masked(lines: Lines, text: str) -> None:
    log.get_logger("x").info(text, detail=text)
    logging.getLogger("library").warning("%s", text)
    assert "hunter2" not in json.dumps(lines())


def test_long_texts_are_cut_and_long_lists_too(lines: Lines) -> None:
    log.get_logger("x").info("e", text="a" * 100_000, items=list(range(10_000)))
    (line,) = lines()
    assert str(line["text"]).endswith("… (100000 characters)")
    assert len(json.dumps(line)) < 2000


def test_an_object_is_named_by_its_type_and_ids_and_paths_are_written_out(lines: Lines) -> None:
    log.get_logger("x").info("e", what=Unprintable(), body=b"hunter2", id=UUID(int=1), at=Path("/a"), nan=float("nan"))
    (line,) = lines()
    assert (line["what"], line["body"], line["nan"]) == ("<Unprintable>", "<bytes>", "nan")
    assert (line["id"], line["at"]) == (str(UUID(int=1)), "/a")


def test_an_exception_is_told_by_type_code_and_place_without_its_message(lines: Lines) -> None:
    hidden = "hunter2"
    try:
        try:
            int(hidden)
        except ValueError as error:
            raise TakenError(f"{hidden} is taken") from error
    except TakenError:
        log.get_logger("x").exception("failed")
        logging.getLogger("uvicorn.error").exception("Exception in ASGI application\n")

    for line in lines():
        story = str(line["exception"])
        assert "TakenError (code taken)" in story
        assert "ValueError" in story
        assert "test_log.py" in story
        assert "hunter2 is taken" not in story
        assert "invalid literal" not in story


def test_the_parts_of_a_group_are_told_and_a_circle_ends() -> None:
    first, second = ValueError("hunter2"), KeyError("hunter2")
    first.__context__, second.__context__ = second, first
    story = log.format_error(ExceptionGroup("hunter2", [first, OSError("hunter2")]))

    assert "part 2 of 2" in story
    assert {"ValueError", "KeyError", "OSError"} <= set(story.splitlines())
    assert "hunter2" not in story


def test_a_terminal_gets_readable_lines_and_nobody_forges_one() -> None:
    stream = Terminal()
    log.configure(LogFormat.AUTO, LogLevel.INFO, stream)
    log.get_logger("x").info("hello", name="a\nb\x1b[2J")

    assert len(stream.getvalue().splitlines()) == 1
    assert "\x1b[2J" not in stream.getvalue()
    assert not stream.getvalue().startswith("{")


def test_a_pipe_gets_json_unless_told_otherwise() -> None:
    pipe, asked = io.StringIO(), io.StringIO()
    log.configure(LogFormat.AUTO, LogLevel.INFO, pipe)
    log.get_logger("x").info("hello")
    log.configure(LogFormat.CONSOLE, LogLevel.INFO, asked)
    log.get_logger("x").info("hello")

    assert pipe.getvalue().startswith("{")
    assert "hello" in asked.getvalue()
    assert not asked.getvalue().startswith("{")


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary() | st.decimals(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(st.text(min_size=1), values, max_size=5))
def test_whatever_is_logged_becomes_valid_json_on_one_line(event: dict[str, object]) -> None:
    text = json.dumps(log.clean(event), allow_nan=False)
    assert "\n" not in text
