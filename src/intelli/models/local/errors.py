"""Refusals of the local model."""

from intelli.kit.errors import Conflict, Invalid, NotFound, Unavailable


class UnknownLocalModel(NotFound):
    """Neither the catalogue nor the data directory has a model of this name."""

    code = "unknown_local_model"


class MachineTooSmall(Conflict):
    """This machine lacks the memory, disk space, processor or package that the model needs."""

    code = "machine_too_small"


class InstallRunning(Conflict):
    """Another process installs a model into the same data directory."""

    code = "install_running"


class ModelFileRefused(Invalid):
    """The file is not the one that was promised, or no model that can be served."""

    code = "model_file_refused"


class ModelNotFetched(Unavailable):
    """The model could not be downloaded; what has arrived is kept, and the next try goes on from there."""

    code = "model_not_fetched"
