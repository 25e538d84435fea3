"""Names of all benchmarks: modules with a `QUESTION` and a `measure(size)` that returns figures."""

import importlib
from typing import Protocol, cast

from bench.figures import Comparison, Size

# Run by `python -m bench`; they need nothing but the repository, and peers that are installed on first use.
USUAL = ("rls_cost", "commits", "startup", "ingest", "streaming", "streams", "run_overhead", "smoothness", "memory")
# Run by name only, since they take long or read the evaluation data beside the repository.
BY_NAME = (
    "answers",
    "calls",
    "check",
    "confidence",
    "citations",
    "deliverables",
    "encoding",
    "evidence_quality",
    "evidence_rules",
    "extraction",
    "index_build",
    "learn_relevance",
    "local_model",
    "many_workspaces",
    "memory_recall",
    "periods",
    "search_quality",
    "search_speed",
)
NAMES = (*USUAL, *BY_NAME)
# Shared modules of benchmarks.
PARTS = (
    "abstentions",
    "answer_cache",
    "answer_scores",
    "answer_sets",
    "answering_systems",
    "ask_trial",
    "bulk_library",
    "check_sets",
    "counting_proxy",
    "data",
    "effort",
    "figures",
    "learn_compounds",
    "learn_pick",
    "listed",
    "logistic",
    "memory_messages",
    "retrieval_sets",
    "scratch",
    "streaming_server",
    "trial_questions",
    "vector_rows",
)


class Bench(Protocol):
    """Interface of a benchmark module."""

    QUESTION: str

    async def measure(self, size: Size) -> list[Comparison]:
        """Measure and return the figures."""


def load(name: str) -> Bench:
    """Import a benchmark by its name."""
    return cast(Bench, importlib.import_module(f"bench.{name}"))  # a module is no class, but has the same members
