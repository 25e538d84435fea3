"""With a small model, what share of answers is right, wrong, made up or abstained? Ours beside two peers.

`python -m bench.local_model --url URL --model NAME` asks the same questions over the same library of paragraphs, with
the same model and five passages, of Intelli, LlamaIndex and Haystack; for a part of them the paragraph that answers is
not in the library. Each peer is asked twice, with its own prompt and with one sentence more. Replies are kept in a file
(`--cache`), so that a run can be gone on with, and scored again with `--offline`. Without `--url` a model answers by
rules: that shows that all works, and nothing else. The data is not part of this repository (`--data`).
"""

import argparse
import asyncio
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

from tests.support.model_server import ModelServer

from bench import answer_sets, data, peers
from bench.answer_cache import AnswerCache, Key, Reply
from bench.answer_scores import Outcome, contains, is_near, judge, wilson
from bench.answer_sets import Question, Split
from bench.answering_systems import PEERS, VARIANTS, Endpoint, Peer, Product, System
from bench.counting_proxy import CountingProxy
from bench.figures import Comparison, Size

QUESTION = "With a small model, what share of answers is right, wrong, made up or abstained? Ours beside two peers."
_CACHE = Path(tempfile.gettempdir()) / "intelli-local-model.jsonl"
_OURS = "Intelli"
_WITH_ANSWER = (Outcome.RIGHT, Outcome.WRONG, Outcome.ABSTAINED)
_WITHOUT_ANSWER = (Outcome.MADE_UP, Outcome.ABSTAINED)


@dataclass(frozen=True)
class Scored:
    """The outcomes of one system on one split, and what its answers took."""

    name: str
    answerable: Counter[Outcome]
    unanswerable: Counter[Outcome]
    near: int
    cited_words: int
    cited_passages: int
    seconds: float
    calls: float
    prompt_tokens: float

    @property
    def right(self) -> int:
        """Answers that are right."""
        return self.answerable[Outcome.RIGHT]

    @property
    def misleading(self) -> int:
        """Answers that are wrong or made up."""
        return self.answerable[Outcome.WRONG] + self.unanswerable[Outcome.MADE_UP]

    @property
    def good(self) -> int:
        """Questions that were answered, or not, as they should be."""
        return self.right + self.unanswerable[Outcome.ABSTAINED]


def systems(names: Sequence[str], variants: Sequence[str], product: Product) -> list[System]:
    """The systems to ask: ours first, then each peer with each prompt."""
    found: list[System] = [product] if _OURS.lower() in names else []
    return found + [Peer(peer, each) for each in variants for peer in PEERS if peer.lower() in names]


def collect(split: Split, asked: Sequence[System], endpoint: Endpoint, cache: AnswerCache) -> None:
    """Have all questions answered that have no answer yet."""
    for system in asked:
        if pending := [each for each in split.questions if _is_open(cache.find(_key(split, system, endpoint, each)))]:
            _collect_from(system, split, pending, endpoint=endpoint, cache=cache)


def _collect_from(
    system: System, split: Split, pending: Sequence[Question], *, endpoint: Endpoint, cache: AnswerCache
) -> None:
    with (
        CountingProxy(endpoint.url, endpoint.key) as proxy,
        system.begun(split.library, endpoint, proxy) as answerer,
    ):
        for number, question in enumerate(pending, 1):
            reply = answerer.ask(question)
            cache.keep(_key(split, system, endpoint, question), reply)
            outcome = _outcome(question, reply)
            told = f"{split.name} {system.name} {number}/{len(pending)} {reply.seconds:.0f} s {outcome}"
            print(f"{told}: {question.text} | {reply.error or reply.text[:160]!r}", file=sys.stderr, flush=True)


def _is_open(reply: Reply | None) -> bool:
    return reply is None or bool(reply.error)


def _key(split: Split, system: System, endpoint: Endpoint, question: Question) -> Key:
    return Key(split.name, system.name, system.version, endpoint.model, question.name, question.language)


def score(split: Split, system: System, endpoint: Endpoint, cache: AnswerCache) -> Scored | None:
    """The outcomes of a system, if all questions have a reply."""
    found = [(each, cache.find(_key(split, system, endpoint, each))) for each in split.questions]
    replies = [(question, reply) for question, reply in found if reply is not None]
    if len(replies) < len(found):
        return None
    return tally(_title(system, [reply for _, reply in replies]), replies)


def _title(system: System, replies: Sequence[Reply]) -> str:
    name = str(replies[0].notes.get("system", system.name))
    return f"{name}, {system.variant}" if isinstance(system, Peer) else name


