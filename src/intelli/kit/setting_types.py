"""Building blocks of settings: the base of groups, and value types whose errors describe a valid value."""

import ipaddress
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, SecretStr


class SettingsGroup(BaseModel):
    """Settings that belong together. Each field has a default and a description, which become its documentation."""

    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=True)


def internal(default: Any) -> Any:
    """Declare a field that code sets and an operator cannot: it is no setting."""
    return Field(default, exclude=True)


def reveal_secret(secret: SecretStr | None) -> str:
    """Return the secret as text; empty when none is set."""
    return secret.get_secret_value() if secret else ""


DEFAULT_DATA = Path("~/.intelli")


def absolute(path: Path) -> Path:
    """Return the absolute path, with `~` expanded."""
    return path.expanduser().absolute()


def _split_commas(value: object) -> object:
    return [part.strip() for part in value.split(",") if part.strip()] if isinstance(value, str) else value


def _parse_network(value: str) -> str:
    try:
        return str(ipaddress.ip_network(value, strict=False))
    except ValueError:
        raise ValueError("give addresses or networks such as 10.0.0.0/8, separated by commas") from None


def _check_http_url(value: str) -> str:
    if not _has_scheme(value, {"http", "https"}) or not urlsplit(value).hostname:
        raise ValueError("give a full address such as https://intelli.example.org")
    return value.rstrip("/")


def _check_blobs_url(value: str) -> str:
    if not _has_scheme(value, {"file", "s3", "gs", "az"}):
        raise ValueError(
            "give file:///directory, s3://bucket/prefix, gs://bucket/prefix or az://account/container/prefix"
        )
    return value


def _check_postgres_url(value: SecretStr) -> SecretStr:
    url = value.get_secret_value()
    if not _has_scheme(url, {"postgresql", "postgres", "postgresql+psycopg"}) or not urlsplit(url).path.strip("/"):
        raise ValueError("give postgresql://user:password@host:5432/database")
    return value


def _has_scheme(url: str, schemes: set[str]) -> bool:
    try:
        return urlsplit(url).scheme in schemes
    except ValueError:
        return False


SEPARATED = BeforeValidator(_split_commas)
DirectoryPath = Annotated[Path, AfterValidator(absolute)]
HttpUrl = Annotated[str, AfterValidator(_check_http_url)]
BlobsUrl = Annotated[str, AfterValidator(_check_blobs_url)]
PostgresUrl = Annotated[SecretStr, AfterValidator(_check_postgres_url)]
Network = Annotated[str, AfterValidator(_parse_network)]
