"""What the product asks of models."""

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from intelli.reasoning import changing, remembering, thoughts, writing
from intelli.reasoning.asked import Asked

Vectors = NDArray[np.float32]
Numbers = NDArray[np.uint16]


@dataclass(frozen=True, slots=True)
class Tokenised:
    """A text with its tokens, by their numbers in the vocabulary that comes with the product, where these are known."""

    text: str
    numbers: Numbers | None = None


class Embedder(Protocol):
    """Turns texts into vectors of one space. Vectors are of unit length, so that the cosine is the dot product."""

    @property
    def name(self) -> str:
        """Names the space: vectors of two embedders may be compared only when their names are equal."""

    @property
    def dimensions(self) -> int:
        """Length of every vector."""

    @property
    def prior(self) -> float:
        """How far the space is trusted beside lexical ranking, 0 to 1, before anything is known of a query."""

    @property
    def background(self) -> float:
        """The cosine that two unrelated texts usually have in this space."""

    def fit(self, text: str) -> float:
        """How well the model knows the words of a text, 0 to 1: one for its own language, none for a foreign script."""

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Vectors of passages, one row each, in batches that suit the model."""

    async def embed_tokenised(self, texts: Sequence[Tokenised]) -> Vectors:
        """The same, sparing an embedder the work that was done already."""

    async def embed_query(self, text: str) -> Vectors:
        """The vector of a query; some models treat it differently from a passage."""


class Reasoner(Protocol):
    """Thinks for a run. Each call gives its result and what it took; a failed one raises a `ReasoningFailed`.

    The same call may be made again after a crash: keeping results and charging them once is the caller's part.
    """

    @property
    def name(self) -> str:
        """Names the adapter and its model; kept with the run."""

    @property
    def prompts(self) -> Mapping[str, str]:
        """Version of the prompt of each verb; kept with the run. Empty where none are used."""

    def ceiling(self, asked: Asked) -> Decimal:
        """The most, in US cents, that this call can cost with its repair and retry. Nothing is sent."""

    async def intent(self, asked: thoughts.IntentAsked) -> tuple[thoughts.Intent, thoughts.Usage]:
        """What a message wants done."""

    async def plan(self, asked: thoughts.PlanAsked) -> tuple[thoughts.Plan, thoughts.Usage]:
        """The tasks that a question falls into, at least one."""

    async def note(self, asked: thoughts.NoteAsked) -> tuple[thoughts.Notes, thoughts.Usage]:
        """Findings from passages. Each names one of the passages and quotes it word for word."""

    async def brief(self, asked: thoughts.BriefAsked) -> tuple[thoughts.Brief, thoughts.Usage]:
        """What the notes of all tasks come to."""

    async def tabulate(self, asked: thoughts.TabulateAsked) -> tuple[thoughts.Tabulated, thoughts.Usage]:
        """The figures, series and tables of a brief, each with the words it stands in."""

    def answer(self, asked: thoughts.AnswerAsked) -> AsyncIterator[thoughts.Delta | thoughts.Answered]:
        """Deltas, then exactly one `Answered`. Fails only before the first delta; later it ends incomplete."""

    async def write(self, asked: writing.WriteAsked) -> tuple[writing.Section, thoughts.Usage]:
        """A section of a report, each sentence with the words it rests on; an empty one leaves it to the findings."""

    async def title(self, asked: thoughts.TitleAsked) -> tuple[thoughts.Title, thoughts.Usage]:
        """A name for the conversation."""

    async def judge(self, asked: thoughts.JudgeAsked) -> tuple[thoughts.Judgement, thoughts.Usage]:
        """Whether a passage supports a statement."""

    async def change(self, asked: changing.ChangeAsked) -> tuple[changing.Changes, thoughts.Usage]:
        """The changes of documents that the person's own words ask for; none that only a source asks for."""

    async def extract(self, asked: remembering.ExtractAsked) -> tuple[remembering.Extracted, thoughts.Usage]:
        """Things and facts that a passage names."""

    async def resolve(self, asked: remembering.ResolveAsked) -> tuple[remembering.Resolved, thoughts.Usage]:
        """Which names are one thing's, and which earlier statements no longer hold."""
