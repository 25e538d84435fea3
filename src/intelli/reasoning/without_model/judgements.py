"""Judge whether a passage supports a statement: by words, figures, and the absence of negating words."""

import re

from intelli.reasoning.extractive import figures, weigh, words
from intelli.reasoning.verbs.judge import JudgeInput, Judgement, Verdict

_SUPPORTED = 0.7
_RELATED = 0.45
_NEGATION = re.compile(
    r"\b(?:not|no|never|none|neither|without|cannot|n't|fail(?:s|ed)? to|lacks?|nicht|kein(?:e|en|er)?|nie|ohne|ne|pas|"
    r"jamais|sans|nunca|sin|non|mai|senza|n\u00e3o|nunca|sem|niet|geen|nooit|\u043d\u0435|\u043d\u0435\u0442|\u0431\u0435\u0437)\b|n't\b|\u4e0d|\u6ca1|\u7121",
    re.IGNORECASE,
)


def judge(asked: JudgeInput) -> Judgement:
    """By the sentence of the passage that says most of the statement."""
    language = words.language_of(f"{asked.statement} {asked.passage.text[:2_000]}")
    terms = list(dict.fromkeys(words.terms_of(asked.statement, language)))
    found = weigh.candidates([asked.passage], language)
    if not terms or not found:
        return Judgement(verdict=Verdict.UNRELATED, score=0, reason="There is nothing to compare.")
    best = max(found, key=lambda each: (_share(terms, each.terms), -each.position))
    score = _share(terms, best.terms)
    if score < _RELATED:
        return Judgement(verdict=Verdict.UNRELATED, score=score, reason="No sentence says most of the statement.")
    missing = [each.written for each in figures.figures_of(asked.statement) if each.value not in best.quote]
    if missing:
        reason = f"The passage does not have {', '.join(missing)}."
        return Judgement(verdict=Verdict.CONTRADICTED, score=score, reason=reason)
    if bool(_NEGATION.search(asked.statement)) != bool(_NEGATION.search(best.quote)):
        return Judgement(verdict=Verdict.CONTRADICTED, score=score, reason="One of the two says no, the other yes.")
    if score < _SUPPORTED:
        return Judgement(verdict=Verdict.UNRELATED, score=score, reason="The passage says only part of the statement.")
    return Judgement(verdict=Verdict.SUPPORTED, score=score, reason="A sentence of the passage says it.")


def _share(terms: list[str], said: frozenset[str]) -> float:
    return sum(term in said for term in terms) / len(terms)
