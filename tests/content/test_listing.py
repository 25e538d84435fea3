"""Looking at what there is: the list of artifacts, what is kept beside their bytes, and who is told of a download."""

import json
from typing import Any

import pytest
from tests.content.makers import send, upload
from tests.support.server import Person

from intelli.content import metadata
from intelli.content.wire import PlatformType
from intelli.kit.ids import uuid7


async def pages_of(person: Person, **params: Any) -> list[list[str]]:
    """The hashes on each page of the list."""
    pages, cursor = [], None
    while cursor is not None or not pages:
        asked = {**params, **({"cursor": cursor} if cursor else {})}
        page = (await person.client.get("/artifacts", params=asked)).raise_for_status().json()
        pages.append([artifact["sha256"] for artifact in page["items"]])
        cursor = page["next_cursor"]
    return pages


async def reads(person: Person) -> list[str]:
    entries = (await person.client.get("/audit", params={"event_type": "file_read"})).raise_for_status().json()["items"]
    return [entry["details"]["sha256"] for entry in entries]


async def test_artifacts_are_listed_newest_first_on_pages_that_neither_repeat_nor_skip(owner: Person):
    uploaded = [(await upload(owner, bytes([number])))["sha256"] for number in range(7)]
    newest_first = uploaded[::-1]
    assert await pages_of(owner) == [newest_first]
    assert await pages_of(owner, limit=3) == [newest_first[:3], newest_first[3:6], newest_first[6:]]
    assert await pages_of(owner, limit=7) == [newest_first]


async def test_pages_stay_right_while_artifacts_come(owner: Person):
    uploaded = [(await upload(owner, bytes([number])))["sha256"] for number in range(4)]
    page = (await owner.client.get("/artifacts", params={"limit": 2})).json()
    await upload(owner, b"newer")
    rest = (await owner.client.get("/artifacts", params={"limit": 2, "cursor": page["next_cursor"]})).json()
    assert [artifact["sha256"] for artifact in page["items"] + rest["items"]] == uploaded[::-1]


async def test_a_list_of_one_type_holds_no_other(owner: Person):
    page = (await upload(owner, b"<p>", entity_type="WEB_SOURCE"))["sha256"]
    await upload(owner, b"other")
    assert await pages_of(owner, entity_type="WEB_SOURCE") == [[page]]
    assert await pages_of(owner, entity_type="PLAN") == [[]]


async def test_a_viewer_may_look(owner: Person, member: Person):
    sha256 = (await upload(owner, b"seen"))["sha256"]
    assert await pages_of(member) == [[sha256]]


async def test_a_download_is_told_in_the_audit_log(owner: Person):
    sha256 = (await upload(owner, b"0123456789"))["sha256"]
    await owner.client.get(f"/artifacts/{sha256}")
    assert await reads(owner) == []
    await owner.client.get(f"/artifacts/{sha256}/content")
    assert await reads(owner) == [sha256]


@pytest.mark.parametrize(
    "headers",
    [{"Range": "bytes=5-"}, {"Range": "bytes=-3"}, {"Range": "bytes=99-"}, {"If-None-Match": "*"}],
    ids=["the rest", "the end", "nothing", "known"],
)
async def test_a_download_that_goes_on_is_not_told_again(owner: Person, headers: dict[str, str]):
    sha256 = (await upload(owner, b"0123456789"))["sha256"]
    await owner.client.get(f"/artifacts/{sha256}/content", headers=headers)
    assert await reads(owner) == []


@pytest.mark.parametrize(
    "headers",
    [{"Range": "bytes=0-"}, {"Range": "bytes=0-3"}, {"Range": "bytes=7-3"}, {"If-None-Match": '"x"'}],
    ids=["from the first byte", "the beginning", "no range", "another"],
)
async def test_no_header_gets_the_beginning_of_a_file_past_the_audit_log(owner: Person, headers: dict[str, str]):
    sha256 = (await upload(owner, b"0123456789"))["sha256"]
    await owner.client.get(f"/artifacts/{sha256}/content", headers=headers)
    assert await reads(owner) == [sha256]


_KEPT: dict[PlatformType, dict[str, Any]] = {
    PlatformType.WEB_SOURCE: {"external_url": "https://example.org/", "retrieved_at": "2026-01-02T03:04:05Z"},
    PlatformType.API_DATA: {"provider": "statistics", "api_subtype": "prices", "api_specific_metadata": {"year": 2026}},
    PlatformType.GENERATED_CONTENT: {"content_type": "text/markdown", "model": "writer"},
    PlatformType.USER_INPUT: {"source": "uploaded_file", "content_preview": "Dear reader"},
    PlatformType.REPORT: {"report_subtype": "final_report", "content_type": "json_ast", "section_count": 3},
    PlatformType.SLIDES: {"presentation_format": "reveal_js", "slide_count": 12, "transitions": False},
    PlatformType.SEARCH_RESULT: {"parent_entity_id": str(uuid7()), "query": "tea"},
    PlatformType.EXTRACTED_DATA: {"entity_class": "company", "source_sha256": "0" * 64},
    PlatformType.PLAN: {"plan_version": 2},
    PlatformType.KNOWLEDGE: {"document_id": str(uuid7()), "chunk_index": 0, "chunk_size": 512},
    PlatformType.WEBSITE: {"deployed": False, "generation_status": "complete", "assets": ["logo.png"]},
    PlatformType.DOCUMENT: {"doc_format": "pdf", "page_count": 4, "cited_entities": [str(uuid7())]},
}


@pytest.mark.parametrize("kind", PlatformType)
def test_every_type_keeps_what_describes_it_and_nothing_else(kind: PlatformType):
    said = {"title": "A title", **_KEPT[kind]}
    assert metadata.parse(kind, json.dumps(said)) == said
    with pytest.raises(metadata.InvalidUpload, match="colour"):
        metadata.parse(kind, json.dumps({**said, "colour": "red"}))


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        (PlatformType.WEB_SOURCE, {"external_url": "javascript:alert(1)"}),
        (PlatformType.WEB_SOURCE, {"external_url": "https:///nowhere"}),
        (PlatformType.WEB_SOURCE, {"favicon": "https://example.org/a b"}),
        (PlatformType.WEB_SOURCE, {"retrieved_at": "yesterday"}),
        (PlatformType.API_DATA, {"api_specific_metadata": {"deep": {"er": 1}}}),
        (PlatformType.REPORT, {"report_subtype": "draft"}),
        (PlatformType.SLIDES, {"slide_count": -1}),
        (PlatformType.PLAN, {"plan_version": 2**70}),
        (PlatformType.WEBSITE, {"cited_entities": ["not-an-id"]}),
        (PlatformType.EXTRACTED_DATA, {"source_sha256": "0"}),
    ],
)
async def test_what_does_not_fit_its_type_is_refused(owner: Person, kind: PlatformType, said: dict[str, Any]):
    answer = await send(owner, b"bytes", entity_type=kind, entity_metadata=json.dumps(said))
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_upload")
    assert next(iter(said)) in answer.json()["detail"]
