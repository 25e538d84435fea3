"""Patterns for relations in sentences: who works where, lives where, what costs how much, what has ended.

A pattern matches only where its words are between a subject and an object. Questions, wishes and doubts do not match.
"""

import re
from dataclasses import dataclass
from functools import cache

from intelli.language import negation, times

_CAPITAL = r"[A-Z\u00c0-\u00d6\u00d8-\u00de\u0410-\u042f]"
_WORD = rf"{_CAPITAL}[\w&+#'\u2019.-]{{0,60}}[\w+#]|{_CAPITAL}"
NAME = rf"(?:{_WORD})(?:\s(?:(?:of|de|von|van|der|la|du|di|the)\s)?(?:{_WORD}|\d{{1,4}}\b)){{0,5}}"
AMOUNT = (
    r"(?:(?:[$\u20ac\u00a3\u00a5]|USD|EUR|GBP|CHF)\s?\d[\d.,]*\d?(?:\s?(?:k|m|bn|million|billion|thousand))?"
    r"|\d[\d.,]*\d?\s?(?:k\s|m\s|million\s|billion\s|thousand\s)?(?:%|[$\u20ac\u00a3\u00a5]|USD|EUR|GBP|CHF|euros?|dollars?|pounds?|francs?|cents?|yen)"
    r"(?:\s(?:per|a|an)\s\w+)?)"
)
_ROLE_NOUN = (
    r"(?:engineer|developer|manager|director|officer|president|chair(?:man|woman|person)?|analyst|consultant|designer|"
    r"architect|scientist|researcher|professor|teacher|lecturer|student|nurse|doctor|surgeon|lawyer|attorney|judge|"
    r"accountant|assistant|secretary|intern|trainee|lead|leader|head|chief|founder|partner|editor|writer|journalist|"
    r"author|artist|musician|singer|actor|chef|cook|baker|driver|pilot|mechanic|electrician|plumber|carpenter|farmer|"
    r"builder|salesperson|salesman|saleswoman|representative|recruiter|administrator|technician|operator|coordinator|"
    r"supervisor|specialist|advisor|adviser|ambassador|minister|mayor|governor|senator|captain|coach|trainer|"
    r"translator|librarian|pharmacist|dentist|therapist|psychologist|paramedic|firefighter|soldier|CEO|CTO|CFO|COO|"
    r"CIO|CMO|VP|PM)"
)
ROLE = rf"(?:(?:[A-Za-z-]+\s){{0,3}}?){_ROLE_NOUN}(?:\sof\s(?!{_CAPITAL})[a-z]+(?:\s[a-z]+)?)?"
_STATUS = (
    r"(?:open|closed|active|inactive|done|finished|complete|completed|cancelled|canceled|blocked|delayed|postponed|"
    r"approved|rejected|available|unavailable|live|offline|online|sold\sout|discontinued|on\shold|in\sprogress|pending|"
    r"resolved|shipped|paid|unpaid|overdue|retired|engaged|single|divorced|pregnant|vegetarian|vegan)"
)
# What may stand for the value of an attribute: a few words, without the start of another thought.
VALUE = (
    rf"(?:{AMOUNT}|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|\+?\d[\d\s()/-]{{5,}}\d|{NAME}|\d[\w.,:%/-]*(?:\s[a-z%]+)?"
    r"|(?!(?:not|no|that|to|going|being|because|when|how|what|why|so|very|too|a\sbit)\b)[a-z][\w-]*(?:\s[a-z][\w-]*){0,3})"
)
_THING = rf"(?:(?:the|our|this|that)\s)?(?:{NAME}|[a-z][\w-]*(?:\s(?:[a-z][\w-]*|{NAME})){{0,3}})"
_ATTRIBUTE = r"(?:[a-z][a-z-]*\s){0,2}[a-z][a-z-]+"
_CHANGED = (
    r"(?:is|are|was\schanged\sto|has\schanged\sto|changed\sto|has\sbeen\schanged\sto|was\smoved\sto|moved\sto|has\sbeen\smoved\sto|"
    r"was\sset\sto|rose\sto|fell\sto|dropped\sto|increased\sto|went\sup\sto|went\sdown\sto|has\srisen\sto|has\sfallen\sto|is\scalled|"
    r"is\snamed|was\sraised\sto|was\slowered\sto|was\sincreased\sto|was\sreduced\sto|became|will\sbe)"
)


@dataclass(frozen=True, slots=True)
class RelationPattern:
    """A pattern of a relation. `kinds` are the usual kinds of subject and object; an end marks that it is over."""

    relation: str
    words: str
    value: str
    kinds: tuple[str, str | None]
    is_end: bool = False


