"""`intelli worker`: runs background jobs, alone or beside a server."""

import asyncio
import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from intelli.cli import output
from intelli.cli.options import AsJson, Data

if TYPE_CHECKING:
    from intelli.engine import Engine
    from intelli.settings import Settings


def worker(
    queues: Annotated[
        str | None,
        typer.Option(help="Queues to serve: runs, index, memory, deliverables, maintenance, encoding; with commas."),
    ] = None,
    concurrency: Annotated[int | None, typer.Option(min=1, help="Jobs to run at the same time.")] = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Run background jobs until Ctrl-C.

    Any number of workers may run side by side, on one machine or many. Beside an embedded server it joins that
    server's database, and starts the database again should it die. With --json one line {"pid", "queues",
    "concurrency"} says when it begins. The log goes to standard error.
    """
    from intelli.cli.local import existing_engine
    from intelli.cli.prepare_database import check_migrated
    from intelli.kit import log

    settings = _settings(data, queues=queues, concurrency=concurrency)
    log.configure(settings.log_format, settings.log_level)
    with existing_engine(settings, die_with_parent=True) as engine:
        check_migrated(engine)
        _print_start(settings, as_json=as_json)
        if asyncio.run(_work(settings, engine)):
            raise KeyboardInterrupt


def _settings(data: Path | None, *, queues: str | None, concurrency: int | None) -> "Settings":
    from intelli import settings

    given = {"worker.queues": queues, "worker.concurrency": concurrency}
    return settings.complete(settings.load(data, given)).settings


def _print_start(settings: "Settings", *, as_json: bool) -> None:
    queues, concurrency = settings.worker.queues, settings.worker.concurrency
    if as_json:
        output.write_json({"pid": os.getpid(), "queues": queues, "concurrency": concurrency})
    else:
        output.line(f"Working on {', '.join(queues)}; up to {concurrency} jobs at the same time. Stop with Ctrl-C.")


async def _work(settings: "Settings", engine: "Engine") -> bool:
    """Run jobs until SIGINT or SIGTERM. True after SIGINT (Ctrl-C)."""
    from intelli.app import App
    from intelli.web.server import make_worker

    app = App(settings, engine)
    stop, signals = asyncio.Event(), list[int]()

    def stop_now(number: int) -> None:
        signals.append(number)
        stop.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop_now, number)
    try:
        async with asyncio.TaskGroup() as group:
            watching = [group.create_task(app.local_model.run())]
            if engine.embedded is not None:
                watching.append(group.create_task(engine.embedded.watch()))
            app.compute.prepare()
            group.create_task(app.anchoring.leader.run(stop))
            await make_worker(app).run(stop)
            for task in watching:
                task.cancel()
    finally:
        await app.close()
    return signal.SIGINT in signals
