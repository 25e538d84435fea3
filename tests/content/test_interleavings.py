"""Any interleaving of upload, commit, naming and collection: no referenced byte is lost, and no orphan stays."""

import asyncio
from collections.abc import Awaitable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test
from tests.content.makers import NO_GRACE, commit_tree, counts, kept_blobs, point, recount, sha256_of, store
from tests.support.database import SECRET
from tests.support.jobs import make_workspace
from tests.support.soak import often

from intelli.app import Engine
from intelli.content import gc, verify
from intelli.content.errors import ManifestNotFound, UnknownArtifacts
from intelli.kit.blobs import open_blobs
from intelli.kit.db import Database
from intelli.kit.room import WorkspaceAccess

CONTENTS = [b"", b"one", b"two", b"three" * 1000]
_which = st.integers(0, len(CONTENTS) - 1)
_step = st.one_of(
    st.tuples(st.just("store"), _which),
    st.tuples(st.just("commit"), st.sets(_which, min_size=1)),
    st.tuples(st.just("name"), st.sets(_which, min_size=1)),
    st.tuples(st.just("collect")),
)


class Interleavings(RuleBasedStateMachine):
    """Steps run one by one or several at once, each refused or done; what was named must stay."""

    engine: Engine
    folder: Path

    @initialize()
    def open(self) -> None:
        self.runner = asyncio.Runner()
        self.runner.run(self._open())
        self.named: set[str] = set()
        self.numbers: Iterator[int] = iter(range(1_000_000))

    @rule(step=_step)
    def alone(self, step: tuple[object, ...]) -> None:
        self.runner.run(self._do(step))

    @rule(steps=st.lists(_step, min_size=2, max_size=5))
    def at_once(self, steps: list[tuple[object, ...]]) -> None:
        async def all_of_them() -> None:
            await asyncio.gather(*(self._do(step) for step in steps))

        self.runner.run(all_of_them())

    @invariant()
    def nothing_named_is_lost(self) -> None:
        async def check() -> None:
            assert [finding async for finding in verify.findings(self.premises)] == []
            kept = await counts(self.premises)
            assert kept == await recount(self.premises)
            assert self.named <= {sha256 for sha256, count in kept.items() if count}

        if hasattr(self, "premises"):
            self.runner.run(check())

    def teardown(self) -> None:
        if not hasattr(self, "premises"):
            return

        async def end() -> None:
            await gc.collect(self.premises, NO_GRACE)
            assert await kept_blobs(self.premises) == set(await counts(self.premises)) == self.named
            await self.premises.blobs.close()
            await self.database.close()

        self.runner.run(end())
        self.runner.close()

    async def _open(self) -> None:
        self.database = Database(self.engine.app_url, secret=SECRET, pool_size=6)
        who = await make_workspace(self.database)
        blobs = open_blobs((self.folder / "kept").as_uri())
        self.premises = WorkspaceAccess(who.tenant_id, blobs, partial(self.database.begin, who))

    async def _do(self, step: tuple[object, ...]) -> None:
        with suppress(UnknownArtifacts, ManifestNotFound):  # collected before it was referenced, and refused
            await self._step(*step)

    def _step(self, kind: str, which: object = None) -> Awaitable[object]:
        match kind, which:
            case "store", int():
                return store(self.premises, CONTENTS[which])
            case "commit", set():
                return self._commit(which)
            case "name", set():
                return self._name(which)
            case _:
                return gc.collect(self.premises, NO_GRACE)

    async def _commit(self, which: set[int]) -> str:
        tree = {str(each): sha256_of(CONTENTS[each]) for each in which}
        return await commit_tree(self.premises, tree, message=str(next(self.numbers)))

    async def _name(self, which: set[int]) -> None:
        for each in which:
            await store(self.premises, CONTENTS[each])
        await point(self.premises, str(next(self.numbers)), await self._commit(which))
        self.named |= {sha256_of(CONTENTS[each]) for each in which}


def test_no_interleaving_loses_a_referenced_byte_or_leaves_an_orphan(engine: Engine, tmp_path: Path):
    class Machine(Interleavings):
        pass

    Machine.engine, Machine.folder = engine, tmp_path
    run_state_machine_as_test(
        Machine,
        settings=settings(
            max_examples=often(8, soaking=1000),
            stateful_step_count=often(10, soaking=30),
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