WAYS: tuple[RelationPattern, ...] = (
    RelationPattern(
        "works for",
        r"(?:works?|worked|(?:is|am|are|'m|'s)\sworking|(?:has|have)\sbeen\sworking|(?:is|am|are|'m)\semployed)\s(?:for|at|with|by)"
        r"|(?:has\s|have\s)?joined|joins|(?:has\s)?started\s(?:working\s|work\s|a\snew\sjob\s|a\sjob\s)?(?:at|for|with)"
        r"|(?:was|got|has\sbeen)\shired\sby|(?:got|took|has|have)\sa\s(?:new\s)?job\s(?:at|with)|arbeitet\s(?:bei|f\u00fcr)",
        NAME,
        ("person", "organisation"),
    ),
    RelationPattern(
        "works for",
        r"(?:has\s|have\s)?left|(?:has\s)?quit|(?:has\s)?resigned\sfrom|(?:was|got)\sfired\s(?:from|by)|stopped\sworking\s(?:for|at)"
        r"|(?:has\s)?retired\sfrom",
        NAME,
        ("person", "organisation"),
        is_end=True,
    ),
    RelationPattern(
        "lives in",
        r"(?:lives?|lived|(?:is|am|are|'m)\sliving|resides?|(?:has|have)\ssettled|settled)\sin"
        rf"|(?:has\s|have\s|just\s)?(?:moved|relocated)\s(?:from\s{NAME}\s)?to|(?:wohnt|lebt)\sin",
        NAME,
        ("person", "place"),
    ),
    RelationPattern(
        "lives in", r"(?:has\s|have\s)?moved\s(?:away\sfrom|out\sof)", NAME, ("person", "place"), is_end=True
    ),
    RelationPattern(
        "located in",
        r"(?:is|are)\s(?:located|situated|headquartered|based)\sin|has\s(?:its|their)\s(?:headquarters|office)\sin",
        NAME,
        ("organisation", "place"),
    ),
    RelationPattern(
        "role",
        r"(?:is|am|are|'m|became|becomes|(?:has|have)\sbecome|(?:was|got|has\sbeen)\spromoted\sto|(?:was|has\sbeen)\s(?:appointed|named)|"
        r"(?:works?|serves?|started|(?:is|am)\sworking)\sas)(?:\s(?:the|a|an|our|their|its|new|now))*",
        ROLE,
        ("person", None),
    ),
    RelationPattern("reports to", r"reports?\sto|is\smanaged\sby", NAME, ("person", "person")),
    RelationPattern("married to", r"(?:(?:is|got)\smarried\sto|(?:has\s)?married)", NAME, ("person", "person")),
    RelationPattern(
        "married to", r"(?:(?:is|got)\sdivorced\sfrom|(?:has\s)?divorced)", NAME, ("person", "person"), is_end=True
    ),
    RelationPattern("bought", r"(?:has\s|have\s)?(?:bought|purchased)", NAME, ("concept", "concept")),
    RelationPattern("owns", r"owns", NAME, ("concept", "concept")),
    RelationPattern("owns", r"(?:has\s|have\s)?sold", NAME, ("concept", "concept"), is_end=True),
    RelationPattern("acquired", r"(?:has\s)?acquired", NAME, ("organisation", "organisation")),
    RelationPattern("founded", r"(?:has\s)?(?:co-)?founded", NAME, ("person", "organisation")),
    RelationPattern(
        "member of", r"(?:is|am|are|became)\s(?:a\s)?(?:member|part)\sof|belongs\sto", NAME, ("concept", "organisation")
    ),
    RelationPattern(
        "studies at", r"(?:studies|studied|is\sstudying|am\sstudying)\sat|attends", NAME, ("person", "organisation")
    ),
    RelationPattern("graduated from", r"(?:has\s)?graduated\sfrom", NAME, ("person", "organisation")),
    RelationPattern("knows", r"knows|(?:is|am|are)\sfriends\swith", NAME, ("person", "person")),
    RelationPattern("uses", r"uses|(?:has\s|have\s)?switched\sto", NAME, ("concept", "product")),
    RelationPattern("likes", r"(?:really\s)?(?:likes?|loves?|enjoys?|prefers?)", VALUE, ("person", None)),
    RelationPattern(
        "dislikes", r"(?:really\s)?(?:hates?|dislikes?|can't\sstand|cannot\sstand)", VALUE, ("person", None)
    ),
    RelationPattern("allergic to", r"(?:is|am|are|'m)\sallergic\sto", VALUE, ("person", None)),
    RelationPattern("born in", r"was\sborn\sin", NAME, ("person", "place")),
    RelationPattern("price", r"costs?|(?:is|are)\spriced\sat|sells?\sfor|kostet", AMOUNT, ("product", None)),
    RelationPattern("status", r"(?:is|are|'m|am)(?:\s(?:now|currently))?", _STATUS, ("concept", None)),
)
SUBJECT = (
    r"(?P<pronoun>I|We|we|He|he|She|she|They|they|It|it)\b"
    rf"|(?:(?:[Mm]y|[Oo]ur|[Hh]is|[Hh]er)\s(?:[a-z]+\s){{1,2}})?(?P<name>{NAME})"
)
_OWNED = rf"(?:(?P<owner>{NAME})['\u2019]s|(?P<mine>My|my|Our|our|His|his|Her|her|Their|their|Its|its))"
OWNED = re.compile(rf"^{_OWNED}\s(?P<attribute>{_ATTRIBUTE})\s{_CHANGED}\s(?:now\s)?(?P<value>{VALUE})(?=[.,;!]|$)")
OF_THING = re.compile(
    rf"^(?:The|the)\s(?P<attribute>{_ATTRIBUTE})\s(?:of|for)\s(?P<thing>{_THING}?)\s{_CHANGED}\s(?:now\s)?(?P<value>{VALUE})(?=[.,;!]|$)"
)
# The same of the past; only with a time it says something.
_WAS = r"\s(?:was|were|war|waren)\s"
WERE = (
    re.compile(rf"^{_OWNED}\s(?P<attribute>{_ATTRIBUTE}){_WAS}(?P<value>{VALUE})(?=[.,;!]|$)"),
    re.compile(
        rf"^(?:The|the)\s(?P<attribute>{_ATTRIBUTE})\s(?:of|for)\s(?P<thing>{_THING}?){_WAS}(?P<value>{VALUE})(?=[.,;!]|$)"
    ),
)
_DATED = rf"\s{_CHANGED}\s(?:now\s)?(?:on\s)?(?P<value>(?i:{times.DATE}))(?=[.,;!]|$)"
DATED = (
    re.compile(rf"^{_OWNED}\s(?P<attribute>{_ATTRIBUTE}){_DATED}"),
    re.compile(rf"^(?:The|the)\s(?P<attribute>{_ATTRIBUTE})\s(?:of|for)\s(?P<thing>{_THING}?){_DATED}"),
)
# What was so in the past may be so no more: without a told end it says nothing.
PAST = re.compile(r"\s*(?:worked|lived|studied)\b")
# A thing without a name can still have a price or a status.
THE_THING = re.compile(r"^(?:The|the)\s(?P<thing>[a-z][\w-]*(?:\s[a-z][\w-]*){0,2}?)\s(?=costs?\b|is\s|are\s|sells?\b)")
HEDGE = re.compile(
    r"\b(?:if|whether|might|may|could|would|should|wants?\sto|plans?\sto|planning|hopes?|hoping|considering|thinking\s(?:of|about)|"
    r"perhaps|maybe|probably|possibly|wish(?:es)?|dreams?|imagine|suppose|pretend|supposed\sto|will|going\sto|almost|rumou?rs?|"
    r"allegedly|reportedly|unless|never|used\sto)\b|\?\s*$|^(?:If|Whether|Maybe|Perhaps|Suppose|Unless|Imagine|Once|When)\b"
)
NO_LONGER = re.compile(
    r"\b(?:no\slonger|not\s(?=[\w\s]{1,200}?any\s?more)|(?:does|do|did)(?:n't|\snot)\s(?=[\w\s]{1,200}?any\s?more)|stopped\s(?=liking|using|living))",
)
# What denies a whole sentence. "Not only" does not, but no pattern here understands what follows it.
_DENYING = {"not", *negation.ADDING, "nicht", *(word for word in negation.negations("de") if word.startswith("kein"))}
ANY_MORE = re.compile(r"(?<!\s)\s++any\s?more\b")
FILLER = re.compile(
    r"\b(?:now|currently|recently|just|still|also|already|actually|again|officially|finally|apparently)\s|,?\s(?:now|currently|again|instead|too)(?=[.,;!]|$)"
)
LEAD = re.compile(
    r"^(?:(?:Update|News|FYI|Note|By the way|Btw|Actually|So|Well|And|But|Also|Today|Now|Then|Hi|Hello|Hey|Yes|No|Ok|"
    r"Okay|Recently|Currently|Meanwhile|However|Sadly|Great news|Good news|Reminder|Correction|Corrected)\b[,:!]?\s+)+"
)
CLAUSE = re.compile(r"(?:,|(?<!\s))\s++(?:and|but|und|while)\s++(?:(?:then|now|also)\s++)?|;\s++|,\s++(?:then|who)\s++")


def is_denied(text: str) -> bool:
    """Whether a text denies what it says."""
    return negation.is_negated(text, _DENYING)


@cache
def patterns() -> tuple[tuple[RelationPattern, re.Pattern[str]], ...]:
    """Each way with the pattern of a clause that is said in it, after the subject."""
    return tuple((way, re.compile(rf"^\s*(?:{way.words})\s(?:the\s)?(?P<object>{way.value})")) for way in WAYS)


@cache
def subject() -> re.Pattern[str]:
    """The subject that a clause begins with."""
    return re.compile(rf"^(?:{SUBJECT})(?=\s|'m\b)")
