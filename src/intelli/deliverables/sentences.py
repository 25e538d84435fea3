"""Wording of findings and questions in a report: findings become sentences, questions become headings.

A heading names its subject. A question that cannot be turned into a name by its form alone stays as it was asked.
"""

import re
from collections.abc import Callable

from intelli.language import sentences

_CLOSED = (".", "!", "?", "\u2026", "\u3002", "\uff01", "\uff1f", '"', "\u201d", "\u00bb")
_NUMBERED = re.compile(
    r"^(?:[-*\u2022\u2023\u25aa\u2013]\s+)?(?:(?:\(?\d{1,2}[.)]|\(?[a-z][.)]|[ivx]{1,4}[.)])\s+(?=[A-Z\u00c0-\u00de]))?"
)
_LONGEST_TITLE = 150
_LONGEST_NAMES = 110
_LEAST = 3
# "what is excluded" names something as it is.
_CLAUSE = re.compile(r"what\s+(?:is|are)\s+\w+ed\b", re.IGNORECASE)
_QUESTIONS = re.compile(r"(?:(?<!\s)\s++)?+[;?]\s++")
# What a colon or a dash opens a question with: the subject stands before it.
_ASKS = (
    r"(?:what|how|which|who|when|where|why|was|wie|welche[rsnm]?|wer|wann|wo|warum|quel(?:le)?s?|comment|qu[e\u00e9])"
)
_TAIL = re.compile(rf"(?:(?<!\s)\s++)?+[:\u2013\u2014]\s++{_ASKS}\b.*$", re.IGNORECASE | re.DOTALL)
_STILL_ASKS = re.compile(
    rf"{_ASKS}\s+(?:did|do|does|is|are|was|were|has|have|had|can|will|ist|sind|war|waren|hat|haben)\b", re.IGNORECASE
)
# What joins a question to the next one: "..., and who are the largest customers".
_AND_ASKS = re.compile(rf",\s++(?:and|und|et|y)\s++(?={_ASKS}\b)", re.IGNORECASE)
_ARTICLE = re.compile(r"^(?:the|an?|der|die|das|les?|la|el|los|las)\s+", re.IGNORECASE)
_ORDERS = re.compile(
    r"^(?:please\s+|bitte\s+)?(?:(?:can|could|would) you\s+)?(?:"
    r"(?:write|create|make|prepare|draft|generate)\s+(?:me\s+|us\s+)?(?:an?\s+|the\s+)?(?:\w+\s+){0,3}?"
    r"(?:report|website|site|presentation|deck|slides?|document|paper|overview|summary)\s+(?:on|about|of|for)|"
    r"give\s+(?:me\s+|us\s+)?an?\s+(?:overview|summary)\s+of|tell\s+(?:me|us)\s+(?:more\s+)?about|look\s+into|find\s+out\s+about|"
    r"describe|explain|summari[sz]e|list|outline|discuss|analy[sz]e|examine|present|show|"
    r"beschreibe|erkl\u00e4re|schreibe?\s+(?:einen|ein)\s+\w+\s+(?:\u00fcber|zu)|nenne|zeige"
    r")\s+",
    re.IGNORECASE,
)
_COMPARE = re.compile(
    r"^(?:compare|contrast)\s++(?P<one>.+?)(?<!\s)\s++(?:and|with|to|against)\s++(?P<other>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_NAMED = re.compile(
    r"^(?:what|which|who)\s+(?:is|are|was|were)\s+(?P<thing>the\s+.+|[a-z]+s\b.*)$"
    r"|^(?:was|welche[rs]?)\s+(?:ist|sind|war|waren)\s+(?P<ding>(?:der|die|das)\s+.+)$",
    re.IGNORECASE | re.DOTALL,
)
_DEVELOPED = re.compile(
    r"^how\s+(?:did|do|does|has|have)\s++(?P<thing>.+?)(?<!\s)\s++(?:develop(?:ed)?|evolve[d]?|change[d]?|grow[n]?)"
    r"(?P<when>\s+(?:in|from|over|between|since|during)\b.*)?$",
    re.IGNORECASE | re.DOTALL,
)
_DOES = re.compile(
    r"^what\s+(?P<does>does|do)\s++(?P<thing>.+?)(?<!\s)\s++(?P<verb>[a-z]++)$", re.IGNORECASE | re.DOTALL
)
# "a due diligence report on Nordhaven: …": what is ordered, of what, and what it is to tell.
_ORDERED = re.compile(
    r"^(?:please\s+|bitte\s+)?(?:(?:can|could|would) you\s+)?(?:i need\s+|we need\s+|ich brauche\s+|"
    r"(?:write|create|make|prepare|draft|generate|give|schreibe?|erstelle?|verfasse?|mache?)\s+(?:(?:me|us|mir|uns)\s+)?)"
    r"(?:an?\s+|the\s+|eine?n?\s+|das\s+|den\s+|die\s+)?(?P<what>(?:[\w-]+\s+){0,3}?[\w-]*"
    r"(?:report|website|site|presentation|deck|slides?|document|paper|overview|summary|memo|briefing|brief|note|comparison|"
    r"bericht|vermerk|pr\u00e4sentation|folien|dokument|\u00fcbersicht|zusammenfassung|vergleich|gutachten))\s+"
    r"(?:(?:for|f\u00fcr)\s+(?:\w+\s+){1,4}?(?=(?:on|about|\u00fcber|zu[mr]?)\s))?"
    r"(?:on|about|of|for|\u00fcber|zu[mr]?|f\u00fcr|von)\s++(?P<subject>[^:;\u2013\u2014]++)",
    re.IGNORECASE,
)
# Words for the thing itself: a title need not say of a report that it is one.
_PLAIN_ORDERS = frozenset(
    {
        *("report", "website", "site", "presentation", "deck", "slides", "slide", "document", "paper", "overview"),
        *("summary", "short", "brief", "bericht", "pr\u00e4sentation", "folien", "dokument", "\u00fcbersicht"),
        *("zusammenfassung", "kurze", "kurzer", "kurzen"),
    }
)
_HOW_MUCH = re.compile(
    r"^(?:how (?:much|high|large|big|long) (?:is|are|was|were)|"
    r"wie (?:hoch|gro\u00df|lang|viel) (?:ist|sind|war|waren))\s++(?P<thing>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_ENTWICKELT = re.compile(
    r"^wie\s+(?:hat|haben)\s+sich\s++(?P<thing>.+?)(?<!\s)\s++(?:entwickelt|ver\u00e4ndert)$", re.IGNORECASE | re.DOTALL
)
_CAME_TO = re.compile(
    r"^what\s+(?:did|do|does)\s++(?P<thing>.+?)(?<!\s)\s++(?:come|amount)\s+to(?P<when>\s+in\b.*)?$",
    re.IGNORECASE | re.DOTALL,
)
_THAT = re.compile(
    r"^which\s++(?P<thing>(?:[\w-]++\s++){1,3})(?P<rest>(?:contains?|mentions?|have|has|names?|requires?|includes?)\s.+)$",
    re.IGNORECASE | re.DOTALL,
)
# In a line whose words stand one space apart.
_SPAN = re.compile(r" ?,? ?\b(?:from|between|von|zwischen) ((?:19|20)\d\d) (?:to|and|until|bis|und) ((?:19|20)\d\d)\b")
_SIBILANT = ("s", "sh", "ch", "x", "z", "o")


