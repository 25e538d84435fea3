"""What is computed in a process of its own is the same, to the last field, as what is computed here."""

from collections.abc import AsyncIterator

import pytest
from tests.deliverables.research import material, sources

from intelli.app import fork_server
from intelli.citations import prove
from intelli.deliverables import check_figures, compile_brief, compose, prose
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
    text, known = prose.of(composed.paper), prove.ProofMaterial(compiled.references, sources(), compiled.hints)
    examination = await pool.run(prove.examine, text, known.without_maps)
    proven = prove.proven(examination, known)
    assert proven == prove.prove(text, known)
    outcomes = await pool.run(check_figures.outcomes_in, composed.paper, proven.without_maps)
    assert check_figures.with_outcomes(proven, outcomes) == check_figures.proven_in(composed.paper, proven)
