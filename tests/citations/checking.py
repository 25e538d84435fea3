"""Checks of a text whose citations are written `@0`, `@1`, … for the sources that are given, in order."""

import hashlib
import re

from intelli.citations.parse import tag
from intelli.citations.prove import CitingText, ProofMaterial, ProvenText, StoredText, prove, read
from intelli.citations.wire import Check
from intelli.content.passage import Passage
from intelli.content.span import Span

_MARK = re.compile(r"@(\d)")


def material_of(*texts: str, title: str = "") -> ProofMaterial:
    """Sources that are each one passage, called p0, p1, …"""
    passages, sources = {}, {}
    for number, text in enumerate(texts):
        sha256 = hashlib.sha256(text.encode()).hexdigest()
        name = title or f"source-{'abcdefgh'[number]}.txt"
        passages[f"p{number}"] = Passage(Span(sha256, 0, len(text)), text, name, f"/{name}", "text/plain", score=0.8)
        sources[sha256] = StoredText(sha256, text, is_whole=True)
    return ProofMaterial(passages, sources)


def cite(text: str) -> str:
    """The text with its citations as they are stored."""
    return _MARK.sub(lambda mark: tag(f"p{mark[1]}"), text)


def citing(text: str) -> CitingText:
    """The statements of a text."""
    return read(cite(text))


def prove_with(text: str, material: ProofMaterial) -> ProvenText:
    """The text as rules check it."""
    return prove(cite(text), material)


def checked(text: str, *sources: str) -> ProvenText:
    """The text as rules check it against these sources."""
    return prove_with(text, material_of(*sources))


def check_of(text: str, *sources: str) -> Check:
    """The check of its only citation."""
    (proof,) = checked(text, *sources).proofs
    return proof.outcome.check