def sentence(text: str) -> str:
    """A statement as one line that ends, without the mark or number that it has in a list."""
    line = _NUMBERED.sub("", " ".join(text.split()))
    return line if is_closed(line) else f"{line}."


def is_closed(text: str) -> bool:
    """Whether a text ends as a sentence does."""
    return text.rstrip().endswith(_CLOSED)


def title(given: str, asked: str) -> str:
    """The title that was given; one that only repeats what was asked is said in full, as what it is about."""
    named, question = " ".join(given.split()), " ".join(asked.split())
    if ordered := _ordered(question):
        return ordered if question.startswith(named.rstrip("\u2026 ")) else _capital(named)
    if not question.startswith(named.rstrip("\u2026 ")):
        return _capital(named)
    first = sentences.split(question)[:1]
    whole = question if len(question) <= _LONGEST_TITLE or not first else question[first[0].start : first[0].end]
    about = _subjects(question) or subject(whole)
    return about if len(about) <= _LONGEST_TITLE else _capital(named)


def _ordered(question: str) -> str:
    """What a deliverable that is ordered is about, and what kind of one it is, where that says more than a report."""
    found = _ORDERED.match(question)
    if found is None or len(found["subject"]) > _LONGEST_NAMES:
        return ""
    about = _capital(_spanned(_ARTICLE.sub("", found["subject"].strip(" .?!"))))
    words = [word for word in found["what"].split() if word.lower() not in _PLAIN_ORDERS]
    return f"{about}: {found['what'].lower()}" if words else about