def tally(name: str, replies: Sequence[tuple[Question, Reply]]) -> Scored:
    """Count the outcomes of replies."""
    outcomes: dict[bool, Counter[Outcome]] = {True: Counter(), False: Counter()}
    near = words = passages = 0
    for question, reply in replies:
        outcome = _outcome(question, reply)
        outcomes[question.is_answerable][outcome] += 1
        near += outcome is Outcome.WRONG and is_near(reply.text, question.answers)
        if outcome is Outcome.RIGHT:
            words += _cites(question, [each.words for each in reply.citations])
            passages += _cites(question, [each.paragraph for each in reply.citations])
    every = [reply for _, reply in replies]
    return Scored(
        name=name,
        answerable=outcomes[True],
        unanswerable=outcomes[False],
        near=near,
        cited_words=words,
        cited_passages=passages,
        seconds=median(each.seconds for each in every),
        calls=sum(each.calls for each in every) / len(every),
        prompt_tokens=median(each.prompt_tokens for each in every),
    )


def _outcome(question: Question, reply: Reply) -> Outcome:
    """What a reply comes to. To ask back is no answer, but misleads nobody."""
    if reply.error:
        return Outcome.FAILED
    if reply.notes.get("is_asked_back"):
        return Outcome.ABSTAINED
    return judge(reply.text, question.answers, is_answerable=question.is_answerable)


def _cites(question: Question, texts: Sequence[str]) -> bool:
    return any(contains(text, answer) for text in texts for answer in question.answers)


def better_peer(scored: Sequence[Scored]) -> Scored | None:
    """The peer, with the better of its prompts, that did best by most questions."""
    others = [each for each in scored if not each.name.startswith(_OURS)]
    return max(others, key=lambda each: (each.good, each.right), default=None)


def table(split: Split, scored: Sequence[Scored]) -> str:
    """The outcomes of all systems on a split, with 95 % intervals."""
    answerable = sum(each.is_answerable for each in split.questions)
    unanswerable = len(split.questions) - answerable
    first = " ".join(f"{kind:>15}" for kind in _WITH_ANSWER)
    second = " ".join(f"{kind:>15}" for kind in _WITHOUT_ANSWER)
    lines = [
        f"{split.name}: {len(split.library)} paragraphs; {answerable} questions they answer, {unanswerable} not",
        f"{'':<62} {first} | {second} | failed     s calls tokens",
    ]
    for each in scored:
        first = " ".join(f"{_share(each.answerable[kind], answerable):>15}" for kind in _WITH_ANSWER)
        second = " ".join(f"{_share(each.unanswerable[kind], unanswerable):>15}" for kind in _WITHOUT_ANSWER)
        failed = each.answerable[Outcome.FAILED] + each.unanswerable[Outcome.FAILED]
        took = f"{failed:>6} {each.seconds:>5.0f} {each.calls:>5.1f} {each.prompt_tokens:>6.0f}"
        lines.append(f"{each.name:<62} {first} | {second} | {took}")
    return "\n".join([*lines, *_near(scored), *_ratios(scored), *_citations(scored)])


def _near(scored: Sequence[Scored]) -> Iterator[str]:
    told = ", ".join(f"{each.near} of {each.answerable[Outcome.WRONG]}" for each in scored)
    yield f"wrong, but with half of the words in common with the right answer (in this order): {told}"


def _share(hits: int, count: int) -> str:
    low, high = wilson(hits, count)
    return f"{hits} {100 * low:.0f}-{100 * high:.0f} %"


def _ratios(scored: Sequence[Scored]) -> Iterator[str]:
    peer = better_peer(scored)
    for ours in (each for each in scored if each.name.startswith(_OURS)):
        if peer is not None:
            yield f"{ours.name} against the better peer, {peer.name}:"
            misleading = _ratio(ours.misleading, peer.misleading)
            yield f"  right {_ratio(ours.right, peer.right)}; wrong or made up {misleading}"


def _ratio(ours: int, theirs: int) -> str:
    return f"{ours} / {theirs}" + (f" = {ours / theirs:.2f}" if theirs else "")


def _citations(scored: Sequence[Scored]) -> Iterator[str]:
    for each in scored:
        if each.name.startswith(_OURS):
            yield (
                f"{each.name}: of {each.right} right answers {each.cited_passages} cite a passage with the answer, "
                f"{each.cited_words} its words"
            )


def compare(split: Split, scored: Sequence[Scored]) -> list[Comparison]:
    """The figures of a split."""
    measures: Mapping[str, Mapping[str, float]] = {
        "right": {each.name: each.right for each in scored},
        "wrong or made up": {each.name: each.misleading for each in scored},
        "median time": {each.name: each.seconds for each in scored},
    }
    units = {"right": "answers", "wrong or made up": "answers", "median time": "s"}
    return [Comparison(f"{split.name}: {name}", units[name], values) for name, values in measures.items()]


