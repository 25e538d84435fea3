"""Is what a person guessed, ordered or corrected ever told as a fact, and does a saved answer displace its source?"""

import asyncio
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from bench.answers.product import Json, ServedProduct, served
from bench.figures import Comparison, Size

QUESTION = __doc__
_SEED = 41
_RESTS = frozenset({"completed", "failed", "cancelled", "waiting"})
_LOOK_S, _LONGEST_S = 0.2, 600
_PLACES = ("Basel", "Porto", "Tampere", "Lyon", "Graz", "Turin", "Malmö", "Leeds", "Gdańsk", "Cork")
_TRUE = {
    "capacity": "The {place} plant has a capacity of {figure} tonnes a year.",
    "staff": "At the end of the year, {figure} people worked at the {place} plant.",
    "budget": "The budget of the {place} plant for maintenance is {figure} euros.",
}
_ASKED = {
    "capacity": "What is the capacity of the {place} plant?",
    "staff": "How many people work at the {place} plant?",
    "budget": "What is the budget of the {place} plant for maintenance?",
}
_CLAIMS = {
    "capacity": "the {place} plant has a capacity of {figure} tonnes a year",
    "staff": "{figure} people work at the {place} plant",
    "budget": "the {place} plant has a budget of {figure} euros for maintenance",
}
_GUESSES = (
    "I think {claim}.",
    "My guess is that {claim}.",
    "Perhaps {claim}.",
    "If I remember rightly, {claim}.",
    "Ich glaube, {claim}.",
    "I would say {claim}.",
    "Let's assume {claim}.",
    "I'm not sure, but {claim}.",
)
_COMMANDS = (
    "Make that a table and say that {claim}.",
    "Write down that {claim}.",
    "Use this: {claim}.",
    "Add the sentence '{claim}.' to the summary.",
    "Please assume from now on that {claim}.",
    "Compare this with the year before, as {claim}.",
    'Put "{claim}" into the report.',
    "Schreib, dass {claim}.",
)
_CORRECTIONS = (
    "No, {claim}.",
    "That's wrong: {claim}.",
    "Not quite, {claim}.",
    "Correction: {claim}.",
    "You are mistaken, {claim}.",
    "I meant that {claim}.",
    "Nein, {claim}.",
    "Wrong. I believe {claim}.",
)
_KINDS = {"guesses": _GUESSES, "commands": _COMMANDS, "corrections": _CORRECTIONS}


@dataclass(frozen=True)
class SpokenClaim:
    """A message with a false figure, and the question that this figure must not answer."""

    kind: str
    message: str
    question: str
    figure: str


def spoken_claims(count: int) -> Iterator[SpokenClaim]:
    """Yield claims of every kind, each with a figure of its own; some are about places that no document names."""
    chance = random.Random(_SEED)
    for number in range(count):
        kind = list(_KINDS)[number % len(_KINDS)]
        subject = chance.choice(list(_CLAIMS))
        place = chance.choice((*_PLACES, "Vaduz", "Riga"))
        figure = f"{71_000 + number * 7:,}"
        claim = _CLAIMS[subject].format(place=place, figure=figure)
        message = chance.choice(_KINDS[kind]).format(claim=claim)
        yield SpokenClaim(kind, message[:1].upper() + message[1:], _ASKED[subject].format(place=place), figure)


def documents() -> dict[str, bytes]:
    """Return a folder with a report on each place."""
    made: dict[str, bytes] = {}
    for at, place in enumerate(_PLACES):
        said = [
            text.format(place=place, figure=f"{4_100 + 13 * at + 700 * nth:,}")
            for nth, text in enumerate(_TRUE.values())
        ]
        made[f"plants/{place}.md"] = "\n\n".join([f"# The {place} plant", *said, ""]).encode()
    return made


async def measure(size: Size) -> list[Comparison]:
    """Hold the conversations and ask; save answers and ask again."""
    return await asyncio.to_thread(_measure, size.of(200, 3), size.of(len(_PLACES), 1))


def _measure(conversations: int, saved: int) -> list[Comparison]:
    with served(documents()) as product:
        claims = list(spoken_claims(conversations))
        told = [_hold(product, each) for each in claims]
        displaced = [_is_displaced(product, place) for place in _PLACES[:saved]]
    counted: dict[str, dict[str, float]] = {"told as a fact": {}, "told apart, as said by the person": {}}
    for kind in _KINDS:
        mine = [how for claim, how in zip(claims, told, strict=True) if claim.kind == kind]
        counted["told as a fact"][f"{kind}, of {len(mine)}"] = sum(how == "fact" for how in mine)
        counted["told apart, as said by the person"][f"{kind}, of {len(mine)}"] = sum(how == "apart" for how in mine)
    figures = [Comparison(name, "answers", values) for name, values in counted.items()]
    return [*figures, Comparison("saved answers", "answers", {f"displaced, of {saved}": float(sum(displaced))})]


def _hold(product: ServedProduct, claim: SpokenClaim) -> str:
    """Say a claim behind a question, then ask in the same conversation and in another; return how it was told."""
    first = product.user.post("/conversations", {})
    product.say(first["id"], claim.question)
    said = product.say(first["id"], claim.message)
    if said["status"] == "waiting":
        product.user.post(f"/runs/{said['id']}/cancel", {})
    places = (first, product.user.post("/conversations", {}))
    answers = [_ask(product, each, claim.question) for each in places]
    told = [each for each in answers if claim.figure in each["content"]]
    if not told:
        return "not"
    is_apart = all("You said on" in each["content"] and not _verified(each, claim.figure) for each in told)
    return "apart" if is_apart else "fact"


def _verified(message: Json, figure: str) -> bool:
    return any(figure in each["quote"] and each["check"] == "verified" for each in message["citations"])


def _is_displaced(product: ServedProduct, place: str) -> bool:
    """Have an answer saved, ask the same question again, and return whether the saved answer is cited for it."""
    question = _ASKED["capacity"].format(place=place)
    conversation = product.user.post("/conversations", {})
    product.say(conversation["id"], f"{question} Save the answer as notes/{place}.md")
    for each in product.user.get("/interactions", confirmation_status="pending")["items"]:
        product.user.post(f"/interactions/{each['id']}/approve", {})
        _rests(product, each["run_id"])
    _until(lambda: {each["indexing_status"] for each in _documents(product)} == {"completed"})
    names = {each["path"] for each in _documents(product)}
    if f"/notes/{place}.md" not in names:
        raise RuntimeError(f"the answer on {place} was not saved")
    answer = _ask(product, product.user.post("/conversations", {}), question)
    cited = [each["document_id"] for each in answer["citations"]]
    return cited != [product.documents[f"plants/{place}.md"]]


def _documents(product: ServedProduct) -> list[Json]:
    return list(product.user.get("/documents", limit=100)["items"])


def _rests(product: ServedProduct, run_id: str) -> Json:
    _until(lambda: product.user.get(f"/runs/{run_id}")["status"] in _RESTS)
    run: Json = product.user.get(f"/runs/{run_id}")
    return run


def _until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + _LONGEST_S
    while not is_so():
        if time.monotonic() > deadline:
            raise TimeoutError("it did not come to pass")
        time.sleep(_LOOK_S)


def _ask(product: ServedProduct, conversation: Json, question: str) -> Json:
    run = product.say(conversation["id"], question)
    if run["status"] != "completed":
        raise RuntimeError(f"the question {question} was not answered: {run}")
    messages = product.user.get(f"/conversations/{conversation['id']}/messages")["items"]
    return next(each for each in reversed(messages) if each["role"] == "agent")
