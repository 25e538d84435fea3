"""How a computation fails without a result of its own."""

from intelli.kit.errors import TooLarge, Unavailable

_LESS = "Ask for less at once, or shorten the text, and try again."


class OutOfTime(TooLarge):
    """A computation took longer than it may."""

    code = "computation_out_of_time"
    title = "Too much to work on at once"

    def __init__(self, time_s: float) -> None:
        super().__init__(f"Working on this took longer than the {time_s:g} s it may take, and was stopped. {_LESS}")


class OutOfMemory(TooLarge):
    """A computation needs more memory than it may use, or gives more than it may."""

    code = "computation_out_of_memory"
    title = "Too much to work on at once"

    def __init__(self, memory_bytes: int) -> None:
        super().__init__(f"Working on this needs more than the {memory_bytes >> 20} MB it may use. {_LESS}")


class Crashed(TooLarge):
    """The process of a computation ended before it was done."""

    code = "computation_crashed"
    title = "Too much to work on at once"

    def __init__(self) -> None:
        super().__init__(f"The process that worked on this ended before it was done. {_LESS}")


class ComputeUnavailable(Unavailable):
    """No process can be started to compute in."""

    code = "compute_unavailable"

    def __init__(self) -> None:
        super().__init__("No process can be started to work on this. Try again in a minute.")


class Raised(Exception):
    """A function raised an error in its process: which one and where. Its text may quote a source, and stays there."""

    def __init__(self, error: str, where: list[str]) -> None:
        super().__init__(f"{error} at {' < '.join(reversed(where))}")
