"""The pool: a few long-lived children of the fork server, one call at a time each."""

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
# What a child has cached by then is given up with it.
_MOST_CALLS = 500
# The fork server may have to load its modules first, on a machine that is busy.
_START_S = 120.0


class _Child:
    """One process, from its fork to its end."""

    def __init__(self, server: ForkServer, *, memory_bytes: int) -> None:
        self._server = server
        self._number, self._socket = server.fork(memory_bytes=memory_bytes)
        self._socket.setblocking(False)
        self._calls = 0

    @property
    def is_fit(self) -> bool:
        """False when it ended while it had nothing to do, or has computed much already."""
        if self._calls >= _MOST_CALLS:
            return False
        try:
            return bool(self._socket.recv(1, socket.MSG_PEEK))
        except BlockingIOError:
            return True
        except OSError:
            return False

    async def begin(self) -> None:
        """Wait until it is there."""
        async with asyncio.timeout(_START_S):
            await frames.receive(self._socket, most_bytes=0)

    async def ask(self, message: bytes, *, most_bytes: int) -> bytes:
        """Its answer to a message."""
        self._calls += 1
        await asyncio.get_running_loop().sock_sendall(self._socket, frames.pack(message))
        return await frames.receive(self._socket, most_bytes=most_bytes)

    def end(self) -> None:
        """Kill it, whatever it does."""
        self._socket.close()
        self._server.kill(self._number)


class ProcessPool:
    """Computes in children, as many at a time as the settings say. It has none until it is first asked."""

    def __init__(self, server: ForkServer, settings: ComputeSettings) -> None:
        self._server = server
        self._settings = settings
        self._turns = asyncio.Semaphore(settings.processes)
        self._idle: list[_Child] = []

    def prepare(self) -> None:
        """Have the fork server loaded before it is first needed; where it cannot be, the first call tells."""
        with contextlib.suppress(OSError):
            self._server.start()

    async def run(self, function: Callable[[*Arguments], Result], *arguments: *Arguments) -> Result:
        """What the function returns, computed in a child. When the wait is cancelled, the child is killed."""
        call = Call(function, arguments, self._settings.time_s)
        message = call.dump()
        async with self._turns:
            child = await self._take()
            try:
                answer = await self._ask(child, message)
                result: Result = call.result(answer)
            except MemoryError:
                child.end()
                raise OutOfMemory(self._settings.memory_bytes) from None
            except BaseException:
                child.end()
                raise
            self._idle.append(child)
            return result

    def close(self) -> None:
        """End all children that wait; those at work end with their callers."""
        while self._idle:
            self._idle.pop().end()

    async def _take(self) -> _Child:
        while self._idle:
            child = self._idle.pop()
            if child.is_fit:
                return child
            child.end()
        try:
            child = _Child(self._server, memory_bytes=self._settings.memory_bytes)
        except OSError as error:
            raise ComputeUnavailable from error
        try:
            await child.begin()
        except (EOFError, OSError, TimeoutError) as error:
            child.end()
            raise ComputeUnavailable from error
        except BaseException:
            child.end()
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
            # Where the fork server went, its children went with it: that is no fault of the call.
            raise ComputationCrashed if self._server.is_alive else ComputeUnavailable from error
