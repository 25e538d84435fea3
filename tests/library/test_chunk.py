"""Passages: exact, in order, complete, within the budget, and cut where the structure says."""

from collections.abc import Callable, Sequence
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from intelli.library import chunk as library_chunk
from intelli.library.chunk import Count, TextChunk
from intelli.library.extraction.model import Block, BlockKind, BlockLocation, Extraction, TextPage
from intelli.reasoning.tokens import count_tokens, tokenize

_WORDS = st.text(alphabet="ab .,\n\t。é漢😀", min_size=0, max_size=60)
_KINDS = st.sampled_from(list(BlockKind))


def count_words(texts: Sequence[str]) -> list[int]:
    return [len(text.split()) for text in texts]


def count_bytes(texts: Sequence[str]) -> list[int]:
    return [len(text.encode()) for text in texts]


def by(count: Callable[[Sequence[str]], list[int]]) -> Callable[[str], Count]:
    """What counts spans of a text by a count of texts."""
    return lambda text: lambda spans: count([text[start:end] for start, end in spans])


def split(extraction: Extraction, counting: Callable[[str], Count], **options: float) -> list[TextChunk]:
    return library_chunk.split(extraction, counting(extraction.text), **options)  # type: ignore[arg-type]  # as the test has it


def assembled(*blocks: tuple[BlockKind, str], **more: object) -> Extraction:
    """A text of blocks separated by blank lines."""
    text, found, path = "", [], ()
    for kind, words in blocks:
        start = len(text)
        text += words
        level = 1 if kind is BlockKind.HEADING else 0
        found.append(Block(start, len(text), kind, level=level, path=() if level else path))
        path = (words,) if level else path
        text += "\n\n"
    return Extraction(text, tuple(found), "text/plain", **more)  # type: ignore[arg-type]


@st.composite
def extractions(draw: st.DrawFn) -> Extraction:
    """Texts with blocks anywhere in them, and stretches that belong to no block."""
    text, blocks = "", []
    for _ in range(draw(st.integers(0, 8))):
        text += draw(_WORDS)
        start = len(text)
        text += draw(_WORDS) * draw(st.integers(1, 6))
        kind = draw(_KINDS)
        level = draw(st.integers(1, 4)) if kind is BlockKind.HEADING else 0
        place = BlockLocation(
            sheet=draw(st.sampled_from([None, "one", "two"])), slide=draw(st.sampled_from([None, 1, 2]))
        )
        blocks.append(Block(start, len(text), kind, place, level))
    return Extraction(text + draw(_WORDS), tuple(blocks), "text/plain")


def covered(extraction: Extraction, chunks: Sequence[TextChunk]) -> set[int]:
    return {offset for chunk in chunks for offset in range(chunk.start, chunk.end)}


@settings(max_examples=300, deadline=None)
@given(extractions(), st.integers(4, 60), st.sampled_from([0.0, 0.3, 0.5]), st.sampled_from([count_words, count_bytes]))
def test_passages_are_complete_ordered_bounded_and_without_furniture(extraction, max_tokens, overlap, count):
    chunks = split(extraction, by(count), max_tokens=max_tokens, overlap=overlap)
    texts = [extraction.text[chunk.start : chunk.end] for chunk in chunks]
    assert all(text == text.strip() and text for text in texts)
    assert [(c.start, c.end) for c in chunks] == sorted({(c.start, c.end) for c in chunks})
    assert all(tokens <= max_tokens for tokens in count(texts))
    furniture = {
        offset
        for block in extraction.blocks
        if block.kind is BlockKind.FURNITURE
        for offset in range(block.start, block.end)
    }
    wanted = {offset for offset, char in enumerate(extraction.text) if not char.isspace()} - furniture
    found = covered(extraction, chunks)
    assert wanted <= found
    assert not {offset for offset in found & furniture if not extraction.text[offset].isspace()}


@settings(max_examples=40, deadline=None)
@given(extractions())
def test_the_bundled_tokenizer_keeps_the_budget_too(extraction):
    chunks = split(extraction, lambda text: tokenize(text).count, max_tokens=32)
    assert all(n <= 32 for n in count_tokens([extraction.text[c.start : c.end] for c in chunks]))


