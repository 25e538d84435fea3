"""Answers by simple means to compare with: the first sentence of the passage that BM25 finds best.

Passages are the paragraphs of the texts that the product read, within what is in focus.
"""

import re
from collections.abc import Mapping
from functools import lru_cache

import bm25s

from bench.answers.questions import LabelledQuestion
from bench.answers.scores import CitedWords, GivenAnswer

NAME = "BM25, first sentence"
_PARAGRAPH = re.compile(r"\n\s*\n")
_END = re.compile(r"(?<=[.!?])\s+(?=[A-ZÄÖÜ0-9])")
_LONGEST = 900


class FirstSentences:
    """BM25 over the paragraphs of texts, by `folder/name`."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts
        self._index_of = lru_cache(maxsize=64)(self._index)

    def ask(self, question: LabelledQuestion) -> GivenAnswer:
        """Answer with the first sentence of the best passage; the whole passage is what it cites."""
        passages, index = self._index_of(question.focus)
        tokens = bm25s.tokenize([question.text], stopwords=None, show_progress=False)
        found, scores = index.retrieve(tokens, k=1, show_progress=False)
        if scores[0, 0] <= 0:
            return GivenAnswer("")
        path, passage = passages[int(found[0, 0])]
        first = _END.split(" ".join(passage.split()))[0]
        return GivenAnswer(first, (CitedWords(path.split("/")[1], passage),))

    def _index(self, focus: str) -> tuple[list[tuple[str, str]], "bm25s.BM25"]:
        passages = [
            (path, passage)
            for path, text in self._texts.items()
            if path == focus or path.startswith(f"{focus}/") or not focus
            for passage in split_passages(text)
        ]
        index = bm25s.BM25()
        corpus = bm25s.tokenize([passage for _, passage in passages], stopwords=None, show_progress=False)
        index.index(corpus, show_progress=False)
        return passages, index


def split_passages(text: str) -> list[str]:
    """Split a text into paragraphs, and long ones into parts at their lines."""
    return [part for paragraph in _PARAGRAPH.split(text) if paragraph.strip() for part in _parts(paragraph.strip())]


def _parts(paragraph: str) -> list[str]:
    parts = [""]
    for line in paragraph.splitlines():
        if parts[-1] and len(parts[-1]) + len(line) > _LONGEST:
            parts.append("")
        parts[-1] = f"{parts[-1]}\n{line}" if parts[-1] else line
    return parts
