"""From a question to checked evidence, and what becomes of it when documents change or go. Nothing is stubbed."""

import random
from datetime import timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import insert, text
from tests.support.jobs import until, until_settled, working
from tests.support.runs import log_of, until_rests
from tests.support.server import Person
from tests.support.soak import often

from intelli.app import JOBS, App
from intelli.citations import verify
from intelli.citations.save import citation_id_of, quote_hash
from intelli.citations.tables import Citation
from intelli.content import gc
from intelli.kit.context import System
from intelli.kit.room import WorkspaceAccess
from intelli.library import document_text
from intelli.runs import replay
from intelli.runs.replies import answer_id

REPORT = (
    "# Annual report\n\nRevenue came to 412.7 million euros in 2025, after 389.2 million in 2024.\n\n"
    "The company employed 1204 people at the end of the year.\n"
)
FILES = {"report.md": REPORT, "risks.txt": "The largest risk is the price of copper, which rose by 18 percent.\n"}
QUESTION = {"question": "What did revenue come to in 2025?"}


async def test_an_answer_is_proven_and_its_evidence_outlives_its_documents(app: App, owner: Person):
    async with working(app.db, *JOBS, parts=app.parts, heartbeat_s=2, stall_s=20):
        documents = [await _upload(owner, name, content) for name, content in FILES.items()]
        await until_settled(app.db)
        run = await until_rests(owner, (await owner.client.post("/runs", json=QUESTION)).raise_for_status().json())
    message = answer_id(UUID(run["id"]))
    cited = await _get(owner, f"/messages/{message}/citations")
    await _is_proven(owner, run, cited)
    await _adds_up(owner, message)
    assert await _entities(owner, run) >= {
        "USER_QUERY_PART", "SEARCH_PLAN", "INTRA_ENTITY_SEARCH_RESULT", "KNOWLEDGE_BASE"
    }  # fmt: skip
    assert await _findings(app, owner) == []
    assert (await replay.replay(await _recording(app, owner, run), app.without_model)).is_same
    await _is_reviewed(owner, cited["items"][0])
    await _grows_stale_and_fresh_again(app, owner, documents[0], message)
    await _leaves_a_tombstone(app, owner, documents[0], message)


async def _is_proven(owner: Person, run: dict[str, Any], cited: dict[str, Any]) -> None:
    assert run["status"] == "completed"
    assert cited["items"]
    first = cited["items"][0]
    assert first["check"] == "verified"
    assert first["quote"] == "Revenue came to 412.7 million euros in 2025, after 389.2 million in 2024."
    span = {"start": first["char_start"], "end": first["char_end"]}
    stands = await owner.client.get(f"/documents/{first['document_id']}/text", params=span)
    assert stands.text == first["quote"]
    assert [file["file_name"] for file in cited["cited_files"]] == ["report.md"]
    assert run["confidence_score"] > 0.3
    told = [line["event"] for line in await log_of(owner, run) if line["event"]["type"] == "citations_created"]
    assert [(each["total"], each["verified"]) for each in told] == [(len(cited["items"]), len(cited["items"]))]


async def _adds_up(owner: Person, message: UUID) -> None:
    evidence = await _get(owner, f"/messages/{message}/evidence")
    assert evidence["found"] == evidence["cited"] + evidence["read_not_used"] + evidence["screened_out"] > 0
    assert evidence["queries"]
    figures = (await _get(owner, f"/messages/{message}/figures"))["items"]
    assert [figure["status"] for figure in figures] == ["read"] * 4
    assert [figure["sources"][0]["written"] for figure in figures][:2] == ["412.7 million euros", "2025"]


async def _is_reviewed(owner: Person, citation: dict[str, Any]) -> None:
    path = f"/citations/{citation['id']}"
    disputed = await owner.client.put(f"{path}/review", json={"decision": "disputed", "note": "Look again."})
    assert disputed.raise_for_status().json()["review"]["note"] == "Look again."
    checked = (await owner.client.post(f"{path}/recheck")).raise_for_status().json()
    assert (checked["check"], checked["review"]["decision"]) == ("verified", "disputed")
    entries = (await _get(owner, "/audit"))["items"]
    assert [each["entity_id"] for each in entries if each["event_type"] == "user_rejection"] == [citation["id"]]
    taken_back = await owner.client.put(f"{path}/review", json={"decision": None})
    assert taken_back.raise_for_status().json()["review"] is None


