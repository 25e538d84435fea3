"""Scores of answers to questions with known answers: right, wrong, made up or abstained. Pure functions."""

import math
import re
import string
import unicodedata
from collections.abc import Iterable, Sequence
from enum import StrEnum

# An answer may say more, but has to say it early.
_EARLY_WORDS = 60
_TAG = re.compile(r"<gml-inlinecitation\b[^>]*?/?>(?:\s*</gml-inlinecitation>)?")
_MARK = re.compile(r"\[(?:s?\d+)(?:\s*,\s*s?\d+)*\]")
_ARTICLES = re.compile(r"\b(?:a|an|the|der|die|das|den|dem|des|ein|eine|einen|einem|einer|eines)\b")
# What joins two words; all other punctuation is dropped, as in "U.S.".
_JOINTS = re.compile(r"[\s/\u2010-\u2015\u2212-]+")


class Outcome(StrEnum):
    """What became of a question."""

    RIGHT = "right"
    WRONG = "wrong"
    ABSTAINED = "abstained"
    MADE_UP = "made up"
    FAILED = "failed"


def without_citations(text: str) -> str:
    """The text of an answer without its citations."""
    return _MARK.sub("", _TAG.sub("", text)).strip()


def normalised(text: str) -> str:
    """The words of a text as SQuAD compares them: in lower case, without punctuation and articles."""
    lower = _JOINTS.sub(" ", unicodedata.normalize("NFKC", text).lower())
    kept = "".join(letter for letter in lower if not _is_punctuation(letter))
    return " ".join(_ARTICLES.sub(" ", kept).split())


def _is_punctuation(letter: str) -> bool:
    return letter in string.punctuation or unicodedata.category(letter).startswith("P")


def contains(text: str, answer: str) -> bool:
    """Whether a text has an answer, in whole words. An answer of articles and marks alone is taken as it stands."""
    wanted = normalised(answer)
    if not wanted:
        return answer.strip().lower() in text.lower()
    return f" {wanted} " in f" {normalised(text)} "


def is_right(text: str, answers: Iterable[str]) -> bool:
    """Whether an answer says one of the right strings, early if it is long."""
    early = " ".join(without_citations(text).split()[:_EARLY_WORDS])
    return any(contains(early, answer) for answer in answers)


