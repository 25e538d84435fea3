"""Exports: what is read is the branch with its numbered sources; nothing in a message becomes markup of the page."""

import json
import re
from datetime import UTC, datetime
from uuid import UUID, uuid4

from markdown_it import MarkdownIt
from tests.conversations.cited import citation
from tests.conversations.makers import REVENUE, STAFF, begin, exchange
from tests.support.runs import researching
from tests.support.server import Person

from intelli.app import App
from intelli.citations.wire import Check, FileStatus
from intelli.conversations.export.format import ConversationExport
from intelli.conversations.export.write import write
from intelli.conversations.wire import Beginning, Conversation, Message, Speaker, WrittenAs

NOW = datetime(2026, 1, 1, tzinfo=UTC)
CITE = '<gml-inlinecitation identifier="a"/>'


def export(question: str, answer: str, *citations: object) -> ConversationExport:
    conversation = Conversation(
        id=uuid4(), user_id=uuid4(), title="Copper <b>/ tin", initialization_context=Beginning.NEW_CHAT,
        initialization_path=None, is_pinned=False, is_archived=False, is_shared=False, last_message_preview="",
        last_activity_at=NOW, message_count=2, total_tokens_used=0, request_count=1, created_at=NOW, updated_at=NOW,
        version=1,
    )  # fmt: skip
    messages = [
        Message(id=UUID(int=1), role=Speaker.USER, content=question, created_at=NOW),
        Message(
            id=UUID(int=2), role=Speaker.AGENT, content=answer, citations=list(citations), problems=["Part 2 failed."]
        ),
    ]
    return ConversationExport(conversation, messages, messages)


def test_a_question_of_one_line_is_a_heading_and_no_empty_quote():
    assert "\n>" not in write(export("How much?", "Much."), WrittenAs.MARKDOWN).content


def test_files_are_numbered_once_each_with_page_quote_and_check_of_their_passages():
    weak = citation(ordinal=2).model_copy(
        update={
            "check": Check.WEAK,
            "reason": "No figure.",
            "file_status": FileStatus.DELETED,
            "page": None,
            "document_id": uuid4(),
        }
    )
    again = citation().model_copy(update={"ordinal": 1})
    later = citation().model_copy(update={"ordinal": 3, "page": 4, "char_start": 900, "char_end": 910, "quote": "9 %"})
    text = f"Much {CITE}, again {CITE}. Little {CITE} and {CITE}"
    file = write(export("How much?\nIn euros.", text, citation(), again, weak, later), WrittenAs.MARKDOWN)
    assert file.name == "Copper <b>- tin.md"
    assert file.content == (
        "# Copper \\<b\\>/ tin\n\n## How much?\n\n> In euros.\n\n"
        "Much \\[1\\], again \\[1\\]. Little \\[2\\] and \\[1\\]\n\n*Part 2 failed.*\n\n**Sources**\n\n"
        "1. report.md\n   - ✓ p. 3 (verified)\n     > 412.7 million\n   - ✓ p. 4 (verified)\n     > 9 %\n"
        "2. report.md, deleted since\n   - ≈ (in other words: No figure.)\n     > 412.7 million\n"
    )


def test_nothing_in_a_message_runs_in_the_page():
    hostile = f"<script>alert(1)</script> [x](javascript:alert(1)) ![y](http://x/y.png) **bold** \ue0001\ue001 {CITE}"
    bad = citation().model_copy(update={"quote": "<img src=x onerror=alert(1)>", "file_name": '"><script>'})
    page = write(export("<script>alert(2)</script>", hostile, bad), WrittenAs.HTML).content
    assert "<script" not in page
    assert "<img" not in page
    assert 'href="javascript' not in page
    assert "<strong>bold</strong>" in page
    assert page.count('<a href="#s2-1">[1]</a>') == 1
    assert '<li id="s2-1">' in page


def test_nothing_in_a_message_is_fetched_by_whoever_opens_the_markdown():
    evil = "http://evil.example/x.png"
    hostile = f"<script src={evil}></script> ![s]({evil}) [l]({evil}) <{evil}> **bold**\n\n[r]: {evil}\n\n![r] {CITE}"
    bad = citation().model_copy(update={"quote": f"![q]({evil}) <img src=x>", "file_name": f"![n]({evil})"})
    file = write(export(f"![t]({evil})\n<img src={evil}>\n- [x]({evil})", hostile, bad), WrittenAs.MARKDOWN)
    page = MarkdownIt("commonmark", {"html": True}).enable("table").render(file.content)
    assert not re.search(r"<(?:img|script|a)\b", page)
    assert "<strong>bold</strong>" in page
    assert "[1]" in page
    html = write(export("q", hostile, bad), WrittenAs.HTML).content
    assert set(re.findall(r'href="([^"]*)"', html)) == {"#s2-1"}
    assert "src=" not in re.sub(r"&lt;.*?&gt;", "", html)


async def test_an_export_holds_the_branch_that_was_asked_for(app: App, owner: Person):
    conversation = await begin(owner)
    async with researching(app):
        first = await exchange(owner, conversation)
        await exchange(owner, conversation, STAFF, parent_message_id=None)
    path = f"/conversations/{conversation['id']}/export"
    newest = await owner.client.get(path)
    assert newest.headers["Content-Type"] == "text/markdown; charset=utf-8"
    assert "filename=" in newest.headers["Content-Disposition"]
    assert STAFF in newest.text
    assert f"## {REVENUE}" not in newest.text
    older = await owner.client.get(path, params={"message_id": first["id"], "format": "html"})
    assert "412.7" in older.text
    assert "gml-" not in older.text
    whole = json.loads((await owner.client.get(path, params={"format": "json"})).text)
    assert len(whole["messages"]) == 4
    missing = await owner.client.get(path, params={"message_id": conversation["id"]})
    assert (missing.status_code, missing.json()["code"]) == (404, "message_not_found")
