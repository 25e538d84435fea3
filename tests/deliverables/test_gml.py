"""GML: the shared cases, no script and no lost words whatever comes, and papers that survive being written down."""

import json
import re
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from intelli.deliverables import gml, prose
from intelli.deliverables.gml import tree
from intelli.deliverables.paper import (
    Bullets,
    Callout,
    Heading,
    Numbered,
    Paper,
    Paragraph,
    QuoteBlock,
    Row,
    TableBlock,
    TextRun,
)

CASES: dict[str, Any] = json.loads(Path("contracts/cases/gml.json").read_text(encoding="utf-8"))
_WORDS = st.text("ab <>&\"'/;=-\u00e4\u4e2d\n\t", max_size=30)
_PIECES = st.lists(
    st.one_of(
        _WORDS,
        st.sampled_from(
            [
                "<p>",
                "</p>",
                "<b>",
                "</b>",
                "<script>",
                "</script>",
                "<img src=x onerror=alert(1)>",
                "<ul><li>",
                "<svg/on",
            ]
        ),
        st.sampled_from(['<a href="javascript:1">', "</a>", '<gml-inlinecitation identifier="a.1-2"/>', "<!--", "-->"]),
        st.sampled_from(["<table><tr><td>", "</table>", "<gml-row>", "<gml-chartcontainer>", "&lt;script&gt;"]),
    ),
    max_size=20,
)


@pytest.mark.parametrize("case", CASES["parse"], ids=lambda case: case["name"])
def test_a_text_is_read_as_the_shared_tree(case: dict[str, Any]):
    assert tree.as_json(tree.parse(case["gml"])) == case["tree"]


@pytest.mark.parametrize("case", CASES["sanitise"], ids=lambda case: case["name"])
def test_what_could_do_harm_loses_its_tag_and_keeps_its_text(case: dict[str, Any]):
    assert tree.write(tree.parse(case["gml"])) == case["safe"]


@pytest.mark.parametrize("case", CASES["stream"], ids=lambda case: case["gml"])
def test_every_prefix_of_a_stream_can_be_shown(case: dict[str, Any]):
    shown = [tree.write(tree.parse_prefix(case["gml"][:end])) for end in range(len(case["gml"]) + 1)]
    assert shown == case["prefixes"]


@settings(max_examples=300, deadline=None)
@given(_PIECES)
def test_nothing_runs_and_no_word_is_lost(pieces: list[str]):
    text = "".join(pieces)
    safe = tree.write(tree.parse(text))
    assert tree.parse(safe) == tree.parse(text)
    assert set(re.findall(r"<([a-z0-9-]+)", safe)) <= tree.ALLOWED.keys()
    assert not re.search(r"<[^>]*\s(?:on\w+|style|src)\s*=", safe)
    assert "javascript:" not in "".join(re.findall(r'href="([^"]*)"', safe))
    words = re.sub(r"\W", "", tree.text_of(tree.parse(text)))
    paper = gml.parse(text)
    assert re.sub(r"\W", "", "".join(prose.words(block) for block in paper.blocks)) == words


_INLINE = st.text("abc .\u00e4<&>\"'", min_size=1, max_size=20).map(lambda text: re.sub(" +", " ", text))
_RUNS = st.lists(
    st.builds(
        TextRun,
        text=_INLINE,
        bold=st.booleans(),
        italic=st.booleans(),
        citations=st.lists(st.sampled_from(["a.1-2", "b&c.3-4"]), min_size=1, max_size=2).map(tuple),
    ),
    min_size=1,
    max_size=3,
).map(tuple)
_BLOCKS = st.one_of(
    st.builds(Paragraph, runs=_RUNS),
    st.builds(QuoteBlock, runs=_RUNS),
    st.builds(Callout, title=_INLINE, runs=_RUNS),
    st.builds(Bullets, items=st.lists(_RUNS, min_size=1, max_size=3).map(tuple)),
    st.builds(Numbered, items=st.lists(_RUNS, min_size=1, max_size=3).map(tuple)),
    st.builds(lambda runs: TableBlock(caption="c", columns=("A", "B"), rows=((runs, runs),)), _RUNS),
    st.builds(lambda runs: Row(primary=(Paragraph(runs=runs),), sidebar=(QuoteBlock(runs=runs),)), _RUNS),
)


@settings(max_examples=150, deadline=None)
@given(st.lists(_BLOCKS, max_size=5))
def test_a_paper_that_is_written_is_read_back_as_it_was(blocks: list[Any]):
    paper = Paper(title="T", blocks=(Heading(level=1, text="T", id="t"), *blocks))
    written = gml.parse(gml.write(paper))
    assert _without_edges(written) == _without_edges(paper)
    cited = re.findall(r'identifier="([^"]*)"', gml.write(paper))
    assert [tree.decode(mark) for mark in cited] == prose.citations(paper)


def _without_edges(paper: Paper) -> str:
    """Space at the edges of blocks carries nothing."""
    return re.sub(r'"text":" +', '"text":"', paper.model_dump_json())


def test_hostile_texts_take_no_longer_than_their_length():
    hostile = ("<" * 50_000, "<a " * 20_000, "<p>" * 50_000, "&" * 50_000, "<a b" + " b" * 50_000, "<!--" * 20_000)
    begun = time.process_time()
    for text in hostile:
        gml.parse(text)
        tree.parse_prefix(text)
    assert time.process_time() - begun < 10


def test_deep_nesting_keeps_its_text():
    text = "<ul><li>" * 500 + "deep" + "</li></ul>" * 500
    assert "deep" in tree.text_of(tree.parse(text))
    assert "deep" in "".join(prose.words(block) for block in gml.parse(text).blocks)
