"""`intelli models`: connects language models, shows what they can do, and chooses which of them answer."""

import asyncio
import sys
from contextlib import AbstractAsyncContextManager
from decimal import Decimal
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from intelli.cli import install_model, output
from intelli.cli.error_exit import ExitCode
from intelli.cli.options import AsJson, Data
from intelli.kit.errors import Invalid, NotFound

if TYPE_CHECKING:
    import httpx

app = typer.Typer(name="models", help="Look after the language models that answer.", no_args_is_help=True)
for _command in (install_model.install, install_model.uninstall, install_model.status):
    app.command()(_command)

Json = dict[str, Any]
Server = Annotated[str | None, typer.Option(metavar="URL", help="Address of a server; this machine's if not given.")]
Key = Annotated[str | None, typer.Option(help="API key for the server; INTELLI_CLIENT__KEY if not given.")]
Account = Annotated[
    str | None, typer.Option("--email", help="Account to act for on this machine; its workspace is meant.")
]
ModelArgument = Annotated[str, typer.Argument(metavar="NAME", help="The model, by its name or id.")]
Where = tuple[Path | None, str | None, str | None, str | None]
_POLL_S = 0.5
_SIGNS = {"yes": "+", "partly": "~", "no": "-", "unknown": "?"}


class ModelUse(StrEnum):
    """What a model is chosen for."""

    THINKING = "thinking"
    SMALL = "small"


@app.command("list")
def list_models(
    *, server: Server = None, key: Key = None, email: Account = None, data: Data = None, as_json: AsJson = False
) -> None:
    """Show the models of the workspace: what each is for, how its test ended, its id, and which one answers now."""
    shown = asyncio.run(_get((data, server, key, email), "models"))
    if as_json:
        output.write_json(shown)
        return
    used = shown["thinking"]
    output.line(_describe_use(used) if used else "Answers are made without a model, from the words of the sources.")
    rows = [
        (m["name"], m["role"], e["provider"], e["base_url"], _verdict(m["test"]), m["id"]) for e, m in _models(shown)
    ]
    if rows:
        output.table(("name", "for", "provider", "address", "test", "id"), rows)
    elif not used:
        ways = "`intelli models found`, `intelli models add` or `intelli models install`"
        output.line(f"To have a model answer: {ways}.")


@app.command()
def providers(
    *, server: Server = None, key: Key = None, email: Account = None, data: Data = None, as_json: AsJson = False
) -> None:
    """List the providers that are known by name."""
    found = asyncio.run(_get((data, server, key, email), "models/providers"))
    if as_json:
        output.write_json({"items": found})
        return
    columns = ("provider", "title", "address", "key", "what to enter")
    rows = [(p["provider"], p["title"], p["base_url"], "yes" if p["needs_key"] else "no", p["hint"]) for p in found]
    output.table(columns, rows)


@app.command()
def found(
    *, server: Server = None, key: Key = None, email: Account = None, data: Data = None, as_json: AsJson = False
) -> None:
    """Look for model servers on this machine: Ollama, LM Studio, llama.cpp, vLLM."""
    seen = asyncio.run(_get((data, server, key, email), "models/found"))
    if as_json:
        output.write_json(seen)
        return
    if not seen["items"]:
        output.line(f"No model server answers. Looked at {', '.join(seen['looked_at'])}.")
    for each in seen["items"]:
        names = ", ".join(model["name"] for model in each["models"]) or "no models yet"
        output.line(f"{each['provider']} at {each['base_url']}: {names}")


