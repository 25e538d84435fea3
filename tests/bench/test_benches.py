"""Every bench runs: at its smallest size, on made-up data and without peers, it gives figures."""

import math
from pathlib import Path

import pytest
from bench.figures import Size
from tests.support.database import _TEMPLATE, Cluster

from bench import data, listed, scratch

FOLDER = Path(listed.__file__).parent


def test_every_bench_is_listed():
    files = {path.stem for path in FOLDER.glob("*.py") if not path.stem.startswith("__")}
    # A benchmark of many parts is a package with its own program; the programs of peers are none.
    files |= {path.parent.name for path in FOLDER.glob("*/__main__.py")}
    assert files == {*listed.NAMES, *listed.PARTS}


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.browser if name == "smoothness" else ()) for name in listed.NAMES]
)
async def test_a_bench_gives_figures_at_its_smallest_size(name: str, cluster: Cluster):
    bench = listed.load(name)
    with data.made_up(), cluster.copy_of(_TEMPLATE) as engine, scratch.within(engine.app_url, engine.admin_url):
        compared = await bench.measure(Size.SMALLEST)
    figures = [value for comparison in compared for value in comparison.medians.values()]
    assert figures
    assert all(math.isfinite(value) for value in figures)
    assert bench.QUESTION.endswith((".", "?"))
