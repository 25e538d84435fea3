"""Finding passages: by words and by meaning, in any script, within filters, and only what is current."""

from datetime import timedelta

import pytest
from pydantic import ValidationError
from tests.retrieval.makers import Shelf

from intelli.kit import clock
from intelli.retrieval import wire

_BEES = "Honey bees tell each other where flowers are with a dance on the comb."
_STEEL = "Steel is hardened by heating it and cooling it quickly in oil."
_TIDES = "The tides of the sea follow the moon, and the sun to a lesser degree."


async def test_the_passage_that_holds_the_words_comes_first(shelf: Shelf):
    await shelf.put("/bees.txt", _BEES, "Beekeepers inspect the hives in spring.")
    await shelf.put("/steel.txt", _STEEL)
    await shelf.put("/tides.txt", _TIDES)
    found = await shelf.search("how do bees dance")
    assert found.sources[0].file_name == "bees.txt"
    assert found.sources[0].excerpts[0].content == _BEES
    assert found.search_metadata.total_chunks_searched == 4
    assert found.search_metadata.semantic


async def test_words_are_found_in_other_forms_and_without_their_accents(shelf: Shelf):
    await shelf.put("/a.txt", "The committee was discussing hardened alloys and their manufacturers at length.")
    await shelf.put("/b.txt", "Le café près de la gare était fermé pendant les vacances, comme tous les étés.")
    assert await shelf.names("manufacturer of a hardening alloy", limit=1) == ["a.txt"]
    assert await shelf.names("cafe de la gare", limit=1) == ["b.txt"]


@pytest.mark.parametrize(
    ("text", "other", "query"),
    [
        (
            "氮循环是指氮在自然界中的循环转化过程,是生物圈内基本的物质循环之一。",
            "钢铁的生产需要大量的煤炭和铁矿石,并且消耗很多能源。",
            "氮的循环转化",
        ),
        (
            "تدرس الجامعة العلوم والآداب لآلاف الطلاب كل عام في مدينة القاهرة.",
            "يعتمد إنتاج الصلب على كميات كبيرة من الفحم والحديد الخام.",
            "الطلاب في الجامعات",
        ),
        ("ภาษาไทยเขียนโดยไม่เว้นวรรคระหว่างคำในประโยคเดียวกัน", "เหล็กกล้าผลิตจากแร่เหล็กและถ่านหินจำนวนมาก", "เว้นวรรค"),
        (
            "Пчёлы сообщают друг другу, где цветы, танцем.",
            "Сталь закаливают быстрым охлаждением в масле.",
            "танец пчёл",
        ),
        ("나비는 꽃에서 꿀을 빨아먹고 꽃가루를 옮긴다.", "강철은 기름에서 빠르게 식혀 단단하게 만든다.", "꽃가루"),
    ],
    ids=["Chinese", "Arabic", "Thai", "Russian", "Korean"],
)
async def test_every_script_is_searched_by_its_own_words(shelf: Shelf, text: str, other: str, query: str):
    await shelf.put("/wrong.txt", other)
    await shelf.put("/right.txt", text)
    await shelf.put("/english.txt", _BEES)
    assert (await shelf.names(query))[0] == "right.txt"


async def test_common_words_of_the_query_are_not_rare_where_another_language_quotes_them(shelf: Shelf):
    spanish = [f"La ciudad número {number} tiene un puerto, una iglesia y varias escuelas." for number in range(150)]
    await shelf.put("/ciudades.txt", *spanish)
    await shelf.put(
        "/serie.txt", "La serie de televisión se llama «The End of the World» y trata de un médico en el tiempo."
    )
    english = [f"The growth of cell line {number} was measured in the blood of patients." for number in range(150)]
    await shelf.put("/growth.txt", *english)
    await shelf.put("/protein.txt", "A protein in the blood of the patients was found.")
    assert (await shelf.names("protein in the blood of the patients"))[0] == "protein.txt"
    found = (await shelf.search("the growth of the cell in the blood")).sources
    assert found[0].file_name == "growth.txt"
    assert (await shelf.names("la serie de televisión en el tiempo"))[0] == "serie.txt"
    assert (await shelf.names("The End of the World"))[0] == "serie.txt"


