"""Match statements with a question token by token: every token of the question looks for its nearest in a statement.

A passage is read whole, so that its tokens know what stands around them, and cut by statement afterwards. What a
statement itself does not say may be said by the headings over it, or by the sentence before it; both count for less.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from intelli.reasoning import late_interaction
from intelli.reasoning.extractive.weigh import Candidate
from intelli.reasoning.late_interaction import QueryTokens
from intelli.reasoning.ports import TokenEncoder, TokenStates, Vectors
from intelli.reasoning.values import SourceText

# What a match in a heading, or in the sentence before, is worth beside one in the statement itself.
_BESIDE = 0.9
# A token that a heading matches fully says little about a statement beneath it, but never nothing.
_LEAST_WEIGHT = 0.05


@dataclass(frozen=True, slots=True)
class StatementMatch:
    """How well a statement matches a question, each a cosine.

    `placed` is the mean over the question's tokens of the nearest token in the statement or around it, `rest` that over
    the tokens which the headings do not match, in the statement alone.
    """

    placed: float = 0.0
    rest: float = 0.0


@dataclass(frozen=True, slots=True)
class ReadPassage:
    """The token states of a passage, and those of its document's name and headings."""

    text: TokenStates
    place: Vectors


async def read_passages(encoder: TokenEncoder, passages: Sequence[SourceText]) -> dict[str, ReadPassage]:
    """Read passages and what stands over them, by identifier."""
    places = [place_of(passage) for passage in passages]
    unique = list(dict.fromkeys([*(passage.text for passage in passages), *places]))
    states = dict(zip(unique, await encoder.read(unique), strict=True))
    return {
        passage.identifier: ReadPassage(states[passage.text], states[place].states)
        for passage, place in zip(passages, places, strict=True)
    }


async def match(
    encoder: TokenEncoder, query: str, found: Sequence[Candidate], read: Mapping[str, ReadPassage]
) -> list[StatementMatch]:
    """Return the match of each candidate with a query; one of a passage that was not read has none."""
    tokens, _ = await late_interaction.read_query(encoder, query)
    return [_match(tokens, each, read.get(each.passage.identifier)) for each in found]


def place_of(passage: SourceText) -> str:
    """The name of a passage's document and the headings above it, as words."""
    name, _, ending = passage.title.rpartition(".")
    return f"{(name or ending).replace('_', ' ')} \u203a {passage.section or ''}"


def _match(query: QueryTokens, candidate: Candidate, read: ReadPassage | None) -> StatementMatch:
    if read is None or not len(query.content):
        return StatementMatch()
    starts = read.text.starts
    own = read.text.states[(starts >= candidate.start) & (starts < candidate.end)]
    if not len(own):
        return StatementMatch()
    before = read.text.states[(starts >= candidate.before) & (starts < candidate.start)]
    nearest, over = _nearest(query.content, own), _nearest(query.content, read.place)
    around = np.maximum(over, _nearest(query.content, before))
    weights = np.clip(1 - over, _LEAST_WEIGHT, 1)
    return StatementMatch(
        placed=float(np.maximum(nearest, _BESIDE * around).mean()),
        rest=float((nearest * weights).sum() / weights.sum()),
    )


def _nearest(query: Vectors, tokens: Vectors) -> Vectors:
    if not len(tokens):
        return np.zeros(len(query), np.float32)
    nearest: Vectors = (query @ tokens.T).max(axis=1)
    return nearest
