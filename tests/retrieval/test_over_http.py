"""From upload to answer over HTTP: what is uploaded is read, indexed and found at its exact place."""

from tests.library.makers import add, until_status
from tests.support.jobs import working
from tests.support.server import Person

from intelli.app import JOBS, App

_REPORT = b"""# Field report

## Bees

Honey bees tell each other where flowers are with a dance on the comb.
Keepers have known this for a century.

## Steel

Steel is hardened by heating it and cooling it quickly in oil.
"""


async def test_what_is_uploaded_is_found_where_it_stands(owner: Person, app: App):
    async with working(app.db, *JOBS, parts=app.parts, heartbeat_s=1, stall_s=20):
        document = await add(owner, "report.md", _REPORT)
        await until_status(owner, document, "completed")
        await until_status(
            owner, await add(owner, "note.txt", "Ärzte empfehlen Honig gegen Husten.".encode()), "completed"
        )
    answer = await owner.client.post("/search", json={"query": "how do bees tell where flowers are"})
    found = answer.raise_for_status().json()
    source = found["sources"][0]
    assert source["file_id"] == document["id"]
    assert source["fetch_strategy"] == "internal_api"
    assert set(found["search_metadata"]) >= {"query", "total_chunks_searched", "threshold", "elapsed_ms"}
    text = (await owner.client.get(f"/documents/{document['id']}/text")).text
    for found_source in found["sources"]:
        for excerpt in found_source["excerpts"] if found_source is source else []:
            assert excerpt["content"] == text[excerpt["char_start"] : excerpt["char_end"]]


async def test_an_empty_query_and_an_unknown_folder_are_refused(owner: Person):
    empty = await owner.client.post("/search", json={"query": "  "})
    assert empty.status_code == 422
    wordless = (await owner.client.post("/search", json={"query": "🍕"})).json()
    assert wordless["detail"] == "Check these fields: query. It must hold a word to search for."
    missing = await owner.client.post(
        "/search", json={"query": "bees", "folder": "0198c0de-0000-7000-8000-000000000001"}
    )
    assert missing.status_code == 404
    assert missing.json()["code"] == "folder_not_found"
    nowhere = await owner.client.post("/search", json={"query": "bees", "folder": "/no/such"})
    assert (nowhere.status_code, nowhere.json()["code"]) == (404, "folder_not_found")
    assert (await owner.client.post("/search", json={"query": "bees", "folder": "/"})).status_code == 200


async def test_a_deleted_document_is_found_no_more(owner: Person, app: App):
    async with working(app.db, *JOBS, parts=app.parts, heartbeat_s=1, stall_s=20):
        document = await until_status(owner, await add(owner, "report.md", _REPORT), "completed")
        await owner.client.delete(f"/documents/{document['id']}", headers={"If-Match": f'"{document["version"]}"'})
    found = (await owner.client.post("/search", json={"query": "honey bees dance"})).raise_for_status().json()
    assert found["sources"] == []