async def measure(size: Size = Size.USUAL) -> list[Comparison]:
    """All systems, with a model that answers by rules; at the smallest size only those that are installed."""
    plans = size.of(answer_sets.PLANS, answer_sets.SMALLEST)
    names = [_OURS.lower(), *(name.lower() for name, peer in PEERS.items() if _is_wanted(peer, size))]
    with tempfile.TemporaryDirectory() as folder, _by_rules() as endpoint:
        return await asyncio.to_thread(
            _measure, plans, systems(names, tuple(VARIANTS), Product()), endpoint, AnswerCache(Path(folder) / "answers")
        )


def _is_wanted(peer: str, size: Size) -> bool:
    return size is Size.USUAL or peers.is_installed(peer)


def _measure(
    plans: Mapping[str, answer_sets.Plan], asked: Sequence[System], endpoint: Endpoint, cache: AnswerCache
) -> list[Comparison]:
    found: list[Comparison] = []
    for name, plan in plans.items():
        split = answer_sets.load(name, plan)
        collect(split, asked, endpoint, cache)
        scored = [each for system in asked if (each := score(split, system, endpoint, cache)) is not None]
        print(f"\n{table(split, scored)}", flush=True)
        found += compare(split, scored)
    return found


@contextmanager
def _by_rules() -> Iterator[Endpoint]:
    with ModelServer() as server:
        yield Endpoint(server.base_url, "rules", "", {})


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m bench.local_model", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--url", default="", help="address of the endpoint, with its version")
    parser.add_argument("--model", default="rules", help="name of its model")
    parser.add_argument("--key-file", type=Path, help="file with its key")
    parser.add_argument("--data", type=Path, default=data.folder(), help="the folder that holds xquad")
    parser.add_argument("--cache", type=Path, default=_CACHE, help=f"file of replies; {_CACHE} unless given")
    parser.add_argument("--split", action="append", choices=tuple(answer_sets.PLANS), help="all unless given")
    named = [_OURS.lower(), *(each.lower() for each in PEERS)]
    parser.add_argument("--system", action="append", choices=named, help="all unless given")
    parser.add_argument(
        "--variant", action="append", type=int, choices=(1, 2), help="prompt of the peers: 1 its own, 2"
    )
    parser.add_argument("--label", default="", help="name for the replies of ours, in place of a hash of its code")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a further setting of ours")
    parser.add_argument("--limit", type=int, help="so many questions of a split only, to try it")
    parser.add_argument("--offline", action="store_true", help="score what is in the file, and ask nothing")
    parser.add_argument("--list", action="store_true", help="print every question with the replies and their outcomes")
    given = parser.parse_args()
    if not (given.data / "xquad").is_dir():
        parser.error(f"there is no xquad in {given.data}; name the folder with --data")
    if not all("=" in each for each in given.set):
        parser.error("a setting is given as NAME=VALUE")
    return given


def main() -> None:
    """Ask what has not been asked, and print the tables."""
    given = _arguments()
    settings = dict(each.split("=", 1) for each in given.set)
    key = given.key_file.read_text(encoding="utf-8").strip() if given.key_file else ""
    product = Product(given.label, tuple(settings.items()))
    variants = [tuple(VARIANTS)[each - 1] for each in given.variant or (1, 2)]
    named = given.system or [_OURS.lower(), *(each.lower() for each in PEERS)]
    asked, cache = systems(named, variants, product), AnswerCache(given.cache)
    with data.placed_at(given.data), _endpoint(given.url, given.model, key, settings) as endpoint:
        for name in given.split or answer_sets.PLANS:
            split = answer_sets.load(name, answer_sets.PLANS[name])
            split = replace(split, questions=split.questions[: given.limit])
            if not given.offline:
                collect(split, asked, endpoint, cache)
            if given.list:
                _print_replies(split, asked, endpoint, cache)
            scored = [each for system in asked if (each := score(split, system, endpoint, cache)) is not None]
            print(f"\n{table(split, scored)}", flush=True)


@contextmanager
def _endpoint(url: str, model: str, key: str, settings: Mapping[str, str]) -> Iterator[Endpoint]:
    if url or model != "rules":
        yield Endpoint(url, model, key, settings)
        return
    with _by_rules() as made:
        yield Endpoint(made.url, made.model, "", settings)


def _print_replies(split: Split, asked: Sequence[System], endpoint: Endpoint, cache: AnswerCache) -> None:
    for question in split.questions:
        kind = "has an answer" if question.is_answerable else "has none"
        print(f"\n{question.language} {question.text} ({kind}: {' | '.join(question.answers)})")
        for system in asked:
            reply = cache.find(_key(split, system, endpoint, question))
            if reply is not None:
                shown = " ".join((reply.error or reply.text).split())
                print(f"  {_outcome(question, reply):<10} {_title(system, [reply])}: {shown}")


if __name__ == "__main__":
    main()
