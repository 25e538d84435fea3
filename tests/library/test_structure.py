"""What documents are known to be: their tables, dates and parties, as people ask for them and correct them."""

from uuid import UUID

import pytest
from sqlalchemy import text
from tests.library.makers import Reader, add, get, reading_worker, until_status
from tests.library.structure import labelled
from tests.support.jobs import defer, until_settled
from tests.support.server import Person

from intelli.app import App
from intelli.kit.context import System
from intelli.library import read_structure
from intelli.library.errors import DocumentNotFound
from intelli.library.table_wire import TableQuery
from intelli.runs.ports import LibraryAccess, SearchScope
from intelli.runs.tools import table_query
from intelli.runs.tools.tool import ToolContext

SALES = (
    b"Year,Segment,Revenue EURm\n2023,Logistics,560.1\n2023,Freight,230.0\n2024,Logistics,612.4\n2024,Freight,244.7\n"
)


async def test_a_table_is_asked_and_each_figure_names_its_cells(owner: Person, app: App):
    document = await add(owner, "sales.csv", SALES, media_type="text/csv")
    async with reading_worker(app):
        await until_status(owner, document, "completed", "failed")
    url = f"/documents/{document['id']}"
    [table] = (await get(owner, f"{url}/tables"))["tables"]
    assert [column["name"] for column in table["columns"]] == ["Year", "Segment", "Revenue EURm"]
    rows = (await get(owner, f"{url}/tables/1", from_row=1, limit=1))["rows"]
    assert rows[0]["cells"][2]["place"]["cells"] == "C2"
    query = {
        "table": {"document_id": document["id"]},
        "group_by": ["Year"],
        "aggregates": [{"function": "sum", "column": "Revenue EURm"}],
        "order_by": [{"column": "sum(Revenue EURm)", "descending": True}],
    }
    found = (await owner.client.post("/tables/query", json=query)).raise_for_status().json()
    year, revenue = found["rows"][0]
    assert (year["text"], revenue["number"], revenue["unit"]["scale"]) == ("2024", "857.1", 6)
    assert [cell["place"]["cells"] for cell in revenue["cells"]] == ["C4", "C5"]
    whole = (await owner.client.get(f"{url}/text")).text
    assert [whole[cell["start"] : cell["end"]] for cell in revenue["cells"]] == ["612.4", "244.7"]


async def test_a_question_that_a_table_cannot_answer_says_what_it_has(owner: Person, app: App):
    document = await add(owner, "sales.csv", SALES, media_type="text/csv")
    async with reading_worker(app):
        await until_status(owner, document, "completed", "failed")
    asked = {"table": {"document_id": document["id"]}, "columns": ["Profit"]}
    refused = await owner.client.post("/tables/query", json=asked)
    assert (refused.status_code, refused.json()["code"]) == (422, "table_column_unknown")
    assert "Revenue EURm" in refused.json()["detail"]
    asked = {"table": {"document_id": document["id"], "table": 7}}
    assert (await owner.client.post("/tables/query", json=asked)).status_code == 404


async def test_what_a_document_tells_of_itself_is_shown_and_can_be_corrected(owner: Person, app: App):
    document = await add(owner, "report.md", labelled.REPORT_MD.encode(), media_type="text/markdown")
    async with reading_worker(app):
        await until_status(owner, document, "completed", "failed")
    url = f"/documents/{document['id']}"
    told = (await get(owner, url))["facts"]
    assert (told["kind"]["value"], told["period"]["value"], told["date"]) == ("annual report", "2024", None)
    whole = (await owner.client.get(f"{url}/text")).text
    assert whole[told["period"]["start"] : told["period"]["end"]] == "2024"
    change = {"facts": {"date": "2025-03-14", "period": "2023"}}
    changed = (await owner.client.patch(url, json=change)).raise_for_status().json()["facts"]
    assert (changed["date"]["value"], changed["date"]["origin"]) == ("2025-03-14", "person")
    assert (changed["period"]["value"], changed["kind"]["value"]) == ("2023", "annual report")
    back = (await owner.client.patch(url, json={"facts": {"period": None}})).raise_for_status().json()["facts"]
    assert (back["period"]["value"], back["period"]["origin"], back["date"]["value"]) == ("2024", "text", "2025-03-14")
    wrong = await owner.client.patch(url, json={"facts": {"date": "soon"}})
    assert wrong.status_code == 422


