"""`python -m bench [name …]`: ask all questions, or those named."""

import argparse
import asyncio

from bench import commits, ingest, memory, rls_cost, run_overhead, smoothness, startup, streaming
from bench.figures import show

_QUESTIONS = {
    "rls_cost": rls_cost,
    "commits": commits,
    "startup": startup,
    "ingest": ingest,
    "streaming": streaming,
    "run_overhead": run_overhead,
    "smoothness": smoothness,
    "memory": memory,
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="name", help=f"any of: {', '.join(_QUESTIONS)}")
    names = parser.parse_args().names or list(_QUESTIONS)
    if unknown := set(names) - set(_QUESTIONS):
        parser.error(f"there is no {', '.join(sorted(unknown))}; there are {', '.join(_QUESTIONS)}")
    for name in names:
        question = _QUESTIONS[name]
        show(question.QUESTION, asyncio.run(question.measure()))


main()
