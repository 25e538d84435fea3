"""Tells an answer that abstains from one that answers: by what its first sentence with content says."""

import re

_NOUNS = (
    r"(?:sources?|contexts?|documents?|passages?|texts?|paragraphs?|information|materials?|articles?|excerpts?|data|"
    r"library|files?|content)"
)
_VERBS = (
    r"(?:contain|provide|mention|specif|say|state|answer|include|give|tell|name|indicate|list|address|have|discuss|"
    r"describe|offer|reveal|support|cover|disclose|refer|make|explain|identif|directly|explicitly|specifically|clearly)"
)
_SAID = (
    r"(?:mentioned|provided|stated|specified|given|found|contained|included|available|listed|there|present|answered|"
    r"named|described|indicated|discussed|disclosed|identified|explained|determined|known|inferred)"
)
_NOUNS_DE = (
    r"(?:quellen?|kontext\w*|dokument(?:e|en|s)?|text(?:e|en|s)?|unterlagen|passagen?|information(?:en)?|"
    r"abschnitt(?:e|en|s)?|artikeln?)"
)
_VERBS_DE = (
    r"(?:beantwort|sag|nenn|enth[aä]lt|geb|gibt|erwähn|mach|schweig|liefer|biet|geht|steh|find|ist|sind|wird|werden)"
)
_NO_DE = r"(?:nicht|nichts|keine?[nrms]?|nirgends)"
_NO = r"(?:not|n't|cannot|nothing|nowhere|never)"
_KINDS = r"(?:information|mention|answer|details?|indication|data|evidence|reference|context)"

