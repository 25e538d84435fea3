"""How many calls does a question take a model, and how much is it given to read?

`python -m bench.calls` asks one question of each kind over a small library, with a model that answers at once and by
rules behind the real protocol, and counts what was sent until the first word and until the end. With `--url URL --model
NAME` another endpoint is asked through a proxy that counts; its seconds then mean something, too. A model that is asked
in short (`--shape short`) streams nothing before its last form: its first word comes with the last call.
"""

import argparse
import asyncio
import json
import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
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
_CHARACTERS_PER_TOKEN = 4


@dataclass(frozen=True)
class Endpoint:
    """An endpoint to forward to, its model, key and the shape of its prompts."""

    url: str = ""
    model: str = "rules"
    key: str = ""
    shape: str = "full"


@dataclass(frozen=True)
class Call:
    """A call of a model: what was sent and replied, and when the reply was there."""

    body: dict[str, Any]
    reply: str
    ended: float


def _ask(question: str, folder: Path, url: str, endpoint: Endpoint) -> None:
    """Ask a question over the documents, as `intelli research` does."""
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("INTELLI_")},
        "INTELLI_MODEL__NAME": endpoint.model,
        "INTELLI_MODEL__BASE_URL": url,
        "INTELLI_MODEL__SHAPE": endpoint.shape,
        "INTELLI_MODEL__TIMEOUT_S": str(_TIMEOUT_S),
    }
    program = [sys.executable, "-m", "intelli.cli", "research", str(folder / "documents"), question]
    asked = subprocess.run(
        [*program, "--data", str(folder / "data")], env=environment, capture_output=True, text=True, check=False
    )
    if asked.returncode not in {0, 3}:
        raise RuntimeError(asked.stderr[-2000:])


def _recorded(answer: Callable[[dict[str, Any]], str], calls: list[Call]) -> Callable[[dict[str, Any]], str]:
    """Return a model that keeps what it was asked and replied."""

    def record(body: dict[str, Any]) -> str:
        reply = answer(body)
        calls.append(Call(body, reply, time.monotonic()))
        return reply

    return record


def _forward(endpoint: Endpoint) -> Callable[[dict[str, Any]], str]:
    """Return a model that asks another endpoint."""

    def answer(body: dict[str, Any]) -> str:
        sent = json.dumps({**body, "model": endpoint.model, "stream": False}).encode()
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {endpoint.key or 'none'}"}
        request = urllib.request.Request(  # the person's own address
            f"{endpoint.url}/chat/completions", sent, headers
        )
        with urllib.request.urlopen(request, timeout=_TIMEOUT_S) as response:
            return str(json.load(response)["choices"][0]["message"]["content"])

    return answer


def count(calls: Sequence[Call], began: float, ended: float) -> Mapping[str, float]:
    """Return what was sent and replied for one question; tokens by the usual number of characters of one."""
    first = next((number for number, call in enumerate(calls, 1) if call.body.get("stream")), len(calls))
    sizes = [len(rule_based_model.prompt_of(call.body)) for call in calls]
    return {
        "calls before the first word": first,
        "calls in all": len(calls),
        "characters before the first word": sum(sizes[:first]),
        "characters in all": sum(sizes),
        "tokens in, about": sum(sizes) / _CHARACTERS_PER_TOKEN,
        "tokens out, about": sum(len(call.reply) for call in calls) / _CHARACTERS_PER_TOKEN,
        "seconds to the first word": calls[first - 1].ended - began if calls else ended - began,
        "seconds": ended - began,
    }


async def measure(size: Size, *, endpoint: Endpoint | None = None) -> list[Comparison]:
    """Ask one question of each kind and count what the model was sent."""
    kinds = size.of(KINDS, dict(list(KINDS.items())[:1]))
    counted: dict[str, Mapping[str, float]] = {}
    asked, calls = endpoint or Endpoint(), list[Call]()
    model = _recorded(_forward(asked) if asked.url else rule_based_model.answer, calls)
    with TemporaryDirectory() as name, ModelServer(answer=model) as at:
        folder = Path(name)
        (folder / "documents").mkdir()
        for title, text in DOCUMENTS.items():
            (folder / "documents" / title).write_text(text, encoding="utf-8")
        for kind, question in kinds.items():
            before, began = len(calls), time.monotonic()
            await asyncio.to_thread(_ask, question, folder, at.base_url, asked)
            counted[kind] = count(calls[before:], began, time.monotonic())
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
    given.add_argument("--key-file", type=Path, help="file with its key")
    given.add_argument("--shape", default="full", choices=("full", "short"), help="how the model is asked")
    chosen = given.parse_args()
    key = chosen.key_file.read_text(encoding="utf-8").strip() if chosen.key_file else ""
    endpoint = Endpoint(chosen.url, chosen.model, key, chosen.shape)
    show(QUESTION, asyncio.run(measure(Size.USUAL, endpoint=endpoint)))


if __name__ == "__main__":
    main()
