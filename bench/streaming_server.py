"""The server that `streaming` reads from: `python -m bench.streaming_server APP_URL ADMIN_URL DATA` prints its port.

Beside the product it offers `/naive/{run}`: the design of one LISTEN connection for each reader.
"""

import asyncio
import resource
import socket
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import psycopg
import structlog
import uvloop
from fastapi import FastAPI
from fastapi.responses import StreamingResponse
from psycopg import sql
from pydantic import SecretStr

from intelli.app import App, Engine
from intelli.settings import Settings
from intelli.web.factory import create_web
from intelli.web.server import Server

_EVENTS = "select seq, type, payload::text from run_events where run_id = %s and seq > %s order by seq"


async def _naive(url: str, run: str) -> AsyncIterator[bytes]:
    """A connection for each reader, which listens and asks. What arrives while it asks is heard afterwards."""
    cursor = 0
    async with await psycopg.AsyncConnection.connect(url, autocommit=True) as connection:
        await connection.execute(sql.SQL("listen {}").format(sql.Identifier("runs")))
        yield b": welcome\n\n"
        while True:
            for seq, kind, payload in await (await connection.execute(_EVENTS, (run, cursor))).fetchall():
                yield f"id: {seq}\nevent: {kind}\ndata: {payload}\n\n".encode()
                cursor = seq
            async for _ in connection.notifies(timeout=1, stop_after=1):
                pass


def _with_naive(web: FastAPI, admin_url: str) -> FastAPI:
    @web.get("/naive/{run}")
    async def naive(run: str) -> StreamingResponse:
        return StreamingResponse(_naive(admin_url, run), media_type="text/event-stream")

    @web.get("/cpu")
    async def cpu() -> float:
        used = resource.getrusage(resource.RUSAGE_SELF)
        return used.ru_utime + used.ru_stime

    web.router.routes.insert(0, web.router.routes.pop())
    web.router.routes.insert(0, web.router.routes.pop())
    return web


async def main(app_url: str, admin_url: str, data: str) -> None:
    structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))
    settings = Settings(data=Path(data), secret_key=SecretStr("k" * 48), streams_per_person=100_000)
    app = App(settings, Engine(app_url, admin_url))
    listening = socket.create_server(("127.0.0.1", 0), backlog=2048)
    print(listening.getsockname()[1], flush=True)
    server = Server(app, _with_naive(create_web(app), admin_url))
    async with asyncio.TaskGroup() as group:
        live = group.create_task(app.listen())
        await server.serve(sockets=[listening])
        live.cancel()
    await app.close()


if __name__ == "__main__":
    # The loop that the product runs on.
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(main(*sys.argv[1:]))
