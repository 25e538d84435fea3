"""Errors of models."""

from intelli.kit.errors import Conflict, Invalid, NotFound


class EndpointNotFound(NotFound):
    """The workspace has no endpoint with this id."""

    code = "endpoint_not_found"


class ModelNotFound(NotFound):
    """The workspace has no model with this id."""

    code = "model_not_found"


class ModelKeyRefused(Conflict):
    """The endpoint does not accept the key."""

    code = "model_key_refused"


class ModelKeyUnreadable(Conflict):
    """The key was kept under a secret of the installation that has since changed."""

    code = "model_key_unreadable"


class ModelKeyNeeded(Conflict):
    """A key must be entered: the provider asks for one, or the address has changed since it was entered."""

    code = "model_key_needed"


class ModelUnreachable(Conflict):
    """Nothing answers at the address of an endpoint, or not as a model's endpoint does."""

    code = "model_unreachable"


class ModelAddressRefused(Invalid):
    """An address that no model may have: not of the web, of the cloud's metadata, or inside the server's network."""

    code = "model_address_refused"


class ModelPriceMissing(Invalid):
    """What the model costs is not known, so that no budget could hold."""

    code = "model_price_missing"


class ModelLimitsUnfit(Invalid):
    """A model's limits leave no room for sources."""

    code = "model_limits_unfit"


class ModelKnown(Conflict):
    """The endpoint's model of this name is there already."""

    code = "model_known"


class ModelTestFailed(Conflict):
    """The model could not be asked when it was last tested, so it would not answer."""

    code = "model_test_failed"


class StaleModelVersion(Conflict):
    """The model or endpoint was changed since it was loaded."""

    code = "stale_model_version"
