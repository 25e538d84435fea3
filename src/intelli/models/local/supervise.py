"""Supervision of the model server: start, readiness, restart after a crash, and hand-over between our processes."""

import asyncio
import secrets
import time
from contextlib import suppress
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path

import structlog
from pydantic import SecretStr

from intelli.models import wire
from intelli.models.local import lease, machine, model_process
from intelli.models.local.folder import InstalledFile, ModelsFolder
from intelli.models.local.install_command import build_command
from intelli.models.local.lease import LOOPBACK, ServerAddress, ServerState
from intelli.models.local.model_process import ModelProcess
from intelli.reasoning.model_settings import ModelSettings

_OUTPUT_TOKENS = 600
# What the chat template adds to a prompt that was estimated to fit.
_TEMPLATE_TOKENS = 192
_LONG_LIFE_S = 600
_MISSES = 6
_PORT_TRIES, _PORT_WAIT_S = 30, 0.1

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class SuperviseTiming:
    """How often we look, how long a start may take, and the pauses after failures in a row; the last gives up."""

    look_s: float = 2
    ready_s: float = 180
    backoff_s: tuple[float, ...] = (0, 1, 5, 15, 60)


class LocalModelServer:
    """The installed model of a data directory, served by one of the processes that run this.

    All of them know its address, which stays the same over restarts while its port is free.
    """

    def __init__(self, data: Path, *, timing: SuperviseTiming = SuperviseTiming()) -> None:
        self._folder = ModelsFolder(data)
        self._remedy = f"Install it again, or another one: `{build_command(data)}`."
        self._timing = timing
        self._model: InstalledFile | None = None
        self._address: ServerAddress | None = None
        self._settled = asyncio.Event()

    async def run(self) -> None:
        """Serve the installed model, or follow the process that does, until cancelled; notice what is installed."""
        try:
            while True:
                try:
                    await self._look()
                except OSError as error:
                    _log.warning("local_model_folder_unusable", folder=self._folder.path, error=error.strerror)
                await asyncio.sleep(self._timing.look_s)
        finally:
            self._show(None)

    def settings(self) -> ModelSettings | None:
        """Return how the model is asked; None when none is installed, its address is unknown, or it failed for good."""
        if self._model is None or self._address is None or self._address.state is ServerState.FAILED:
            return None
        return ModelSettings(
            name=self._model.name,
            base_url=f"http://{LOOPBACK}:{self._address.port}/v1",
            api_key=SecretStr(self._address.key),
            temperature=0,
            timeout_s=model_process.TIMEOUT_S,
            concurrency=1,
            output_tokens=_OUTPUT_TOKENS,
            context_tokens=self._model.context_tokens - _TEMPLATE_TOKENS,
            input_price=Decimal(0),
            output_price=Decimal(0),
        )

    def describe(self) -> wire.InstalledModel | None:
        """Describe the installed model and the state of its server; None when none is installed."""
        return describe_model(self._model, self._address)

    async def wait_ready(self, timeout_s: float) -> bool:
        """Wait until the model answers; False when it has failed for good, or takes longer."""
        try:
            await asyncio.wait_for(self._settled.wait(), timeout_s)
        except TimeoutError:
            return False
        return self._address is not None and self._address.state is ServerState.READY

    async def _look(self) -> None:
        self._model = self._folder.find_served()
        if self._model is None:
            return self._show(None)
        with lease.try_lease(self._folder) as is_ours:
            if is_ours:
                return await self._serve(self._model)
        found = lease.read_address(self._folder)
        return self._show(found if found and found.sha256 == self._model.sha256 else None)

    async def _serve(self, model: InstalledFile) -> None:
        """Run the server of a model until another one is installed; give up after as many failures as pauses."""
        failures, address = 0, await self._choose_address(model)
        try:
            while self._is_served(model):
                began = time.monotonic()
                problem = await self._serve_once(model, address)
                if problem is None:
                    break
                failures = 1 if time.monotonic() - began > _LONG_LIFE_S else failures + 1
                _log.warning("local_model_stopped", model=model.name, failures=failures, problem=problem)
                if failures >= len(self._timing.backoff_s):
                    await self._give_up(model, replace(address, problem=problem))
                    break
                self._publish(replace(address, problem=problem))
                await asyncio.sleep(self._timing.backoff_s[failures - 1])
                address = await self._choose_address(model)
        finally:
            # The directory may be gone, and a cancellation must not be lost for that.
            with suppress(OSError):
                self._publish(replace(address, state=ServerState.STOPPED))

    async def _serve_once(self, model: InstalledFile, address: ServerAddress) -> str | None:
        """Start the server and watch it. Return the problem that ended it; None when another model is installed."""
        self._publish(address)
        problem = machine.find_runtime_problem() or machine.find_cpu_problem()
        problem = problem or machine.find_memory_problem(model.memory_bytes)
        if problem:
            return problem
        child = await model_process.start(model, address, self._folder, log=self._folder.log)
        try:
            if not await child.wait_ready(self._timing.ready_s):
                return self._explain(child, "did not become ready")
            _log.info("local_model_ready", model=model.name, port=address.port, pid=child.process.pid)
            self._publish(replace(address, state=ServerState.READY))
            return await self._watch(child, model)
        finally:
            await child.stop()

    async def _watch(self, child: ModelProcess, model: InstalledFile) -> str | None:
        misses = 0
        while misses < _MISSES:
            if await child.has_ended(within_s=self._timing.look_s):
                return self._explain(child, "has ended")
            if not self._is_served(model):
                return None
            model_process.trim_log(self._folder.log)
            misses = 0 if await child.is_healthy() else misses + 1
        return self._explain(child, "does not answer any more")

    async def _give_up(self, model: InstalledFile, address: ServerAddress) -> None:
        """Tell the problem until another model is installed, or the same one anew."""
        _log.error("local_model_failed", model=model.name, problem=address.problem)
        self._publish(replace(address, state=ServerState.FAILED))
        changed_at = self._folder.changed_at()
        while self._is_served(model) and self._folder.changed_at() == changed_at:  # noqa: ASYNC110  # files tell no event
            await asyncio.sleep(self._timing.look_s)

    async def _choose_address(self, model: InstalledFile) -> ServerAddress:
        """Return the address that the directory had before, if its port is free; else one with a new port."""
        before = lease.read_address(self._folder)
        key = before.key if before else secrets.token_urlsafe(32)
        # A server whose process was killed may need a moment to release its port.
        for _ in range(_PORT_TRIES if before else 0):
            if before and lease.is_free(before.port):
                return ServerAddress(before.port, key, model.sha256, ServerState.STARTING)
            await asyncio.sleep(_PORT_WAIT_S)
        return ServerAddress(lease.find_free_port(), key, model.sha256, ServerState.STARTING)

    def _is_served(self, model: InstalledFile) -> bool:
        return self._folder.find_served() == model

    def _explain(self, child: ModelProcess, what: str) -> str:
        code = child.process.returncode
        by_system = " It was killed, perhaps because memory ran out." if code == -9 else ""
        said = model_process.read_last_lines(self._folder.log)
        return f"The model server {what}.{by_system} Its last lines: {said or 'none'}. {self._remedy}"

    def _publish(self, address: ServerAddress) -> None:
        lease.write_address(self._folder, address)
        self._show(address)

    def _show(self, address: ServerAddress | None) -> None:
        self._address = address
        if address is not None and address.state in {ServerState.READY, ServerState.FAILED}:
            self._settled.set()
        else:
            self._settled.clear()


def describe_model(model: InstalledFile | None, address: ServerAddress | None) -> wire.InstalledModel | None:
    """Describe a model and its server; one without an address is stopped."""
    if model is None:
        return None
    return wire.InstalledModel(
        name=model.name,
        title=model.title,
        licence=model.licence,
        size_bytes=model.size_bytes,
        state=address.state if address else ServerState.STOPPED,
        problem=address.problem if address else None,
    )


def read_status(data: Path) -> wire.InstalledModel | None:
    """Describe the installed model of a directory and its server, in whatever process that runs."""
    folder = ModelsFolder(data)
    return describe_model(folder.find_served(), lease.find_address(folder))
