"""Texts for tests about citations: built from what citations are made of, in any order."""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

from hypothesis import strategies

from intelli.citations.figures import CitedView
from intelli.citations.source_views import SourceView

CASES: dict[str, Any] = json.loads(
    (Path(__file__).parents[2] / "contracts" / "cases" / "citations.json").read_text(encoding="utf-8")
)
_PIECES = (
    "[", "[", "]", "]", "(", ")", "{", "}", "{citation:", "<", ">", "<gml-", '<gml-inlinecitation identifier="', '"/>',
    "known", "other", "\n", "\n", " ", "\\", "`", "``", "```", "~~~", ": ", "https://x.org", "a", "!", "\n```\n",
    '<gml-inlinecitation identifier="known"/>', "{citation:other}", "[known]", "\u00e4\u8868", "x" * 40,
)  # fmt: skip

marked = strategies.lists(strategies.sampled_from(_PIECES), max_size=30).map("".join)
anything = strategies.one_of(marked, strategies.text(max_size=200))


@strategies.composite
def chunked(draw: strategies.DrawFn) -> tuple[str, list[str]]:
    """A text and a way to cut it into chunks."""
    text = draw(marked)
    cuts = sorted(draw(strategies.sets(strategies.integers(0, len(text)), max_size=12)))
    edges = [0, *cuts, len(text)]
    return text, [text[start:end] for start, end in pairwise(edges)]


def cited(text: str, *, ordinal: int = 0, around: str = "", place: str = "") -> CitedView:
    """A passage as a check reads it, cited by an ordinal; `around` is the text of its document."""
    return CitedView(ordinal, SourceView(f"p{ordinal}", text, place, 0, around or text, text))


def abstracts(folder: Path, count: int) -> list[list[str]]:
    """Abstracts of a folder of evaluation data, sentence by sentence."""
    lines = (folder / "scifact" / "corpus.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line)["sentences"] for line in lines[:: max(1, len(lines) // count)]]
