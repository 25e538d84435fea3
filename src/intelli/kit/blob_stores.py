"""Object stores: a directory, or a bucket of S3, GCS or Azure."""

from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, cast
from urllib.parse import urlsplit
from urllib.request import url2pathname

from obstore.store import LocalStore, ObjectStore, S3Store, from_url

if TYPE_CHECKING:
    from obstore.store import ClientConfig, RetryConfig, S3Config


def open_store(url: str, options: Mapping[str, str]) -> tuple[ObjectStore, Path | None]:
    """Open the store at a URL; return it, and its path if it is a directory. No connection is made yet."""
    match urlsplit(url).scheme:
        case "file":
            root = Path(url2pathname(urlsplit(url).path))
            return _open_directory(root), root
        case "s3":
            return _open_s3(url, options), None
        case _:
            return _open_other(url), None


def _open_directory(root: Path) -> LocalStore:
    root.mkdir(mode=0o700, parents=True, exist_ok=True)
    return LocalStore(prefix=root)


def _open_s3(url: str, options: Mapping[str, str]) -> S3Store:
    # Without "multipart", S3 has no copy that refuses to overwrite.
    config = cast("S3Config", {**options, "copy_if_not_exists": "multipart"})  # our options are named as obstore's
    plain_http = options.get("endpoint", "").startswith("http://")
    return S3Store.from_url(url, config=config, client_options=_client(allow_http=plain_http), retry_config=_retries())


def _open_other(url: str) -> ObjectStore:
    return from_url(url, client_options=_client(allow_http=False), retry_config=_retries())


def _client(*, allow_http: bool) -> "ClientConfig":
    return {"allow_http": allow_http, "connect_timeout": timedelta(seconds=5), "timeout": timedelta(seconds=60)}


def _retries() -> "RetryConfig":
    return {
        "max_retries": 4,
        "retry_timeout": timedelta(seconds=20),
        "backoff": {"init_backoff": timedelta(milliseconds=100), "max_backoff": timedelta(seconds=2), "base": 2},
    }
