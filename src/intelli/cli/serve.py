"""`intelli serve`: the product in one process, from an empty directory to an address to open."""

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
    with _terminated_in_order(), _use(loaded.settings, ends=while_in_use), _claim(loaded.settings) as claim:
        _serve(settings.complete(loaded).settings, claim, with_worker=not no_worker, as_json=as_json)


def _serve(settings: "Settings", claim: "DataLock | None", *, with_worker: bool, as_json: bool) -> None:
    from intelli.cli.listen import address, listen
    from intelli.cli.prepare_database import make_ready
    from intelli.engine import open_engine
    from intelli.kit import log

    log.configure(settings.log_format, settings.log_level)
    # The address first: one that is taken should be told before a database is made.
    with listen(settings) as listening, open_engine(settings, die_with_parent=True) as engine:
        make_ready(engine)
        url = address(listening)
        if claim is not None:
            claim.announce(url)
        say = _machine_words if as_json else _human_words
        _run(settings, engine, listening, with_worker=with_worker, say=lambda first: say(settings, url, first))


def _run(
    settings: "Settings",
    engine: "Engine",
    listening: socket.socket,
    *,
    with_worker: bool,
    say: Callable[[bool], None],
) -> None:
    from intelli.app import App
    from intelli.identity import installation
    from intelli.kit.context import WorkspaceLister
    from intelli.web import server

    async def run() -> bool:
        app = App(settings, engine)
        async with app.db.begin(WorkspaceLister()) as tx:
            is_first = not await installation.is_claimed(tx)
        return await server.run(app, listening, with_worker=with_worker, on_ready=lambda: say(is_first))

    with asyncio.Runner(loop_factory=_loop_factory()) as runner:
        if runner.run(run()):
            raise KeyboardInterrupt


def _claim(settings: "Settings") -> "AbstractContextManager[DataLock | None]":
    """The data directory, when anything is kept there: servers on a shared database and a bucket need none."""
    from intelli.cli.data_lock import claimed

    keeps_data = settings.is_embedded or settings.blobs_url is None
    return claimed(settings.data) if keeps_data else nullcontext()


def _use(settings: "Settings", *, ends: bool) -> AbstractContextManager[None]:
    """With `ends`, the server goes when the last command that uses it does."""
    from intelli.cli import own_server

    return own_server.ended_unused(settings.data) if ends else nullcontext()


@contextmanager
def _terminated_in_order() -> Iterator[None]:
    """SIGTERM unwinds the process like Ctrl-C does, also while the database is still starting."""

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


def _machine_words(_settings: "Settings", url: str, _is_first: bool) -> None:
    output.machine({"url": url, "pid": os.getpid()})


def _human_words(settings: "Settings", url: str, is_first: bool) -> None:
    output.line(f"\n  Intelli is ready. Open {settings.public_url or url}\n")
    if is_first:
        output.line("  Welcome: the first account that is created there owns this installation.")
    output.line(f"  Its data is in {settings.data}. Stop it with Ctrl-C.\n")
