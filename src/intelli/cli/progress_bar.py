"""A progress bar on standard error, where somebody looks at it; silent everywhere else."""

from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn


class ProgressBar:
    """What a long command is at, and how far."""

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
        """Start on the next thing, of which there is so much to do."""
        self._task = self._progress.add_task(what, total=max(total, 1))

    def advance(self, steps: int) -> None:
        """Say that so much more is done."""
        self._progress.advance(self._task, steps)
