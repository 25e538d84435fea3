"""Program that serves one GGUF file on the loopback with OpenAI's protocol, until its parent ends.

It runs as a file in a bare interpreter and imports nothing of ours. Its standard input brings one line of JSON, the
order, and stays open: when it closes, the parent is gone and the program ends. The key comes that way too, because the
environment and the arguments of a process can be read by others.
"""

import ctypes
import json
import os
import signal
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

_PR_SET_PDEATHSIG = 1
_NICE = 5
# The kernel takes the process with the highest value first when memory runs out: the model, not PostgreSQL.
_OOM_SCORE = 500
_BATCH_TOKENS = 512
_ONLY_WARNINGS = 2


def main() -> None:
    """Read the order, load the model, and serve it."""
    order = json.loads(sys.stdin.buffer.readline())
    _end_with_parent(order["parent_pid"])
    _step_back()
    # Loaded only now: it takes a second, and its threads inherit what was set before.
    import xllamacpp

    try:
        # Kept, because it ends with the object.
        server = xllamacpp.Server(_build_parameters(xllamacpp.CommonParams(), order))
    except RuntimeError as error:
        sys.exit(f"The model could not be loaded: {error}")
    threading.Event().wait()
    del server


def _build_parameters(parameters: Any, order: dict[str, Any]) -> Any:
    parameters.model.path = order["model"]
    parameters.model_alias = {order["name"]}
    parameters.hostnames, parameters.port = ["127.0.0.1"], order["port"]
    parameters.api_keys = [order["key"]]
    parameters.n_ctx, parameters.n_parallel = order["context_tokens"], 1
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = order["threads"]
    parameters.n_batch = parameters.n_ubatch = _BATCH_TOKENS
    # A request without a limit must end, too.
    parameters.n_predict = order["output_tokens"]
    parameters.timeout_read = parameters.timeout_write = order["timeout_s"]
    # It would keep 8 GiB of old prompts.
    parameters.cache_ram_mib = parameters.n_ctx_checkpoints = 0
    # Any web page that a person visits could use the model.
    parameters.cors_origins = "http://127.0.0.1"
    parameters.ui = parameters.ui_mcp_proxy = False
    # They show the prompts of others.
    parameters.endpoint_slots = parameters.endpoint_props = parameters.endpoint_metrics = False
    parameters.offline = True
    parameters.verbosity = _ONLY_WARNINGS
    return parameters


def _end_with_parent(parent_pid: int) -> None:
    """End when standard input closes and, on Linux, when the parent dies while we are too busy to notice."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent_pid:
            sys.exit("The process that asked for the model server has ended.")
    threading.Thread(target=_wait_for_end, daemon=True).start()


def _wait_for_end() -> None:
    # Not through sys.stdin, whose lock the interpreter wants when it ends.
    while os.read(0, 1024):
        pass
    os._exit(0)


def _step_back() -> None:
    """Leave the processor and the memory to others first."""
    if sys.platform != "win32":
        os.nice(_NICE)
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(str(_OOM_SCORE), encoding="ascii")


if __name__ == "__main__":
    main()
