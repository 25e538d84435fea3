"""Have a judge decide on the statements that rules leave open: all of a text in one call, each source once.

A judge is a model, or an entailment model behind the same port. Control statements, made of the sources' own sentences,
go along with each call: whoever calls an altered one supported, or a copied one not, is too weak to judge, and its
verdicts are not used.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

from intelli.citations import date_distances, formulas, misattribution, rules
from intelli.citations.check import CheckedStatement
from intelli.citations.controls import make_controls
from intelli.citations.figures import CitedView, FigureEntry
from intelli.citations.prove import CitingText, ProofMaterial
from intelli.citations.source_views import SourceView, read_figures
from intelli.citations.wire import JudgedBy, StatementKind
from intelli.language import words
from intelli.language.numbers import Number
from intelli.reasoning.values import SourceText
from intelli.reasoning.verbs.judge import Judgement, Judgements, StatementToJudge, Verdict

_MOST_STATEMENTS = 30
_MOST_CHARACTERS = 60_000
# Of what no statement cites, so much is shown: most of what was found says nothing about it. What is said to be silent
# has more room than what may say a statement beside the sources that it cites.
_MOST_RELATED, _MOST_OTHERS = 3_500, 2_500
# With so few statements, controls of each kind would be most of the call.
_FEW_STATEMENTS = 3
_LONGEST_NOTE = 300
_GOES_ON = re.compile(
    r"(?:it|they|he|she|this|these|those|both|the former|the latter|es|sie|er|dies\w*|beide\w*)\b", re.IGNORECASE
)
_UNPROVEN = "{0} is in none of the sources, and no calculation over their figures was verified that gives it."
_NOT_SAID = "The sources do not say this."
TOO_WEAK = "The model misjudged statements whose verdict is known, so the citations were checked without it."


@dataclass(frozen=True, slots=True)
class JudgeCall:
    """Statements to judge, every source that they may rest on, once, and the question that their text answers."""

    statements: tuple[StatementToJudge, ...]
    passages: tuple[SourceText, ...]
    question: str = ""


class Judge(Protocol):
    """Judges statements; None when there is nobody to judge, or no usable answer came."""

    @property
    def judged_by(self) -> JudgedBy:
        """Who judges."""

    async def recall(self, statement: StatementToJudge) -> Judgement | None:
        """Return the judgement of a statement that was judged before; None when it was not."""

    async def __call__(self, call: JudgeCall) -> Judgements | None:
        """Return a judgement for each statement."""


@runtime_checkable
class TellingJudge(Protocol):
    """A judge that tells why it gave nothing."""

    problem: str | None


@dataclass(frozen=True, slots=True)
class JudgedText:
    """Statements with the verdicts of a judge, and what was wrong with the judge."""

    statements: tuple[CheckedStatement, ...]
    problems: tuple[str, ...] = ()


async def judge_open(
    citing: CitingText, checked: Sequence[CheckedStatement], material: ProofMaterial, judge: Judge
) -> JudgedText:
    """Return the statements; those that rules left open have the verdict of the judge, where there is one."""
    judged = list(checked)
    problems: list[str] = []
    known = _Cited(citing.cited, material, judge.judged_by, _proven_figures(checked), may_bind=not citing.is_fixed)
    for place, each in enumerate(checked):
        earlier = await judge.recall(_to_judge(each, citing.cited)) if each.is_open else None
        if earlier is not None:
            judged[place] = apply(each, earlier, known)
    for batch in _batches(citing, judged, material):
        asked = {place: _to_judge(judged[place], citing.cited) for place in batch.places}
        call = _call(tuple(dict.fromkeys(asked.values())), batch.names, material)
        given = await judge(call)
        if given is None:
            problems += [judge.problem] if isinstance(judge, TellingJudge) and judge.problem else []
            continue
        if not given.is_sound:
            problems.append(TOO_WEAK)
            continue
        by_statement = dict(zip(call.statements, given.judgements, strict=True))
        for place, statement in asked.items():
            judged[place] = apply(judged[place], by_statement[statement], known)
    return JudgedText(tuple(judged), tuple(dict.fromkeys(problems)))


def _proven_figures(checked: Sequence[CheckedStatement]) -> list[Number]:
    written = (entry.written for each in checked for entry in each.entries if entry.is_found)
    return [number for each in written for number in read_figures(each, "").numbers]


@dataclass(frozen=True, slots=True)
class _Batch:
    """Statements of one call by their places, and the identifiers of its sources."""

    places: tuple[int, ...]
    names: tuple[str, ...]


def _batches(citing: CitingText, checked: Sequence[CheckedStatement], material: ProofMaterial) -> Iterator[_Batch]:
    """Yield the open statements in calls that are not too long.

    For one that says that sources are silent, those are shown that were found and might say it.
    """
    places: list[int] = []
    names: dict[str, None] = {}
    for place, each in enumerate(checked):
        if not each.is_open:
            continue
        mine = [citing.cited[ordinal] for ordinal in each.statement.ordinals]
        if each.statement.kind is StatementKind.ABSENCE and not mine:
            mine = _most_related(each.statement.text, material)
        length = sum(len(material.passages[name].text) for name in {*names, *mine} if name in material.passages)
        if places and (len(places) >= _MOST_STATEMENTS or length > _MOST_CHARACTERS):
            yield _Batch(tuple(places), tuple(names))
            places, names = [], {}
        places.append(place)
        names |= dict.fromkeys(name for name in mine if name in material.passages)
    if places:
        yield _Batch(tuple(places), _with_others(names, citing, material))


def _most_related(text: str, material: ProofMaterial) -> list[str]:
    """Return the found passages that bear most on a statement and the question, as many as may be read.

    What few of them say counts for more: the thing that sources are said to be silent on is mostly a rare word.
    """
    language = words.language_of(text)
    asked = set(words.terms_of(f"{text} {material.question}", language))
    said = {
        name: asked & set(words.terms_of(f"{passage.title} {passage.text}", language))
        for name, passage in material.passages.items()
    }
    spread = Counter(term for terms in said.values() for term in terms)
    worth = {name: sum(1 / spread[term] for term in terms) for name, terms in said.items()}
    chosen: list[str] = []
    room = _MOST_RELATED
    for name in sorted(said, key=lambda each: worth[each], reverse=True):
        room -= len(material.passages[name].text)
        if chosen and room < 0:
            break
        chosen.append(name)
    return chosen


def _with_others(names: Mapping[str, None], citing: CitingText, material: ProofMaterial) -> tuple[str, ...]:
    """The sources of a call, and others that the text cites as far as there is room: one of them may say it."""
    found = dict(names)
    length = sum(len(material.passages[name].text) for name in found)
    for name in citing.cited:
        passage = material.passages.get(name)
        if passage is not None and name not in found and length + len(passage.text) <= _MOST_OTHERS:
            found[name] = None
            length += len(passage.text)
    return tuple(found)


def _call(statements: Sequence[StatementToJudge], names: Sequence[str], material: ProofMaterial) -> JudgeCall:
    """The statements with controls among them, and their sources."""
    controls = make_controls(
        [view for view in map(material.view, names) if view is not None], is_short=len(statements) <= _FEW_STATEMENTS
    )
    mixed = list(statements)
    for number, each in enumerate(controls, start=1):
        at = _find_place(mixed, number * len(mixed) // (len(controls) + 1))
        # With as many sources as its neighbour, it looks like any other.
        beside = mixed[min(at, len(mixed) - 1)].sources[:-1]
        sources = tuple(dict.fromkeys((each.identifier, *beside)))
        mixed.insert(at, StatementToJudge(text=each.text, sources=sources, is_true=each.is_true))
    passages = [
        SourceText(
            identifier=name,
            title=passage.title,
            text=f"{passage.header}\n{passage.text}".strip(),
            page=passage.page,
            section=passage.section,
            dated=passage.dated,
        )
        for name in names
        if (passage := material.passages.get(name)) is not None
    ]
    return JudgeCall(tuple(mixed), tuple(passages), material.question)


def _find_place(statements: Sequence[StatementToJudge], wanted: int) -> int:
    """Return where a control may stand: not before a statement that goes on about the one before it."""
    later = range(wanted, len(statements))
    return next((at for at in later if _GOES_ON.match(statements[at].text) is None), len(statements))


def _to_judge(checked: CheckedStatement, cited: Sequence[str]) -> StatementToJudge:
    """A statement as the judge is asked about it, with the calculations that may give its figures."""
    statement = checked.statement
    sources = tuple(dict.fromkeys(cited[ordinal] for ordinal in statement.ordinals))
    made = [f"{entry.calculation} = {entry.written}" for entry in checked.entries if entry.calculation]
    return StatementToJudge(
        text=statement.text, context=statement.context, sources=sources, note="; ".join(made)[:_LONGEST_NOTE]
    )


@dataclass(frozen=True, slots=True)
class _Cited:
    """What the ordinals of a text name, where it is, who judges, and the figures of the text that were proven."""

    cited: Sequence[str]
    material: ProofMaterial
    judged_by: JudgedBy
    proven: Sequence[Number] = ()
    may_bind: bool = True

    def views(self, ordinals: Sequence[int]) -> list[CitedView]:
        """The sources of some ordinals."""
        found = [(ordinal, self.material.view(self.cited[ordinal])) for ordinal in ordinals]
        return [CitedView(ordinal, view) for ordinal, view in found if view is not None]


def apply(made: CheckedStatement, judgement: Judgement, known: _Cited) -> CheckedStatement:
    """Return a statement with the verdict of a judge. A figure that nothing gives is supported by nobody's word."""
    if judgement.verdict is Verdict.UNCHECKED:
        return made
    statement = made.statement
    carried = tuple(each for each in statement.ordinals if known.cited[each] in judgement.sources)
    judged = replace(made, judged_by=known.judged_by, is_open=False, carried_by=carried or made.carried_by)
    # A cell is another figure whoever says what; that a word turns the statement round is only likely.
    if judgement.verdict is Verdict.SUPPORTED and made.verdict is Verdict.CONTRADICTED and statement.cells:
        return replace(judged, verdict=Verdict.PARTLY, reason=made.reason)
    if judgement.verdict is Verdict.SUPPORTED:
        return _supported(judged, judgement, known)
    if judgement.verdict is Verdict.NOT_SUPPORTED and len(statement.ordinals) == 1 and known.may_bind:
        elsewhere = [name for name in judgement.elsewhere if name != known.cited[statement.ordinals[0]]]
        view = known.material.view(elsewhere[0]) if elsewhere else None
        if view is not None:
            return _bound(judged, judgement, view)
    known_reason = made.reason if made.verdict is not Verdict.UNCHECKED else _NOT_SAID
    reason = judgement.reason or known_reason
    return replace(judged, verdict=judgement.verdict, reason=reason, elsewhere=judgement.elsewhere)