_SOURCES = (
    r"(?:(?:the|this|these|your|any of the|none of the|either|given|provided|available|retrieved|supplied|above|context|"
    r"source|following|five|of)\s+)*"
    r"(?:sources?|contexts?|documents?|passages?|texts?|paragraphs?|information|materials?|articles?|excerpts?|data|"
    r"library|files?|content)(?:\s+(?:information|text|documents?|sources?|passages?|above|here|given|provided|available|"
    r"that (?:was|were) (?:given|provided)|you (?:gave|provided)|you have provided|in (?:the|this) library))*"
)
_SAY = (
    r"(?:directly |explicitly |specifically |clearly |actually |contain|provide|mention|specif|say|state|answer|include|"
    r"give|tell|name|indicate|list|address|have|discuss|describe|offer|reveal|support|cover|disclose|refer|make)"
)
_SAID = r"(?:mentioned|provided|stated|specified|given|found|contained|included|available|listed|there|present|answered)"
_ABSENT = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"^\W*(?:answer:?\s*)?not[ _]found\b",
        rf"\b{_SOURCES},? (?:does|do|did)(?: not|n['’]t) {_SAY}",
        rf"\b{_SOURCES},? (?:says?|tells?|states?|gives?|contains?|has|have|provides?|mentions?|offers?) (?:nothing|no)\b",
        rf"\b{_SOURCES},? (?:is|are) (?:silent|insufficient|not (?:sufficient|enough|clear))\b",
        rf"\b(?:not|n['’]t|nowhere|never) (?:\w+ )?{_SAID} (?:\w+ ){{0,2}}?(?:in|by|from|within) (?:\w+ )?{_SOURCES}",
        rf"\b{_SOURCES} (?:cannot|can ?not|can['’]t) (?:\w+ )?(?:answer|determine|tell|say)",
        r"\bno (?:\w+ ){0,3}?(?:information|mention|answer|details?|indication|data|evidence|reference)\b[^.]*\b"
        rf"(?:in|by|from|within) {_SOURCES}",
        rf"\b(?:no|none of the) (?:sources?|documents?|passages?) {_SAY}",
        r"\bthere is (?:no|not any|not enough|insufficient) (?:\w+ ){0,3}?"
        r"(?:information|mention|answer|details?|indication|data|evidence|context)\b",
        rf"\b(?:cannot|can ?not|can['’]t|could not|couldn['’]t) be (?:\w+ )?(?:answered|determined|found|inferred)"
        rf"(?: \w+){{0,4}}? (?:from|in|with|by|based on|using) {_SOURCES}",
        r"^\W*(?:the|this|an?) (?:answer|question|information)[^.]*\b(?:is not|isn['’]t|are not|was not|cannot be|can['’]t be)"
        rf" (?:\w+ )?(?:{_SAID}|found|answered|determined)",
        r"\b(?:it|that|this) is not (?:\w+ )?(?:mentioned|stated|specified|said|there|provided|given)(?: there)?\W*$",
        r"\bi (?:do not|don['’]t) (?:know|have (?:\w+ ){0,3}?(?:information|details|data|access|context))",
        r"\bi (?:could not|couldn['’]t|cannot|can['’]t|am unable to|was unable to|am not able to) "
        r"(?:find|answer|determine|provide|tell)",
        r"\bi['’]m (?:unable|not able) to (?:find|answer|determine|provide|tell)",
        r"\b(?:not|n['’]t) (?:contain|provide|have|include|give|offer) (?:any |enough |sufficient |the |specific )*"
        r"(?:information|details|answer|context)\b",
        r"\b(?:it|the answer|that) is not there\b",
        # German
        r"\b(?:die|der|den|dem|das|diese[nrms]?|keine[nrms]?|angegebenen?|gegebenen?|bereitgestellten?|vorliegenden?|genannten?)"
        r"\s+(?:(?:angegebenen?|gegebenen?|bereitgestellten?|vorliegenden?|obigen?)\s+)?"
        r"(?:quellen?|kontext\w*|dokumente?n?|texte?n?|text|unterlagen|passagen?|informationen|abschnitte?n?)\b"
        r"[^.]*\b(?:nichts?|keine?[nrms]?|nirgends|schweigen)\b",
        r"\b(?:quellen|kontext|dokumente|unterlagen|informationen)\b[^.]*\b(?:beantworten|sagen|nennen|enthalten|enthält)\b"
        r"[^.]*\b(?:nichts?|keine?[nrms]?)\b",
        r"\b(?:nicht|nichts|keine?[nrms]?|nirgends)\b[^.]*\b(?:im|in de[nmr]|in diese[nmr]|aus de[nmr])\s+(?:\w+\s+)?"
        r"(?:quellen?|kontext\w*|dokumente?n?|texte?n?|text|unterlagen|passagen?|informationen|abschnitte?n?)",
        r"\bin (?:den|diesen) (?:\w+ )?(?:quellen|dokumenten|texten|passagen|unterlagen|informationen)\b[^.]*\b"
        r"(?:nicht|nichts|keine?[nrms]?)\b",
        r"\bes (?:gibt|liegen|liegt|sind|ist|wird|werden)[^.]*\b(?:keine (?:\w+ )?(?:information|angabe|hinweis)|nicht (?:\w+ )?"
        r"(?:angegeben|genannt|erwähnt|bekannt|enthalten))",
        r"\bich (?:kann|konnte)[^.]*\b(?:nicht|keine)\b[^.]*\b(?:finden|beantworten|bestimmen)",
        r"\b(?:das|es) steht (?:dort |da |hier )?nicht\b",
        r"\b(?:die )?(?:antwort|frage|information)[^.]*\b(?:ist|sind|wird|wurde|kann|lässt)[^.]*\bnicht\b[^.]*\b"
        r"(?:enthalten|angegeben|erwähnt|genannt|beantwort\w+|vorhanden|da)\b",
        # Beginnings in the languages that the product speaks.
        r"^\W*les sources ne \w+ pas",
        r"^\W*las fuentes no \w+",
        r"^\W*le fonti non \w+",
        r"^\W*as fontes não \w+",
        r"^\W*de bronnen \w+[^.]*\bniet\b",
        r"^\W*источники не \w+",
    )
)
# What may stand before the words that abstain without being an answer itself.
_NEUTRAL = re.compile(
    r"^\W*(?:(?:i['’]m |i am |we are )?(?:very )?sorry|unfortunately|i apologi[sz]e|leider|entschuldigung|es tut mir leid|"
    r"answer:?|antwort:?|the question (?:asks|is)|die frage|to answer|let['’]s|note|hinweis)\b[^.!?]*[.!?:]?\W*$",
    re.IGNORECASE,
)
# With such words an answer follows all the same.
_ALL_THE_SAME = re.compile(
    r"\b(?:the (?:correct |likely |most likely )?answer (?:is|would be|could be)|it can be (?:inferred|assumed|concluded)|"
    r"we can (?:infer|assume|conclude)|(?:it is|it['’]s) (?:likely|probable|possible|known|reasonable)|"
    r"general(?:ly)? know|commonly known|based on (?:general|common|prior|my)|die antwort (?:ist|lautet)|"
    r"es (?:ist|kann) (?:wahrscheinlich|bekannt|angenommen|davon))\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[^.!?\n]+(?:\.(?=\w)[^.!?\n]*)*[.!?]*")


def is_abstention(text: str, answers: Iterable[str] = ()) -> bool:
    """Whether an answer says that the sources do not say it, and does not answer all the same."""
    plain = without_citations(text)
    if any(contains(plain, answer) for answer in answers):
        return False
    sentences = [found.group().strip() for found in _SENTENCE.finditer(plain)]
    claims = [each for each in sentences if re.search(r"\w", each) and not _NEUTRAL.match(each)]
    if not claims:
        return not re.search(r"\w", plain)
    is_absent = [_says_absent(each) for each in claims]
    return is_absent[0] and not any(_ALL_THE_SAME.search(each) for each in claims[1:])


def _says_absent(sentence: str) -> bool:
    return any(pattern.search(sentence) for pattern in _ABSENT)


def judge(text: str, answers: Sequence[str], *, is_answerable: bool) -> Outcome:
    """What an answer comes to."""
    if is_answerable and is_right(text, answers):
        return Outcome.RIGHT
    if is_abstention(text, answers):
        return Outcome.ABSTAINED
    return Outcome.WRONG if is_answerable else Outcome.MADE_UP


def wilson(hits: int, count: int, z: float = 1.96) -> tuple[float, float]:
    """The 95 % interval of a share."""
    if count == 0:
        return 0.0, 1.0
    share = hits / count
    centre = share + z * z / (2 * count)
    spread = z * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    below = 1 + z * z / count
    return max(0.0, (centre - spread) / below), min(1.0, (centre + spread) / below)
