"""PDFs with known text: hardly a word is lost, and they come in the right order."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.library.extraction.samples import samples
from tests.support.quality import BESIDE, SAMPLE, order, recall, where_there, words

from intelli.library.extraction.limits import Limits
from intelli.library.extraction.pdf import extract_pdf


@pytest.mark.parametrize(
    ("folder", "least_recall", "least_order"), where_there((SAMPLE, 0.99, 0.99), (BESIDE, 0.97, 0.96))
)
def test_words_and_their_order_survive(folder: Path, least_recall: float, least_order: float, tmp_path: Path):
    recalls, orders = [], []
    for path, text in _beside() if folder == BESIDE else _made(tmp_path):
        wanted, found = words(text), words(extract_pdf(path, Limits()).text)
        recalls.append(recall(wanted, found))
        orders.append(order(wanted, found))
    assert sum(recalls) / len(recalls) > least_recall
    assert sum(orders) / len(orders) > least_order


def _made(folder: Path) -> Iterator[tuple[Path, str]]:
    for sample in samples():
        if sample.name.endswith(".pdf"):
            path = folder / sample.name
            path.write_bytes(sample.content)
            yield path, sample.words


def _beside() -> Iterator[tuple[Path, str]]:
    """Real files, as another program reads them."""
    for path in sorted((BESIDE / "files" / "graded" / "pdf").glob("*.pdf")):
        yield path, path.with_name(f"{path.name}.expected.md").read_text(encoding="utf-8")
