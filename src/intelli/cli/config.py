"""`intelli config`: prints the effective settings and the source of each."""

import typer

from intelli.cli import output
from intelli.cli.options import AsJson, Data

app = typer.Typer(invoke_without_command=True)


@app.callback()
def config(context: typer.Context, data: Data = None, as_json: AsJson = False) -> None:
    """Show every setting with its value and its source; secrets are masked.

    A setting comes, uppermost first, from the command line, from an environment variable (INTELLI_ and its name in
    capitals, with __ for a dot), from intelli.toml in the data directory, or it has its default.
    """
    if context.invoked_subcommand is not None:
        return
    from intelli import settings

    lines = settings.describe(settings.load(data))
    if as_json:
        output.write_json([{"name": line.name, "value": line.value_masked, "source": line.source} for line in lines])
        return
    output.table(("setting", "value", "source"), [(line.name, line.value_masked, line.source) for line in lines])


@app.command()
def path(data: Data = None, as_json: AsJson = False) -> None:
    """Show where intelli.toml is looked for."""
    from intelli import settings

    file = settings.load(data).settings.data / settings.TOML_NAME
    if as_json:
        output.write_json({"path": str(file), "exists": file.exists()})
    else:
        output.line(str(file))
