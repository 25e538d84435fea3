"""`intelli serve`: runs the product in one process; on an empty directory it first creates the database."""

import asyncio
import os
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, Annotated

import typer

from intelli.cli import output
from intelli.cli.options import AsJson, Data

if TYPE_CHECKING:
    from intelli.cli.data_lock import DataLock
    from intelli.engine import Engine
    from intelli.settings import Settings


def serve(
    *,
    host: Annotated[
        str | None, typer.Option(help="Address to listen on; 127.0.0.1 if nothing else is set, 0.0.0.0 for all.")
    ] = None,
    port: Annotated[
        int | None, typer.Option(help="Port to listen on; 8000 if nothing else is set, 0 for any that is free.")
    ] = None,
    no_worker: Annotated[
        bool, typer.Option("--no-worker", help="Run no jobs here; `intelli worker` does elsewhere.")
    ] = False,
    while_in_use: Annotated[
        bool, typer.Option("--while-in-use", help="End when no command uses it.", hidden=True)
    ] = False,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Serve the API, the UI and the background work, until Ctrl-C.

    On an empty data directory this makes the database and is ready in seconds. With INTELLI_DATABASE_URL it uses that
    PostgreSQL instead, which `intelli db upgrade` has prepared. With --json one line {"url", "pid"} says when it is
    ready. The log goes to standard error.
    """
    from intelli import settings

    loaded = settings.load(data, {"host": host, "port": port})
    with (
        _exit_on_sigterm(),
        _exit_when_unused(loaded.settings, is_wanted=while_in_use),
        _lock_data(loaded.settings) as lock,
    ):
        _serve(settings.complete(loaded).settings, lock, with_worker=not no_worker, as_json=as_json)


def _serve(settings: "Settings", lock: "DataLock | None", *, with_worker: bool, as_json: bool) -> None:
    from intelli.cli.listen import listen, url_of
    from intelli.cli.prepare_database import make_ready
    from intelli.engine import open_engine
    from intelli.kit import log

    log.configure(settings.log_format, settings.log_level)
    # The socket first: a port in use should be reported before a database is created.
    with listen(settings) as listening, open_engine(settings, die_with_parent=True) as engine:
        make_ready(engine)
        url = url_of(listening)
        if lock is not None:
            lock.announce(url)
        show = _print_ready_json if as_json else _print_ready
        _run(settings, engine, listening, with_worker=with_worker, on_ready=lambda first: show(settings, url, first))


def _run(
    settings: "Settings",
    engine: "Engine",
    listening: socket.socket,
    *,
    with_worker: bool,
    on_ready: Callable[[bool], None],
) -> None:
    from intelli.app import App
    from intelli.identity import installation
    from intelli.kit.context import WorkspaceLister
    from intelli.web import server

    async def run() -> bool:
        app = App(settings, engine)
        async with app.db.begin(WorkspaceLister()) as tx:
            is_first = not await installation.is_claimed(tx)
        return await server.run(app, listening, with_worker=with_worker, on_ready=lambda: on_ready(is_first))

    with asyncio.Runner(loop_factory=_loop_factory()) as runner:
        if runner.run(run()):
            raise KeyboardInterrupt


def _lock_data(settings: "Settings") -> "AbstractContextManager[DataLock | None]":
    """Lock the data directory if anything is stored there: servers on a shared database and a bucket need none."""
    from intelli.cli.data_lock import acquire

    keeps_data = settings.is_embedded or settings.blobs_url is None
    return acquire(settings.data) if keeps_data else nullcontext()


def _exit_when_unused(settings: "Settings", *, is_wanted: bool) -> AbstractContextManager[None]:
    """If wanted, end this server when the last command that uses it has ended."""
    from intelli.cli import own_server

    return own_server.exit_when_unused(settings.data) if is_wanted else nullcontext()


@contextmanager
def _exit_on_sigterm() -> Iterator[None]:
    """Raise SystemExit on SIGTERM, so that the process unwinds as after Ctrl-C, also while the database starts."""

    def stop(number: int, _frame: object) -> None:
        sys.exit(128 + number)

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _loop_factory() -> "Callable[[], asyncio.AbstractEventLoop] | None":
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop


def _print_ready_json(_settings: "Settings", url: str, _is_first: bool) -> None:
    output.write_json({"url": url, "pid": os.getpid()})


def _print_ready(settings: "Settings", url: str, is_first: bool) -> None:
    output.line(f"\n  Intelli is ready. Open {settings.public_url or url}\n")
    if is_first:
        output.line("  Welcome: the first account that is created there owns this installation.")
    output.line(f"  Its data is in {settings.data}. Stop it with Ctrl-C.\n")
