"""Structured logs of our events and of all libraries: JSON lines, or readable text on a terminal.

A line has ids, sizes and durations. Secrets are masked and long texts cut. An exception is logged by type and
traceback without its message, because messages quote rows, prompts and addresses.
"""

import logging
import math
import re
import sys
import traceback
from collections.abc import Iterator, Mapping, Set
from contextlib import AbstractContextManager
from datetime import date
from decimal import Decimal
from enum import StrEnum
from itertools import islice
from pathlib import PurePath
from typing import TextIO
from uuid import UUID

import structlog
from structlog.typing import EventDict, Processor

MASK = "********"
MAX_CHARS = 1000
_MAX_ITEMS = 50
_MAX_DEPTH = 4
_EXCEPTION_KEYS = frozenset({"exc_info", "exception"})
_SECRET_KEY = re.compile(
    r"passw|secret|token|authori[sz]ation|cookie|credential|api.?key|(^|[_.-])(key|dsn|jwt)$|database_(admin_)?url",
    re.IGNORECASE,
)
_SECRET_TEXT = re.compile(
    r"(?<=://)[^/\s@]+(?=@)"  # user:password@ of an address
    r"|(?<=bearer )\S+|(?<=basic )\S+"
    r"|(?<![\w-])(?>[\w-]*?\beyJ)[\w-]++\.[\w-]++\.[\w-]*+"  # a JWT, with what is written to it
    r"|\bik_\w+"  # an API key
    r"|(?<=password=)[^&\s]+|(?<=token=)[^&\s]+|(?<=secret=)[^&\s]+|(?<=key=)[^&\s]+",
    re.IGNORECASE,
)
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
# Below this level these print SQL with its parameters, addresses with their queries, or what only they care about.
_CONTENT_LOGGERS = ("alembic", "sqlalchemy", "httpx", "httpcore", "urllib3", "opentelemetry", "procrastinate")
_FOREIGN_HANDLERS = ("uvicorn", "uvicorn.error", "uvicorn.access", "alembic", "procrastinate", "sqlalchemy")


class LogFormat(StrEnum):
    """The form of the log."""

    AUTO = "auto"
    JSON = "json"
    CONSOLE = "console"


class LogLevel(StrEnum):
    """The least severity that is logged."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


def configure(format: LogFormat, level: LogLevel, stream: TextIO | None = None) -> None:
    """Send every log of this process, ours and the libraries', to the stream; standard error when none is given."""
    stream = stream or sys.stderr
    handler = logging.StreamHandler(stream)
    handler.setFormatter(_formatter(_renderer(format, stream)))
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(level.upper())
    _route_libraries()
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *_context_processors(),
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        wrapper_class=structlog.stdlib.BoundLogger,
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=False,
    )


def get_logger(name: str) -> structlog.stdlib.BoundLogger:
    """Return a logger for events: `log.info("job_done", job_id=…, duration_s=…)`."""
    logger: structlog.stdlib.BoundLogger = structlog.stdlib.get_logger(name)
    return logger


def bind_ids(**ids: object) -> AbstractContextManager[None]:
    """Add ids (request_id, job_id, …) to every line that is logged inside the block, across awaits."""
    return structlog.contextvars.bound_contextvars(**ids)


def clean(event: Mapping[str, object]) -> dict[str, object]:
    """Return the event with secrets masked, texts cut to one line, and unknown objects replaced by their type."""
    return {key: _clean(value, key=key) for key, value in event.items()}


def format_error(error: BaseException) -> str:
    """Format type and traceback of an exception and of its causes, without messages and local variables."""
    return "\n".join(_format_lines(error, seen=set()))


def _context_processors() -> list[Processor]:
    return [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]


def _formatter(renderer: Processor) -> structlog.stdlib.ProcessorFormatter:
    remove_meta = structlog.stdlib.ProcessorFormatter.remove_processors_meta
    return structlog.stdlib.ProcessorFormatter(
        processors=[remove_meta, _clean_event, renderer], foreign_pre_chain=_context_processors()
    )


def _renderer(format: LogFormat, stream: TextIO) -> Processor:
    if format is LogFormat.JSON or (format is LogFormat.AUTO and not stream.isatty()):
        return structlog.processors.JSONRenderer()
    return structlog.dev.ConsoleRenderer(
        colors=stream.isatty(), exception_formatter=structlog.dev.plain_traceback, pad_event_to=24
    )


def _route_libraries() -> None:
    for name in _FOREIGN_HANDLERS:
        logger = logging.getLogger(name)
        logger.handlers = []
        logger.propagate = name != "uvicorn.access"
    for name in _CONTENT_LOGGERS:
        logging.getLogger(name).setLevel(logging.WARNING)


def _clean_event(_logger: object, _method: str, event: EventDict) -> EventDict:
    cleaned = clean({key: value for key, value in event.items() if key not in _EXCEPTION_KEYS})
    error = _find_error(event.get("exc_info"))
    return {**cleaned, "exception": format_error(error)} if error else cleaned


def _find_error(exc_info: object) -> BaseException | None:
    match exc_info:
        case BaseException():
            return exc_info
        case (_, BaseException() as error, _):
            return error
        case _:
            return sys.exc_info()[1] if exc_info else None


def _clean(value: object, *, key: str = "", depth: int = 0) -> object:
    if value is None or isinstance(value, int) or (isinstance(value, float) and math.isfinite(value)):
        return value
    if _SECRET_KEY.search(key):
        return MASK
    if isinstance(value, str | UUID | date | PurePath | float | Decimal):
        return _clean_text(str(value))
    return _clean_many(value, depth=depth + 1) if depth < _MAX_DEPTH else _type_name(value)


def _clean_many(value: object, *, depth: int) -> object:
    match value:
        case Mapping():
            items = islice(value.items(), _MAX_ITEMS)
            return {_clean_text(str(name)): _clean(inner, key=str(name), depth=depth) for name, inner in items}
        case list() | tuple() | Set():
            return [_clean(inner, depth=depth) for inner in islice(value, _MAX_ITEMS)]
        case _:
            return _type_name(value)


def _type_name(value: object) -> str:
    return f"<{type(value).__name__}>"


def _clean_text(text: str) -> str:
    # Cut once before masking, so that a huge text costs little, and to size after it, so that no secret is halved.
    masked = _SECRET_TEXT.sub(MASK, text[: 2 * MAX_CHARS])
    shown = _CONTROL.sub(lambda match: repr(match[0])[1:-1], masked[:MAX_CHARS].strip())
    return shown if len(text) <= MAX_CHARS else f"{shown}… ({len(text)} characters)"


def _format_lines(error: BaseException, *, seen: set[int]) -> Iterator[str]:
    if id(error) in seen:
        return
    seen.add(id(error))
    earlier = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if earlier:
        yield from _format_lines(earlier, seen=seen)
        yield "which led to:"
    yield "Traceback (most recent call last):"
    yield from (line.rstrip("\n") for line in traceback.format_tb(error.__traceback__))
    yield _type_and_code(error)
    if isinstance(error, BaseExceptionGroup):
        for index, part in enumerate(error.exceptions, start=1):
            yield f"part {index} of {len(error.exceptions)}:"
            yield from _format_lines(part, seen=seen)


def _type_and_code(error: BaseException) -> str:
    code = getattr(error, "code", None)
    name = f"{type(error).__module__}.{type(error).__qualname__}".removeprefix("builtins.")
    return f"{name} (code {code})" if isinstance(code, str) else name
