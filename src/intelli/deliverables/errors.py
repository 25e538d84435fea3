"""Errors of deliverables."""

from intelli.kit.errors import Conflict, Forbidden, Invalid, NotFound


class DeliverableNotFound(NotFound):
    """There is no such deliverable for the caller."""

    code = "deliverable_not_found"


class FileNotInDeliverable(NotFound):
    """The deliverable has no file of that name."""

    code = "deliverable_file_not_found"


class NotReady(Conflict):
    """The deliverable is not completed yet, or never was."""

    code = "deliverable_not_ready"


class NotAtWork(Conflict):
    """The deliverable has ended, so it cannot be cancelled."""

    code = "deliverable_has_ended"


class NothingToRetry(Conflict):
    """The deliverable neither failed nor was cancelled."""

    code = "deliverable_not_failed"


class NotYours(Forbidden):
    """The deliverable was made for another person, who shares it."""

    code = "deliverable_not_yours"


class NothingToRevise(Conflict):
    """The newest version would be made again as it is."""

    code = "nothing_to_revise"


class NothingToDeliver(Conflict):
    """The message has nothing that a deliverable could be made from."""

    code = "nothing_to_deliver"


class UnknownFormat(Invalid):
    """There is no such format."""

    code = "unknown_format"


class PreviewExpired(NotFound):
    """The address of the preview holds no longer."""

    code = "preview_expired"


class RenderingFailed(Conflict):
    """A form could not be made."""

    code = "rendering_failed"


class NotAccepted(Conflict):
    """Citations of the deliverable wait for somebody to accept them, which the workspace requires."""

    code = "citations_not_accepted"
