"""Without a model but with an embedder: nearness in meaning helps where it is known, and never stands in the way."""

from collections.abc import Sequence

import numpy as np
import pytest
from tests.reasoning.passages import note, passage

from intelli.kit.errors import Unavailable
from intelli.reasoning.adapters.extractive import ExtractiveReasoner
from intelli.reasoning.ports import Vectors

SOURCE = passage("The firm shipped 40 lorries. Acme built 40 trucks last year. Rain fell on the hills.", title="Acme")


class Topics:
    """An embedder that knows one thing: whether a text is about vehicles."""

    name = "topics"
    dimensions = 2
    prior = 0.5
    background = 0.1

    def __init__(self, *, fit: float = 1, fails: bool = False) -> None:
        self._fit = fit
        self._fails = fails
        self.asked = 0

    def fit(self, text: str) -> float:
        return self._fit

    async def embed(self, texts: Sequence[str]) -> Vectors:
        self.asked += 1
        if self._fails:
            raise Unavailable("The embedding endpoint does not answer.")
        about = [any(word in text for word in ("lorries", "trucks", "vehicles")) for text in texts]
        return np.asarray([[1, 0] if each else [0, 1] for each in about], dtype=np.float32)

    async def embed_query(self, text: str) -> Vectors:
        vector: Vectors = (await self.embed([text]))[0]
        return vector


async def test_what_is_meant_is_found_beside_what_is_said() -> None:
    without = await note(ExtractiveReasoner(), "Acme vehicles", SOURCE)
    beside = await note(ExtractiveReasoner(Topics()), "Acme vehicles", SOURCE)

    assert "lorries" not in " ".join(finding.text for finding in without.findings)
    assert {finding.text for finding in beside.findings} == {
        "The firm shipped 40 lorries.",
        "Acme built 40 trucks last year.",
    }


@pytest.mark.parametrize("embedder", [Topics(fit=0.1), Topics(fails=True)], ids=["foreign language", "unavailable"])
async def test_an_embedder_that_cannot_help_changes_nothing(embedder: Topics) -> None:
    alone = await note(ExtractiveReasoner(), "Acme trucks last year", SOURCE)

    assert await note(ExtractiveReasoner(embedder), "Acme trucks last year", SOURCE) == alone


async def test_a_whole_library_of_sentences_is_not_embedded() -> None:
    embedder = Topics()
    await note(ExtractiveReasoner(embedder), "Acme trucks", passage("Acme has many trucks here. " * 1_000))

    assert embedder.asked == 0
