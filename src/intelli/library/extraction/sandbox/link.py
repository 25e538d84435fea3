"""Connection of the extractor to one zygote: start it, send orders, receive results, detect its death."""

import asyncio
import contextlib
import shutil
import signal
import socket
import sys
import tempfile
from asyncio.subprocess import DEVNULL, Process
from pathlib import Path

from intelli.library.extraction.sandbox.orders import ChildEnd, ChildOrder, MessageLines, encode_line

_PROGRAM = "intelli.library.extraction.sandbox.zygote"
# A child gets none of our environment variables: some are secrets.
_ENVIRONMENT = {
    "PATH": "/usr/local/bin:/opt/homebrew/bin:/usr/bin:/bin",
    "LANG": "C.UTF-8",
    "PYTHONDONTWRITEBYTECODE": "1",
    "OMP_THREAD_LIMIT": "1",
    "OPENBLAS_NUM_THREADS": "1",
}
_START_S, _END_S, _KILL_S, _GRACE_S = 60.0, 3.0, 5.0, 30.0
_RECEIVE_BYTES = 1 << 16


class ZygoteLost(Exception):
    """The zygote died; what its children did is not known."""


class ZygoteLink:
    """One zygote process, from its start to its end."""

    def __init__(self, process: Process, ours: socket.socket, root: Path) -> None:
        self.root = root
        self._process = process
        self._socket = ours
        self._ready = asyncio.Event()
        self._ends: dict[int, asyncio.Future[ChildEnd]] = {}
        self.is_lost = False
        self._listener = asyncio.create_task(self._receive_messages())

    @classmethod
    async def start(cls) -> "ZygoteLink":
        """Start a zygote and wait until it has loaded the parsers. Raises ZygoteLost or TimeoutError."""
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        root = Path(tempfile.mkdtemp(prefix="intelli-sandbox-"))
        # -P: nothing is imported from the working directory, which a child may not read.
        command = [sys.executable, "-P", "-m", _PROGRAM, str(theirs.fileno()), str(root)]
        with theirs:
            try:
                process = await asyncio.create_subprocess_exec(
                    *command, stdin=DEVNULL, stdout=DEVNULL, env=_ENVIRONMENT, cwd="/", pass_fds=[theirs.fileno()]
                )
            except BaseException:
                ours.close()
                shutil.rmtree(root, ignore_errors=True)
                raise
        link = cls(process, ours, root)
        try:
            async with asyncio.timeout(_START_S):
                await link._ready.wait()
        except BaseException:
            await link.end()
            raise
        if link.is_lost:
            await link.end()
            raise ZygoteLost
        return link

    async def run(self, order: ChildOrder) -> ChildEnd:
        """Have a child run an order and return how it ended. Kill the child when the wait is cancelled.

        Raises ZygoteLost when the zygote dies, or does not answer in time and is killed.
        """
        if self.is_lost:
            raise ZygoteLost
        ended = self._ends[order.number] = asyncio.get_running_loop().create_future()
        try:
            async with asyncio.timeout(order.wall_s + _GRACE_S):
                await self._send(order.dump())
                return await asyncio.shield(ended)
        except TimeoutError:
            self.is_lost = True
            self._signal_process(signal.SIGKILL)
            raise ZygoteLost from None
        except asyncio.CancelledError:
            await self._cancel(order.number, ended)
            raise
        finally:
            self._ends.pop(order.number, None)

    async def end(self) -> None:
        """Close the socket, which ends the zygote and its children; kill it if it does not end in time."""
        self._socket.close() if self._listener.done() else self._shutdown_socket()
        try:
            async with asyncio.timeout(_END_S):
                await self._process.wait()
        except TimeoutError:
            self._signal_process(signal.SIGKILL)
            await self._process.wait()
        await self._listener
        self._socket.close()
        await asyncio.to_thread(shutil.rmtree, self.root, ignore_errors=True)

    def _shutdown_socket(self) -> None:
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)

    def _signal_process(self, number: int) -> None:
        with contextlib.suppress(ProcessLookupError):
            self._process.send_signal(number)

    async def _send(self, message: bytes) -> None:
        try:
            await asyncio.get_running_loop().sock_sendall(self._socket, message)
        except OSError as error:
            raise ZygoteLost from error

    async def _cancel(self, number: int, ended: "asyncio.Future[ChildEnd]") -> None:
        with contextlib.suppress(ZygoteLost, TimeoutError):
            async with asyncio.timeout(_KILL_S):
                await self._send(encode_line({"cancel": number}))
                await asyncio.shield(ended)

    async def _receive_messages(self) -> None:
        lines = MessageLines()
        loop = asyncio.get_running_loop()
        with contextlib.suppress(OSError):
            while data := await loop.sock_recv(self._socket, _RECEIVE_BYTES):
                for message in lines.feed(data):
                    self._handle_message(message)
        self.is_lost = True
        self._ready.set()
        for ended in self._ends.values():
            if not ended.done():
                ended.set_exception(ZygoteLost())
                ended.exception()  # marks it as retrieved: without a waiter, asyncio would log it

    def _handle_message(self, message: dict[str, object]) -> None:
        if "ready" in message:
            self._ready.set()
            return
        fields = message["end"]
        assert isinstance(fields, dict), "the zygote is our own"
        end = ChildEnd(**fields)
        ended = self._ends.get(end.number)
        if ended is not None and not ended.done():
            ended.set_result(end)
