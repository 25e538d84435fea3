"""Real files of every format: what holds for each extraction, on its way out of the sandbox too."""

from pathlib import Path

import pytest
from tests.library.extraction.files import DATA
from tests.library.extraction.reading import check

from intelli.library import chunk
from intelli.library.extraction import extract
from intelli.library.extraction.limits import Limits
from intelli.library.extraction.sandbox import transfer
from intelli.reasoning.tokens import count_tokens, cut

FILES = [path for path in sorted(DATA.glob("graded/*/*")) if not path.name.endswith(".expected.md")]


@pytest.mark.skipif(not FILES, reason="the shared files are not here")
@pytest.mark.parametrize("folder", sorted({path.parent for path in FILES}), ids=lambda path: path.name)
def test_every_file_is_read_whole_and_leaves_the_sandbox_as_it_is(folder: Path):
    for path in (path for path in FILES if path.parent == folder):
        extraction = extract(path, name=path.name, limits=Limits(ocr_pages=0))
        assert extraction.text.strip(), path.name
        check(extraction)
        assert transfer.load(transfer.dump(extraction)) == extraction
        chunks = chunk.split(extraction, cut(extraction.text).count, max_tokens=128)
        assert all(n <= 128 for n in count_tokens([extraction.text[each.start : each.end] for each in chunks]))
