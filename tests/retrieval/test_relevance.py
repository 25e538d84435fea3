"""What a score means: high for what answers, low for what does not, and a threshold that keeps to it."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.retrieval.makers import Shelf

from intelli.retrieval import excerpts, fusion
from intelli.retrieval.analysis import analyse
from intelli.retrieval.fusion import RankSignals
from intelli.retrieval.store.passages import FoundChunk

_TEXTS = [
    "Honey bees tell each other where flowers are with a dance on the comb of their hive.",
    "Steel is hardened by heating it and cooling it quickly in oil or in water.",
    "The tides of the sea follow the moon, and the sun to a lesser degree.",
    "A treaty between the two countries was signed in the spring of 1871.",
    "Bread rises because yeast turns sugar into gas while the dough rests.",
    "The committee will vote on the new budget for schools next Tuesday.",
]


async def _shelve(shelf: Shelf) -> None:
    for number, body in enumerate(_TEXTS):
        await shelf.put(f"/{number}.txt", body)


async def test_a_passage_asked_for_word_by_word_is_surely_relevant(shelf: Shelf):
    await _shelve(shelf)
    for number, body in enumerate(_TEXTS):
        best = (await shelf.search(body)).sources[0]
        assert best.file_name == f"{number}.txt"
        assert best.relevance_score > 0.7


@pytest.mark.parametrize(
    "query",
    ["14.7 %", "max_retry_count", "10.1038/s41586-021-03819-2", "AZD-9291", "東京タワー", "เมืองหลวง", "القاهرة"],
)
async def test_an_exact_name_or_number_is_found_and_clearly_relevant(shelf: Shelf, query: str):
    await _shelve(shelf)
    await shelf.put("/answer.txt", f"The committee looked at {query} and at much else, and kept notes of it.")
    best, *others = (await shelf.search(query)).sources
    assert best.file_name == "answer.txt"
    assert best.relevance_score > 0.35
    assert all(source.relevance_score < 0.2 for source in others)


@pytest.mark.parametrize(
    ("text", "query"),
    [
        (
            "Der Umsatz der Imkerei betrug im Jahr 2024 252,9 Millionen Euro. Der Vorstand dankt allen.",
            "Wie hoch war der Umsatz der Imkerei im Jahr 2024?",
        ),
        ("Der Umsatz der Imkerei betrug im Jahr 2024 252,9 Millionen Euro, so das Protokoll.", "Umsatz 2024"),
        ("Le chiffre d'affaires de la ruche a atteint 252 millions d'euros pendant l'année.", "chiffre d'affaires"),
        ("研发中心位于上海,工厂在去年发生了一场火灾,损失很大。", "研发中心 火灾"),
        ("يقع مركز البحث والتطوير في مدينة القاهرة منذ العام الماضي.", "مركز البحث والتطوير"),
    ],
    ids=["a German question", "German words", "French", "Chinese", "Arabic"],
)
async def test_the_only_text_of_its_language_is_as_relevant_as_any(shelf: Shelf, text: str, query: str):
    await _shelve(shelf)
    for number in range(20):
        await shelf.put(f"/report {number}.txt", f"The revenue of the company in 2024 was told in report {number}.")
    await shelf.put("/answer.txt", text)
    best, *others = (await shelf.search(query)).sources
    assert best.file_name == "answer.txt"
    assert best.relevance_score > 0.3
    assert all(source.relevance_score < best.relevance_score / 2 for source in others)
    unrelated = "Wie wird das Wetter in Paris?" if query.isascii() else "上海的天气怎么样 الطقس في باريس"
    assert all(source.relevance_score < 0.2 for source in (await shelf.search(unrelated)).sources)


@pytest.mark.parametrize("query", ["zxqv blorp wibble", "quarterly churn of enterprise subscriptions", "氮循环"])
async def test_a_query_that_nothing_answers_scores_low(shelf: Shelf, query: str):
    await _shelve(shelf)
    assert all(source.relevance_score < 0.2 for source in (await shelf.search(query)).sources)


async def test_the_threshold_leaves_out_what_is_less_relevant(shelf: Shelf):
    await _shelve(shelf)
    everything = await shelf.search("how do honey bees dance on the comb")
    some = await shelf.search("how do honey bees dance on the comb", threshold=0.5)
    assert 0 < len(some.sources) < len(everything.sources)
    assert all(excerpt.score >= 0.5 for source in some.sources for excerpt in source.excerpts)
    assert (await shelf.search("zxqv blorp", threshold=0.5)).sources == []


async def test_many_equal_matches_are_all_relevant(shelf: Shelf):
    for number in range(30):
        await shelf.put(f"/{number}.txt", f"Honey bees dance on the comb, report {number}.")
    scores = [source.relevance_score for source in (await shelf.search("honey bees dance on the comb")).sources]
    assert min(scores) > 0.5


async def test_words_that_are_in_most_passages_tell_little_and_names_beside_them_much(shelf: Shelf):
    beads = [f"The bead {number} of the string and the thread of it." for number in range(2_000)]
    await shelf.put("/beads.txt", *beads)
    await shelf.put("/glass.txt", "The glass of the lamp and the oil of the harbour town burnt down.")
    assert all(source.relevance_score < 0.2 for source in (await shelf.search("the of and")).sources)
    best = (await shelf.search("the oil of the lamp and the glass")).sources[0]
    assert best.file_name == "glass.txt"
    assert best.relevance_score > 0.7


_SHARES = st.floats(0, 1)


@given(st.lists(st.tuples(_SHARES, _SHARES), max_size=80))
def test_relevance_keeps_the_order_and_its_bounds(pairs: list[tuple[float, float]]):
    scores = np.array(sorted((score for score, _ in pairs), reverse=True))
    relevance = fusion.relevance(scores, np.array([coverage for _, coverage in pairs]))
    assert ((relevance >= 0) & (relevance <= 1)).all()
    assert (np.diff(relevance) <= 1e-12).all()


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1), st.floats(0, 1))
def test_a_fused_score_lies_between_its_parts(pairs: list[tuple[float, float]], weight: float):
    lexical, semantic = (np.array(column) for column in zip(*pairs, strict=True))
    fused = fusion.fuse(RankSignals(lexical, semantic, weight))
    assert (fused >= np.minimum(lexical, semantic) - 1e-9).all()
    assert (fused <= np.maximum(lexical, semantic) + 1e-9).all()


def test_a_model_that_does_not_know_the_words_has_no_say():
    lexical, semantic = np.array([0.2, 0.4]), np.array([1.0, 0.0])
    assert fusion.fuse(RankSignals(lexical, semantic, 0.0)).tolist() == lexical.tolist()


def test_the_page_shown_is_the_one_that_holds_the_words():
    worth = dict.fromkeys(analyse("honey dance", "en").counts, 1.0)
    body = "A chapter begins here.\fBees dance for honey.\fIt ends here."
    shown = excerpts.begin_at_best_page(_chunk(body), worth=worth, language="en")
    assert (shown.page, shown.body) == (5, "Bees dance for honey.\fIt ends here.")
    assert body[shown.char_start - 100 : shown.char_end - 100] == shown.body
    for other in (_chunk("No breaks at all."), _chunk("One.\fTwo."), replace(_chunk(body), page=None)):
        assert excerpts.begin_at_best_page(other, worth=worth, language="en") == other
    assert excerpts.begin_at_best_page(_chunk(body), worth={}, language="en") == _chunk(body)


def _chunk(body: str) -> FoundChunk:
    return FoundChunk(1, 0, char_start=100, char_end=100 + len(body), page=4, section=None, body=body)


def test_a_long_passage_is_shown_where_the_words_of_the_query_stand():
    filler = "The minutes of the meeting tell of many other things at length. " * 12
    body = f"{filler}The harbours were dredged in spring. {filler}"

    shown = excerpts.shorten(body, "dredging of the harbour", most=120)

    assert "harbours were dredged" in shown
    assert len(shown) <= 122
    assert (shown[0], shown[-1]) == ("\u2026", "\u2026")
    assert excerpts.shorten("Short.", "anything", most=120) == "Short."
    assert excerpts.shorten(body, "volcano", most=60) == f"{body[:60].rstrip()}\u2026"
    assert "港口" in excerpts.shorten("会议" * 300 + "。港口在春天疏浚。" + "会议" * 300, "港口", most=80)


async def test_copies_of_a_passage_do_not_make_it_less_relevant(shelf: Shelf):
    await _shelve(shelf)
    answer = "Managers negotiate contracts with vendors and suppliers of the harbour."
    await shelf.put("/answer.txt", answer)
    alone = (await shelf.search("contracts with vendors and suppliers")).sources[0].relevance_score
    for number in range(12):
        await shelf.put(f"/copy {number}.txt", answer, f"Copy {number} ends here.")
    found = (await shelf.search("contracts with vendors and suppliers")).sources
    assert alone > 0.5
    assert found[0].relevance_score > 0.7 * alone
    assert {source.excerpts[0].content for source in found[:10]} == {answer}