async def _grows_stale_and_fresh_again(app: App, owner: Person, document: str, message: UUID) -> None:
    """A newer version that says otherwise makes the citation stale; one that says it again does not."""
    for content, is_stale in ((REPORT.replace("412.7", "398.1"), True), (f"New preface.\n\n{REPORT}", False)):
        async with working(app.db, *JOBS, parts=app.parts, heartbeat_s=2, stall_s=20):
            file = {"file": ("report.md", content.encode())}
            (await owner.client.put(f"/documents/{document}/content", files=file)).raise_for_status()
            await until(lambda wanted=is_stale: _is_stale(owner, document, wanted))
        cited = await _get(owner, f"/messages/{message}/citations")
        assert cited["cited_files"][0]["status"] == ("stale" if is_stale else "active")
        assert cited["items"][0]["quote"].startswith("Revenue came to 412.7")


async def _leaves_a_tombstone(app: App, owner: Person, document: str, message: UUID) -> None:
    (await owner.client.delete(f"/documents/{document}")).raise_for_status()
    cited = await _get(owner, f"/messages/{message}/citations")
    assert cited == await _get(owner, f"/messages/{message}/citations")
    (file,) = cited["cited_files"]
    assert (file["status"], file["file_id"], file["file_name"]) == ("deleted", None, "report.md")
    assert file["excerpts"][0]["quote"].startswith("Revenue came to 412.7")
    assert cited["items"][0]["file_status"] == "deleted"
    assert await _findings(app, owner) == []
    assert (await owner.client.get(f"/documents/{document}/impact")).status_code == 404


async def test_cited_evidence_outlives_its_document_and_can_still_be_checked(app: App, owner: Person):
    async with working(app.db, *JOBS, parts=app.parts, heartbeat_s=2, stall_s=20):
        document, citation = await _cited(app, owner)
        deleted = (await owner.client.delete(f"/documents/{document}")).raise_for_status().json()
        await until_settled(app.db)
    assert deleted == {"documents": 1, "cited_by": 1, "evidence": "kept"}
    await _collect_garbage(app, owner)
    checked = (await owner.client.post(f"/citations/{citation['id']}/recheck")).raise_for_status().json()
    assert (checked["check"], checked["quote"]) == ("verified", citation["quote"])
    assert (await owner.client.get(f"/artifacts/{citation['sha256']}/content")).text == REPORT
    assert await _findings(app, owner) == []


async def test_a_workspace_that_keeps_no_evidence_removes_it_with_the_document(app: App, owner: Person):
    (await owner.client.patch("/workspace", json={"keeps_evidence": False})).raise_for_status()
    async with working(app.db, *JOBS, parts=app.parts, heartbeat_s=2, stall_s=20):
        document, citation = await _cited(app, owner)
        deleted = (await owner.client.delete(f"/documents/{document}")).raise_for_status().json()
        await until_settled(app.db)
    assert deleted["evidence"] == "removed"
    await _collect_garbage(app, owner)
    message = await _get(owner, f"/messages/{citation['message_id']}/citations")
    assert [each["quote"] for each in message["items"]] == [""]
    assert (await owner.client.get(f"/artifacts/{citation['sha256']}")).status_code == 404
    refused = await owner.client.post(f"/citations/{citation['id']}/recheck")
    assert (refused.status_code, refused.json()["code"]) == (409, "source_gone")
    message = await _get(owner, f"/messages/{citation['message_id']}/citations")
    assert [each["check"] for each in message["items"]] == [citation["check"]]
    assert await _findings(app, owner) == []


async def _cited(app: App, owner: Person) -> tuple[str, dict[str, Any]]:
    """A document, and the first citation of an answer that cites it."""
    document = await _upload(owner, "report.md", REPORT)
    await until_settled(app.db)
    run = await until_rests(owner, (await owner.client.post("/runs", json=QUESTION)).raise_for_status().json())
    message = answer_id(UUID(run["id"]))
    cited = (await _get(owner, f"/messages/{message}/citations"))["items"]
    return document, {**cited[0], "message_id": str(message)}


async def _collect_garbage(app: App, owner: Person) -> None:
    who = await _who(owner)
    await gc.collect(WorkspaceAccess(who.tenant_id, app.blobs, lambda: app.db.begin(who), app.parts), timedelta(0))


async def test_a_citation_that_was_tampered_with_is_found_out(app: App, owner: Person):
    async with working(app.db, *JOBS, parts=app.parts, heartbeat_s=2, stall_s=20):
        await _upload(owner, "report.md", REPORT)
        await until_settled(app.db)
        run = await until_rests(owner, (await owner.client.post("/runs", json=QUESTION)).raise_for_status().json())
    async with app.db.begin(await _who(owner)) as tx:
        await tx.session.execute(text("update message_citations set char_start = char_start + 1"))
    assert len(await _findings(app, owner)) > 0
    cited = (await _get(owner, f"/messages/{answer_id(UUID(run['id']))}/citations"))["items"]
    checked = await owner.client.post(f"/citations/{cited[0]['id']}/recheck")
    assert checked.raise_for_status().json()["check"] == "failed"


