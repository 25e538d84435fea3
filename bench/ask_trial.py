"""With a strong model behind an endpoint, how many of the trial's questions are answered right, and at what cost?

`python -m bench.ask_trial --url URL --out FILE [FOLDER …]` serves the product with the endpoint, adds a folder of
`bench/trial`, asks its questions in conversations of their own, and appends what came of each to a file of JSON lines.
Questions that the file has are not asked again. Without `--url` it prints the score of what the file has.
"""

import argparse
import json
import mimetypes
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from statistics import median
from typing import Any

from tests.cli.process import serving
from tests.support.make_kept_data import OWNER, User

from bench.counting_proxy import CountingProxy
from bench.trial_questions import FOLDER, TrialQuestion, TrialScore, load_questions, score_answer

_RESTS = frozenset({"completed", "failed", "cancelled", "waiting"})
_LOOK_S, _LONGEST_S = 0.3, 3600
_CHARACTERS_PER_TOKEN = 4
Json = dict[str, Any]


@contextmanager
def _served(folder: Path, url: str, model: str) -> Iterator[User]:
    """Serve the product with the folder in its library."""
    named = {
        "INTELLI_MODEL__NAME": model,
        "INTELLI_MODEL__BASE_URL": url,
        "INTELLI_MODEL__TIMEOUT_S": "900",
        "INTELLI_MODEL__SHAPE": "full",
        "INTELLI_ACCESS_TOKEN_MINUTES": "1440",
    }
    with (
        tempfile.TemporaryDirectory() as data,
        serving(Path(data) / "data", env=named) as server,
        User(server.url) as user,
    ):
        user.client.timeout = 120
        user.sign_in("/auth/register", OWNER)
        files = sorted(each for each in folder.iterdir() if each.is_file())
        for path in files:
            kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
            given = {"file": (path.name, path.read_bytes(), kind)}
            user.client.post("/documents", files=given).raise_for_status()
        while user.get("/library/status")["completed"] < len(files):
            time.sleep(_LOOK_S)
        yield user


def _ask(user: User, conversation_id: str, text: str) -> Json:
    """Ask in a conversation and return the run that has come to rest."""
    said = user.post(f"/conversations/{conversation_id}/messages", {"content": text})
    deadline = time.monotonic() + _LONGEST_S
    while time.monotonic() < deadline:
        run: Json = user.get(f"/runs/{said['run']['id']}")
        if run["status"] in _RESTS:
            return run
        time.sleep(_LOOK_S)
    raise TimeoutError(text)


def _first_word_s(user: User, run_id: str) -> float | None:
    """Return the seconds from the run's beginning to the first word of its answer."""
    events = user.get(f"/runs/{run_id}/events")["items"]
    first = next((each for each in events if each["event"]["type"] == "message_delta"), None)
    if first is None:
        return None
    began, spoke = (datetime.fromisoformat(each["created_at"]) for each in (events[0], first))
    return (spoke - began).total_seconds()


def _answer(user: User, question: TrialQuestion, proxy: CountingProxy) -> Json:
    """Ask a question, after the turn before it where there is one, and return what came of it."""
    conversation = user.post("/conversations", {})["id"]
    if question.after:
        _ask(user, conversation, question.after)
    proxy.take()
    run = _ask(user, conversation, question.question)
    tally = proxy.take()
    messages = user.get(f"/conversations/{conversation}/messages")["items"]
    message: Json = next((each for each in reversed(messages) if each["role"] == "agent"), {})
    citations = message.get("citations", [])
    return {
        "id": question.id,
        "answer": message.get("content") or run["agent_response"] or "",
        "asked_back": message.get("needs_clarification_message"),
        "cited": sorted({each["file_name"] for each in citations}),
        "checks": [each["check"] for each in citations],
        "confidence": message.get("confidence_score"),
        "problems": run["problems"],
        "status": run["status"],
        "calls": tally.calls,
        "calls_to_first_word": tally.first_stream,
        "characters_in": tally.prompt_tokens * _CHARACTERS_PER_TOKEN,
        "tokens": [run["input_tokens"], run["output_tokens"]],
        "first_word_s": _first_word_s(user, run["id"]),
    }


def collect(folders: Sequence[str], *, url: str, model: str, out: Path) -> None:
    """Ask the questions of the folders that the file does not have yet."""
    known = {each["id"] for each in _load(out)}
    for folder in folders:
        pending = [each for each in load_questions() if each.folder == folder and each.id not in known]
        if not pending:
            continue
        with (
            CountingProxy(url, "") as proxy,
            _served(FOLDER / folder, proxy.base_url, model) as user,
            out.open("a", encoding="utf-8") as file,
        ):
            for question in pending:
                answer = _answer(user, question, proxy)
                print(json.dumps(answer, ensure_ascii=False), file=file, flush=True)


def _load(path: Path) -> list[Json]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []


def show_scores(found: Sequence[Json]) -> None:
    """Print what each answer lacks, and the figures of all."""
    questions = {each.id: each for each in load_questions()}
    scores: dict[str, TrialScore] = {
        each["id"]: score_answer(questions[each["id"]], each["answer"], each["cited"]) for each in found
    }
    for name, score in scores.items():
        if not score.is_right or not score.is_cited:
            print(f"{name}: missing {score.missing}, wrong {score.wrong}, uncited {score.uncited}")
    checks = [check for each in found for check in each["checks"]]
    for name in ("calls", "calls_to_first_word", "characters_in"):
        if figures := [each[name] for each in found if each.get(name) is not None]:
            print(f"{name}: median {median(figures):,.0f}, at most {max(figures):,}")
    words = [each["first_word_s"] for each in found if each["first_word_s"] is not None]
    print(f"right by strings: {sum(each.is_right for each in scores.values())} of {len(scores)}")
    print(f"citations: {len(checks)}, " + ", ".join(f"{name} {checks.count(name)}" for name in sorted(set(checks))))
    if words:
        print(f"median seconds to the first word: {median(words):.1f}")


def main() -> None:
    """Ask, then print the score."""
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("folders", nargs="*", default=["acquisition", "verein", "fieldwork"])
    given.add_argument("--url", default="", help="address of the endpoint, with its version")
    given.add_argument("--model", default="strong", help="name of its model")
    given.add_argument("--out", type=Path, required=True, help="file of JSON lines")
    chosen = given.parse_args()
    if chosen.url:
        collect(chosen.folders, url=chosen.url, model=chosen.model, out=chosen.out)
    show_scores(_load(chosen.out))


if __name__ == "__main__":
    main()