async def test_one_chinese_character_is_found_inside_a_run(shelf: Shelf):
    await shelf.put("/right.txt", "我家的猫喜欢睡觉。")
    await shelf.put("/wrong.txt", "他家的狗喜欢跑步。")
    assert (await shelf.names("猫"))[0] == "right.txt"


async def test_filters_leave_only_what_they_name(shelf: Shelf):
    mine = await shelf.put("/a/bees.txt", f"{_BEES} One.")
    await shelf.put("/a/deep/bees.txt", f"{_BEES} Two.", source_type="web")
    await shelf.put("/ab/bees.txt", f"{_BEES} Three.")
    query = "bees dance"
    assert [source.path for source in (await shelf.search(query, folder="/a")).sources] == [
        "/a/bees.txt",
        "/a/deep/bees.txt",
    ]
    assert [source.path for source in (await shelf.search(query, source_types=["web"])).sources] == ["/a/deep/bees.txt"]
    (only,) = (await shelf.search(query, document_ids=[mine])).sources
    assert only.file_id == mine
    narrow = await shelf.search(query, folder="/a/deep")
    assert narrow.search_metadata.total_chunks_searched == 1


async def test_old_versions_are_found_only_as_of_their_time(shelf: Shelf):
    document = await shelf.put("/note.txt", "The budget was frozen by the treasurer in March.")
    await shelf.revise(document, "The plan was approved by everyone in April.")
    then = await shelf.rows("select created_at from document_versions where version = 1")
    assert [e.content for s in (await shelf.search("frozen budget")).sources for e in s.excerpts] != [
        "The budget was frozen by the treasurer in March."
    ]
    (source,) = (await shelf.search("frozen budget", as_of=then[0].created_at)).sources
    assert source.excerpts[0].content.startswith("The budget was frozen")
    assert source.version == 1
    long_ago = clock.now() - timedelta(days=9)
    assert (await shelf.search("frozen budget", as_of=long_ago)).sources == []


@pytest.mark.parametrize("status", ["pending", "in_progress", "failed"])
@pytest.mark.parametrize("filters", [{}, {"folder": "/notes"}])
async def test_until_a_new_version_is_read_the_one_before_is_found(shelf: Shelf, status: str, filters: dict[str, str]):
    document = await shelf.put("/notes/budget.txt", "The budget was drawn up in February.")
    await shelf.revise(document, "The budget was frozen by the treasurer in March.")
    await shelf.revise(document, "The budget was approved in April.", status=status)
    await shelf.revise(document, "The budget was approved in May.", status=status)
    (source,) = (await shelf.search("when was the budget frozen", **filters)).sources
    assert [excerpt.content for excerpt in source.excerpts] == ["The budget was frozen by the treasurer in March."]
    assert (source.version, source.latest_version) == (2, 4)
    (then,) = (await shelf.search("when was the budget frozen", as_of=clock.now(), **filters)).sources
    assert (then.version, then.latest_version, then.sha256) == (2, 4, source.sha256)
    await shelf.revise(document, "The budget was lost.")
    (source,) = (await shelf.search("when was the budget frozen", **filters)).sources
    assert (source.excerpts[0].content, source.version, source.latest_version) == ("The budget was lost.", 5, 5)


async def test_many_old_versions_do_not_crowd_out_what_is_current(shelf: Shelf):
    document = await shelf.put("/draft.txt", "Draft 0 about the honey market in Greece.")
    for number in range(1, 12):
        await shelf.revise(document, f"Draft {number} about the honey market in Greece.")
    await shelf.put("/final.txt", "Honey is sold in glass jars.")
    names = await shelf.names("honey market in Greece", limit=2)
    assert names == ["draft.txt", "final.txt"]


