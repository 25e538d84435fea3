"""`python -m bench [name …]`: run the usual benchmarks, or those named; `--list` lists all."""

import argparse
import asyncio

from bench import data, listed
from bench.figures import Size, show


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="name", help=f"any of: {', '.join(listed.NAMES)}")
    parser.add_argument("--list", action="store_true", help="tell what each of them asks")
    parser.add_argument("--smallest", action="store_true", help="on made-up data, as small as it can be: does it run?")
    given = parser.parse_args()
    if unknown := set(given.names) - set(listed.NAMES):
        parser.error(f"there is no {', '.join(sorted(unknown))}; there are {', '.join(listed.NAMES)}")
    if given.list:
        for name in listed.NAMES:
            print(f"{name:<18} {listed.load(name).QUESTION}")
        return
    for name in given.names or listed.USUAL:
        _ask(name, is_smallest=given.smallest)


def _ask(name: str, *, is_smallest: bool) -> None:
    bench = listed.load(name)
    if not is_smallest:
        show(bench.QUESTION, asyncio.run(bench.measure(Size.USUAL)))
        return
    with data.made_up():
        show(bench.QUESTION, asyncio.run(bench.measure(Size.SMALLEST)))


main()
