"""Plain text and its kin: the characters of the file, decoded rightly, in blocks that mean something."""

import codecs
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.library.extraction.reading import Read, shown, words

from intelli.library.extraction.model import BlockKind
from intelli.library.extraction.text import decode


@pytest.mark.parametrize(
    "raw",
    [
        "Grüße, 漢字".encode(),
        codecs.BOM_UTF8 + "Grüße, 漢字".encode(),
        "Grüße, 漢字".encode("utf-16"),
        codecs.BOM_UTF16_BE + "Grüße, 漢字".encode("utf-16-be"),
        "Grüße, 漢字".encode("utf-32"),
    ],
)
def test_the_mark_of_an_encoding_is_heeded(raw: bytes):
    assert decode(raw) == "Grüße, 漢字"


def test_utf_16_without_a_mark_is_seen_by_its_zeros():
    assert decode("A plain sentence.".encode("utf-16-le")) == "A plain sentence."
    assert decode("A plain sentence.".encode("utf-16-be")) == "A plain sentence."


def test_windows_text_is_recognised():
    text = "Die Größe der Gänse überraschte die Prüfer; früher wären sie kleiner gewesen. " * 5
    assert decode(text.encode("cp1252")) == text


def test_a_file_of_mixed_encodings_loses_nothing():
    raw = "Grüße aus Köln; schön\n".encode() + "Straße".encode("cp1252") + "\nnaïve Übung größer".encode()
    assert decode(raw) == "Grüße aus Köln; schön\nStraße\nnaïve Übung größer"


@given(st.binary(max_size=300))
def test_any_bytes_become_text(raw: bytes):
    assert isinstance(decode(raw), str)


def test_a_text_about_a_format_is_still_a_text(read: Read):
    assert read("A PDF begins with %PDF-1.7 and a ZIP with PK.").media_type == "text/plain"
    assert read("BM is the mark of a bitmap.").media_type == "text/plain"


def test_line_ends_are_one_and_nul_and_lone_surrogates_are_gone(read: Read):
    assert read("a\r\nb\rc\n", "x.txt").text == "a\nb\nc\n"
    assert read('["a\\u0000b\\ud800c"]', "x.json").text == '[\n  "a\\u0000bc"\n]'


def test_paragraphs_know_their_line(read: Read):
    extraction = read("one\none\n\n\ntwo\n", "x.txt")
    assert [(words(extraction, block), block.place.line) for block in extraction.blocks] == [
        ("one\none", 1),
        ("two", 5),
    ]


def test_markdown_is_kept_as_it_is_and_its_structure_is_seen(read: Read):
    source = "# Ducks\n\nThey *swim*.\nMuch.\n\nDiving\n------\n\n- one\n- two\n  more\n\n"
    source += "```\n# no heading\n\nx\n```\n| a | b |\n|---|---|\n"
    extraction = read(source, "x.md")
    assert extraction.text == source
    assert shown(extraction) == [
        ("heading", "# Ducks"),
        ("paragraph", "They *swim*.\nMuch."),
        ("heading", "Diving\n------"),
        ("list", "- one\n- two\n  more"),
        ("code", "```\n# no heading\n\nx\n```"),
        ("table", "| a | b |\n|---|---|"),
    ]
    assert extraction.blocks[-1].path == ("Ducks", "Diving")
    assert extraction.title == "Ducks"


@pytest.mark.parametrize("mark", ["---", "+++"])
def test_fields_before_markdown_are_no_heading_and_no_prose(read: Read, mark: str):
    extraction = read(f"{mark}\ntitle: Ferry\nmenu: Ports\n{mark}\n\nIt sails.\n", "a.md")
    assert [(b.kind, extraction.text[b.start : b.end]) for b in extraction.blocks] == [
        (BlockKind.CODE, f"{mark}\ntitle: Ferry\nmenu: Ports\n{mark}"),
        (BlockKind.PARAGRAPH, "It sails."),
    ]


def test_a_rule_before_markdown_begins_no_fields(read: Read):
    extraction = read("---\n\nIt sails.\n\n---\n", "a.md")
    assert extraction.blocks[0].kind is not BlockKind.CODE


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_dialect_of_separated_values_is_found_out(read: Read, delimiter: str):
    rows = [["name", "says"], ["duck", f'quack{delimiter} "loud"'], ["goose", "two\nlines"]]
    source = "\n".join(delimiter.join('"' + cell.replace('"', '""') + '"' for cell in row) for row in rows)
    extraction = read(source, "x.csv")
    loud = f'quack{delimiter} "loud"'.replace("\t", "")
    assert extraction.text == f"name\tsays\nduck\t{loud}\ngoose\ttwo lines"
    assert extraction.blocks[0].place.cells == "A1:B3"


def test_long_tables_are_read_in_bands(read: Read):
    extraction = read("".join(f"{number},x\n" for number in range(120)), "x.csv")
    assert [block.place.cells for block in extraction.blocks] == ["A1:B50", "A51:B100", "A101:B120"]


