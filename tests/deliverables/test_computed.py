"""What is computed in a process of its own is the same, to the last field, as what is computed here."""

from collections.abc import AsyncIterator

import pytest
from tests.deliverables.research import material, sources

from intelli.app import fork_server
from intelli.citations import prove
from intelli.deliverables import compile_brief, compose, prose
from intelli.deliverables.kinds import KINDS
from intelli.kit.compute import ComputeSettings, ProcessPool


@pytest.fixture
async def pool() -> AsyncIterator[ProcessPool]:
    pool = ProcessPool(fork_server(), ComputeSettings())
    yield pool
    pool.close()


async def test_a_brief_is_compiled_the_same(pool: ProcessPool):
    assert await pool.run(compile_brief.compile_brief, material()) == compile_brief.compile_brief(material())


@pytest.mark.parametrize("kind", [each.name for each in KINDS])
async def test_a_paper_is_composed_and_proven_the_same(pool: ProcessPool, kind: str):
    compiled = compile_brief.compile_brief(material())
    composed = await pool.run(compose.compose, kind, compiled.brief)
    assert composed == compose.compose(kind, compiled.brief)
    citing, known = prose.citing_of(composed.paper), prove.ProofMaterial(compiled.references, sources(), compiled.hints)
    examined = await pool.run(prove.examine, citing, known.without_maps)
    assert examined == prove.examine(citing, known)
    assert len(prove.proven(citing, examined, known).proofs) == len(prose.citations(composed.paper))