def _supported(judged: CheckedStatement, judgement: Judgement, known: _Cited) -> CheckedStatement:
    views = known.views(judged.statement.ordinals)
    entries = [
        entry if entry.is_found or entry.is_open else _calculated(entry, judgement, views, known.proven)
        for entry in judged.entries
    ]
    missing = [entry.written for entry in entries if not entry.is_found and not entry.is_open]
    whole = judged.carried_by or judged.statement.ordinals
    if missing:
        reason = _UNPROVEN.format(", ".join(f"\u201c{each}\u201d" for each in missing[:3]))
        return replace(judged, verdict=Verdict.PARTLY, reason=reason, entries=tuple(entries), carried_by=whole)
    return replace(judged, verdict=Verdict.SUPPORTED, reason="", entries=tuple(entries), carried_by=whole)


def _calculated(
    entry: FigureEntry, judgement: Judgement, views: Sequence[CitedView], proven: Sequence[Number]
) -> FigureEntry:
    """Return a figure or date with the calculation that gives it, where one holds; else as it was."""
    made = formulas.verify(judgement.calculation, entry, views, proven)
    if made is not None:
        return made
    days = read_figures(entry.written, "").days
    sources = [each.view for each in views]
    if days and all(date_distances.is_counted_date(day, sources) for day in days):
        return replace(entry, is_placed=True)
    return entry


def _bound(judged: CheckedStatement, judgement: Judgement, view: SourceView) -> CheckedStatement:
    """A statement that another source says: it is bound to that one, if its figures are there."""
    (ordinal,) = judged.statement.ordinals
    again = rules.check_by_rules(judged.statement, [CitedView(ordinal, view)])
    if again.verdict in {Verdict.NOT_SUPPORTED, Verdict.CONTRADICTED}:
        return replace(judged, verdict=judgement.verdict, reason=judgement.reason or _NOT_SAID)
    return replace(
        again,
        verdict=Verdict.SUPPORTED,
        reason=misattribution.describe(judgement.reason),
        judged_by=judged.judged_by,
        carried_by=(ordinal,),
        is_open=False,
        bound={ordinal: view.identifier},
    )
