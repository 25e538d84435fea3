"""Rendering happens in a confined process: every form comes out of it whole."""

import pytest
from tests.deliverables import papers, reading

from intelli.deliverables import gml, rendering
from intelli.deliverables.forms import FORMS, Edition
from intelli.deliverables.rendering import RenderRequest


def request(form: str, edition: Edition) -> RenderRequest:
    written = gml.write(papers.paper())
    return RenderRequest(form=form, brief=papers.brief(), gml=written, base_url="https://desk.example", edition=edition)


@pytest.mark.parametrize("form", sorted(FORMS))
async def test_a_form_comes_out_of_the_confined_process_whole(form: str):
    clean = reading.carried_by(form, await rendering.render(request(form, Edition.CLEAN)))
    # BibTeX escapes the sign of a percentage.
    assert [each for each in papers.QUOTES if each not in clean.replace("\\%", "%")] == []
    proof = reading.carried_by(form, await rendering.render(request(form, Edition.PROOF)))
    assert [each for each in papers.IDS if each not in proof] == []
