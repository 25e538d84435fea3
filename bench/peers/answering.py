"""Lets a peer answer questions: takes a file of passages, prints its name, then answers each line with a line."""

import json
import logging
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

SENTENCE = "If the context does not contain the answer, say that it is not there."
PASSAGES = 5
OUTPUT_TOKENS = 300
TIMEOUT_S = 900


@dataclass(frozen=True)
class Given:
    """What a peer is given: the endpoint, the passages by name, and whether its prompt has the sentence."""

    url: str
    key: str
    model: str
    window: int
    has_sentence: bool
    texts: dict[str, str]


Answer = Callable[[str], tuple[str, list[str]]]


def serve(make: Callable[[Given], tuple[str, Answer]]) -> None:
    """Read what is given from the first argument, a JSON file, and answer until the input ends."""
    logging.disable(logging.WARNING)
    name, answer = make(Given(**json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))))
    _say({"name": name})
    for line in sys.stdin:
        begun = time.perf_counter()
        try:
            text, passages = answer(json.loads(line))
            told: dict[str, object] = {"text": text, "passages": passages}
        except Exception as problem:  # noqa: BLE001  # whatever stops a peer is told, and counts as no answer
            told = {"error": f"{type(problem).__name__}: {problem}"}
        _say({**told, "seconds": time.perf_counter() - begun})


def _say(told: dict[str, object]) -> None:
    print(json.dumps(told), flush=True)
