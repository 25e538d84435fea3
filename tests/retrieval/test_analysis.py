"""Texts become terms: the same for a word's forms, different across languages, whole for every script."""

import sys
import unicodedata
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from intelli.retrieval import analysis, postings
from intelli.retrieval.analysis import AnalysedText


def _terms(text: str, language: str = "en") -> set[int]:
    return set(analysis.analyse(text, language).counts)


@pytest.mark.parametrize(
    ("one", "other", "language"),
    [
        ("connection", "connected connecting", "en"),
        ("Häuser", "haus", "de"),
        ("القاهرة", "قاهرة", "ar"),
        ("книги", "книга", "ru"),
        ("ＦＵＬＬ", "full", "en"),  # noqa: RUF001  # characters of double width
        ("naïve", "naive", "en"),
        ("BRCA1", "brca1", "en"),
        ("data\u00adbase", "database", "en"),
        ("Donau\u200bdampf\u2060schiff", "donaudampfschiff", "de"),
    ],
)
def test_forms_of_a_word_are_one_term(one: str, other: str, language: str):
    assert _terms(one, language) == _terms(other, language)


def test_marks_belong_to_their_letters():
    assert analysis.analyse("हिन्दी की किताबें", "hi").length == 3


def test_names_of_code_are_cut_at_their_joints():
    assert _terms("max_retry_count") == _terms("max retry count")


def test_a_stem_of_one_language_is_not_a_stem_of_another():
    assert not _terms("die", "de") & _terms("die", "en")


def test_numbers_are_the_same_in_every_language():
    assert _terms("1984", "de") == _terms("1984", "zh")


def test_a_query_is_read_in_every_language_of_the_workspace():
    (word,) = analysis.parse_query("Connections", ["de", "en", "fr"])
    assert word.terms == _terms("connection", "en") | _terms("connections", "de") | _terms("connections", "fr")


def test_a_query_finds_runs_inside_longer_runs():
    words = analysis.parse_query("循环", ["zh"])
    assert {term for word in words for term in word.terms} <= _terms("氮循环是指", "zh")


def test_a_word_said_twice_is_asked_once():
    assert len(analysis.parse_query("bees and Bee", ["en"])) == 2


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=300), st.sampled_from(["en", "de", "zh", "ar", "und"]))
def test_any_text_is_analysed_and_found_by_its_own_words(text: str, language: str):
    found = analysis.analyse(text, language)
    assert all(-(1 << 63) <= term < 1 << 63 for term in found.counts)
    asked = {term for word in analysis.parse_query(text, [language]) for term in word.terms}
    assert asked <= set(found.counts)


def test_every_combining_character_belongs_to_words():
    marks = {code for first, last in analysis._marks() for code in range(first, last + 1)}
    assert marks == {code for code in range(sys.maxunicode + 1) if unicodedata.category(chr(code))[0] == "M"}


def test_what_is_not_looked_at_more_closely_needs_it_not():
    plain = "".join(chr(code) for code in range(sys.maxunicode + 1) if not analysis._UNTRIED.match(chr(code)))
    assert len(plain) > 4_000
    assert analysis._special().search(plain) is None


_CHUNKS = st.lists(
    st.dictionaries(st.integers(-(1 << 63), (1 << 63) - 1), st.integers(1, 300), max_size=6), min_size=1, max_size=600
)


@settings(max_examples=40, deadline=None)
@given(_CHUNKS, st.integers(1, 1 << 38))
def test_postings_say_again_what_went_into_them(chunks: list[dict[int, int]], reading: int):
    """Two readings that are indexed together share the rows of a term."""
    analysed = [AnalysedText(counts, sum(counts.values())) for counts in chunks]
    by_key = postings.by_key({reading: analysed[::2], reading + 1: analysed[1::2]})
    packed = postings.pack(postings.list_counts(by_key))
    rows = [row for batch in packed.batches(7) for row in batch.rows()]
    assert rows == list(packed.rows())
    said: dict[tuple[int, int], tuple[int, int]] = {}
    for term, _, first, last, raw in rows:
        found = postings.unpack(raw)
        assert postings.reading_range(raw) == (first, last)
        for key, count, length in zip(found.keys.tolist(), found.counts.tolist(), found.lengths.tolist(), strict=True):
            at, place = postings.place_of(key)
            assert at in (reading, reading + 1)
            said[term, place * 2 + at - reading] = (int(count), int(length))
    assert said == {
        (term, place): (min(count, 255), min(sum(counts.values()), 65_535))
        for place, counts in enumerate(chunks)
        for term, count in counts.items()
    }
    assert all(len(raw) <= 2000 for *_, raw in rows), "an entry of the index holds a part"


def test_texts_are_analysed_side_by_side_while_words_are_forgotten(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(analysis, "_KNOWN_WORDS", 100)
    texts = [" ".join(f"key{number}x{place}" for place in range(60)) for number in range(300)]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as pool:
            found = list(pool.map(lambda text: analysis.analyse(text, "und"), texts))
    finally:
        sys.setswitchinterval(interval)
    assert {analysed.length for analysed in found} == {60}
    assert all(len(analysed.counts) == 60 for analysed in found)
