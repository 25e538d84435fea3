"""Small plain files share a process; what is anything else, or any trouble, is left to a process of its own."""

import json
from pathlib import Path

import pytest
from tests.library.extraction.files import pdf_of

from intelli.library import prepared_text
from intelli.library.extraction.limits import Limits
from intelli.library.extraction.model import Block, BlockKind, Extraction
from intelli.library.extraction.sandbox import Caps, ChildStep, Extractor
from intelli.library.prepared_text import PreparedText

_OPTIONS = {"max_tokens": 8, "overlap": 0.5}
_STEP = ChildStep(prepared_text.MODULE, prepared_text.collect, _OPTIONS)


async def test_plain_files_are_read_as_by_themselves_and_others_left_alone(tmp_path: Path):
    contents = {
        "a.txt": "Grüße, 東京\r\nline two".encode(),
        "b.md": b"# Title\n\nText below it.",
        "c.csv": b"name,age\nAda,36\n",
        "d.json": b'{"a": [1, 2]}',
        "page.html": b"<html><body>no</body></html>",
        "real.txt": pdf_of(1, "It only says that it is a text."),
        "empty.txt": b"",
        "deep.json": b"[" * 100_000,
    }
    files = []
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
        files.append((tmp_path / name, name))
    extractor = Extractor(Limits(), Caps())
    try:
        found = await extractor.extract_plain(files, step=_STEP)
        alone = [await extractor.extract(path, name=name) for path, name in files[:4]]
    finally:
        await extractor.close()
    gathered = [prepared_text.build(each, **_OPTIONS) for each in alone]
    assert found[:4] == gathered
    assert [_lists(each) for each in found[:4] if each] == [_lists(each) for each in gathered]
    assert found[4:7] == [None, None, None]


async def test_no_files_are_read_without_a_process():
    extractor = Extractor(Limits(), Caps())
    assert await extractor.extract_plain([], step=_STEP) == []
    await extractor.close()


@pytest.mark.parametrize(
    "said",
    [
        pytest.param(b'{"bytes": [4, 0, 0], "chunks": [[0, 9, null, null, "text", 1, null]]', id="beyond the text"),
        pytest.param(b'{"bytes": [4, 0, 0], "chunks": [[-1, 2, null, null, "text", 1, null]]', id="before the text"),
        pytest.param(b'{"bytes": [4, 0, 0], "chunks": [[0, 2]]', id="half a passage"),
        pytest.param(b'{"bytes": "many", "chunks": []', id="no number"),
        pytest.param(b'{"chunks": []', id="no text"),
    ],
)
def test_what_a_child_leaves_is_not_believed(said: bytes):
    more = b', "media_type": "text/plain", "title": null, "properties": {}, "page_count": 0'
    more += b', "numbers": [], "language": null}'
    with pytest.raises(ValueError, match=r"must be|should|Expecting"):
        prepared_text.collect(said + more + b"\nText")


@pytest.mark.parametrize("change", [{"numbers": [3]}, {"numbers": [-1, 5]}, {"numbers": [2, 3]}])
def test_tokens_that_are_not_those_of_the_passages_are_not_believed(change: dict[str, object]):
    extraction = Extraction("Ship by ship.\n\nSail.", (Block(0, 20, BlockKind.PARAGRAPH),), "text/plain")
    left = prepared_text.dump(extraction, **_OPTIONS)
    said, _, rest = left.partition(b"\n")
    assert _lists(prepared_text.collect(left)) == _lists(prepared_text.build(extraction, **_OPTIONS))
    with pytest.raises(ValueError, match=r"token|number"):
        prepared_text.collect(json.dumps({**json.loads(said), **change}).encode() + b"\n" + rest)


def test_a_token_that_no_vocabulary_has_is_not_believed():
    left = prepared_text.dump(Extraction("Ship.", (), "text/plain"), **_OPTIONS)
    said, _, rest = left.partition(b"\n")
    count = json.loads(said)["bytes"][1]
    with pytest.raises(ValueError, match="no such token"):
        prepared_text.collect(said + b"\n" + rest[:5] + b"\xff" * count + rest[5 + count :])


def _lists(made: PreparedText) -> list[list[int]]:
    return [each.tolist() for each in made.numbers]