def _spanned(name: str) -> str:
    """A name with its years as a span: "revenue from 2021 to 2024" is "revenue, 2021\u20132024"."""
    return _SPAN.sub(lambda years: f", {years[1]}\u2013{years[2]}", name)


def subject(asked: str) -> str:
    """What something asked is about: a name where its form gives one, else as it was asked."""
    line = " ".join(asked.split())
    return _capital(_named(line) or line)


def _subjects(question: str) -> str:
    """The subjects of several questions, where each has a name and all are short enough to be read as one."""
    asked = (part for whole in _QUESTIONS.split(question.strip(" ?;.")) for part in _AND_ASKS.split(whole))
    parts = [part for part in asked if part.strip()]
    named = [_named(part) or (part if _CLAUSE.match(part) else None) for part in parts]
    # Names with commas of their own are set apart from each other.
    joined = ("; " if any("," in (each or "") for each in named) else ", ").join(each or "" for each in named)
    return _capital(joined) if len(named) > 1 and all(named) and len(joined) <= _LONGEST_NAMES else ""


def _named(line: str) -> str | None:
    bare = line.strip().rstrip(" .?!\u2026\uff1f\u061f")
    found = _spanned(_subject(_ORDERS.sub("", _TAIL.sub("", bare))))
    if _STILL_ASKS.match(found):
        return None
    return found if found.lower() != bare.lower() else None


def _subject(bare: str) -> str:
    compared = _COMPARE.match(bare)
    if compared:
        return f"{_ARTICLE.sub('', compared['one'])} and {_ARTICLE.sub('', compared['other'])} compared"
    if not _joins(bare):
        for pattern, tell in _FORMS:
            if (found := pattern.match(bare)) is not None:
                return tell(found)
    return _ARTICLE.sub("", bare) if len(bare.split()) <= _LEAST * 2 else bare


def _thing(found: re.Match[str]) -> str:
    """What a question is about, and of which time."""
    return f"{_ARTICLE.sub('', found['thing'])}{found.groupdict().get('when') or ''}"


def _having(found: re.Match[str]) -> str:
    return f"{found['thing'].strip()} that {found['rest']}"


def _done(found: re.Match[str]) -> str:
    return f"what {found['thing']} {_told(found['verb'], is_one=found['does'].lower() == 'does')}"


# The forms of a question that name its subject, in the order in which they are tried.
_FORMS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...] = (
    (_NAMED, lambda found: found["ding"] or _ARTICLE.sub("", found["thing"])),
    (_DEVELOPED, _thing),
    (_CAME_TO, _thing),
    (_ENTWICKELT, _thing),
    (_HOW_MUCH, _thing),
    (_THAT, _having),
    (_DOES, _done),
)


def _told(verb: str, *, is_one: bool) -> str:
    """A verb as it follows what does it."""
    if not is_one or verb == "have":
        return "has" if is_one else verb
    return f"{verb}{'es' if verb.endswith(_SIBILANT) else 's'}"


def _joins(bare: str) -> bool:
    """Whether more than one thing is asked."""
    return re.search(rf"[,;?]\s+(?:and\s+|und\s+)?{_ASKS}\b|\band\s+{_ASKS}\b", bare, re.IGNORECASE) is not None


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
