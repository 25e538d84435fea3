"""Real PDFs with known text: hardly a word is lost, and they come in the right order."""

import importlib.util
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from intelli.library.extraction.limits import Limits
from intelli.library.extraction.pdf import extract_pdf

SHARED = Path(__file__).parents[4] / "shared" / "data"
GRADED = SHARED / "files" / "graded" / "pdf"


def scorer() -> ModuleType:
    spec = importlib.util.spec_from_file_location("extraction_score", SHARED / "score" / "extraction_score.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.skipif(not GRADED.exists(), reason="the shared files are not here")
def test_words_and_their_order_survive():
    score = scorer()
    words: Callable[[str], list[str]] = score.words
    recalls, orders = [], []
    for path in sorted(GRADED.glob("*.pdf")):
        wanted = words(path.with_name(f"{path.name}.expected.md").read_text(encoding="utf-8"))
        found = words(extract_pdf(path, Limits()).text)
        recalls.append(sum((Counter(wanted) & Counter(found)).values()) / len(wanted))
        orders.append(score.lcs(wanted[:2000], found[:2000]) / len(wanted[:2000]))
    assert sum(recalls) / len(recalls) > 0.97
    assert sum(orders) / len(orders) > 0.96
