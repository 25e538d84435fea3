"""Lets a peer answer with extracts: takes a file of texts by path, then answers each line with a line."""

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path

_END = re.compile(r"(?<=[.!?])\s+(?=[A-ZÄÖÜ0-9])")
Retrieve = Callable[[str], list[tuple[str, str]]]


def serve(make: Callable[[dict[str, str]], Retrieve]) -> None:
    """Make a retriever for each focus, and answer with the first sentence of the passage that it finds best."""
    texts: dict[str, str] = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    made: dict[str, Retrieve] = {}
    for line in sys.stdin:
        asked = json.loads(line)
        focus = asked["focus"]
        if focus not in made:
            made[focus] = make({path: text for path, text in texts.items() if f"{path}/".startswith(f"{focus}/")})
        path, passage = next(iter(made[focus](asked["question"])), ("", ""))
        text = _END.split(" ".join(passage.split()))[0]
        print(json.dumps({"text": text, "path": path, "passage": passage}), flush=True)
