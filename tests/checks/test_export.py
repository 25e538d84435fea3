"""Exports of a check: Word with comments, on a new document or the checked one, a page, and JSON."""

import io
import json

import docx
from tests.checks.makers import MEMO, REPORT, add, start, start_with_file, until_ended, until_read, word_file
from tests.support.jobs import working
from tests.support.server import Person

from intelli.app import JOBS, App
from intelli.deliverables.forms.docx import marked_text
from intelli.deliverables.forms.docx.marked_text import StatementMark

_RIGHT = "Revenue of Nordwind came to 412.7 million euros in 2025."
_WRONG = "Revenue of Nordwind came to 512.7 million euros in 2025."


async def export(person: Person, check: dict[str, str], form: str) -> bytes:
    answer = await person.client.get(f"/checks/{check['id']}/export", params={"format": form})
    return answer.raise_for_status().content


async def test_a_text_becomes_a_word_file_with_comments_a_page_and_json(app: App, owner: Person):
    await add(owner, "report.md", REPORT)
    async with working(app.db, *JOBS, parts=app.parts):
        await until_read(owner)
        text = f"{MEMO}\n<script>alert(1)</script> is a word."
        check = await until_ended(owner, await start(owner, text=text))
        running = await start(owner, text=_RIGHT)
        early = await owner.client.get(f"/checks/{running['id']}/export")
    assert early.status_code in {200, 409}
    document = docx.Document(io.BytesIO(await export(owner, check, "docx")))
    texts = [paragraph.text for paragraph in document.paragraphs]
    assert any(_RIGHT in text and _WRONG in text for text in texts)
    comments = [comment.text for comment in document.comments]
    assert len(comments) == sum(each["verdict"] != "supported" for each in check["statements"])
    assert any("Not supported" in text or "Contradicted" in text for text in comments)
    (table,) = document.tables
    assert len(table.rows) == 1 + len(check["statements"])
    page = (await export(owner, check, "html")).decode()
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert "Contradicted" in page or "Not supported" in page
    assert "report.md" in page
    assert json.loads(await export(owner, check, "json"))["statements"] == check["statements"]
    entries = (await owner.client.get("/audit", params={"event_type": "export"})).json()["items"]
    assert {each["details"]["format"] for each in entries} >= {"docx", "html", "json"}


async def test_a_word_file_that_was_checked_keeps_its_layout(app: App, owner: Person):
    await add(owner, "report.md", REPORT)
    original = word_file(_RIGHT, _WRONG)
    async with working(app.db, *JOBS, parts=app.parts):
        await until_read(owner)
        sent = await until_ended(owner, await start_with_file(owner, "memo.docx", original))
        document = await add(owner, "memo.docx", original, folder="/drafts")
        await until_read(owner)
        kept = await until_ended(owner, await start(owner, document_id=document["id"]))
    for check in (sent, kept):
        marked = docx.Document(io.BytesIO(await export(owner, check, "docx")))
        paragraphs = [each for each in marked.paragraphs if each.text in {"Memo", _RIGHT, _WRONG}]
        assert [each.text for each in paragraphs] == ["Memo", _RIGHT, _WRONG]
        assert paragraphs[0].style.name == "Heading 1"
        assert [run.text for run in paragraphs[1].runs if run.bold] == ["Revenue "]
        assert all(run.underline for run in paragraphs[1].runs if run.text.strip())
        (comment,) = marked.comments
        assert comment.author == "Intelli"


def _mark(words: str, comment: str = "Look") -> StatementMark:
    return StatementMark(0, 0, words, words, "\u2715 Not supported", "No.", (), comment, "wave", "C62828")


def test_statements_are_found_across_runs_notes_cells_and_breaks():
    document = docx.Document()
    paragraph = document.add_paragraph()
    for words in ("First thing. Sec", "ond thi", "ng, here.\tThird one."):
        paragraph.add_run(words)
    row = document.add_table(rows=1, cols=2).rows[0]
    row.cells[0].text, row.cells[1].text = "Sales", "41"
    saved = io.BytesIO()
    document.save(saved)
    marks = [_mark("First thing.", ""), _mark("Second\nthing, here."), _mark("Sales | 41"), _mark("Not there at all.")]
    marked = docx.Document(io.BytesIO(marked_text.annotate(saved.getvalue(), marks, summary="4 statements")))
    assert marked.paragraphs[0].text == paragraph.text
    underlined = "".join(run.text for run in marked.paragraphs[0].runs if run.underline)
    assert underlined == "First thing.Second thing, here."
    assert len(marked.comments) == 2
    assert [cell.paragraphs[0].runs[0].underline is not None for cell in marked.tables[0].rows[0].cells] == [True, True]
    assert any(text.endswith("Not there at all.") for text in (each.text for each in marked.paragraphs))


def test_characters_that_no_file_can_hold_are_left_out():
    made = marked_text.write_text("T\x00", "One\x0b two \ufffe three.\nFour.", [_mark("x")], summary="")
    assert docx.Document(io.BytesIO(made)).paragraphs
