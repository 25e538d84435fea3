"""Diffs in a terminal: what would go and what would come, in colours where somebody looks."""

import typer

from intelli.cli import output


def lay_out(diff: str | None, conflicts: list[str]) -> None:
    """Show what would change, in colours where somebody looks, and what is in the way."""
    colours = {"+": typer.colors.GREEN, "-": typer.colors.RED, "@": typer.colors.CYAN}
    for line in (diff or "").splitlines():
        typer.secho(f"  {output.harmless(line)}", fg=colours.get(line[:1]))
    for conflict in conflicts:
        typer.secho(f"  ! {output.harmless(conflict)}", fg=typer.colors.YELLOW)
