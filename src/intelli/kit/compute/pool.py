"""Pool of long-lived children of the fork server; each runs one call at a time."""

import asyncio
import contextlib
import socket
from collections.abc import Callable
from typing import TypeVar, TypeVarTuple

from intelli.kit.compute import frames
from intelli.kit.compute.calls import Call
from intelli.kit.compute.errors import ComputationCrashed, ComputeUnavailable, OutOfMemory, OutOfTime
from intelli.kit.compute.fork_server import ForkServer
from intelli.kit.compute.settings import ComputeSettings

Arguments = TypeVarTuple("Arguments")
Result = TypeVar("Result")
# A child is replaced after so many calls, which also frees what it has cached.
_MOST_CALLS = 500
# The fork server may have to load its modules first, on a machine that is busy.
_START_S = 120.0


class _Child:
    """One child process, from its fork to its end."""

    def __init__(self, server: ForkServer, *, memory_bytes: int) -> None:
        self._server = server
        self._number, self._socket = server.fork(memory_bytes=memory_bytes)
        self._socket.setblocking(False)
        self._calls = 0

    @property
    def is_reusable(self) -> bool:
        """False when the child ended while idle, or has reached its number of calls."""
        if self._calls >= _MOST_CALLS:
            return False
        try:
            return bool(self._socket.recv(1, socket.MSG_PEEK))
        except BlockingIOError:
            return True
        except OSError:
            return False

    async def wait_until_ready(self) -> None:
        """Wait for the first message of the child. Raise TimeoutError, EOFError or OSError when none comes."""
        async with asyncio.timeout(_START_S):
            await frames.receive(self._socket, most_bytes=0)

    async def ask(self, message: bytes, *, most_bytes: int) -> bytes:
        """Send a message and return the answer of at most `most_bytes`."""
        self._calls += 1
        await asyncio.get_running_loop().sock_sendall(self._socket, frames.pack(message))
        return await frames.receive(self._socket, most_bytes=most_bytes)

    def kill(self) -> None:
        """Kill the child, whatever it does."""
        self._socket.close()
        self._server.kill(self._number)


class ProcessPool:
    """Runs functions in child processes, at most `settings.processes` at a time. Children are forked on demand."""

    def __init__(self, server: ForkServer, settings: ComputeSettings) -> None:
        self._server = server
        self._settings = settings
        self._turns = asyncio.Semaphore(settings.processes)
        self._idle: list[_Child] = []

    def prepare(self) -> None:
        """Start the fork server ahead of the first call. A failure is ignored here: the first call raises it."""
        with contextlib.suppress(OSError):
            self._server.start()

    async def run(self, function: Callable[[*Arguments], Result], *arguments: *Arguments) -> Result:
        """Run the function in a child and return its result. The child is killed when the caller is cancelled.

        Raises OutOfTime, OutOfMemory, ComputationCrashed or ComputeUnavailable.
        """
        call = Call(function, arguments, self._settings.time_s)
        message = call.dump()
        async with self._turns:
            child = await self._get_child()
            try:
                answer = await self._ask(child, message)
                result: Result = call.decode_result(answer)
            except MemoryError:
                child.kill()
                raise OutOfMemory(self._settings.memory_bytes) from None
            except BaseException:
                child.kill()
                raise
            self._idle.append(child)
            return result

    def close(self) -> None:
        """Kill the idle children; a busy one is killed when its caller is cancelled."""
        while self._idle:
            self._idle.pop().kill()

    async def _get_child(self) -> _Child:
        while self._idle:
            child = self._idle.pop()
            if child.is_reusable:
                return child
            child.kill()
        try:
            child = _Child(self._server, memory_bytes=self._settings.memory_bytes)
        except OSError as error:
            raise ComputeUnavailable from error
        try:
            await child.wait_until_ready()
        except (EOFError, OSError, TimeoutError) as error:
            child.kill()
            raise ComputeUnavailable from error
        except BaseException:
            child.kill()
            raise
        return child

    async def _ask(self, child: _Child, message: bytes) -> bytes:
        settings = self._settings
        try:
            async with asyncio.timeout(settings.time_s):
                return await child.ask(message, most_bytes=settings.result_bytes)
        except TimeoutError:
            raise OutOfTime(settings.time_s) from None
        except frames.Oversized:
            raise OutOfMemory(settings.result_bytes) from None
        except (EOFError, OSError) as error:
            # When the fork server died, its children died with it: that is no fault of the call.
            raise ComputationCrashed if self._server.is_alive else ComputeUnavailable from error
