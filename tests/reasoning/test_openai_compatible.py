"""Embedding through an endpoint: in batches, with patience, and with checked answers."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import numpy as np
import pytest
from tests.support.embedding_server import EmbeddingServer, embedding_server

from intelli.reasoning.adapters.openai_compatible import OpenAiCompatibleEmbedder
from intelli.reasoning.embedders import Embedders
from intelli.reasoning.embedding_name import EmbeddingName
from intelli.reasoning.errors import EmbeddingNotInstalled, EmbeddingRefused, EmbeddingUnavailable
from intelli.reasoning.settings import EmbeddingSettings


def _settings(server: EmbeddingServer, **changes: Any) -> EmbeddingSettings:
    usual = {"name": EmbeddingName.OPENAI_COMPATIBLE, "model": "small", "dimensions": 8, "timeout_s": 60}
    return EmbeddingSettings(base_url=server.url, **{**usual, **changes})


@asynccontextmanager
async def _embedder(server: EmbeddingServer, **changes: Any) -> AsyncIterator[OpenAiCompatibleEmbedder]:
    embedder = OpenAiCompatibleEmbedder(_settings(server, **changes))
    try:
        yield embedder
    finally:
        await embedder.close()


async def test_vectors_come_in_the_order_of_the_texts_at_unit_length():
    async with embedding_server() as server, _embedder(server, api_key="sesame") as embedder:
        together = await embedder.embed(["one", "two", "three"])
        alone = await embedder.embed_query("two")
    assert together.shape == (3, 8)
    assert np.allclose(np.linalg.norm(together, axis=1), 1, atol=1e-5)
    assert np.allclose(together[1], alone, atol=1e-5)
    assert set(server.authorizations) == {"Bearer sesame"}
    assert server.requests[0]["model"] == "small"


async def test_batches_keep_to_the_count_and_to_the_tokens():
    async with embedding_server() as server, _embedder(server, batch=10, batch_tokens=300) as embedder:
        await embedder.embed(["short"] * 25 + ["long " * 100] * 3)
    sizes = sorted(len(request["input"]) for request in server.requests)
    assert sum(sizes) == 28
    assert max(sizes) <= 10
    assert all(sum(len(text) // 2 for text in request["input"]) <= 300 for request in server.requests)


async def test_no_more_requests_at_once_than_allowed():
    async with embedding_server(delay_s=0.02) as server, _embedder(server, batch=1, concurrency=3) as embedder:
        await embedder.embed([f"text {number}" for number in range(12)])
    assert len(server.requests) == 12
    assert server.at_once <= 3


@pytest.mark.parametrize("status", [429, 500])
async def test_a_passing_failure_is_tried_once_more(status: int):
    async with embedding_server(failures=[status], retry_after="0") as server, _embedder(server) as embedder:
        assert (await embedder.embed(["text"])).shape == (1, 8)
    assert len(server.requests) == 2


async def test_a_lasting_failure_is_told_as_one_that_may_pass():
    async with embedding_server(failures=[500, 500], retry_after="0") as server, _embedder(server) as embedder:
        with pytest.raises(EmbeddingUnavailable):
            await embedder.embed(["text"])


async def test_a_refusal_is_not_repeated():
    async with embedding_server(failures=[401]) as server, _embedder(server) as embedder:
        with pytest.raises(EmbeddingRefused, match="api_key"):
            await embedder.embed(["text"])
    assert len(server.requests) == 1


async def test_a_slow_endpoint_is_given_up():
    async with embedding_server(delay_s=5) as server, _embedder(server, timeout_s=0.1) as embedder:
        with pytest.raises(EmbeddingUnavailable):
            await embedder.embed(["text"])


async def test_vectors_of_another_length_are_refused_in_words():
    async with embedding_server(dimensions=5) as server, _embedder(server) as embedder:
        with pytest.raises(EmbeddingRefused, match="5 dimensions"):
            await embedder.embed(["text"])


@pytest.mark.parametrize(
    "garbage",
    [
        b"<html>",
        b"{}",
        b'{"data": [{"index": 0, "embedding": "x"}]}',
        b'{"data": [{"index": 0, "embedding": [0,0,0,0,0,0,0,0]}]}',
    ],
)
async def test_an_answer_that_is_no_embedding_is_not_taken_for_one(garbage: bytes):
    async with embedding_server(garbage=garbage) as server, _embedder(server) as embedder:
        with pytest.raises(EmbeddingUnavailable):
            await embedder.embed(["text"])


async def test_prefixes_tell_a_query_from_a_passage():
    prefixes = {"query_prefix": "query: ", "passage_prefix": "passage: "}
    async with embedding_server() as server, _embedder(server, **prefixes) as embedder:
        await embedder.embed(["text"])
        await embedder.embed_query("text")
    assert [request["input"] for request in server.requests] == [["passage: text"], ["query: text"]]


async def test_an_embedder_is_found_by_the_space_it_made():
    async with embedding_server() as server:
        embedders = Embedders(_settings(server))
        assert embedders.of_space(embedders.chosen.name) is embedders.chosen
        assert embedders.of_space("static:wordllama-l2-supercat-256").dimensions == 256
        with pytest.raises(EmbeddingNotInstalled, match="reindex"):
            embedders.of_space("openai-compatible:another:99")
        await embedders.close()
