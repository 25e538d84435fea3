"""Does memory find the messages that a question needs? Recall on long chats, through the real queue and search.

All conversations lie in one workspace, each in a group of its own, so that a leak would show. The data and its scorer
are not part of this repository. `python -m bench.memory_recall [--data DIR] [--limit 20] [conversation …]`.
"""

import argparse
import asyncio
import json
import logging
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import structlog

from bench import data
from bench.figures import Comparison, Size
from bench.scratch import SECRET, scratch
from intelli.kit import queue
from intelli.kit.context import System, WorkspaceLister
from intelli.kit.db import Database
from intelli.memory import enqueue, jobs, search, wire, wire_read
from intelli.memory.ports import MemoryReasoners
from intelli.reasoning.adapters.extractive import ExtractiveReasoner
from intelli.reasoning.embedders import Embedders
from intelli.reasoning.embedding_name import EmbeddingName
from intelli.reasoning.reasoners import FixedReasoners
from intelli.reasoning.settings import EmbeddingSettings
from intelli.worker import Worker

QUESTION = (
    "Does memory find the messages that a question needs? Recall on long chats, through the real queue and search."
)
_BASELINES = "baselines, recall@10: BM25 .405, static embedding .509, both with neighbours and sessions .500"
# Below this relevance, what was found counts as nothing.
_LEAST = 0.2
_LIMIT = 20
# Questions that one message or two can answer.
_POINTED = {"information_extraction", "knowledge_update", "temporal_reasoning", "contradiction_resolution"}
Json = dict[str, Any]


@dataclass
class Asked:
    """Search results of memory for all questions."""

    run: dict[str, list[str]] = field(default_factory=dict)
    sureness: dict[str, float] = field(default_factory=dict)
    seconds: list[float] = field(default_factory=list)
    leaks: int = 0


async def measure(size: Size = Size.USUAL) -> list[Comparison]:
    """All conversations of the evaluation data."""
    return await recall(data.folder(), (), limit=_LIMIT)


async def recall(folder: Path, names: Sequence[str], *, limit: int) -> list[Comparison]:
    """Add the conversations to memory, ask their questions, and print recall."""
    chats = {path.stem: _lines(path) for path in sorted((folder / "beam128k" / "conversations").glob("*.jsonl"))}
    chats = {name: chats[name] for name in names or chats}
    questions = [each for each in _lines(folder / "beam128k" / "questions.jsonl") if each["conversation"] in chats]
    embedder = Embedders(EmbeddingSettings(name=EmbeddingName.STATIC)).chosen
    with scratch(workspaces=1) as place:
        db, who = Database(place.app_url, secret=SECRET), System(place.workspaces[0])
        begun = time.perf_counter()
        reasoner = ExtractiveReasoner()
        await _remember(db, who, chats, MemoryReasoners(FixedReasoners(reasoner, reasoner), embedder))
        count = sum(len(messages) for messages in chats.values())
        print(f"{count} messages remembered in {time.perf_counter() - begun:.0f} s")
        asked = Asked()
        for question in questions:
            await _ask(db, who, question, asked, embedder=embedder, limit=limit)
        await db.close()
    _print_recall(folder, questions, asked)
    found = [_recall(asked.run[each["qid"]][:10], each["evidence"]) for each in questions if each["evidence"]]
    return [
        Comparison("recall@10", "", {"Intelli": float(np.mean(found))}),
        Comparison("search, median", "ms", {"Intelli": float(np.median(asked.seconds)) * 1000}),
        Comparison("leaks between conversations", "", {"Intelli": float(asked.leaks)}),
    ]


async def _remember(db: Database, who: System, chats: dict[str, list[Json]], reasoners: MemoryReasoners) -> None:
    for name, messages in chats.items():
        async with db.begin(who) as tx:
            said = [_message(each, number) for number, each in enumerate(messages)]
            await enqueue.add_messages(tx, name, said, job=jobs.REMEMBER, in_one_queue=False)
    stop = asyncio.Event()
    async with asyncio.TaskGroup() as group:
        worker = Worker(db, jobs.JOBS, concurrency=4, parts={MemoryReasoners: reasoners})
        group.create_task(worker.run(stop))
        while True:
            await asyncio.sleep(1)
            async with db.begin(WorkspaceLister()) as tx:
                depths = await queue.count_jobs(tx)
            if not any(each.status in {"todo", "doing"} for each in depths):
                break
        stop.set()


def _message(told: Json, number: int) -> wire.NewMessage:
    """The data dates days; the order within one is that of the messages."""
    at = datetime.fromisoformat(told["at"]).replace(tzinfo=UTC) + timedelta(seconds=number)
    text = told["text"].strip()[: wire.MAX_CONTENT]
    return wire.NewMessage(content=text, name=told["id"], role_type=wire.RoleType(told["role"]), timestamp=at)


async def _ask(db: Database, who: System, question: Json, asked: Asked, *, embedder: Any, limit: int) -> None:
    request = wire_read.SearchMemory(group_ids=[question["conversation"]], query=question["question"], limit=limit)
    begun = time.perf_counter()
    found = await search.search(partial(db.begin, who), request, embedder=embedder)
    asked.seconds.append(time.perf_counter() - begun)
    asked.run[question["qid"]] = [episode.name for episode in found.episodes]
    chances = [each.relevance for each in found.episodes] + [each.relevance for each in found.facts]
    asked.sureness[question["qid"]] = max(chances, default=0.0)
    groups = [each.group_id for each in found.episodes] + [each.group_id for each in found.facts]
    groups += [each.group_id for each in found.nodes]
    asked.leaks += sum(group != question["conversation"] for group in groups)


