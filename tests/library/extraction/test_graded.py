"""Files of every format: no word is lost, and what holds for each extraction, on its way out of the sandbox too."""

from pathlib import Path

import pytest
from tests.library.extraction.reading import check
from tests.library.extraction.samples import Sample, samples
from tests.support import quality

from intelli.library import chunk
from intelli.library.extraction import extract
from intelli.library.extraction.limits import Limits
from intelli.library.extraction.model import Extraction
from intelli.library.extraction.sandbox import transfer
from intelli.reasoning.tokens import count_tokens, tokenize

SAMPLES = tuple(samples())
FILES = [
    path for path in sorted((quality.BESIDE / "files" / "graded").glob("*/*")) if not path.name.endswith(".expected.md")
]


@pytest.mark.parametrize("sample", SAMPLES, ids=[sample.name for sample in SAMPLES])
def test_every_word_of_a_sample_comes_out_in_its_order(sample: Sample, tmp_path: Path):
    path = tmp_path / sample.name
    path.write_bytes(sample.content)
    wanted, found = quality.words(sample.words), quality.words(_read(path).text)
    assert quality.recall(wanted, found) >= 0.99
    assert quality.order(wanted, found) >= 0.99


@pytest.mark.parametrize("kind", ["samples", *sorted({path.parent.name for path in FILES})])
def test_every_file_is_read_whole_and_leaves_the_sandbox_as_it_is(kind: str, tmp_path: Path):
    for sample in SAMPLES:
        (tmp_path / sample.name).write_bytes(sample.content)
    paths = sorted(tmp_path.iterdir()) if kind == "samples" else [path for path in FILES if path.parent.name == kind]
    for path in paths:
        extraction = _read(path)
        assert extraction.text.strip(), path.name
        check(extraction)
        assert transfer.load(transfer.dump(extraction)) == extraction
        chunks = chunk.split(extraction, tokenize(extraction.text).count, max_tokens=128)
        assert all(n <= 128 for n in count_tokens([extraction.text[each.start : each.end] for each in chunks]))


def _read(path: Path) -> Extraction:
    return extract(path, name=path.name, limits=Limits(ocr_pages=0))
