"""Errors of a computation that ended without a result."""

from intelli.kit.errors import TooLarge, Unavailable

_LESS = "Ask for less at once, or shorten the text, and try again."


class ComputationFailed(TooLarge):
    """A computation was ended before it had a result. The same would come of it again."""

    code = "computation_failed"
    title = "Too much to work on at once"


class OutOfTime(ComputationFailed):
    """A computation took longer than it may."""

    code = "computation_out_of_time"

    def __init__(self, time_s: float) -> None:
        super().__init__(f"Working on this took longer than the {time_s:g} s it may take, and was stopped. {_LESS}")


class OutOfMemory(ComputationFailed):
    """A computation needs more memory than it may use, or gives more than it may."""

    code = "computation_out_of_memory"

    def __init__(self, memory_bytes: int) -> None:
        super().__init__(f"Working on this needs more than the {memory_bytes >> 20} MB it may use. {_LESS}")


class ComputationCrashed(ComputationFailed):
    """The process of a computation ended before it was done."""

    code = "computation_crashed"

    def __init__(self) -> None:
        super().__init__(f"The process that worked on this ended before it was done. {_LESS}")


class ComputeUnavailable(Unavailable):
    """No process can be started to compute in."""

    code = "compute_unavailable"

    def __init__(self) -> None:
        super().__init__("No process can be started to work on this. Try again in a minute.")


class RemoteError(Exception):
    """A function raised an error in its process: which one and where. Its text may quote a source, and stays there."""

    def __init__(self, error: str, where: list[str]) -> None:
        super().__init__(f"{error} at {' < '.join(reversed(where))}")