async def test_ten_thousand_spans_survive_all_that_happens_to_their_document(app: App, owner: Person):
    """Its index lost, a newer version, deleted and swept: each citation has its words, and they stand at its span."""
    content = "\n\n".join(f"Paragraph {number} says that {number * 37} things rose." for number in range(300))
    async with working(app.db, *JOBS, parts=app.parts, heartbeat_s=2, stall_s=20):
        document = await _upload(owner, "long.txt", content)
        await until_settled(app.db)
        spans = await _cite(app, owner, document)
        who = await _who(owner)
        async with app.db.begin(who) as tx:
            for table in ("postings", "vectors", "indexed", "chunks"):
                await tx.session.execute(text(f"delete from {table}"))
        assert await _standing(app, owner) == spans
        file = {"file": ("long.txt", content.replace("rose", "fell").encode())}
        (await owner.client.put(f"/documents/{document}/content", files=file)).raise_for_status()
        await until_settled(app.db)
        assert await _standing(app, owner) == spans
        (await owner.client.delete(f"/documents/{document}")).raise_for_status()
        await until_settled(app.db)
        assert await _standing(app, owner) == spans


async def _cite(app: App, owner: Person, document: str) -> int:
    """Many citations of random spans of a document."""
    chance = random.Random(3)
    who, me = await _who(owner), await owner.me()
    async with app.db.begin(who) as tx:
        read = await document_text.get(tx, UUID(document), None)
    whole = await document_text.load_text(app.blobs, who.tenant_id, read.text_sha256)
    message = UUID(int=1)
    rows = []
    for ordinal in range(often(1_000, soaking=10_000)):
        start = chance.randrange(len(whole) - 200)
        end = start + chance.randrange(1, 200)
        named = {"id": citation_id_of(message, ordinal), "user_id": UUID(me["user"]["id"]), "ordinal": ordinal}
        place = {"document_id": UUID(document), "sha256": read.reading.sha256, "text_sha256": read.text_sha256}
        quote = {"quote": whole[start:end], "quote_sha256": quote_hash(whole[start:end]), "sentence": ""}
        of = {"file_name": "long.txt", "path": "/long.txt", "mime_type": "text/plain", "source_type": "blob_storage"}
        more = {"fetch_strategy": "internal_api", "relevance_score": 1.0, "check": "verified", "identifier": "p"}
        rows.append({**named, **place, **quote, **of, **more, "char_start": start, "char_end": end})
    async with app.db.begin(who) as tx:
        named = [{"tenant_id": who.tenant_id, "message_id": message, **row} for row in rows]
        await tx.session.execute(insert(Citation), named)
    return len(rows)


async def _standing(app: App, owner: Person) -> int:
    """How many citations have a quote with its hash; none may be found broken."""
    assert await _findings(app, owner) == []
    query = (
        "select count(*) from message_citations where quote_sha256 = encode(sha256(convert_to(quote, 'UTF8')), 'hex')"
    )
    async with app.db.begin(await _who(owner)) as tx:
        count: int = await tx.session.scalar(text(query)) or 0
    return count


async def test_a_message_that_is_not_there_has_no_evidence(owner: Person):
    for path in ("citations", "figures", "evidence", "entities"):
        answer = await owner.client.get(f"/messages/00000000-0000-4000-8000-000000000000/{path}")
        assert answer.status_code == 404


async def _upload(owner: Person, name: str, content: str) -> str:
    answer = await owner.client.post("/documents", files={"file": (name, content.encode())})
    return str(answer.raise_for_status().json()["id"])


async def _get(owner: Person, path: str) -> dict[str, Any]:
    answer: dict[str, Any] = (await owner.client.get(path)).raise_for_status().json()
    return answer


async def _entities(owner: Person, run: dict[str, Any]) -> set[str]:
    items = (await _get(owner, f"/runs/{run['id']}/entities"))["items"]
    assert len(items) == len({item["identifier"] for item in items})
    return {item["entity_type"] for item in items}


async def _is_stale(owner: Person, document: str, wanted: bool) -> bool:
    impact = await _get(owner, f"/documents/{document}/impact")
    compared = {citation["is_stale"] for message in impact["messages"] for citation in message["citations"]}
    return compared == {wanted}


async def _findings(app: App, owner: Person) -> list[str]:
    who = await _who(owner)
    premises = WorkspaceAccess(who.tenant_id, app.blobs, lambda: app.db.begin(who))
    return [finding async for finding in verify.findings(premises)]


async def _recording(app: App, owner: Person, run: dict[str, Any]) -> replay.RunRecording:
    async with app.db.begin(await _who(owner)) as tx:
        return await replay.load(tx, UUID(run["id"]), max_tasks=5)


async def _who(owner: Person) -> System:
    return System(UUID((await owner.me())["workspace"]["id"]))
