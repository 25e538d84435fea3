"""Late interaction: every token of a query looks for its nearest token in a passage."""

from dataclasses import dataclass

import numpy as np

from intelli.language import function_words
from intelli.reasoning.ports import TokenEncoder, Vectors
from intelli.reasoning.tokenizer_fit import piece_fit

# The tokens that a passage matches worst show what it lacks: this share of them.
_WORST_SHARE = 4


@dataclass(frozen=True, slots=True)
class QueryTokens:
    """Token states of a query, and those of its words that say what is wanted, read alone, with the fit to them."""

    states: Vectors
    content: Vectors
    fit: float


@dataclass(frozen=True, slots=True)
class TokenMatch:
    """How well a passage matches a query, each a cosine.

    `all_tokens` is the mean over the query's tokens of the nearest token in the passage, `whole` the cosine of the mean
    states of both. `content`, `content_whole` and `worst`, of the tokens that are matched worst, look only at the words
    that say what is wanted. `fit` is how well the model knows the words of the query.
    """

    all_tokens: float = 0.0
    whole: float = 0.0
    content: float = 0.0
    content_whole: float = 0.0
    worst: float = 0.0
    fit: float = 0.0


async def read_query(encoder: TokenEncoder, query: str) -> tuple[QueryTokens, float]:
    """Read a query, and once more without its function words, whose presence changes the states of the others.

    Return the CPU seconds too.
    """
    content = function_words.without_function_words(query)
    whole = await encoder.read_query(query)
    alone = await encoder.read_query(content) if content != query else whole
    spent_s = whole.cpu_s + (alone.cpu_s if alone is not whole else 0.0)
    return QueryTokens(whole.states, alone.states, piece_fit(content, len(alone.states))), spent_s


def match(query: QueryTokens, passage: Vectors) -> TokenMatch:
    """Compare a passage's token states with those of a query."""
    if not len(query.states) or not len(query.content) or not len(passage):
        return TokenMatch()
    mean = passage.mean(axis=0)
    content = np.sort((query.content @ passage.T).max(axis=1))
    return TokenMatch(
        all_tokens=float((query.states @ passage.T).max(axis=1).mean()),
        whole=_cosine(query.states.mean(axis=0), mean),
        content=float(content.mean()),
        content_whole=_cosine(query.content.mean(axis=0), mean),
        worst=float(content[: max(1, len(content) // _WORST_SHARE)].mean()),
        fit=query.fit,
    )


def _cosine(one: Vectors, other: Vectors) -> float:
    lengths = float(np.linalg.norm(one) * np.linalg.norm(other))
    return float(one @ other) / lengths if lengths else 0.0
