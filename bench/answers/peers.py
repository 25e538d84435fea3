"""Lets LlamaIndex and Haystack answer without a model: their splitters and BM25 retrievers, and the best node's text.

Their readers that mark an answer in a passage need models from a hub and are left out.
"""

import json
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from bench import peers
from bench.answers.questions import LabelledQuestion
from bench.answers.scores import CitedWords, GivenAnswer

_ENVIRONMENTS = {"LlamaIndex, BM25": "llamaindex_answers", "Haystack, BM25": "haystack_answers"}
_PROGRAMS = {"LlamaIndex, BM25": "llamaindex_extracts.py", "Haystack, BM25": "haystack_extracts.py"}
NAMES = tuple(_ENVIRONMENTS)


class ExtractingPeer:
    """A peer at work: a line for a question, a line for its answer."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    def ask(self, question: LabelledQuestion) -> GivenAnswer:
        """Answer a question with the text that the peer gives for it."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{json.dumps({'question': question.text, 'focus': question.focus})}\n")
        self._process.stdin.flush()
        line = next((line for line in self._process.stdout if line.startswith("{")), None)
        if line is None:
            raise RuntimeError("a peer ended")
        said = json.loads(line)
        if not said["text"]:
            return GivenAnswer("")
        return GivenAnswer(said["text"], (CitedWords(said["path"].split("/")[1], said["passage"]),))


@contextmanager
def begun(name: str, texts: Mapping[str, str]) -> Iterator[ExtractingPeer]:
    """Start a peer with the texts, by `folder/name`; it ends with its input."""
    python, answers = peers.program(_ENVIRONMENTS[name])
    program = Path(answers).with_name(_PROGRAMS[name])
    with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as file:
        json.dump(dict(texts), file)
        file.flush()
        process = subprocess.Popen(
            [python, str(program), file.name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        try:
            yield ExtractingPeer(process)
        finally:
            process.terminate()
            process.communicate()
