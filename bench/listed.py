"""All benches, by name: modules with a `QUESTION` and a `measure(size)` that gives figures."""

import importlib
from typing import Protocol, cast

from bench.figures import Comparison, Size

# Asked by `python -m bench`; they need nothing but the repository, and peers that are installed on first use.
USUAL = ("rls_cost", "commits", "startup", "ingest", "streaming", "streams", "run_overhead", "smoothness", "memory")
# Asked by name, since they take long or read the evaluation data beside the repository.
BY_NAME = (
    "citations",
    "deliverables",
    "evidence_quality",
    "extraction",
    "learn_fusion",
    "memory_recall",
    "search_quality",
    "search_speed",
)
NAMES = (*USUAL, *BY_NAME)
# What benches are made of.
PARTS = (
    "data",
    "effort",
    "figures",
    "listed",
    "memory_messages",
    "retrieval_sets",
    "scratch",
    "shelf",
    "streaming_server",
)


class Bench(Protocol):
    """A module that measures something."""

    QUESTION: str

    async def measure(self, size: Size) -> list[Comparison]:
        """The figures."""


def load(name: str) -> Bench:
    """A bench by its name."""
    return cast(Bench, importlib.import_module(f"bench.{name}"))  # a module is no class, but has the same members
