"""The first passages are ranked anew token by token: in which order, how many of them, and what is said about it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from uuid import UUID

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.retrieval.makers import Shelf

from intelli.language import function_words
from intelli.reasoning.embedders import Embedders
from intelli.reasoning.ports import TokenEncoder, TokenStates
from intelli.reasoning.settings import EmbeddingSettings
from intelli.retrieval import relevance, token_cache
from intelli.retrieval.rerank import Rerankers
from intelli.retrieval.settings import SearchSettings
from intelli.retrieval.token_cache import TokenCache

_TENANT, _OTHER = UUID(int=1), UUID(int=2)
_PASSAGES = [f"{word} lies in the harbour" for word in ("amber", "bronze", "copper", "dates", "ebony", "flax")]
_COST_S = 0.010
_TEXTS = {
    "bees.txt": "Honey bees tell each other where flowers are with a dance on the comb of their hive.",
    "steel.txt": "Steel is hardened by heating it and cooling it quickly in oil or in water.",
    "plants.txt": "In 2019 the power plants of the region emitted 412 million tonnes of carbon dioxide.",
    "bread.txt": "Bread rises because yeast turns sugar into carbon dioxide while the dough rests.",
    "vote.txt": "The committee will vote on the new budget for schools next Tuesday.",
    "moon.txt": "The tides of the sea follow the moon, and the sun to a lesser degree.",
}


@dataclass
class WordEncoder:
    """Encoder of whole words, each a direction of its own, whose reading costs a fixed amount of CPU time."""

    name: str = "words"
    read_texts: list[str] = field(default_factory=list)

    async def read(self, texts: Sequence[str]) -> list[TokenStates]:
        self.read_texts += texts
        return [_states(text, cpu_s=_COST_S) for text in texts]

    async def read_query(self, text: str) -> TokenStates:
        return _states(text, cpu_s=0.0)


class InstalledEncoder(Embedders):
    """Embedders of an installation with a certain encoder, or without any."""

    def __init__(self, encoder: TokenEncoder | None) -> None:
        super().__init__(EmbeddingSettings())
        self._encoder_of_tokens = encoder

    @property
    def reader(self) -> TokenEncoder | None:
        return self._encoder_of_tokens


def _states(text: str, *, cpu_s: float) -> TokenStates:
    words = text.split()
    states = np.zeros((len(words), 64), np.float32)
    for row, word in enumerate(words):
        states[row, sum(word.encode()) % 64] = 1
    ends = np.cumsum([len(word) + 1 for word in words]).astype(np.int32) - 1
    starts = ends - np.array([len(word) for word in words], np.int32)
    return TokenStates(states, starts, ends, cpu_s)


async def test_a_passage_with_the_words_of_the_query_matches_best():
    reranker = Rerankers(InstalledEncoder(WordEncoder()), SearchSettings(rerank_ms=1_000)).interactive
    found = await reranker.match("copper of the harbour", _PASSAGES, tenant_id=_TENANT)
    assert [each.content for each in found.matches].index(max(each.content for each in found.matches)) == 2
    assert found.reason is None
    assert found.cpu_ms >= 1_000 * _COST_S * len(_PASSAGES)


async def test_as_many_passages_are_read_as_the_cpu_time_allows_the_best_first():
    encoder = WordEncoder()
    rerankers = Rerankers(InstalledEncoder(encoder), SearchSettings(rerank_ms=45))
    await rerankers.research.match("ebony", _PASSAGES, tenant_id=_OTHER)  # what a passage costs was measured
    encoder.read_texts.clear()
    interactive = Rerankers(InstalledEncoder(encoder), SearchSettings(rerank_ms=25)).interactive
    found = await interactive.match("ebony", _PASSAGES, tenant_id=_TENANT)
    assert 0 < len(found.matches) < len(_PASSAGES)
    assert encoder.read_texts == _PASSAGES[: len(found.matches)]
    assert found.reason == f"The 25 ms of CPU time for it sufficed for {len(found.matches)} of 6 passages."


async def test_what_was_read_once_is_not_read_again_but_for_another_workspace():
    encoder = WordEncoder()
    reranker = Rerankers(InstalledEncoder(encoder), SearchSettings(rerank_ms=1_000)).interactive
    first = await reranker.match("flax", _PASSAGES, tenant_id=_TENANT)
    again = await reranker.match("flax", _PASSAGES, tenant_id=_TENANT)
    assert again.matches == first.matches
    assert encoder.read_texts == _PASSAGES
    await reranker.match("flax", _PASSAGES, tenant_id=_OTHER)
    assert encoder.read_texts == _PASSAGES * 2


async def test_without_memory_for_passages_they_are_read_each_time():
    encoder = WordEncoder()
    settings = SearchSettings(rerank_ms=1_000, rerank_cache_mb=0)
    reranker = Rerankers(InstalledEncoder(encoder), settings).interactive
    for _ in range(2):
        assert len((await reranker.match("flax", _PASSAGES, tenant_id=_TENANT)).matches) == len(_PASSAGES)
    assert encoder.read_texts == _PASSAGES * 2


@pytest.mark.parametrize(
    ("encoder", "rerank_ms", "reason"), [(WordEncoder(), 0, "switched off"), (None, 400, "not installed")]
)
async def test_a_search_that_ranks_nothing_anew_says_why(
    shelf: Shelf, encoder: TokenEncoder | None, rerank_ms: int, reason: str
):
    shelf.embedders, shelf.reranking = InstalledEncoder(encoder), SearchSettings(rerank_ms=rerank_ms)
    await _shelve(shelf)
    found = await shelf.search("where do bees dance")
    assert found.sources[0].file_name == "bees.txt"
    told = found.search_metadata
    assert (told.reranked, told.rerank_cpu_ms) == (0, 0)
    assert reason in (told.not_reranked_reason or "")


async def test_a_search_tells_how_many_passages_it_ranked_anew(shelf: Shelf):
    await _shelve(shelf)
    found = await shelf.search("how does an insect show the others the way to nectar")
    told = found.search_metadata
    assert told.reranked == len(found.sources)
    assert told.rerank_cpu_ms > 0
    assert told.not_reranked_reason is None
    assert found.sources[0].file_name == "bees.txt"
    scores = [source.relevance_score for source in found.sources]
    assert scores == sorted(scores, reverse=True)


async def test_ranking_anew_keeps_what_is_quoted_first(shelf: Shelf):
    await _shelve(shelf)
    found = await shelf.search('how much was emitted by plants, in the words "dough rests"')
    assert found.sources[0].file_name == "bread.txt"


async def test_few_documents_are_chosen_after_ranking_anew(shelf: Shelf):
    await _shelve(shelf)
    query = "how does an insect show the others the way to nectar"
    assert await shelf.names(query, limit=2) == (await shelf.names(query))[:2]


@pytest.mark.parametrize(
    ("plain", "asked"),
    [
        ("carbon dioxide emitted", "how much carbon dioxide was emitted"),
        ("carbon dioxide emitted by power plants", "tell me about the carbon dioxide that was emitted by power plants"),
        ("hardening steel", "what is hardening of steel"),
        ("tides and the moon", "please find all of the tides and the moon"),
    ],
)
@pytest.mark.parametrize("rerank_ms", [0, 1_000])
async def test_function_words_hardly_move_relevance(shelf: Shelf, plain: str, asked: str, rerank_ms: int):
    shelf.reranking = SearchSettings(rerank_ms=rerank_ms)
    await _shelve(shelf)
    best = (await shelf.search(plain)).sources[0]
    again = next(source for source in (await shelf.search(asked)).sources if source.file_id == best.file_id)
    assert again.relevance_score == pytest.approx(best.relevance_score, abs=0.05)


@pytest.mark.parametrize(
    ("query", "content"),
    [
        ("how much carbon dioxide was emitted", "carbon dioxide emitted"),
        ("tell me about the price list", "price list"),
        ("list all of the ports", "ports"),
        ("difference engine", "difference engine"),
        ("what is the difference between tin and zinc", "tin zinc"),
        ("Wie hoch war der Umsatz im Jahr 2024?", "hoch Umsatz Jahr 2024"),
        ("the of and", "the of and"),
        ("zxqv blorp", "zxqv blorp"),
        ("氮循环", "氮循环"),
    ],
)
def test_the_words_that_say_what_is_wanted_are_told_from_those_that_ask(query: str, content: str):
    assert function_words.without_function_words(query) == content


@given(st.lists(st.integers(1, 40), max_size=30))
def test_the_cache_never_holds_more_than_it_may(sizes: list[int]):
    cache = TokenCache(2_000)
    for number, rows in enumerate(sizes):
        key = token_cache.key_of(_TENANT, model="words", text=str(number))
        cache.add(key, token_cache.pack(np.ones((rows, 64), np.float32)))
        assert cache.size_bytes <= 2_000
        assert (key in cache) == (rows * 64 <= 2_000)


@given(st.lists(st.floats(0, 1), max_size=40))
def test_relevance_falls_with_the_rank_and_keeps_its_mean(chances: list[float]):
    falling = relevance.falling(np.array(chances))
    assert (np.diff(falling) <= 1e-12).all()
    assert falling.sum() == pytest.approx(sum(chances))


async def _shelve(shelf: Shelf) -> None:
    for name, body in _TEXTS.items():
        await shelf.put(f"/{name}", body)
