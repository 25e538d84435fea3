"""The settings of the HTTP server."""

from pydantic import BaseModel, ConfigDict, Field, SecretStr


class HttpOptions(BaseModel):
    """How long a connection may take over a request, and who reads the metrics."""

    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=True)

    head_timeout_s: float = Field(
        20, gt=0, le=3600, description="Seconds within which the head of a request has to be whole."
    )
    body_bytes_per_s: int = Field(
        1000, ge=1, description="Least pace of a body, in bytes per second; a slower one is given up."
    )
    keep_alive_s: int = Field(5, ge=1, le=3600, description="Seconds that a connection may wait between requests.")
    metrics_token: SecretStr | None = Field(
        None,
        min_length=16,
        description="Bearer token for /metrics, at least 16 characters; without one this machine alone may read it.",
    )
