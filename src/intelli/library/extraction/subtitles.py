"""Reader of subtitles and transcripts (WebVTT, SRT): times, speakers and text."""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from intelli.library.extraction.assemble import TextAssembler
from intelli.library.extraction.limits import Limits
from intelli.library.extraction.model import BlockKind, BlockLocation, Extraction
from intelli.library.extraction.text import load_text

_TIMES = re.compile(r"\s*((?:\d+:)?\d\d:\d\d)[.,]\d{3}[ \t]+-->[ \t]+(?:\d+:)?\d\d:\d\d[.,]\d{3}")
_VOICE = re.compile(r"<v(?:\.[^ \t<>]*+)?+[ \t]++([^<>]*+)>")
_TAG = re.compile(r"<[^<>]{0,200}>")
_PARAGRAPH_CHARS = 600


@dataclass(frozen=True, slots=True)
class _Cue:
    """One cue or the part of it that one speaker says; `line` is the number of its line in the file."""

    line: int
    time: str
    speaker: str
    text: str


def extract_subtitles(path: Path, limits: Limits) -> Extraction:
    """Extract a transcript; consecutive cues of one speaker form a paragraph."""
    text, _ = load_text(path, limits)
    assembly = TextAssembler(limits)
    pending: list[_Cue] = []
    for cue in _cues(text):
        if pending and (
            cue.speaker != pending[0].speaker or sum(len(each.text) for each in pending) > _PARAGRAPH_CHARS
        ):
            _flush(assembly, pending)
        pending.append(cue)
    _flush(assembly, pending)
    is_vtt = text.lstrip("\ufeff").startswith("WEBVTT")
    return assembly.finish("text/vtt" if is_vtt else "application/x-subrip")


def _flush(assembly: TextAssembler, cues: list[_Cue]) -> None:
    """Append cues of one speaker as a paragraph and clear the list."""
    if cues:
        first = cues[0]
        speaker = f"{first.speaker}: " if first.speaker else ""
        text = f"[{first.time}] {speaker}" + "\n".join(cue.text for cue in cues)
        assembly.add(BlockKind.PARAGRAPH, text, BlockLocation(line=first.line))
    cues.clear()


def _cues(text: str) -> Iterator[_Cue]:
    begun: tuple[int, str] | None = None
    words: list[str] = []
    for number, line in enumerate([*text.split("\n"), ""], 1):
        if times := _TIMES.match(line):
            begun, words = (number, times[1]), []
        elif begun and line.strip():
            words.append(line.strip())
        elif begun:
            yield from _split_voices(*begun, "\n".join(words))
            begun = None


def _split_voices(line: int, time: str, text: str) -> Iterator[_Cue]:
    """Split a cue by its voices and yield one cue for each."""
    pieces = _VOICE.split(text)
    for speaker, words in zip(["", *pieces[1::2]], pieces[::2], strict=True):
        if plain := html.unescape(_TAG.sub("", words)).strip():
            yield _Cue(line, time, html.unescape(speaker).strip(), plain)
