"""Who may enter the embedded PostgreSQL: whoever knows the secret of a role, and nobody without one.

The secrets lie in a file of the form that libpq reads, so that no address, command line or log ever holds one. They are
set while no server runs, so there is no moment at which it lets anybody in.
"""

import base64
import hashlib
import hmac
import os
import secrets
import subprocess
from pathlib import Path

from intelli.kit import disk, postgres_launch
from intelli.kit.postgres_cluster import Cluster, Version, binaries

SUPERUSER = "postgres"
APP_ROLE = "intelli_app"

_RULES = b"# Written by Intelli, which writes it again when it was changed.\nlocal all all scram-sha-256\n"
_SECRET_BYTES, _SALT_BYTES = 32, 16
# A secret that is random cannot be guessed: to stretch it would only slow every connection down.
_ITERATIONS = 1
_TIMEOUT_S = 600
_APP_RIGHTS = "login nosuperuser nobypassrls nocreatedb nocreaterole noreplication"


class Access:
    """The secrets of one cluster, and its rule to ask for them."""

    def __init__(self, cluster: Cluster) -> None:
        self.passfile = cluster.root / "pgpass"
        self._draft = cluster.root / "pgpass.new"
        self._rules = cluster.data / "pg_hba.conf"
        self._cluster = cluster

    def is_set(self) -> bool:
        """Whether the server will ask everyone, and we know the answers."""
        return self.passfile.is_file() and self._rules.read_bytes() == _RULES

    def set(self, version: Version) -> bool:
        """Give every role a new secret and have the server ask for it; false when PostgreSQL's log tells why not.

        The file with the secrets gets its name last: when this is interrupted anywhere, it is done again.
        """
        chosen = {role: secrets.token_urlsafe(_SECRET_BYTES) for role in (SUPERUSER, APP_ROLE)}
        lines = [f"*:*:*:{role}:{secret}\n" for role, secret in chosen.items()]
        _write(self._draft, "".join(lines).encode())
        if not self._run_alone(_statements(chosen), version):
            return False
        self._write_rules()
        self._draft.replace(self.passfile)
        disk.sync(self.passfile.parent)
        return True

    def _run_alone(self, statements: str, version: Version) -> bool:
        """Execute statements by a server of one session that nobody can connect to. Its errors go to the log."""
        cluster = self._cluster
        program = [str(binaries(version) / "postgres"), "--single", "-D", str(cluster.data)]
        program += ["-c", "log_min_error_statement=panic", "-c", "exit_on_error=on", "postgres"]
        command = postgres_launch.command(
            program, account=cluster.find_account(), reach=[cluster.data], parent_pid=os.getpid()
        )
        with cluster.log.open("ab") as log:
            done = subprocess.run(
                command,
                input=statements.encode(),
                stdout=subprocess.DEVNULL,
                stderr=log,
                timeout=_TIMEOUT_S,
                check=False,
            )
        return done.returncode == 0

    def _write_rules(self) -> None:
        fresh = self._rules.with_name(f"{self._rules.name}.new")
        _write(fresh, _RULES)
        if account := self._cluster.find_account():
            os.chown(fresh, *account, follow_symlinks=False)
        fresh.replace(self._rules)
        disk.sync(self._rules.parent)


def _statements(chosen: dict[str, str]) -> str:
    """One a line, as a server without clients reads them. Passwords are given as what the server keeps of them."""
    missing = f"not exists (select from pg_roles where rolname = '{APP_ROLE}')"
    made = f"do $$ begin if {missing} then create role {APP_ROLE}; end if; end $$;"
    rights = f"alter role {APP_ROLE} {_APP_RIGHTS};"
    return "\n".join(
        [made, rights, *(f"alter role {role} password '{_verifier(it)}';" for role, it in chosen.items()), ""]
    )


def _verifier(secret: str) -> str:
    """What the server keeps of a secret, which cannot be told from it (RFC 5803)."""
    salt = secrets.token_bytes(_SALT_BYTES)
    salted = hashlib.pbkdf2_hmac("sha256", secret.encode(), salt, _ITERATIONS)
    stored = hashlib.sha256(hmac.digest(salted, b"Client Key", "sha256")).digest()
    server = hmac.digest(salted, b"Server Key", "sha256")
    encoded = [base64.b64encode(each).decode() for each in (salt, stored, server)]
    return f"SCRAM-SHA-256${_ITERATIONS}:{encoded[0]}${encoded[1]}:{encoded[2]}"


def _write(path: Path, content: bytes) -> None:
    """A new file for its owner's eyes only, durable; what has its name is put out of the way."""
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
