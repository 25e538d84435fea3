"""An answer in a terminal: readable signs, lines that fit, and what could be asked next."""

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from intelli.cli import answer_printer, remote, wrap
from intelli.cli.wrap import LineWrapper
from intelli.kit.errors import Unavailable

TEXT = (
    "- The heron count of the north lake rose to 14 pairs.\n- It fell in the south.\n\nSee also supercalifragilistic."
)
_pieces = st.lists(
    st.sampled_from(["a", "bb ", " ", "\n", "- ", "1. ", "long-word-of-some-length ", "\u00e4\u8868"]), max_size=16
)


@given(pieces=_pieces, width=st.integers(8, 30))
def test_folding_loses_nothing_and_keeps_within_the_width(pieces: list[str], width: int):
    fold = LineWrapper(width)
    told = "".join([*(fold.feed(piece) for piece in pieces), fold.flush()])
    assert told.split() == "".join(pieces).split()
    longest = max((len(word) for word in told.split()), default=0)
    assert all(len(line.rstrip()) <= max(width, longest + 3) for line in told.split("\n"))


@given(cut=st.integers(0, len(TEXT)))
def test_folding_is_the_same_however_the_text_comes(cut: int):
    whole, parts = LineWrapper(24), LineWrapper(24)
    expected = whole.feed(TEXT) + whole.flush()
    assert parts.feed(TEXT[:cut]) + parts.feed(TEXT[cut:]) + parts.flush() == expected
    assert "\n  north lake rose to 14" in expected


def test_lines_go_to_a_file_as_they_are():
    assert wrap.line_width() is None
    assert LineWrapper(None).feed(TEXT) == TEXT
    assert wrap.fold([TEXT], None) == [TEXT]
    assert wrap.fold(["    \u201cSome words of a quote\u201d  \u2713 verified"], 24) == [
        "    \u201cSome words of a",
        "    quote\u201d  \u2713 verified",
    ]


def test_signs_that_stand_for_themselves_are_shown_as_such(capsys: pytest.CaptureFixture[str]):
    live = answer_printer.AnswerPrinter()
    at = 0
    for piece in ("p &l", "t; 0.05 \\", "[a\\] &amp", "; 5 \\* 3 & more \\"):
        live.add(piece, at)
        at += len(piece)
    live.end()
    assert capsys.readouterr().out == "p < 0.05 [a] & 5 * 3 & more \\"


def test_what_could_be_asked_next_is_told_where_there_is_something():
    assert answer_printer.next_questions({"follow_ups": []}) == []
    assert answer_printer.next_questions({"follow_ups": ["Why?"]}) == ["", "You could ask next:", "  Why?"]


def test_an_answer_without_a_model_says_so_and_names_the_way():
    (line,) = answer_printer.without_model({"reasoner": "extractive"})
    assert line.startswith("Made without a model")
    assert "intelli models" in line
    assert answer_printer.without_model({"reasoner": "qwen3:8b"}) == []
    assert answer_printer.without_model({}) == []


def test_sources_are_numbered_by_file_with_page_and_quote_of_each_passage():
    def citation(identifier: str, name: str, **more: object) -> answer_printer.Json:
        plain = {"page": None, "section": None, "quote": "", "check": "verified", "reason": "", "file_status": "active"}
        return {"identifier": identifier, "file_name": name, **plain, **more}

    first, other, last = f"{'b1' * 8}.0-5", f"{'a7' * 8}.0-9", f"{'b1' * 8}.8-12"
    content = "".join(f'Said <gml-inlinecitation identifier="{each}"/>.' for each in (first, other, last))
    told = answer_printer.sources(
        {
            "content": content,
            "citations": [
                citation(first, "b.pdf", page=2, quote="Two herons."),
                citation(other, "a.md", section="Birds", quote="A grebe.", check="weak", reason="In part."),
                citation(last, "b.pdf", page=5, quote="Ten."),
            ],
        }
    )
    assert told == [
        "[1] b.pdf",
        "    page 2: \u201cTwo herons.\u201d  \u2713 verified",
        "    page 5: \u201cTen.\u201d  \u2713 verified",
        "[2] a.md",
        "    Birds: \u201cA grebe.\u201d  \u2248 in other words: In part.",
    ]
    assert answer_printer.CitationNumbers().replace_citations(content) == "Said [1].Said [2].Said [1]."


def test_a_command_does_its_work_when_the_reader_of_its_output_has_left(tmp_path: Path):
    done = tmp_path / "done"
    script = "from intelli.cli import output\noutput.line('a' * 99_999)\noutput.line('b')\nopen({!r}, 'w').close()"
    reading, writing = os.pipe()
    os.close(reading)
    outcome = subprocess.run(
        [sys.executable, "-c", script.format(str(done))],
        stdout=writing,
        stderr=subprocess.PIPE,
        timeout=60,
        check=False,
    )
    os.close(writing)
    assert (outcome.returncode, outcome.stderr) == (0, b"")
    assert done.exists()


async def test_requests_that_break_off_side_by_side_are_told_as_a_server_that_does_not_answer():
    async def break_off() -> None:
        raise httpx.RemoteProtocolError("Server disconnected")

    with pytest.raises(Unavailable, match="does not answer"):
        async with remote.connect("http://127.0.0.1:1", "ik_x"), asyncio.TaskGroup() as group:
            for _ in range(2):
                group.create_task(break_off())
