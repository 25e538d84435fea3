"""Passwords of the embedded PostgreSQL: every connection has to authenticate as a role.

The passwords are in a libpq password file, so that no URL, command line or log contains one. They are set while no
server runs, so there is no moment at which it accepts a connection without one.
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
# A random secret cannot be guessed: key stretching would only slow every connection down.
_ITERATIONS = 1
_TIMEOUT_S = 600
_APP_RIGHTS = "login nosuperuser nobypassrls nocreatedb nocreaterole noreplication"


class Access:
    """Passwords of one cluster, and its pg_hba.conf that requires them."""

    def __init__(self, cluster: Cluster) -> None:
        self.passfile = cluster.root / "pgpass"
        self._draft = cluster.root / "pgpass.new"
        self._rules = cluster.data / "pg_hba.conf"
        self._cluster = cluster

    def is_set(self) -> bool:
        """Return True when the server requires passwords and the password file exists."""
        return self.passfile.is_file() and self._rules.read_bytes() == _RULES

    def set(self, version: Version) -> bool:
        """Set new passwords for all roles and make the server require them. Return False on failure; see the log.

        The password file is renamed into place last: an interrupted call is repeated as a whole.
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
        """Execute statements in single-user mode, to which nobody can connect. Errors go to the server's log."""
        cluster = self._cluster
        program = [str(binaries(version) / "postgres"), "--single", "-D", str(cluster.data)]
        program += ["-c", "log_min_error_statement=panic", "-c", "exit_on_error=on", "postgres"]
        command = postgres_launch.build_command(
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
    """Build the statements, one per line as single-user mode reads them. Passwords are given as verifiers."""
    missing = f"not exists (select from pg_roles where rolname = '{APP_ROLE}')"
    made = f"do $$ begin if {missing} then create role {APP_ROLE}; end if; end $$;"
    rights = f"alter role {APP_ROLE} {_APP_RIGHTS};"
    return "\n".join(
        [made, rights, *(f"alter role {role} password '{_verifier(it)}';" for role, it in chosen.items()), ""]
    )


def _verifier(secret: str) -> str:
    """Compute the SCRAM verifier that the server stores; the secret cannot be derived from it (RFC 5803)."""
    salt = secrets.token_bytes(_SALT_BYTES)
    salted = hashlib.pbkdf2_hmac("sha256", secret.encode(), salt, _ITERATIONS)
    stored = hashlib.sha256(hmac.digest(salted, b"Client Key", "sha256")).digest()
    server = hmac.digest(salted, b"Server Key", "sha256")
    encoded = [base64.b64encode(each).decode() for each in (salt, stored, server)]
    return f"SCRAM-SHA-256${_ITERATIONS}:{encoded[0]}${encoded[1]}:{encoded[2]}"


def _write(path: Path, content: bytes) -> None:
    """Write a new file durably, readable by its owner only; an existing one is removed first."""
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