# A sentence that has one of these abstains. Apostrophes are straight.
_IN_SENTENCE = (
    rf"\b{_NOUNS}\b[^.;]{{0,60}}?\b(?:does|do|did|doe)(?: not|n't) (?:\w+ )?{_VERBS}",
    rf"\b{_NOUNS}\b[^.;]{{0,40}}? (?:say|tell|state|give|contain|ha[sv]|provide|mention|offer)e?s? (?:nothing|no)\b",
    rf"\b{_NOUNS}\b[^.;]{{0,20}}? (?:is|are) (?:silent|insufficient|not (?:sufficient|enough|clear))\b",
    rf"\b{_NOUNS}\b[^.;]{{0,20}}? (?:cannot|can not|can't) (?:\w+ )?(?:answer|determine|tell|say)",
    rf"\b{_NO}(?: \w+){{0,2}} {_SAID}\b[^.;]{{0,25}}?\b(?:in|by|from|within|with|using|on) [^.;]{{0,25}}?\b{_NOUNS}\b",
    rf"\b(?:in|from|within|by) [^.;]{{0,25}}?\b{_NOUNS}\b[^.;]*\b(?:not|n't|cannot be) (?:\w+ )?{_SAID}\W*$",
    (
        rf"\b(?:no|not any|not enough|insufficient|without) (?:\w+ ){{0,3}}?{_KINDS}\b[^.;]*\b(?:in|by|from|within) "
        rf"[^.;]{{0,25}}?\b{_NOUNS}\b"
    ),
    rf"\b(?:no|none of the) (?:\w+ ){{0,2}}?(?:source|document|passage|paragraph|text)s? (?:\w+ )?{_VERBS}",
    rf"\bthere (?:is|are|was|'s) (?:no|not any|not enough|insufficient) (?:\w+ ){{0,3}}?{_KINDS}\b",
    rf"\b(?:not|n't) (?:contain|provide|have|include|give|offer) (?:\w+ ){{0,3}}?{_KINDS}\b",
    (
        r"\b(?:the|this) (?:answer|question|information|exact \w+|specific \w+)\b[^.;]*\b(?:is not|isn't|are not|"
        rf"was not|cannot be|can't be|could not be) (?:\w+ )?{_SAID}\b"
    ),
    r"\bi (?:do not|don't) (?:know|have (?:\w+ ){0,3}?(?:information|details|data|access|context))",
    (
        r"\b(?:i|we) (?:could not|couldn't|cannot|can't|did not|didn't|am unable to|was unable to|am not able to) "
        r"(?:find|answer|determine|provide|tell|locate)"
    ),
    r"\bi'm (?:unable|not able) to (?:find|answer|determine|provide|tell)",
    r"\b(?:it|the answer|that|this) (?:is|was) not (?:\w+ )?(?:there|mentioned|stated|specified|said|given)\b",
    rf"\b{_NOUNS_DE}\b[^.;]*?\b{_VERBS_DE}\w*\b[^.;]*\b{_NO_DE}\b",
    rf"\b{_NOUNS_DE}\b[^.;]*\b{_NO_DE}\b[^.;]*\b(?:{_VERBS_DE}\w*|angegeben|genannt|enthalten|erwähnt|gefunden)\b",
    rf"\b{_NOUNS_DE} schweigen\b",
    rf"\b{_NO_DE}\b[^.;]*\b(?:im|in de[nmr]|in diese[nmr]|aus de[nmr]|in) (?:\w+ )?{_NOUNS_DE}\b",
    rf"\bkeine (?:\w+ )?{_NOUNS_DE}\b",
    (
        r"\b(?:es|dazu|darüber|hierzu) (?:gibt|liegen|liegt|sind|ist|wird|werden|steht)\b[^.;]*\b(?:keine (?:\w+ )?"
        r"(?:information\w*|angaben?|hinweise?)|nicht (?:\w+ )?(?:angegeben|genannt|erwähnt|bekannt)|nichts)\b"
    ),
    r"\bich (?:kann|konnte|weiß)[^.;]*\b(?:nicht|keine|nichts)\b",
    r"\b(?:das|es|die antwort) (?:steht|ist) (?:dort |da |hier )?nicht (?:da|dort|dabei|enthalten|angegeben|bekannt)\b",
    (
        r"\b(?:antwort|frage)\b[^.;]*\b(?:ist|wird|wurde|kann|lässt)\b[^.;]*\bnicht\b[^.;]*\b"
        r"(?:enthalten|angegeben|erwähnt|genannt|beantwort\w+|vorhanden|da|finden)\b"
    ),
)
# The whole of a sentence.
_SENTENCES = (
    (
        r"(?:(?:it|that|this|the answer|answer) (?:is )?)?(?:not[ _]?(?:found|there|mentioned|stated|specified|"
        r"provided|given|available|known|answered|in (?:the )?\w+)|unknown|n/a|none|no answer|no information|nothing)"
        rf"(?: (?:in|from|by) (?:the )?(?:\w+ )?{_NOUNS})?"
    ),
    (
        r"(?:nicht (?:gefunden|angegeben|genannt|erwähnt|enthalten|bekannt|da|vorhanden|dort)|unbekannt|"
        r"keine (?:angaben?|antwort|information\w*))"
    ),
)
# How it begins in the other languages that the product speaks.
_BEGINNINGS = (
    r"les sources ne \w+ pas",
    r"las fuentes no \w+",
    r"le fonti non \w+",
    r"as fontes não \w+",
    r"de bronnen \w+[^.]*\bniet\b",
    r"источники не \w+",
)
_ABSENT = re.compile(
    "|".join(
        (
            *(f"(?:{each})" for each in _IN_SENTENCE),
            rf"^\W*(?:{'|'.join(_SENTENCES)})\W*$",
            rf"^\W*(?:{'|'.join(_BEGINNINGS)})",
        )
    ),
    re.IGNORECASE,
)
# What may stand before words that abstain without being an answer itself.
_NEUTRAL = re.compile(
    r"^\W*(?:(?:(?:i'm |i am |we are )?(?:very |so )?sorry|unfortunately|i apologi[sz]e|leider|entschuldigung|"
    r"es tut mir leid)\b[^.!?,;]*|answer|antwort)[.!?:]*\W*$",
    re.IGNORECASE,
)
# With such words an answer follows all the same.
_ALL_THE_SAME = re.compile(
    r"\b(?:the (?:\w+ ){0,2}?answer (?:is|would be|could be|might be)\b(?! not)|"
    r"(?:it|we) can (?:be )?(?:infer|assum|conclud|deduc)|it(?: is|'s) (?:likely|probable|known|reasonable)|"
    r"general(?:ly)? know|commonly known|based on (?:general|common|prior|my)|die antwort (?:ist|lautet)\b(?! nicht)|"
    r"es ist (?:wahrscheinlich|bekannt)|vermutlich|wahrscheinlich)",
    re.IGNORECASE,
)
# A full stop inside of a number or an abbreviation ends nothing.
_SENTENCE = re.compile(r"[^.!?\n]+(?:\.(?=\w)[^.!?\n]*)*[.!?]*")


def abstains(text: str) -> bool:
    """Whether a text, without citations, says that the sources do not say it, and does not answer all the same."""
    sentences = [found.group().strip() for found in _SENTENCE.finditer(text.replace("\u2019", "'"))]
    claims = [each for each in sentences if re.search(r"\w", each) and not _NEUTRAL.match(each)]
    if not claims:
        return True
    return _ABSENT.search(claims[0]) is not None and not any(_ALL_THE_SAME.search(each) for each in claims[1:])