async def test_old_versions_of_others_change_nothing(shelf: Shelf):
    notes = [await shelf.put(f"/notes/{number}.txt", f"Plonkard policy note {number}.") for number in range(30)]
    await shelf.put("/memo.txt", "A memo on gardening, trams and ships that mentions Plonkard once, in passing.")
    for number, note in enumerate(notes):
        await shelf.revise(note, f"Betacorp policy note {number}.")
    source, *_ = (await shelf.search("Plonkard", limit=3)).sources
    assert (source.file_name, source.relevance_score > 0.5) == ("memo.txt", True)
    within, *_ = (await shelf.search("Plonkard", limit=3, folder="/")).sources
    assert source.relevance_score == pytest.approx(within.relevance_score, abs=0.1)
    assert await shelf.names("Plonkard", limit=3, threshold=0.5) == ["memo.txt"]


async def test_one_content_in_two_documents_is_searched_once_and_found_twice(shelf: Shelf):
    await shelf.put("/a.txt", _BEES)
    await shelf.put("/b.txt", _BEES)
    found = await shelf.search("bees dance")
    assert found.search_metadata.total_chunks_searched == 1
    assert [source.path for source in found.sources] == ["/a.txt", "/b.txt"]


async def test_a_long_document_does_not_hide_others_with_the_word(shelf: Shelf):
    pages = [f"Glimmerhorn, glimmerhorn and again glimmerhorn on page {number}." for number in range(450)]
    await shelf.put("/book.txt", *pages)
    memo = "A memo about the canteen, the car park and the new chairs, which mentions the glimmerhorn once: number"
    for number in range(15):
        await shelf.put(f"/memos/{number}.txt", f"{memo} {number}.")
    assert len((await shelf.search("glimmerhorn", limit=100)).sources) == 16
    assert len((await shelf.search("glimmerhorn")).sources) == 16
    assert len((await shelf.search("glimmerhorn", folder="/memos")).sources) == 15


async def test_as_many_documents_as_asked_for_and_their_best_passages(shelf: Shelf):
    for number in range(6):
        await shelf.put(f"/{number}.txt", *(f"Bees dance in hive {number}, comb {comb}." for comb in range(4)))
    found = await shelf.search("bees dance", limit=3)
    assert len(found.sources) == 3
    scores = [source.relevance_score for source in found.sources]
    assert scores == sorted(scores, reverse=True)
    assert all(source.excerpts for source in found.sources)


async def test_the_headings_a_passage_stands_under_count(shelf: Shelf):
    await shelf.put("/manual.txt", "Turn the valve clockwise until it stops.", section="Boiler › Shutting down")  # noqa: RUF001
    await shelf.put("/other.txt", "Turn the page to go on reading until it stops.")
    assert (await shelf.names("shutting down the boiler"))[0] == "manual.txt"


async def test_nothing_is_found_in_an_empty_workspace(shelf: Shelf):
    found = await shelf.search("anything")
    assert found.sources == []
    assert found.search_metadata.total_chunks_searched == 0


@pytest.mark.parametrize("query", ["", "   ", "?!…", "x" * 2001])
def test_a_query_without_words_or_without_end_is_refused(query: str):
    with pytest.raises(ValidationError):
        wire.Search(query=query)


@pytest.mark.parametrize(
    "query", ["'; drop table postings; --", "%_\\", "\ud83d\ude00 bees", "a" * 2000, "NULL \u202e dance"]
)
async def test_hostile_queries_are_only_queries(shelf: Shelf, query: str):
    await shelf.put("/bees.txt", _BEES)
    if any(character.isalnum() for character in query):
        await shelf.search(query.encode("utf-16", "surrogatepass").decode("utf-16"))


async def test_an_excerpt_begins_on_the_page_it_names(shelf: Shelf):
    pages = [f"Needle{number} stands on the page of a monster." for number in range(1, 7)]
    await shelf.put("/monster.pdf", "\f".join(pages))
    excerpt = (await shelf.search("Needle4 monster")).sources[0].excerpts[0]
    assert excerpt.page == 4
    assert excerpt.content.startswith("Needle4 ")
    assert "\f".join(pages)[excerpt.char_start : excerpt.char_end] == excerpt.content
