"""Runs the product in one process: HTTP server, live feeds, worker, monitors of the embedded database and the model."""

import asyncio
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

import uvicorn
from fastapi import FastAPI

from intelli.app import JOBS, App
from intelli.web.factory import create_web
from intelli.web.protocol import BoundedProtocol, Pace
from intelli.worker import Worker

_GRACE_S = 5


class Server(uvicorn.Server):
    """uvicorn server that closes open streams on shutdown instead of waiting for their clients."""

    def __init__(self, app: App, web: FastAPI, *, on_ready: Callable[[], None] | None = None) -> None:
        http = app.settings.http
        pace = Pace(http.head_timeout_s, http.body_bytes_per_s, http.stall_s)
        config = uvicorn.Config(
            web,
            http=partial(BoundedProtocol, pace=pace),  # type: ignore[arg-type]  # uvicorn only calls it
            ws="none",
            timeout_keep_alive=http.keep_alive_s,
            log_config=None,
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=_GRACE_S,
            proxy_headers=bool(app.settings.trusted_proxies),
            forwarded_allow_ips=list(app.settings.trusted_proxies),
            lifespan="off",
        )
        super().__init__(config)
        self._app = app
        self._on_ready = on_ready
        self.interrupted = False

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start serving, then call `on_ready`."""
        await super().startup(sockets)
        if self.started and self._on_ready:
            self._on_ready()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Handle signals while serving; do not raise them again afterwards, since more than HTTP has to be stopped."""
        with super().capture_signals():
            yield
            self.interrupted = signal.SIGINT in self._captured_signals
            self._captured_signals.clear()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Close all streams, then shut down."""
        self._app.live.close()
        await super().shutdown(sockets)


async def run(
    app: App, listening: socket.socket, *, with_worker: bool = True, on_ready: Callable[[], None] | None = None
) -> bool:
    """Serve until SIGINT or SIGTERM, then stop requests, jobs and background tasks. True after Ctrl-C."""

    def announce_ready() -> None:
        if on_ready:
            on_ready()
        if with_worker:
            app.compute.prepare()

    server = Server(app, create_web(app), on_ready=announce_ready)
    stop_worker, stop_anchoring = asyncio.Event(), asyncio.Event()
    try:
        async with asyncio.TaskGroup() as group:
            background = [group.create_task(app.listen()), group.create_task(app.local_model.run())]
            if app.engine.embedded is not None:
                background.append(group.create_task(app.engine.embedded.watch()))
            anchoring = group.create_task(app.anchoring.leader.run(stop_anchoring))
            working = group.create_task(make_worker(app).run(stop_worker)) if with_worker else None
            await server.serve(sockets=[listening])
            stop_worker.set()
            if working is not None and not server.force_exit:
                await working
            stop_anchoring.set()
            if not server.force_exit:
                await asyncio.wait([anchoring], timeout=_GRACE_S)
            for task in (*background, anchoring, *filter(None, [working])):
                task.cancel()
    finally:
        await app.close()
    return server.interrupted


def make_worker(app: App) -> Worker:
    """Build the worker of an app from its settings."""
    settings = app.settings.worker
    return Worker(
        app.pools.maintenance,
        JOBS,
        queues=settings.queues,
        concurrency=settings.concurrency,
        heartbeat_s=settings.heartbeat_s,
        stall_s=settings.stall_s,
        parts=app.parts,
        pool_of=app.pools.for_queue,
        on_finished=lambda job, outcome, seconds: app.telemetry.observe_job(job=job, outcome=outcome, seconds=seconds),
    )
