"""Check of `intelli doctor`: by what every workspace is searched, and what is still being made in the background."""

from collections import Counter
from collections.abc import Iterator

from intelli.cli.doctor_result import CheckStatus, DoctorFinding
from intelli.engine import Engine
from intelli.identity import installation
from intelli.kit.context import System, WorkspaceLister
from intelli.kit.db import Database
from intelli.library import read_structure
from intelli.reasoning.embedders import Embedders
from intelli.retrieval import reanalysis, spaces, vector_builds
from intelli.settings import Settings


async def check_search(loaded: Settings, engine: Engine) -> DoctorFinding:
    """Check that every workspace can be searched by meaning, with the embedding that its index was built with."""
    db, embedders = Database(engine.app_url, pool_size=1), Embedders(loaded.embedding, loaded.data / "models")
    faults = set[str]()
    builds = list[str]()
    in_use = Counter[str]()
    done = total = outdated = structured = texts = 0
    try:
        async with db.begin(WorkspaceLister()) as tx:
            workspace_ids = await installation.list_workspace_ids(tx)
        for workspace_id in workspace_ids:
            async with db.begin(System(workspace_id)) as tx:
                fault, build = await spaces.find_fault(tx, embedders), await vector_builds.find_progress(tx)
                progress = await spaces.load_progress(tx)
                active = await spaces.find_active(tx)
                read, there = await read_structure.count(tx)
                outdated += await reanalysis.count_outdated(tx)
            done, total = done + progress.done, total + progress.total
            structured, texts = structured + read, texts + there
            in_use.update([active.name] if active else [])
            faults |= {fault} if fault else set()
            builds += [vector_builds.describe(build)] if build else []
    finally:
        await embedders.close()
        await db.close()
    if faults:
        found, _, remedy = min(faults).partition(". ")
        return DoctorFinding("search", CheckStatus.WARN, f"by words alone. {found}", remedy)
    if missing := embedders.find_missing_file():
        found, _, remedy = missing.partition(". ")
        return DoctorFinding("search", CheckStatus.WARN, f"by words and coarse vectors. {found}", remedy)
    moving = [f"{done} of {total} passages are encoded, the others follow"] if done < total else []
    left = [f"{outdated} readings are still to be analysed again, which goes on by itself"] if outdated else []
    if structured < texts:
        left.append(f"{structured} of {texts} texts are read for their tables and dates, the others follow")
    others = _tell_others(in_use, embedders)
    told = "; ".join([f"by words and by meaning, with {embedders.describe()}", *others, *moving, *left, *builds])
    return DoctorFinding("search", CheckStatus.OK, told)


def _tell_others(in_use: Counter[str], embedders: Embedders) -> Iterator[str]:
    """Say which embedders other than the one that is set the index of a workspace was made with."""
    for name, workspaces in in_use.items():
        if name != embedders.chosen.name:
            how = "which changes by itself" if embedders.is_upgrade(name) else "until `intelli reindex` is run"
            yield f"but with {name} in {workspaces} workspace{'s'[: workspaces != 1]}, {how}"
