"""`intelli models`: language models of this installation."""

import typer

from intelli.cli import install_model

app = typer.Typer(help="Language models of this installation.", no_args_is_help=True)
for command in (install_model.install, install_model.uninstall, install_model.status):
    app.command()(command)
