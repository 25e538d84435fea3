"""The embedders that come with the product: offline, of unit length, and nearer for what is alike."""

import socket
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from intelli.reasoning.adapters.encoder import EncoderEmbedder
from intelli.reasoning.adapters.encoder_models import MINILM
from intelli.reasoning.adapters.static import StaticEmbedder
from intelli.reasoning.errors import EmbeddingNotInstalled
from intelli.reasoning.ports import Embedder

EMBEDDERS = [StaticEmbedder, partial(EncoderEmbedder, MINILM)]


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any attempt to reach out fails the test."""

    def refuse(*_: object) -> None:
        raise AssertionError("an embedder reached for the network")

    monkeypatch.setattr(socket.socket, "connect", refuse)


@pytest.mark.parametrize("kind", EMBEDDERS)
async def test_what_is_alike_is_near(kind: Callable[[], Embedder]):
    embedder = kind()
    texts = ["A cat sat on the mat.", "Cats like to sit on carpets.", "The central bank raised interest rates."]
    found = await embedder.embed(texts)
    assert found.shape == (3, embedder.dimensions)
    assert found.dtype == np.float32
    assert np.allclose(np.linalg.norm(found, axis=1), 1, atol=1e-3)
    assert found[0] @ found[1] > found[0] @ found[2] + 0.2


@pytest.mark.parametrize("kind", EMBEDDERS)
async def test_a_batch_gives_what_each_text_gives_alone(kind: Callable[[], Embedder]):
    embedder = kind()
    texts = ["one", "a much longer text about many things " * 20, "", "three"]
    together = await embedder.embed(texts)
    alone = np.stack([await embedder.embed_query(text) for text in texts])
    assert np.allclose(together, alone, atol=0.02)


@pytest.mark.parametrize("kind", EMBEDDERS)
def test_a_foreign_script_is_known_for_what_it_is(kind: Callable[[], Embedder]):
    embedder = kind()
    assert embedder.fit("What does the contract say about termination?") > 0.9
    assert embedder.fit("合同关于终止是怎么规定的") < 0.1
    assert embedder.fit("ماذا يقول العقد عن الإنهاء") < 0.1
    assert 0 <= embedder.fit("") <= 1


LONG = " ".join(f"Sentence {number} tells of another thing altogether." for number in range(120))


async def test_the_end_of_a_long_passage_counts_for_its_vector():
    embedder = EncoderEmbedder(MINILM)
    plain, ended = await embedder.embed([LONG, f"{LONG} {'The bank raised its interest rate again. ' * 20}"])
    asked = await embedder.embed_query("What did the bank do with interest rates?")
    assert asked @ ended > asked @ plain + 0.1


async def test_each_token_is_told_with_its_characters_in_a_text_of_many_windows():
    encoder = EncoderEmbedder(MINILM)
    (read,) = await encoder.read([LONG])
    words = [LONG[start:end] for start, end in zip(read.starts, read.ends, strict=True)]
    assert "".join(words) == LONG.replace(" ", "")
    assert read.states.shape == (len(words), MINILM.dimensions)
    assert np.allclose(np.linalg.norm(read.states, axis=1), 1, atol=1e-4)


async def test_a_token_of_a_question_is_nearest_to_what_it_means_in_the_passage():
    encoder = EncoderEmbedder(MINILM)
    passage = f"{LONG} The vehicle was painted crimson. {LONG}"
    asked = await encoder.read_query("car")
    (read,) = await encoder.read([passage])
    nearest = int((read.states @ asked.states[0]).argmax())
    assert passage[read.starts[nearest] : read.ends[nearest]] == "vehicle"


async def test_a_text_without_words_has_no_tokens_and_yet_a_vector():
    encoder = EncoderEmbedder(MINILM)
    (read,) = await encoder.read([""])
    assert read.states.shape == (0, MINILM.dimensions)
    assert np.isclose(np.linalg.norm(await encoder.embed_query("")), 1)


async def test_a_model_file_of_another_hash_is_refused(tmp_path: Path):
    (tmp_path / "model.onnx").write_bytes(b"something else")
    (tmp_path / "tokenizer.json").write_bytes(b"{}")
    with pytest.raises(EmbeddingNotInstalled, match="not the file of the encoder"):
        await EncoderEmbedder(replace(MINILM, folder=tmp_path)).embed_query("a question")


async def test_a_missing_model_file_is_named_with_the_way_to_get_it(tmp_path: Path):
    with pytest.raises(EmbeddingNotInstalled, match=r"model\.onnx.*make setup"):
        await EncoderEmbedder(replace(MINILM, folder=tmp_path)).embed_query("a question")
