"""Extract facts from a text by known patterns; conservative, since no fact is better than a wrong one."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import date

from intelli.language import sentences, times
from intelli.reasoning.extractive import relation_patterns
from intelli.reasoning.verbs.extract import ExtractInput, StatedFact

_LONGEST = 400
_MOST_SENTENCES = 2_000
_FIRST_PERSON = {"i", "my", "we", "our"}
_AT_ORGANISATION = re.compile(rf"^\s(?:at|for|of|with|bei)\s(?P<organisation>{relation_patterns.NAME})")
# Of these one says several at once: likes jazz and hiking.
_LISTED = {"likes", "dislikes", "allergic to", "uses", "knows"}
_MOVED_FROM = re.compile(rf"\b(?:moved|relocated|switched)\sfrom\s(?P<from>{relation_patterns.NAME})\sto\s")
_NOT_NAMES = {"I", "We", "He", "She", "They", "It", "The", "This", "That", "There", "These", "My", "Our", "What", "Who"}


@dataclass(slots=True)
class PatternFacts:
    """Facts in the order of the text, and the usual kinds of their subjects and objects."""

    facts: list[StatedFact] = field(default_factory=list)
    kinds: dict[str, str] = field(default_factory=dict)


def read(asked: ExtractInput) -> PatternFacts:
    """The facts of a passage."""
    told = PatternFacts()
    text = asked.passage.text
    reader = _Reader(asked, told, _person_before(asked))
    for sentence in sentences.split(text)[:_MOST_SENTENCES]:
        quote = text[sentence.start : sentence.end]
        if len(quote) <= _LONGEST:
            reader.read(quote)
    return told


def _person_before(asked: ExtractInput) -> str | None:
    """Whom a pronoun means that comes before any name: the last one spoken of in the message before."""
    if not asked.before or not re.match(r"\W*(?:He|She|They|His|Her)\b", asked.passage.text):
        return None
    last = asked.before[-1]
    said = last.text.partition("): ")[2] or last.text
    alone = asked.model_copy(update={"passage": last.model_copy(update={"text": said}), "before": ()})
    told = read(alone)
    return next((fact.subject for fact in reversed(told.facts) if told.kinds.get(fact.subject) == "person"), None)


@dataclass(slots=True)
class _Clause:
    """A part of a sentence with its own verb: who or what it is of, and what follows."""

    subject: str
    rest: str
    is_over: bool
    quote: str
    when: times.TimeSpan


class _Reader:
    """Reads sentence after sentence, and knows of whom the last one spoke."""

    def __init__(self, asked: ExtractInput, told: PatternFacts, person: str | None) -> None:
        self._speaker = asked.speaker
        self._today: date | None = asked.today
        self._told = told
        self._last = person
        self._listing: relation_patterns.RelationPattern | None = None

    def read(self, quote: str) -> None:
        """One sentence."""
        if relation_patterns.HEDGE.search(quote):
            return
        said = relation_patterns.LEAD.sub("", quote.strip(" \n\t-*\u2022"))
        if self._dated(said, quote):
            return
        told = times.read(said, self._today)
        subject: str | None = None
        self._listing = None
        for part in relation_patterns.CLAUSE.split(told.rest):
            subject = self._clause(part.strip(), subject, quote, told)
            if subject is not None:
                self._last = subject

    def _dated(self, said: str, quote: str) -> bool:
        """An attribute whose value is a date: the deadline of … is …"""
        match = next((match for pattern in relation_patterns.DATED if (match := pattern.match(said))), None)
        if match is None:
            return False
        value = times.resolve(match["value"], self._today) or match["value"]
        self._of_thing(match, value, _Clause("", "", False, quote, times.TimeSpan(said)))
        return True

    def _clause(self, part: str, subject: str | None, quote: str, told: times.TimeSpan) -> str | None:
        """Read one clause; of whom it is."""
        plain = relation_patterns.ANY_MORE.sub("", relation_patterns.NO_LONGER.sub("", part))
        is_over = plain != part
        plain = relation_patterns.FILLER.sub("", re.sub(r"\s+", " ", plain)).strip()
        if relation_patterns.is_denied(plain):
            return subject
        if (
            subject is not None
            and self._listing is not None
            and re.fullmatch(rf"{relation_patterns.VALUE}[.!]?", plain)
        ):
            self._add(_Clause(subject, "", is_over, quote, told), self._listing, plain)
            return subject
        if self._attribute(plain, quote, told, is_over=is_over):
            return subject
        found = relation_patterns.subject().match(plain)
        own = self._named(found) if found else None
        rest = plain[found.end() :] if found and own else f" {plain}"
        if own is None and (thing := relation_patterns.THE_THING.match(plain)):
            own, rest = thing["thing"], f" {plain[thing.end() :]}"
        who = own or (subject if found is None else None)
        if who is not None:
            self._ways(_Clause(who, rest, is_over, quote, told))
        return who

    def _named(self, found: re.Match[str]) -> str | None:
        if found["pronoun"]:
            return self._meant(found["pronoun"])
        name = found["name"].strip(" .'")
        return None if name.split()[0] in _NOT_NAMES else name

    def _meant(self, pronoun: str) -> str | None:
        return self._speaker or None if pronoun.lower() in _FIRST_PERSON else self._last

    def _ways(self, clause: _Clause) -> None:
        for way, pattern in relation_patterns.patterns():
            match = pattern.match(clause.rest)
            if match is None:
                continue
            if relation_patterns.PAST.match(clause.rest):
                clause = replace(clause, when=clause.when.within())
                if clause.when.until is None:
                    continue
            self._add(clause, way, match["object"])
            after = clause.rest[match.end() :]
            self._listing = way if way.relation in _LISTED and after.strip(" .!") == "" else None
            if way.relation == "role" and (place := _AT_ORGANISATION.match(after)):
                self._add(clause, relation_patterns.WAYS[0], place["organisation"])
            if origin := _MOVED_FROM.search(clause.rest):
                self._add(
                    clause,
                    relation_patterns.RelationPattern(way.relation, "", "", way.kinds, is_end=True),
                    origin["from"],
                )
            return

    def _attribute(self, plain: str, quote: str, told: times.TimeSpan, *, is_over: bool) -> bool:
        """The ways to tell an attribute: Ada's phone number is …, the price of the bike is …, my dog is called …"""
        match = relation_patterns.OWNED.match(plain) or relation_patterns.OF_THING.match(plain)
        if match is None and told.is_point:
            match = next((found for pattern in relation_patterns.WERE if (found := pattern.match(plain))), None)
            told = told.within()
        if match is None:
            return False
        self._of_thing(match, match["value"], _Clause("", "", is_over, quote, told))
        return True

    def _of_thing(self, match: re.Match[str], value: str, clause: _Clause) -> None:
        groups = match.groupdict()
        thing = groups.get("owner") or groups.get("thing")
        if mine := groups.get("mine"):
            thing = self._meant(mine)
        if thing is None or thing.split()[0] in _NOT_NAMES:
            return
        subject = re.sub(r"^(?:the|our|this|that)\s", "", thing)
        self._add(
            replace(clause, subject=subject),
            relation_patterns.RelationPattern(match["attribute"], "", "", ("concept", None)),
            value,
        )

    def _add(self, clause: _Clause, way: relation_patterns.RelationPattern, value: str) -> None:
        found = value.strip(" .,'")
        if not found or found.split()[0] in _NOT_NAMES or found.casefold() == clause.subject.casefold():
            return
        is_over = way.is_end or clause.is_over
        fact = StatedFact(
            subject=clause.subject,
            relation=way.relation,
            object=found,
            quote=clause.quote,
            valid_from=None if is_over and clause.when.until is None else clause.when.since,
            valid_until=clause.when.until or (clause.when.since if is_over else None),
            is_over=is_over,
        )
        self._told.facts.append(fact)
        self._remember(clause.subject, way.kinds[0])
        if way.kinds[1] is not None or re.fullmatch(relation_patterns.NAME, found):
            self._remember(found, way.kinds[1] or "concept")

    def _remember(self, name: str, kind: str) -> None:
        if self._told.kinds.get(name, "concept") == "concept":
            self._told.kinds[name] = kind


def declared(asked: ExtractInput) -> Iterator[StatedFact]:
    """Facts in the words of declared relations, where these stand between two names."""
    for relation in asked.relations:
        words = r"\s".join(map(re.escape, relation.replace("_", " ").split()))
        pattern = re.compile(
            rf"(?P<one>{relation_patterns.NAME})\s(?:is\s|has\s|was\s)?{words}\s(?:the\s|a\s)?(?P<other>{relation_patterns.NAME})"
        )
        for sentence in sentences.split(asked.passage.text)[:_MOST_SENTENCES]:
            quote = asked.passage.text[sentence.start : sentence.end]
            match = (
                None
                if relation_patterns.HEDGE.search(quote) or relation_patterns.is_denied(quote)
                else pattern.search(quote)
            )
            if match is not None:
                told = times.read(quote, asked.today)
                one, other = match["one"].strip(" ."), match["other"].strip(" .")
                yield StatedFact(
                    subject=one,
                    relation=relation,
                    object=other,
                    quote=quote,
                    valid_from=told.since,
                    valid_until=told.until,
                )
