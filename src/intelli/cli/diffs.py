"""Prints diffs, in colours on a terminal."""

import typer

from intelli.cli import output


def print_diff(diff: str | None, conflicts: list[str]) -> None:
    """Print a diff and its conflicts, in colours on a terminal."""
    colours = {"+": typer.colors.GREEN, "-": typer.colors.RED, "@": typer.colors.CYAN}
    for line in (diff or "").splitlines():
        typer.secho(f"  {output.strip_controls(line)}", fg=colours.get(line[:1]))
    for conflict in conflicts:
        typer.secho(f"  ! {output.strip_controls(conflict)}", fg=typer.colors.YELLOW)
