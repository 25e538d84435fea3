"""Progress bar on standard error; hidden unless that is a terminal."""

from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn


class ProgressBar:
    """Progress of a long command, one bar for each of its steps."""

    def __init__(self, *, quiet: bool) -> None:
        console = Console(stderr=True)
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TaskProgressColumn(),
            TimeRemainingColumn(),
            console=console,
            disable=quiet or not console.is_terminal,
        )
        self._task = self._progress.add_task("", visible=False)

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()

    def begin(self, what: str, total: int) -> None:
        """Start the bar of the next step, which has `total` units of work."""
        self._task = self._progress.add_task(what, total=max(total, 1))

    def reach(self, done: int) -> None:
        """Set how many units of work of the current step are done."""
        self._progress.update(self._task, completed=done)

    def advance(self, steps: int) -> None:
        """Add finished units of work to the current step."""
        self._progress.advance(self._task, steps)