def _print_recall(folder: Path, questions: Sequence[Json], asked: Asked) -> None:
    print(_BASELINES)
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        wanted = {each["qid"] for each in questions}
        qrels = _qrels(folder / "beam128k" / "qrels.message.tsv", wanted)
        with tempfile.NamedTemporaryFile("w", suffix=".json") as truth:
            json.dump(qrels, truth)
            truth.flush()
            json.dump(asked.run, file)
            file.flush()
            scorer = folder / "score" / "retrieval_score.py"
            subprocess.run([sys.executable, str(scorer), "--qrels", truth.name, file.name], check=True, timeout=120)
    by_type: dict[str, list[float]] = defaultdict(list)
    for each in questions:
        if each["evidence"]:
            by_type[each["type"]].append(_recall(asked.run[each["qid"]][:10], each["evidence"]))
    print("recall@10 by type:", ", ".join(f"{name} {np.mean(found):.2f}" for name, found in sorted(by_type.items())))
    _print_updates(questions, asked)
    _print_contradictions(questions, asked)
    _print_abstention(questions, asked)
    p50, p95 = np.percentile(asked.seconds, [50, 95]) * 1000
    print(f"leaks between conversations: {asked.leaks}; search p50 {p50:.0f} ms, p95 {p95:.0f} ms")


def _print_updates(questions: Sequence[Json], asked: Asked) -> None:
    later, first, earlier = [], [], []
    for each in (each for each in questions if each["type"] == "knowledge_update" and each.get("evidence_roles")):
        found, roles = asked.run[each["qid"]], each["evidence_roles"]
        new, old = set(roles.get("updated_info", ())), set(roles.get("original_info", ()))
        ranks = {name: rank for rank, name in enumerate(found)}
        best_new = min((ranks[name] for name in new if name in ranks), default=99)
        best_old = min((ranks[name] for name in old if name in ranks), default=99)
        later.append(best_new < 10)
        earlier.append(best_old < len(found))
        if min(best_new, best_old) < 99:
            first.append(best_new < best_old)
    print(
        f"updates: the later message among ten {np.mean(later):.2f}, before the earlier one {np.mean(first):.2f}; "
        f"the earlier one still found {np.mean(earlier):.2f} (of {len(later)})"
    )


def _print_contradictions(questions: Sequence[Json], asked: Asked) -> None:
    pairs = [each for each in questions if each["type"] == "contradiction_resolution" and len(each["evidence"]) > 1]
    both = [[set(each["evidence"]) <= set(asked.run[each["qid"]][:depth]) for each in pairs] for depth in (10, 20)]
    ten, twenty = (np.mean(found) for found in both)
    print(f"contradictions as pairs: {ten:.2f} of {len(pairs)} among ten, {twenty:.2f} among twenty")


def _print_abstention(questions: Sequence[Json], asked: Asked) -> None:
    """Questions that cannot be answered are about what was said, and only a detail of it is missing.

    What is found bears on them as much as on others, so nothing about it tells them apart; the second area leaves out
    questions that ask for advice or a summary, which name little that could be found.
    """
    unsure = {each["qid"] for each in questions if asked.sureness[each["qid"]] < _LEAST}
    empty = {each["qid"] for each in questions if each["type"] == "abstention"}
    others = {each["qid"] for each in questions} - empty
    pointed = {each["qid"] for each in questions if each["type"] in _POINTED}
    print(
        f"abstention: nothing relevant said to {len(unsure & empty)} of {len(empty)} that cannot be answered, and to "
        f"{len(unsure & others)} of {len(others)} that can; area under the curve {_area(asked, others, empty)}, "
        f"of those that ask for one thing {_area(asked, pointed, empty)}"
    )


def _area(asked: Asked, answered: set[str], empty: set[str]) -> str:
    """How often one that can be answered is surer than one that cannot."""
    order = [(one > other) + 0.5 * (one == other) for one in _of(asked, answered) for other in _of(asked, empty)]
    return f"{np.mean(order):.2f}" if order else "-"


def _of(asked: Asked, names: set[str]) -> list[float]:
    return [asked.sureness[name] for name in names]


def _recall(found: Sequence[str], evidence: Sequence[str]) -> float:
    return len(set(found) & set(evidence)) / len(set(evidence))


def _qrels(path: Path, wanted: set[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for line in path.read_text().splitlines()[1:]:
        name, message, _ = line.split("\t")
        if name in wanted:
            found[name].append(message)
    return found


def _lines(path: Path) -> list[Json]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.memory_recall", description=__doc__)
    parser.add_argument("--data", type=Path, default=data.folder(), help="the folder that holds beam128k and score")
    parser.add_argument("--limit", type=int, default=_LIMIT, help="messages to find for each question")
    parser.add_argument("names", nargs="*", metavar="conversation", help="such as b1; all, if none is given")
    given = parser.parse_args()
    if not (given.data / "beam128k").is_dir():
        parser.error(f"there is no beam128k in {given.data}; name the folder with --data")
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    asyncio.run(recall(given.data, given.names, limit=given.limit))


if __name__ == "__main__":
    main()