async def test_a_span_is_told_the_piece_it_stands_in(owner: Person, app: App):
    document = await add(owner, "report.md", labelled.REPORT_MD.encode(), media_type="text/markdown")
    async with reading_worker(app):
        await until_status(owner, document, "completed", "failed")
    url = f"/documents/{document['id']}"
    whole = (await owner.client.get(f"{url}/text")).text
    start = whole.index("Fuel prices")
    piece = (await get(owner, f"{url}/spans", start=start, end=start + 11))["piece"]
    assert (piece["kind"], piece["is_statement"], piece["headings"][-1]) == ("list_item", True, "## 2. Risks")


async def test_an_old_document_gets_its_structure_and_stays_what_it_was(owner: Person, app: App):
    document = await add(owner, "report.md", labelled.REPORT_MD.encode(), media_type="text/markdown")
    who = System(UUID((await owner.me())["workspace"]["id"]))
    url = f"/documents/{document['id']}"
    async with reading_worker(app):
        await until_status(owner, document, "completed", "failed")
        new = await get(owner, f"{url}/tables")
        before = await _reading(app, who)
        async with app.db.begin(who) as tx:
            await tx.session.execute(
                text("update readings set structure_sha256 = null, structure_version = null, facts = '{}'")
            )
        assert (await owner.client.get(f"{url}/tables")).status_code == 404
        assert (await get(owner, url))["indexing_status"] == "completed"
        await defer(app.db, who, read_structure.READ_STRUCTURE)
        await until_settled(app.db)
    assert await get(owner, f"{url}/tables") == new
    assert await _reading(app, who) == before
    assert (await get(owner, url))["facts"]["period"]["value"] == "2024"


async def test_a_file_that_is_read_otherwise_today_keeps_the_text_that_is_cited(owner: Person, app: App):
    longer = labelled.REPORT_MD.replace("## References", f"{'The harbour is long. ' * 60}\n\n## References")
    document = await add(owner, "report.md", longer.encode(), media_type="text/markdown")
    who = System(UUID((await owner.me())["workspace"]["id"]))
    url = f"/documents/{document['id']}"
    async with reading_worker(app):
        await until_status(owner, document, "completed", "failed")
        async with app.db.begin(who) as tx:
            await tx.session.execute(text("update readings set structure_sha256 = null, structure_version = null"))
    whole = (await owner.client.get(f"{url}/text")).text
    async with reading_worker(app, extractor=Reader()):  # reads the first thousand characters only
        await defer(app.db, who, read_structure.READ_STRUCTURE)
        await until_settled(app.db)
    assert (await owner.client.get(f"{url}/text")).text == whole
    start = whole.index("Smith, A.")
    piece = (await get(owner, f"{url}/spans", start=start, end=start + 5))["piece"]
    assert (piece["kind"], piece["is_statement"]) == ("reference", False)


async def _reading(app: App, who: System) -> object:
    """What citations and the index rest on."""
    async with app.db.begin(who) as tx:
        columns = "text_sha256, map_sha256, structure_sha256, number, chunk_count, status"
        return (await tx.session.execute(text(f"select {columns} from readings"))).one()


async def test_a_run_asks_only_the_tables_it_is_about(owner: Person, app: App):
    document = await add(owner, "sales.csv", SALES, media_type="text/csv")
    async with reading_worker(app):
        await until_status(owner, document, "completed", "failed")
    who = System(UUID((await owner.me())["workspace"]["id"]))
    library = app.parts[LibraryAccess]
    query = TableQuery.model_validate({"table": {"document_id": document["id"]}, "aggregates": [{"function": "count"}]})
    mine = ToolContext(who, library, SearchScope(document_ids=(UUID(document["id"]),)))
    assert (await table_query.TOOL.run(query, mine)).rows[0][0].number == 4
    other = ToolContext(who, library, SearchScope(folders=("/elsewhere",)))
    with pytest.raises(DocumentNotFound):
        await table_query.TOOL.run(query, other)
