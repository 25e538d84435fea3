"""Name figures that are the object of an action: "handled 4.2 million tonnes of cargo" → "cargo handled"."""

from collections.abc import Sequence

from intelli.reasoning.extractive import clauses
from intelli.reasoning.extractive.figure_spot import SCALES, Spot, join_owner
from intelli.reasoning.extractive.figure_words import known_words


def name_of_action(spot: Spot, words: list[str], tail: list[str]) -> str:
    """What was done to how much of what: the thing and the verb, and who did it."""
    known = known_words()
    acted = _split_action(words)
    if acted is None:
        return ""
    whole, verb = acted
    who = _actor([word for word in whole if clauses.low(word) not in known.modal | known.being | known.owning])
    if who is None:
        return ""
    counted = next((word for word in spot.unit.lower().split() if word in known.counted), "")
    thing = counted or _object(spot, tail)
    done = verb if verb.endswith("ed") or verb in {"spent", "sold", "built", "lent", "paid"} else ""
    if thing and (done or who):
        return join_owner(f"{thing} {done}".strip(), who, spot)
    return _of_payment(spot, verb, who, tail) if spot.is_money else ""


def _split_action(words: list[str]) -> tuple[list[str], str] | None:
    """Split the words before a figure from their last verb in the past; None for no action.

    An entitlement ("entitled to 30 days") has no verb.
    """
    known = known_words()
    verb = clauses.low(words[-1])
    if verb in {"auf", "to"} and len(words) > 1 and clauses.low(words[-2]) in {"anspruch", "entitled"}:
        whole, verb = words[:-2], ""
    elif not _is_past(words[-1], verb) or (verb in known.modal and verb not in known.owning):
        return None
    else:
        whole = words[:-1]
    return None if whole and clauses.low(whole[-1]).endswith("ly") else (whole, verb)


def _is_past(word: str, verb: str) -> bool:
    return clauses.is_low(word) and (verb.endswith(("ed", "te", "ten")) or verb in known_words().acting)


def _of_payment(spot: Spot, verb: str, who: str, tail: Sequence[str]) -> str:
    aim = _aim(tail)
    if aim and verb:
        return join_owner(f"{verb} {aim}", who, spot)
    return join_owner(verb, who, spot) if who and verb in known_words().telling else ""


def _object(spot: Spot, tail: Sequence[str]) -> str:
    """What a figure is a figure of: "tonnes of cargo", "412,000 items", "30 Tage Urlaub"."""
    if not tail:
        return ""
    known = known_words()
    first = clauses.low(tail[0])
    if first in {"of", "von"}:
        return clauses.phrase_of(tail[1:])
    unit = [word for word in spot.unit.lower().split() if word not in known.counted]
    is_count = not spot.is_money and (not unit or unit[-1] in SCALES or unit[-1] in known.times)
    return clauses.phrase_of(tail) if is_count and first not in known.prepositions and tail[0][:1].isalpha() else ""


def _aim(tail: Sequence[str]) -> str:
    """What money went into or came from."""
    if not tail or clauses.low(tail[0]) not in {"on", "in", "into", "for", "from", "f\u00fcr", "an"}:
        return ""
    thing = clauses.phrase_of(tail[1:])
    return f"{clauses.low(tail[0])} {thing}" if thing else ""


def _actor(words: Sequence[str]) -> str | None:
    """Who acts; nothing where it goes without saying, None where it cannot be told."""
    known = known_words()
    lowered = [clauses.low(word) for word in words if clauses.low(word) not in known.approximate]
    bare = [word for word in lowered if word not in known.determiners]
    if len(bare) <= 1 and set(bare) <= known.actors | {"we", "wir"}:
        return ""
    # "Employees the opportunity": a second thing stands between who acts and the verb.
    is_one = not any(word in known.determiners for word in bare[1:]) and bare == lowered[len(lowered) - len(bare) :]
    return (clauses.subject_of(words) or None) if is_one or known.prepositions & set(bare) else None