def test_empty_rows_move_no_row_from_its_number(read: Read):
    rows = ["", *(f"{number},x" for number in range(2, 51)), "", *(f"{number},x" for number in range(52, 60))]
    extraction = read("\n".join(rows), "x.csv")
    assert [block.place.cells for block in extraction.blocks] == ["A2:B51", "A52:B59"]
    assert [words(extraction, block).split("\t")[0] for block in extraction.blocks] == ["2", "52"]


def test_json_is_written_out_and_blocks_know_their_keys(read: Read):
    value = {"animals": [{"name": f"duck {number}", "sound": "quack" * 40} for number in range(30)], "größe": 1}
    extraction = read(json.dumps(value), "x.json")
    assert json.loads(extraction.text) == value
    assert "größe" in extraction.text
    assert any(block.path[:1] == ("animals",) for block in extraction.blocks)
    assert "".join(words(extraction, block) for block in extraction.blocks).count("duck") == 30


def test_broken_json_is_read_as_text_and_many_documents_as_lines(read: Read):
    assert read('{"a": 1,', "x.json").media_type == "text/plain"
    lines = read('{"a": "\\u00e9"}\n{"b": 2}\n', "x.json")
    assert lines.media_type == "application/x-ndjson"
    assert [words(lines, block) for block in lines.blocks] == ["a: é", "b: 2"]


def test_a_record_of_json_lines_is_fields_and_values_that_lead_back_to_its_line(read: Read):
    source = (
        '{"id": 7, "question": "Who is \\"Ada\\"?", "price": 1.50, "open": true, "note": null}\n\n'
        '{"author": {"name": "Bo", "roles": ["cook", "king"]}, "parts": [{"n": 1}, {"n": 2}]}\nnot a record\n'
    )
    records = read(source, "x.jsonl")
    assert [words(records, block) for block in records.blocks] == [
        'id: 7\nquestion: Who is "Ada"?\nprice: 1.50\nopen: true',
        "author.name: Bo\nauthor.roles: cook, king\nparts.1.n: 1\nparts.2.n: 2",
        "not a record",
    ]
    assert [block.place.line for block in records.blocks] == [1, 3, 4]
    assert {block.kind for block in records.blocks} == {BlockKind.LIST}


def test_subtitles_say_who_spoke_from_when_on(read: Read):
    vtt = (
        "WEBVTT\n\n1\n00:01.000 --> 00:02.000\n<v Ann>Hello &amp; <i>welcome</i></v>\n\n"
        "00:02.000 --> 00:03.000 align:left\n<v Ann>all.\n\n00:00:04.000 --> 00:00:05.000\n<v Bob>Hi.\n"
    )
    assert read(vtt).text == "[00:01] Ann: Hello & welcome\nall.\n\n[00:00:04] Bob: Hi."
    srt = "1\n00:00:01,000 --> 00:00:02,000\nHello\n\n2\n00:00:03,000 --> 00:00:04,000\nthere\n"
    assert read(srt).text == "[00:00:01] Hello\nthere"


def test_a_page_shows_what_a_person_sees(read: Read):
    page = (
        "<!doctype html><html><head><title>Birds</title><style>p{}</style></head><body><nav>Home</nav><h1>Ducks</h1>"
        "<p>They <b>swim</b>.<br>Much.</p><script>no()</script><p hidden>no</p><div style='display: none'>no</div>"
        "<ol start=3><li>three<ul><li>inner</li></ul></li><li>four</li></ol><pre>a\n  b</pre><img alt='a duck'>"
        "<input type=hidden value=no><input value=typed></body></html>"
    )
    extraction = read(page, "x.html")
    assert shown(extraction) == [
        ("furniture", "Home"),
        ("heading", "Ducks"),
        ("paragraph", "They swim.\nMuch."),
        ("list", "3. three"),
        ("list", "- inner"),
        ("list", "4. four"),
        ("code", "a\n  b"),
        ("paragraph", "a duck typed"),
    ]
    assert extraction.title == "Birds"


def test_a_table_of_a_page_repeats_what_its_cells_cover(read: Read):
    table = (
        "<table><caption>Birds</caption><tr><th rowspan=2>year<th colspan=2>ducks<tr><td>wild<td>tame"
        "<tr><td>2024<td>3<td><table><tr><td>inner<td>cell</table></table>"
    )
    extraction = read(f"<html><body>{table}<p>after</body></html>")
    assert shown(extraction) == [
        ("table", "Birds\nyear\tducks\tducks\nyear\twild\ttame\n2024\t3\tinner cell"),
        ("paragraph", "after"),
    ]


def test_a_span_beyond_all_bounds_costs_nothing(read: Read):
    extraction = read("<html><table><tr><td colspan=99999999 rowspan=65534>x<td>y<tr><td>z</table>", max_cells=5000)
    assert len(extraction.text) < 50_000


def test_a_page_is_decoded_as_it_says(read: Read):
    page = '<html><head><meta charset="windows-1251"></head><body>Утки</body></html>'
    assert read(page.encode("cp1251")).text == "Утки"
