"""What a colleague sees of a shared conversation: excerpts of what they may read themselves, and of nothing else.

In a workspace everyone may read every document. What holds is therefore shown with a policy that hides one from them.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from tests.conversations.makers import Json, begin, exchange, history
from tests.support.jobs import until_settled, working
from tests.support.server import Person

from intelli.app import JOBS, App

OPEN, HIDDEN = "open.md", "board.md"
FILES = {
    OPEN: "# Annual report\n\nRevenue of Nordwind came to 398.1 million euros in 2025.\n",
    HIDDEN: "# Confidential minutes\n\nRevenue of Nordwind came to 412.7 million euros in 2025.\n",
}
QUESTION = "What did revenue of Nordwind come to in 2025?"
# What only the hidden document says; the answer itself is its author's to share.
SECRETS = ("412.7", "Confidential minutes")


async def test_a_colleague_sees_no_word_of_a_document_that_is_hidden_from_them(
    app: App, owner: Person, member: Person, admin_url: str
):
    conversation, answer, documents = await _shared(app, owner)
    everything = await _seen(owner, conversation, answer)
    assert all(secret in str(everything) for secret in SECRETS)
    assert await _seen(member, conversation, answer) == _of_a_reader(everything)
    await _stays_with_whoever_asked(member, answer)
    await _is_reviewed_by_whoever_asked(member, answer)
    with _hidden(admin_url, documents[HIDDEN], await owner.me()):
        assert await _seen(owner, conversation, answer) == everything
        seen = await _seen(member, conversation, answer)
        assert not [secret for secret in SECRETS if secret in str(seen)]
        _is_told_that_there_is_more(seen)
        impact = await member.client.get(f"/documents/{documents[HIDDEN]}/impact")
        assert (impact.status_code, impact.json()["code"]) == (404, "document_not_found")


async def _stays_with_whoever_asked(member: Person, answer: Json) -> None:
    """The run behind the answer: what it searched, read and thought."""
    for path in ("", "/events", "/stream", "/plan", "/entities", "/interactions"):
        refused = await member.client.get(f"/runs/{answer['run_id']}{path}")
        assert (refused.status_code, refused.json()["code"]) == (404, "run_not_found"), path


async def _is_reviewed_by_whoever_asked(member: Person, answer: Json) -> None:
    path = f"/citations/{answer['citations'][0]['id']}"
    for refused in (
        await member.client.put(f"{path}/review", json={"decision": "accepted"}),
        await member.client.post(f"{path}/recheck"),
    ):
        assert (refused.status_code, refused.json()["code"]) == (403, "not_your_citation")
        assert "for reading" in refused.json()["detail"]


async def _shared(app: App, owner: Person) -> tuple[Json, Json, dict[str, str]]:
    """A conversation with an answer from both documents, shared."""
    conversation = await begin(owner)
    documents: dict[str, str] = {}
    async with working(app.db, *JOBS, parts=app.parts, heartbeat_s=2, stall_s=20):
        for name, content in FILES.items():
            added = await owner.client.post("/documents", files={"file": (name, content.encode())})
            documents[name] = added.raise_for_status().json()["id"]
        await until_settled(app.db)
        answer = await exchange(owner, conversation, QUESTION)
    shared = await owner.client.patch(f"/conversations/{conversation['id']}", json={"is_shared": True})
    assert {each["file_name"] for each in answer["citations"]} == set(FILES)
    return shared.raise_for_status().json(), answer, documents


async def _seen(person: Person, conversation: Json, answer: Json) -> Json:
    """All that is told of an answer, apart from its own text, wherever it is told."""
    parts = ("citations", "figures", "evidence", "entities")
    seen: Json = {part: await _get(person, f"/messages/{answer['id']}/{part}") for part in parts}
    seen["by run"] = await _get(person, f"/entities?run_id={answer['run_id']}")
    seen["message"] = next(each for each in await history(person, conversation) if each["id"] == answer["id"])
    for form in ("markdown", "html", "json"):
        export = await person.client.get(f"/conversations/{conversation['id']}/export", params={"format": form})
        seen[form] = export.raise_for_status().text
    return _without_the_answer(seen)


def _without_the_answer(seen: Json) -> Json:
    """The sentences of the answer are taken out: they are its author's words, whoever may read the sources."""
    exported = json.loads(seen["json"])["messages"][-1]
    for message in (seen["message"], exported):
        message["content"] = ""
    for citation in [*seen["citations"]["items"], *seen["message"]["citations"], *exported["citations"]]:
        citation["sentence"] = ""
    for figure in seen["figures"]["items"]:
        figure["sentence"] = figure["written"] = ""
    listed = {"markdown": "**Sources**", "html": '<ol class="sources">'}
    return {**seen, "json": exported, **{form: seen[form].partition(mark)[2] for form, mark in listed.items()}}


def _of_a_reader(everything: Json) -> Json:
    """What a colleague who may read all documents sees: everything but the run and the raw answers of its searches."""
    seen = {**everything, "message": {**everything["message"], "run_status": None, "reasoner": None}}
    for part in ("entities", "by run"):
        items = [
            {**each, "content_artifact_id": None} if each["entity_type"] == "INTRA_ENTITY_SEARCH_RESULT" else each
            for each in everything[part]["items"]
        ]
        seen[part] = {**everything[part], "items": items}
    return seen


def _is_told_that_there_is_more(seen: Json) -> None:
    """The source is named and counted, so that a reader knows what they do not see."""
    files = {each["file_name"]: each for each in seen["citations"]["cited_files"]}
    assert (files[HIDDEN]["file_id"], files[HIDDEN]["path"], files[HIDDEN]["has_thumbnail"]) == (None, None, False)
    assert {excerpt["quote"] for excerpt in files[HIDDEN]["excerpts"]} == {""}
    assert "398.1" in files[OPEN]["excerpts"][0]["quote"]
    by_file = {each["file_name"]: each for each in seen["message"]["citations"]}
    assert (by_file[HIDDEN]["quote"], by_file[HIDDEN]["check"]) == ("", "verified")
    (disagreement,) = seen["evidence"]["disagreements"]
    assert sorted(bool(reading["value"]) for reading in disagreement["readings"]) == [False, True]
    assert {figure["status"] for figure in seen["figures"]["items"]} == {"read"}


async def _get(person: Person, path: str) -> dict[str, Any]:
    return (await person.client.get(path)).raise_for_status().json()


@contextmanager
def _hidden(admin_url: str, document_id: str, me: dict[str, Any]) -> Iterator[None]:
    """A document that only one person may read, as a policy of the database would have it."""
    reader = "nullif(current_setting('intelli.user_id', true), '')"
    rule = f"id <> '{document_id}' or coalesce({reader}, '{me['user']['id']}') = '{me['user']['id']}'"
    with psycopg.connect(admin_url.replace("+psycopg", ""), autocommit=True) as connection:
        connection.execute(f"create policy hidden on documents as restrictive for select using ({rule})")
        try:
            yield
        finally:
            connection.execute("drop policy hidden on documents")
