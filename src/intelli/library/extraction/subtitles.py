"""Subtitles and transcripts (WebVTT, SRT): who said what, from when on."""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from intelli.library.extraction.assemble import TextAssembler
from intelli.library.extraction.limits import Limits
from intelli.library.extraction.model import BlockKind, BlockLocation, Extraction
from intelli.library.extraction.text import load

_TIMES = re.compile(r"\s*((?:\d+:)?\d\d:\d\d)[.,]\d{3}[ \t]+-->[ \t]+(?:\d+:)?\d\d:\d\d[.,]\d{3}")
_VOICE = re.compile(r"<v(?:\.[^ \t<>]*+)?+[ \t]++([^<>]*+)>")
_TAG = re.compile(r"<[^<>]{0,200}>")
_PARAGRAPH_CHARS = 600


@dataclass(frozen=True, slots=True)
class _Cue:
    line: int
    time: str
    speaker: str
    text: str


def extract_subtitles(path: Path, limits: Limits) -> Extraction:
    """A transcript; what one speaker says without a break is a paragraph."""
    text, _ = load(path, limits)
    assembly = TextAssembler(limits)
    said: list[_Cue] = []
    for cue in _cues(text):
        if said and (cue.speaker != said[0].speaker or sum(len(each.text) for each in said) > _PARAGRAPH_CHARS):
            _add(assembly, said)
        said.append(cue)
    _add(assembly, said)
    is_vtt = text.lstrip("\ufeff").startswith("WEBVTT")
    return assembly.finish("text/vtt" if is_vtt else "application/x-subrip")


def _add(assembly: TextAssembler, said: list[_Cue]) -> None:
    if said:
        speaker = f"{said[0].speaker}: " if said[0].speaker else ""
        text = f"[{said[0].time}] {speaker}" + "\n".join(cue.text for cue in said)
        assembly.add(BlockKind.PARAGRAPH, text, BlockLocation(line=said[0].line))
    said.clear()


def _cues(text: str) -> Iterator[_Cue]:
    begun: tuple[int, str] | None = None
    words: list[str] = []
    for number, line in enumerate([*text.split("\n"), ""], 1):
        if times := _TIMES.match(line):
            begun, words = (number, times[1]), []
        elif begun and line.strip():
            words.append(line.strip())
        elif begun:
            yield from _spoken(*begun, "\n".join(words))
            begun = None


def _spoken(line: int, time: str, text: str) -> Iterator[_Cue]:
    """A cue for each voice in it."""
    pieces = _VOICE.split(text)
    for speaker, said in zip(["", *pieces[1::2]], pieces[::2], strict=True):
        if plain := html.unescape(_TAG.sub("", said)).strip():
            yield _Cue(line, time, html.unescape(speaker).strip(), plain)
