"""Trial of a model before it is served: it is loaded by a server of its own, and has to answer."""

import asyncio
import secrets
from collections.abc import Callable

import httpx

from intelli.models.local import lease, machine, model_process
from intelli.models.local.errors import MachineTooSmall, ModelFileRefused
from intelli.models.local.folder import InstalledFile, ModelsFolder
from intelli.models.local.lease import LOOPBACK, ServerAddress, ServerState
from intelli.models.local.model_process import ModelProcess

_READY_S = 180
_REPLY_S = 180
_WORDS = 8
_QUESTION = "Say hello."
# Raises ModelFileRefused for a model that does not answer, MachineTooSmall where it cannot be tried now.
TryModel = Callable[[InstalledFile, ModelsFolder], None]


def try_model(model: InstalledFile, folder: ModelsFolder) -> None:
    """Load a model and let it say a word. Raises ModelFileRefused or MachineTooSmall."""
    problem = machine.find_memory_problem(model.memory_bytes)
    if problem is not None:
        raise MachineTooSmall(f"{problem} What was fetched is kept; install it again then.")
    folder.trial_log.unlink(missing_ok=True)
    asyncio.run(_try(model, folder))
    folder.trial_log.unlink(missing_ok=True)


async def _try(model: InstalledFile, folder: ModelsFolder) -> None:
    key = secrets.token_urlsafe(32)
    address = ServerAddress(lease.find_free_port(), key, model.sha256, ServerState.STARTING)
    child = await model_process.start(model, address, folder, log=folder.trial_log)
    try:
        if not await child.wait_ready(_READY_S):
            raise _refusal(model, folder, "could not be loaded")
        if not await _answers(child, address, model.name):
            raise _refusal(model, folder, "was loaded and does not answer")
    finally:
        await child.stop()


async def _answers(child: ModelProcess, address: ServerAddress, name: str) -> bool:
    body = {"model": name, "messages": [{"role": "user", "content": _QUESTION}], "max_tokens": _WORDS}
    headers = {"Authorization": f"Bearer {address.key}"}
    # A proxy of the environment is not for the loopback.
    async with httpx.AsyncClient(timeout=_REPLY_S, trust_env=False, headers=headers) as client:
        try:
            answer = await client.post(f"http://{LOOPBACK}:{child.port}/v1/chat/completions", json=body)
            return answer.is_success and bool(answer.json()["choices"][0]["message"]["content"].strip())
        except (httpx.HTTPError, ValueError, LookupError, TypeError, AttributeError):
            return False


def _refusal(model: InstalledFile, folder: ModelsFolder, what: str) -> ModelFileRefused:
    said = model_process.read_last_lines(folder.trial_log)
    return ModelFileRefused(f"{model.title} {what}. Its server's last lines: {said or 'none'}.")
