"""graphiti-core on an embedded Kuzu, with a model that answers at once and our embedder.

Takes messages as lines of JSON and a folder, and prints a line of JSON: what each hundred took, and what it came to.
"""

import asyncio
import json
import re
import resource
import sys
import time
from datetime import datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from graphiti_core import Graphiti
from graphiti_core.cross_encoder.client import CrossEncoderClient
from graphiti_core.driver.kuzu_driver import KuzuDriver
from graphiti_core.embedder.client import EmbedderClient
from graphiti_core.llm_client.client import LLMClient
from graphiti_core.llm_client.config import LLMConfig
from graphiti_core.nodes import EpisodeType
from graphiti_core.search.search_config_recipes import EDGE_HYBRID_SEARCH_RRF
from static_embedding import StaticEmbedding

_FACT = re.compile(r"'idx': (\d+), 'fact': '([^']*)'")
_QUERIES = 100
_FUNCTIONAL = {"WORKS_FOR", "LIVES_IN"}
_GROUP = "bench"


class Model(LLMClient):
    """Fake model that knows the facts of every message, and which facts exclude each other."""

    def __init__(self, told: list[dict[str, str]]) -> None:
        super().__init__(LLMConfig(api_key="none", model="none"))
        self._by_text = {each["text"]: each for each in told}
        self.now: dict[str, str] = {}
        self.calls = 0
        self.characters = 0
        self._answers = {
            "ExtractedEntities": self._entities,
            "NodeResolutions": self._resolutions,
            "ExtractedEdges": self._edges,
            "EdgeDuplicate": self._duplicates,
            "EdgeTimestamps": self._timestamps,
            "SummarizedEntities": self._summaries,
        }

    async def _generate_response(self, messages: Any, response_model: Any = None, *_: Any, **__: Any) -> dict[str, Any]:
        self.calls += 1
        prompt = messages[-1].content
        self.characters += sum(len(message.content) for message in messages)
        return self._answers[response_model.__name__](prompt)

    def _entities(self, _prompt: str) -> dict[str, Any]:
        names = (self.now["subject"], self.now["object"])
        return {"extracted_entities": [{"name": name, "entity_type_id": 0} for name in names]}

    def _resolutions(self, prompt: str) -> dict[str, Any]:
        entities = json.loads(re.search(r"<ENTITIES>\n(.*?)\n</ENTITIES>", prompt, re.DOTALL)[1])  # type: ignore[index]
        known = json.loads(re.search(r"<EXISTING ENTITIES>\n(.*?)\n</EXISTING", prompt, re.DOTALL)[1])  # type: ignore[index]
        ids = {each["name"]: each["candidate_id"] for each in known}
        found = [{**each, "duplicate_candidate_id": ids.get(each["name"], -1)} for each in entities]
        return {
            "entity_resolutions": [
                {key: each[key] for key in ("id", "name", "duplicate_candidate_id")} for each in found
            ]
        }

    def _edges(self, _prompt: str) -> dict[str, Any]:
        now = self.now
        edge = {"source_entity_name": now["subject"], "target_entity_name": now["object"], "fact": now["text"]}
        return {"edges": [{**edge, "relation_type": now["relation"], "valid_at": now["at"], "invalid_at": None}]}

    def _duplicates(self, prompt: str) -> dict[str, Any]:
        new = self._by_text[re.search(r"<NEW FACT>\n(.*?)\n</NEW FACT>", prompt, re.DOTALL)[1]]  # type: ignore[index]
        same, against = [], []
        existing = prompt.partition("</EXISTING FACTS>")[0]
        for idx, text in _FACT.findall(prompt):
            old = self._by_text.get(text)
            if old is None or old["subject"] != new["subject"] or old["relation"] != new["relation"]:
                continue
            if old["object"] == new["object"] and f"'idx': {idx}," in existing:
                same.append(int(idx))
            elif old["object"] != new["object"] and new["relation"] in _FUNCTIONAL:
                against.append(int(idx))
        return {"duplicate_facts": same, "contradicted_facts": against}

    def _timestamps(self, _prompt: str) -> dict[str, Any]:
        return {"valid_at": self.now["at"], "invalid_at": None}

    def _summaries(self, _prompt: str) -> dict[str, Any]:
        return {"summaries": []}


class Embedder(EmbedderClient):
    """Our embedder."""

    def __init__(self) -> None:
        self._model = StaticEmbedding()

    async def create(self, input_data: Any) -> list[float]:
        texts = [input_data] if isinstance(input_data, str) else list(input_data)
        vectors: list[float] = self._model.embed(texts[:1])[0].tolist()
        return vectors

    async def create_batch(self, input_data_list: list[str]) -> list[list[float]]:
        return [row.tolist() for row in self._model.embed(input_data_list)]


class NoRanking(CrossEncoderClient):
    """Stub of the reranker, which adding and plain search never call."""

    async def rank(self, query: str, passages: list[str]) -> list[tuple[str, float]]:
        raise NotImplementedError


def _cpu_s() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def _read(path: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


async def main(messages: str, folder: str) -> None:
    told = _read(Path(messages))
    model = Model(told)
    driver = KuzuDriver(db=str(Path(folder) / "graph.kuzu"))
    driver._database = _GROUP  # this version asks for it, but its driver for Kuzu does not set it
    graph = Graphiti(graph_driver=driver, llm_client=model, embedder=Embedder(), cross_encoder=NoRanking())
    await graph.build_indices_and_constraints()
    await _full_text(driver)
    spent = []
    begun = time.perf_counter()
    before = _cpu_s()
    for number, each in enumerate(told, 1):
        model.now = each
        await graph.add_episode(
            name="", episode_body=f"Uma(user): {each['text']}", source_description="", group_id=_GROUP,
            reference_time=datetime.fromisoformat(each["at"]), source=EpisodeType.message,
        )  # fmt: skip
        if number % 100 == 0:
            spent.append(_cpu_s() - before - sum(spent))
    seconds = time.perf_counter() - begun
    times = await _search(graph, told)
    said = {
        "name": f"graphiti-core {version('graphiti-core')}, Kuzu {version('kuzu')}",
        "episodes": len(told),
        "seconds": seconds,
        "cpu_s": _cpu_s() - before,
        "hundreds": spent,
        "calls": model.calls / len(told),
        "characters": model.characters / max(model.calls, 1),
        "search_ms": times,
        "current": await _current(driver),
    }
    print(json.dumps(said), flush=True)


async def _full_text(driver: KuzuDriver) -> None:
    """Its driver for Kuzu leaves making them to others."""
    from graphiti_core.graph_queries import get_fulltext_indices

    for query in get_fulltext_indices(driver.provider):
        await driver.execute_query(query)


async def _search(graph: Graphiti, told: list[dict[str, str]]) -> list[float]:
    times = []
    for each in told[-_QUERIES:]:
        begun = time.perf_counter()
        await graph.search_(f"Where is {each['subject']}?", config=EDGE_HYBRID_SEARCH_RRF, group_ids=[_GROUP])
        times.append((time.perf_counter() - begun) * 1000)
    return times


async def _current(driver: KuzuDriver) -> list[list[str]]:
    rows, _, _ = await driver.execute_query(
        "match (n:Entity)-[:RELATES_TO]->(e:RelatesToNode_)-[:RELATES_TO]->(m:Entity) "
        "where e.invalid_at is null and e.expired_at is null return n.name as one, e.name as how, m.name as other"
    )
    return [[row["one"], row["how"], row["other"]] for row in rows]


asyncio.run(main(*sys.argv[1:3]))
