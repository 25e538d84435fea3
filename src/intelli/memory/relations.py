"""Relations as keys: `"is employed by"` and `"works at"` have the key `employer`; functional ones have one value."""

import re

MAX_RELATION = 60
_WORD = re.compile(r"[^\W_]+")
_STOP_WORDS = frozenset(
    [
        "is",
        "are",
        "was",
        "were",
        "be",
        "been",
        "being",
        "has",
        "have",
        "had",
        "the",
        "a",
        "an",
        "now",
        "currently",
        "also",
        "recently",
        "just",
        "still",
    ]
)
# One value at a time, whatever the group's schema says.
FUNCTIONAL = frozenset(
    [
        "employer",
        "role",
        "manager",
        "lives_in",
        "located_in",
        "price",
        "status",
        "spouse",
        "born_on",
        "born_in",
        "age",
        "email",
        "phone",
        "address",
        "deadline",
        "budget",
        "salary",
        "capital",
        "headquarters",
        "population",
        "owner",
        "ceo",
        "name",
        "title",
        "version",
        "colour",
        "size",
        "weight",
        "due_date",
        "start_date",
        "end_date",
        "nationality",
        "currency",
        "job_title",
        "mood",
        "plan",
        "diagnosis",
    ]
)
# Prefixes that allow one value only: a favourite, the current one.
_FUNCTIONAL_PREFIXES = ("favourite_", "favorite_", "current_", "preferred_", "main_", "primary_", "next_", "last_")
_SYNONYMS = {
    "employer": "works_for works_at work_for work_at works_with employed_by employed_at works_in joined joins "
    "working_for working_at works job_at hired_by company employment worked_for worked_at",
    "role": "works_as position job job_title promoted_to became occupation profession serves_as",
    "manager": "reports_to boss managed_by supervisor",
    "lives_in": "live_in living_in resides_in moved_to relocated_to city home residence lived_in lives_at moves_to "
    "hometown",
    "located_in": "based_in location situated_in headquartered_in",
    "price": "costs cost priced_at price_of sells_for",
    "status": "state condition",
    "spouse": "married_to married wife husband partner",
    "owns": "bought purchased possesses acquired",
    "born_on": "birthday birth_date date_of_birth birthdate",
    "born_in": "birthplace place_of_birth",
    "email": "e_mail email_address mail",
    "phone": "phone_number telephone mobile number",
    "likes": "loves enjoys prefers favours like love enjoy",
    "dislikes": "hates does_not_like hate dislike",
}
_KEYS = {said: key for key, many in _SYNONYMS.items() for said in many.split()}

_PHRASES = {
    "employer": "works for",
    "role": "is",
    "manager": "reports to",
    "lives_in": "lives in",
    "located_in": "is in",
    "price": "costs",
    "spouse": "is married to",
    "born_on": "was born on",
    "born_in": "was born in",
}


def key_of(phrase: str) -> str:
    """Return the key of a relation, from a phrase or a declared name; empty for a phrase without letters or digits."""
    words = [word.casefold() for word in _WORD.findall(phrase)]
    telling = [word for word in words if word not in _STOP_WORDS] or words
    key = "_".join(telling)[:MAX_RELATION].strip("_")
    return _KEYS.get(key, key)


def is_functional(key: str) -> bool:
    """Return True when a thing has one value of this relation at a time."""
    return key in FUNCTIONAL or key.startswith(_FUNCTIONAL_PREFIXES)


def render(subject: str, relation: str, object: str) -> str:
    """Return a relation as a short sentence: `"Ada works for Acme."`."""
    phrase = _PHRASES.get(relation)
    if phrase is not None:
        return f"{subject} {phrase} {object}."
    words = relation.replace("_", " ")
    return f"{subject}: {words} is {object}." if is_functional(relation) else f"{subject} {words} {object}."
