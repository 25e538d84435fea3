"""Small plain files share a process; what is anything else, or any trouble, is left to a process of its own."""

from pathlib import Path

from tests.library.extraction.files import pdf_of

from intelli.library.extraction.limits import Limits
from intelli.library.extraction.sandbox import Caps, Extractor


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
        found = await extractor.extract_plain(files)
        alone = [await extractor.extract(path, name=name) for path, name in files[:4]]
    finally:
        await extractor.close()
    assert found[:4] == alone
    assert found[4:7] == [None, None, None]


async def test_no_files_are_read_without_a_process():
    extractor = Extractor(Limits(), Caps())
    assert await extractor.extract_plain([]) == []
    await extractor.close()