@app.command()
def add(  # noqa: PLR0913  # one for each of its options
    *,
    name: Annotated[str, typer.Option(help="Name of the model, as its provider calls it.", show_default=False)],
    provider: Annotated[
        str, typer.Option(help="The provider, as `intelli models providers` lists them.")
    ] = "compatible",
    base_url: Annotated[
        str | None,
        typer.Option(metavar="URL", help="Address, with its version; the provider's own if not given."),
    ] = None,
    key_file: Annotated[
        Path | None, typer.Option(metavar="FILE", help="File with the provider's key; - reads it from standard input.")
    ] = None,
    use_for: Annotated[
        ModelUse | None, typer.Option("--for", help="Choose it at once: thinking, or small for notes and titles.")
    ] = None,
    context_tokens: Annotated[
        int | None,
        typer.Option(help="Tokens that it reads and writes in one call; the endpoint is asked if not given."),
    ] = None,
    input_price: Annotated[float | None, typer.Option(help="US dollars for a million tokens read.")] = None,
    output_price: Annotated[float | None, typer.Option(help="US dollars for a million tokens written.")] = None,
    wait: Annotated[bool, typer.Option("--wait/--no-wait", help="Show what the model can do, as it is found.")] = True,
    server: Server = None,
    key: Key = None,
    email: Account = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Connect a model and test it: of a provider, or of any endpoint that speaks OpenAI's protocol.

    The provider's key is asked for, or read from a file; it is never an argument. For example:
    `intelli models add --name gpt-4o-mini --provider openai --for thinking`, or
    `intelli models add --name qwen3:8b --provider ollama`.
    """
    model = {"name": name, "role": use_for, "context_tokens": context_tokens}
    prices = {"input_price": input_price, "output_price": output_price}
    body = {**model, **{field: str(Decimal(str(value))) for field, value in prices.items() if value is not None}}
    endpoint = {"provider": provider, **({"base_url": base_url} if base_url else {})}
    made = asyncio.run(_add((data, server, key, email), endpoint, body, key_file, show=wait, quiet=as_json))
    _end(made, as_json=as_json, is_tested=wait)


@app.command("test")
def try_model(
    name: ModelArgument,
    *,
    server: Server = None,
    key: Key = None,
    email: Account = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Try what a connected model can do: chat, streaming, forms, tools, length, language, citing.

    Each is shown as it is found: + it can, ~ partly, - it cannot, ? not known. Ends with 1 when it cannot be asked.
    """
    _end(asyncio.run(_test((data, server, key, email), name, quiet=as_json)), as_json=as_json, is_tested=True)


@app.command()
def use(  # noqa: PLR0913  # one for each of its options
    name: ModelArgument,
    *,
    use_for: Annotated[
        ModelUse, typer.Option("--for", help="thinking, or small for notes and titles.")
    ] = ModelUse.THINKING,
    even_if_failed: Annotated[bool, typer.Option("--even-if-failed", help="Also when its last test failed.")] = False,
    server: Server = None,
    key: Key = None,
    email: Account = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Choose a model; it is asked from the next question on. One whose last test failed has to be insisted on."""
    chosen = asyncio.run(_use((data, server, key, email), name, use_for, even_if_failed=even_if_failed))
    if as_json:
        output.write_json(chosen)
    else:
        output.line(f"{chosen['name']} is used for {'thinking' if use_for == 'thinking' else 'notes and titles'} now.")


@app.command()
def remove(
    name: ModelArgument,
    *,
    server: Server = None,
    key: Key = None,
    email: Account = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Forget a model; with the last one of an endpoint its address and key, too."""
    gone = asyncio.run(_remove((data, server, key, email), name))
    if as_json:
        output.write_json(gone)
    else:
        output.line(f"{gone['name']} is removed{' with its endpoint and key' if gone['endpoint_removed'] else ''}.")


def _open(where: Where) -> AbstractAsyncContextManager["httpx.AsyncClient"]:
    from intelli.cli import models_client

    data, server, key, email = where
    return models_client.open_client(data, server=server, key=key, email=email)


async def _get(where: Where, path: str) -> Any:
    from intelli.cli import remote

    async with _open(where) as client:
        return remote.parse_response(await client.get(path))


async def _add(  # what the command was given
    where: Where, endpoint: Json, model: Json, key_file: Path | None, *, show: bool, quiet: bool
) -> Json:
    from intelli.cli import remote

    async with _open(where) as client:
        endpoint_id = await _connect(client, endpoint, key_file)
        added = remote.parse_response(await client.post("models", json={"endpoint_id": endpoint_id, **model}))
        return await _follow(client, added, quiet=quiet) if show else added


async def _connect(client: "httpx.AsyncClient", endpoint: Json, key_file: Path | None) -> str:
    """Return the id of the endpoint: one that is connected already unless a key is given, else a new one."""
    from intelli.cli import remote

    presets = {each["provider"]: each for each in remote.parse_response(await client.get("models/providers"))}
    preset = presets.get(endpoint["provider"])
    if preset is None:
        raise Invalid(f"There is no provider {endpoint['provider']}. Choose from {', '.join(presets)}.")
    address = (endpoint.get("base_url") or preset["base_url"] or "").rstrip("/")
    known = remote.parse_response(await client.get("models"))["endpoints"]
    same = [each["id"] for each in known if (each["provider"], each["base_url"]) == (preset["provider"], address)]
    if same and key_file is None:
        return str(same[0])
    secret = _read_key(key_file, is_needed=preset["needs_key"])
    body = {**endpoint, **({"api_key": secret} if secret else {})}
    return str(remote.parse_response(await client.post("models/endpoints", json=body))["id"])


def _read_key(key_file: Path | None, *, is_needed: bool) -> str | None:
    """Read the provider's key from a file or standard input, or ask for it; None where none is needed."""
    if key_file is not None and str(key_file) != "-":
        return key_file.read_text(encoding="utf-8").strip()
    if key_file is None and not is_needed:
        return None
    if key_file is None and sys.stdin.isatty():
        return str(typer.prompt("Key of the provider", hide_input=True)).strip()
    return sys.stdin.readline().strip()


async def _test(where: Where, name: str, *, quiet: bool) -> Json:
    from intelli.cli import remote

    async with _open(where) as client:
        model = await _get_model(client, name)
        begun = remote.parse_response(await client.post(f"models/{model['id']}/test"))
        return await _follow(client, begun, quiet=quiet)


async def _use(where: Where, name: str, use_for: ModelUse, *, even_if_failed: bool) -> Json:
    from intelli.cli import remote

    async with _open(where) as client:
        model = await _get_model(client, name)
        body = {"role": use_for, "even_if_failed": even_if_failed, "expected_version": model["version"]}
        chosen: Json = remote.parse_response(await client.patch(f"models/{model['id']}", json=body))
        return chosen


async def _remove(where: Where, name: str) -> Json:
    from intelli.cli import remote

    async with _open(where) as client:
        model = await _get_model(client, name)
        shown = remote.parse_response(await client.get("models"))
        (endpoint,) = [each for each in shown["endpoints"] if each["id"] == model["endpoint_id"]]
        is_last = len(endpoint["models"]) == 1
        path = f"models/endpoints/{endpoint['id']}" if is_last else f"models/{model['id']}"
        answer = await client.delete(path)
        if not answer.is_success:
            remote.parse_response(answer)
        return {"name": model["name"], "id": model["id"], "endpoint_removed": is_last}


async def _get_model(client: "httpx.AsyncClient", name: str) -> Json:
    """Return the model with a name or id; raise NotFound without one, and Invalid when several have the name."""
    from intelli.cli import remote

    models = [model for _, model in _models(remote.parse_response(await client.get("models")))]
    found = [each for each in models if name in {each["name"], each["id"]}]
    if not found:
        raise NotFound(f"The workspace has no model {name}. `intelli models list` shows those it has.")
    if len(found) > 1:
        raise Invalid(
            f"Several models are called {name}. Name one by its id: {', '.join(each['id'] for each in found)}."
        )
    return found[0]


async def _follow(client: "httpx.AsyncClient", model: Json, *, quiet: bool) -> Json:
    """Show each ability as it is found until the test has ended; return the model."""
    told: set[str] = set()
    while True:
        model = await _get_model(client, model["id"])
        for each in model["test"]["abilities"]:
            if each["state"] in _SIGNS and each["name"] not in told and not quiet:
                output.line(f"{_SIGNS[each['state']]} {each['name']}: {each['detail']}")
            told |= {each["name"]} if each["state"] in _SIGNS else set()
        if model["test"]["finished_at"] is not None:
            return model
        await asyncio.sleep(_POLL_S)


def _end(model: Json, *, as_json: bool, is_tested: bool) -> None:
    """Print a model after its test; exit with 1 when the test could not be made."""
    if as_json:
        output.write_json(model)
    else:
        output.line(f"{model['name']}: {_verdict(model['test'])}")
    if is_tested and model["test"]["problem"]:
        raise typer.Exit(ExitCode.FAILED)


def _models(shown: Json) -> list[tuple[Json, Json]]:
    return [(endpoint, model) for endpoint in shown["endpoints"] for model in endpoint["models"]]


def _describe_use(used: Json) -> str:
    where = {"workspace": "chosen in the workspace", "settings": "named in the settings", "installed": "installed here"}
    chosen = f"{used['name']} at {used['base_url']}"
    if used["problem"]:
        return f"{chosen} is {where[used['origin']]}, but may not answer: {used['problem']}"
    return f"{chosen} answers, {where[used['origin']]}."


def _verdict(test: Json | None) -> str:
    if test is None:
        return "not tested"
    if test["problem"]:
        return str(test["problem"])
    if test["finished_at"] is None:
        return "is being tested"
    return "asked with all rules at once" if test["shape"] == "full" else "asked in short steps"
