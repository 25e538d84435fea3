"""How many chunks does the encoder read in a second of one processor, beside sentence-transformers on the same weights?

The peer is its ONNX backend with the same file, in one thread. It cuts a chunk off at its window; ours reads it whole.
Chunks are passages of the evaluation data, of usual and of double length.
"""

import asyncio
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from bench import peers, retrieval_sets
from bench.effort import Effort
from bench.figures import Comparison, Size

QUESTION = "How many chunks are encoded in a second of one processor? Chunks: more is better; memory: less."
_PEER = "sentence_transformers_onnx"
_CHUNKS, _WINDOW, _ROUNDS = 300, 256, 3
_OURS = """
import asyncio, json, sys, time
from intelli.reasoning.adapters.encoder import EncoderEmbedder
from intelli.reasoning.adapters.encoder_models import MINILM
texts = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]
encoder = EncoderEmbedder(MINILM)
asyncio.run(encoder.embed(texts[:2]))
started = time.process_time()
asyncio.run(encoder.embed(texts))
print(json.dumps({"processor_s": time.process_time() - started, "chunks": len(texts)}))
"""


async def measure(size: Size = Size.USUAL) -> list[Comparison]:
    """Measure both in turn; the peer only where it is installed, or all is measured."""
    (scifact,) = retrieval_sets.load(("scifact",))
    passages = [passage.body for document in scifact.documents for passage in document.passages]
    usual = passages[: size.of(_CHUNKS, 4)]
    double = [" ".join(pair) for pair in zip(usual[::2], usual[1::2], strict=False)]
    found = []
    for name, texts in (("chunks of an abstract", usual), ("chunks of two abstracts", double)):
        found += await asyncio.to_thread(_compare, name, texts, size)
    return found


def _compare(name: str, texts: Sequence[str], size: Size) -> list[Comparison]:
    with tempfile.TemporaryDirectory() as folder:
        chunks = Path(folder) / "chunks.jsonl"
        chunks.write_text("".join(f"{json.dumps(text)}\n" for text in texts), encoding="utf-8")
        ways = {"Intelli": [sys.executable, "-c", _OURS, str(chunks)]}
        if size is Size.USUAL or peers.is_installed(_PEER):
            peer = [*peers.program(_PEER), str(chunks), f"{folder}/model", str(_WINDOW)]
            ways = {f"{peers.locked(_PEER, 'sentence-transformers')}, ONNX": peer, **ways}
        rounds = [{way: _run(command) for way, command in ways.items()} for _ in range(size.of(_ROUNDS, 1))]
    speeds = {way: sorted(each[way][0] for each in rounds)[len(rounds) // 2] for way in ways}
    memory = {way: max(each[way][1] for each in rounds) for way in ways}
    return [Comparison(name, "chunks/s", speeds), Comparison(f"{name}, memory", "MB", memory)]


def _run(command: list[str]) -> tuple[float, float]:
    """Chunks in a second of one processor, and the most memory in MB."""
    one = dict.fromkeys(("OMP_NUM_THREADS", "ORT_NUM_THREADS", "TOKENIZERS_PARALLELISM"), "1")
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, **one}
    )
    with Effort(process.pid) as effort:
        out, err = process.communicate()
    if process.returncode != 0:
        raise RuntimeError(err[-2000:])
    said = json.loads(out.splitlines()[-1])
    return said["chunks"] / said["processor_s"], effort.peak_bytes / 1e6
