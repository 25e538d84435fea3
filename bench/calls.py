"""How many calls does a question take a model, and how much is it given to read?

`python -m bench.calls` asks one question of each kind over a small library, with a model that answers at once and by
rules behind the real protocol, and counts what was sent until the first word and until the end. With `--url URL --model
NAME` another endpoint is asked through a proxy that counts; its seconds then mean something, too.
"""

import argparse
import asyncio
import json
import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.support import rule_based_model
from tests.support.model_server import ModelServer

from bench.figures import Comparison, Size, show

QUESTION = "How many calls does a question take a model, and how much is it given to read? Less is better."
DOCUMENTS = {
    "Annual report 2024.md": (
        "# Annual report 2024\n\nZurich, 14 March 2025\n\n## Key figures\n\n"
        "| CHF million | 2022 | 2023 | 2024 |\n|---|---|---|---|\n"
        "| Revenue | 1,042.3 | 1,118.0 | 1,184.6 |\n| EBIT | 98.4 | 104.9 | 121.7 |\n\n## Risks\n\n"
        "The largest risk is the dependence on three foundries, which supply 64 % of castings.\n\n## Outlook\n\n"
        "For 2025 the Board expects revenue growth of 4 to 6 %.\n"
    ),
    "Supply agreement 2021.md": (
        "# Supply agreement\n\ndated 1 June 2021\n\n## Term\n\nThe agreement ends on 31 May 2026.\n\n"
        "## Late delivery\n\n"
        "For each full week of delay the Supplier pays 0.5 % of the value of the delayed goods, at most 5 %.\n"
    ),
    "Amendment 2024.md": (
        "# Amendment to the supply agreement\n\ndated 20 February 2024\n\nThe agreement runs until 31 December 2028.\n"
    ),
}
KINDS = {
    "a fact": "What is the largest risk?",
    "two parts": "What did EBIT come to in 2024; when does the supply agreement end?",
    "a comparison": "Revenue in 2022; revenue in 2024",
    "no answer": "Who is the chairman of the board of directors?",
}
_TIMEOUT_S = 600


def _ask(question: str, folder: Path, url: str, model: str) -> None:
    """Ask a question over the documents, as `intelli research` does."""
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("INTELLI_")},
        "INTELLI_MODEL__NAME": model,
        "INTELLI_MODEL__BASE_URL": url,
        "INTELLI_MODEL__TIMEOUT_S": str(_TIMEOUT_S),
    }
    program = [sys.executable, "-m", "intelli.cli", "research", str(folder / "documents"), question]
    asked = subprocess.run(
        [*program, "--data", str(folder / "data")], env=environment, capture_output=True, text=True, check=False
    )
    if asked.returncode not in {0, 3}:
        raise RuntimeError(asked.stderr[-2000:])


def _forward(url: str, model: str) -> Callable[[dict[str, Any]], str]:
    """Return a model that asks another endpoint."""

    def answer(body: dict[str, Any]) -> str:
        sent = json.dumps({**body, "model": model, "stream": False}).encode()
        request = urllib.request.Request(  # the person's own address
            f"{url}/chat/completions", sent, {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=_TIMEOUT_S) as response:
            return str(json.load(response)["choices"][0]["message"]["content"])

    return answer


def count(requests: list[dict[str, Any]], seconds: float) -> Mapping[str, float]:
    """Return what was sent for one question."""
    first = next((number for number, body in enumerate(requests, 1) if body.get("stream")), len(requests))
    sizes = [len(rule_based_model.prompt_of(body)) for body in requests]
    return {
        "calls before the first word": first,
        "calls in all": len(requests),
        "characters before the first word": sum(sizes[:first]),
        "characters in all": sum(sizes),
        "seconds": seconds,
    }


async def measure(size: Size, *, url: str = "", model: str = "rules") -> list[Comparison]:
    """Ask one question of each kind and count what the model was sent."""
    kinds = size.of(KINDS, dict(list(KINDS.items())[:1]))
    counted: dict[str, Mapping[str, float]] = {}
    with (
        TemporaryDirectory() as name,
        ModelServer(answer=_forward(url, model) if url else rule_based_model.answer) as at,
    ):
        folder = Path(name)
        (folder / "documents").mkdir()
        for title, text in DOCUMENTS.items():
            (folder / "documents" / title).write_text(text, encoding="utf-8")
        for kind, question in kinds.items():
            before, began = len(at.requests), time.monotonic()
            await asyncio.to_thread(_ask, question, folder, at.base_url, model)
            counted[kind] = count(at.requests[before:], time.monotonic() - began)
    measures = next(iter(counted.values()))
    return [
        Comparison(measure, measure.split()[0], {kind: values[measure] for kind, values in counted.items()})
        for measure in measures
    ]


def main() -> None:
    """Print the figures."""
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("--url", default="", help="address of another endpoint, with its version")
    given.add_argument("--model", default="rules", help="name of its model")
    chosen = given.parse_args()
    show(QUESTION, asyncio.run(measure(Size.USUAL, url=chosen.url, model=chosen.model)))


if __name__ == "__main__":
    main()
