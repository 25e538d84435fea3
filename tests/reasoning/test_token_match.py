"""Without a model but with an encoder of tokens: what is meant is found, and an encoder never stands in the way."""

from collections.abc import Sequence

import numpy as np
import pytest
from tests.reasoning.passages import note, passage

from intelli.kit.errors import Unavailable
from intelli.reasoning.adapters.extractive import ExtractiveReasoner
from intelli.reasoning.extractive import pick, token_match, weigh
from intelli.reasoning.ports import TokenStates

# The words for which the encoder has one direction.
_ALIKE = ("lorries", "trucks", "vehicles")
_DIMENSIONS = 64
SOURCE = passage(
    "The yard of Acme bought 12 cranes for the harbour. The yard of Acme bought 40 lorries for the harbour. "
    "Rain fell on the hills.",
    title="Acme",
)


class Words:
    """An encoder of whole words that knows one thing: which words mean vehicles."""

    def __init__(self, name: str = "", *, fails: bool = False) -> None:
        self.name = name or next(each for each in pick.weights() if each != "words")
        self._fails = fails
        self.read_texts: list[str] = []

    async def read(self, texts: Sequence[str]) -> list[TokenStates]:
        if self._fails:
            raise Unavailable("The encoder does not answer.")
        self.read_texts += texts
        return [_states(text) for text in texts]

    async def read_query(self, text: str) -> TokenStates:
        return _states(text)


def _states(text: str) -> TokenStates:
    said = text.split(" ")
    states = np.zeros((len(said), _DIMENSIONS), np.float32)
    for row, word in enumerate(said):
        bare = word.strip(".?").lower()
        states[row, 0 if bare in _ALIKE else 1 + sum(bare.encode()) % (_DIMENSIONS - 1)] = 1
    ends = np.cumsum([len(word) + 1 for word in said]).astype(np.int32) - 1
    return TokenStates(states, ends - np.array([len(word) for word in said], np.int32), ends)


async def test_a_statement_whose_tokens_match_is_picked_before_one_that_shares_as_many_words() -> None:
    question = "Which vehicles did the yard of Acme buy?"

    by_words = (await note(ExtractiveReasoner(), question, SOURCE)).findings
    by_tokens = (await note(ExtractiveReasoner(Words()), question, SOURCE)).findings

    assert by_words[0].text == "The yard of Acme bought 12 cranes for the harbour."
    assert by_tokens[0].text == "The yard of Acme bought 40 lorries for the harbour."


async def test_what_headings_or_the_sentence_before_say_counts_less_than_what_a_statement_says() -> None:
    text = "The yard bought lorries. The yard paid for all in May. Rain fell on the hills."
    found = weigh.candidates([passage(text, title="Notes")], "en")
    encoder = Words()

    read = await token_match.read_passages(encoder, [found[0].passage])
    said, after, far = await token_match.match(encoder, "vehicles", found, read)

    assert said.placed == pytest.approx(1)
    assert 0 < after.placed < said.placed
    assert far.placed == 0
    headed = weigh.candidates([passage("The yard paid for all in May.", title="vehicles")], "en")
    read = await token_match.read_passages(encoder, [headed[0].passage])
    (under,) = await token_match.match(encoder, "vehicles", headed, read)
    assert under.placed == pytest.approx(after.placed)
    assert under.rest == 0


@pytest.mark.parametrize("encoder", [Words("nobody learnt its weights"), Words(fails=True)], ids=["unknown", "failing"])
async def test_an_encoder_that_cannot_help_changes_nothing(encoder: Words) -> None:
    question = "Which vehicles did the yard of Acme buy?"

    assert await note(ExtractiveReasoner(encoder), question, SOURCE) == await note(
        ExtractiveReasoner(), question, SOURCE
    )


async def test_the_ten_first_passages_are_read_and_their_headings() -> None:
    encoder = Words()
    shelf = [passage(f"The yard of Acme bought {at} lorries.", f"p{at}", f"Acme {at}") for at in range(25)]

    await note(ExtractiveReasoner(encoder), "Which vehicles did Acme buy?", *shelf)

    texts = {each.text for each in shelf}
    assert [text for text in encoder.read_texts if text in texts] == [each.text for each in shelf[:10]]
    assert len(encoder.read_texts) == 20
