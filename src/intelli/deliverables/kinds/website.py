"""A website: the report as a bundle of pages that works from disk."""

from intelli.deliverables.kinds import report
from intelli.deliverables.kinds.kind import Kind
from intelli.deliverables.wire import Kind as Name
from intelli.entities.kinds import EntityType

KIND = Kind(
    name=Name.WEBSITE,
    pointer="latest-website",
    entity_type=EntityType.WEBSITE,
    media_type="application/zip",
    file_name="site.zip",
    forms=("site",),
    compose=report.compose,
)