def test_blocks_are_packed_and_a_heading_stays_with_what_it_heads():
    extraction = assembled(
        (BlockKind.HEADING, "Ducks"), (BlockKind.PARAGRAPH, "one two"), (BlockKind.PARAGRAPH, "three four"),
        (BlockKind.HEADING, "Geese"), (BlockKind.PARAGRAPH, "five six"),
    )  # fmt: skip
    chunks = split(extraction, by(count_words), max_tokens=20)
    assert [extraction.text[c.start : c.end].split() for c in chunks] == [
        ["Ducks", "one", "two", "three", "four"],
        ["Geese", "five", "six"],
    ]
    assert [chunk.section for chunk in chunks] == ["Ducks", "Geese"]


def test_a_table_is_never_cut_inside_a_row_and_its_later_parts_know_their_header():
    rows = [f"row {number} has cells" for number in range(50)]
    extraction = assembled((BlockKind.TABLE, "\n".join(["name of the column", *rows])))
    chunks = split(extraction, by(count_words), max_tokens=30)
    for chunk in chunks:
        assert set(extraction.text[chunk.start : chunk.end].split("\n")) <= {"name of the column", *rows}
        assert chunk.kind == "table"
    assert chunks[0].header is None
    assert {extraction.text[slice(*chunk.header)] for chunk in chunks[1:] if chunk.header} == {"name of the column"}
    assert sum(chunk.end - chunk.start for chunk in chunks) <= len(extraction.text)  # no overlap


def test_bands_of_one_sheet_share_the_header_of_the_first():
    text = "head\n" + "\n".join("abc" for _ in range(9))
    cut = text.index("\n", 20)
    blocks = (
        Block(0, cut, BlockKind.TABLE, BlockLocation(sheet="s", cells="A1:A5")),
        Block(cut + 1, len(text), BlockKind.TABLE, BlockLocation(sheet="s", cells="A6:A10")),
    )
    chunks = split(Extraction(text, blocks, "text/csv"), by(count_words), max_tokens=6)
    assert len(chunks) > 1
    assert [chunk.header for chunk in chunks] == [None, *[(0, 4)] * (len(chunks) - 1)]


def test_only_a_long_paragraph_overlaps():
    words = " ".join(f"w{number}." + (" Next" if number % 7 == 0 else "") for number in range(300))
    extraction = assembled((BlockKind.PARAGRAPH, "short one"), (BlockKind.PARAGRAPH, words))
    chunks = split(extraction, by(count_words), max_tokens=40, overlap=0.5)
    long = chunks[1:]
    assert all(after.start < before.end for before, after in pairwise(long))
    apart = split(extraction, by(count_words), max_tokens=40, overlap=0.0)
    assert all(after.start >= before.end for before, after in pairwise(apart))


def test_the_page_is_that_of_the_first_character():
    text = "first page\fsecond page"
    pages = (TextPage(1, 0, 10, 100, 100), TextPage(2, 11, 22, 100, 100))
    blocks = (Block(0, 10, BlockKind.PARAGRAPH), Block(11, 22, BlockKind.FURNITURE))
    assert split(Extraction(text, blocks, "x", pages), by(count_words))[0].page == 1
    later = (Block(0, 10, BlockKind.FURNITURE), Block(11, 22, BlockKind.PARAGRAPH))
    assert split(Extraction(text, later, "x", pages), by(count_words))[0].page == 2


def test_sheets_and_files_within_files_are_kept_apart_but_a_mail_is_one():
    def chunks_of(*parts: str) -> int:
        text = "\n".join(parts)
        starts = [text.index(part) for part in parts]
        blocks = tuple(
            Block(start, start + len(part), BlockKind.PARAGRAPH, BlockLocation(part=part))
            for start, part in zip(starts, parts, strict=True)
        )
        return len(split(Extraction(text, blocks, "x"), by(count_words)))

    assert chunks_of("one.pdf", "two.pdf") == 2
    assert chunks_of("headers", "body") == 1
    assert chunks_of("mail.eml/headers", "mail.eml/body") == 1


def test_an_empty_text_has_no_passages():
    assert split(Extraction("", (), "text/plain"), by(count_words)) == []
    assert split(Extraction(" \n ", (), "text/plain"), by(count_words)) == []


def test_of_one_endless_line_no_character_is_counted_more_than_a_few_times():
    text = "word" * 1_000_000
    counted = 0

    def count(texts: Sequence[str]) -> list[int]:
        nonlocal counted
        counted += sum(len(each) for each in texts)
        return [len(each) // 4 + 1 for each in texts]

    chunks = split(Extraction(text, (Block(0, len(text), BlockKind.PARAGRAPH),), "text/plain"), by(count))
    assert len(chunks) > 1000
    assert counted < 5 * len(text)
