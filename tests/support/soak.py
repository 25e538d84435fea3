"""How long to try: a little in every run, for long when someone asks for it with `make soak`."""

import os

IS_SOAKING = bool(os.environ.get("INTELLI_TEST_SOAK"))


def often(times: int, *, soaking: int) -> int:
    """How often to try something that chance decides."""
    return soaking if IS_SOAKING else times
