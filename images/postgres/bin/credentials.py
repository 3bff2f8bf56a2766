"""Makes PostgreSQL and Patroni use the passwords of the Secrets, also after a Secret is recreated or edited.

The kubelet replaces the files within a minute or two. The primary sets the passwords in PostgreSQL, and every instance
passes its own to Patroni. A password appears in no log and no argument: the server receives only its hash.
"""

import base64
import functools
import hashlib
import hmac
import json
import os
import re
import signal

import passwords
import psycopg2
from passwords import OF_PATRONI, SECRETS
from psycopg2.extensions import encrypt_password, quote_ident

# PostgreSQL logs no statement of the session. A commit that waits for replicas would wait for one that cannot log in.
SESSION = " ".join(
    f"-c {setting}"
    for setting in (
        *("statement_timeout=5s", "idle_session_timeout=0", "synchronous_commit=local"),
        *("default_transaction_read_only=off", "log_statement=none", "log_min_duration_statement=-1"),
        *("log_duration=off", "log_min_error_statement=panic", "pg_stat_statements.track_utility=off"),
    )
)


def connected():
    """Connects as the superuser through the socket, which needs no password."""
    here = {"host": "/run/postgresql", "user": "postgres", "dbname": "postgres", "application_name": "reconstruct"}
    connection = psycopg2.connect(**here, connect_timeout=5, options=SESSION)
    connection.autocommit = True
    return connection


class Keeper:
    """Applies the passwords of the Secrets."""

    def __init__(self):
        # The hash that this process set, by password: a hash of unusual characters cannot be compared.
        self._set = {}

    def state(self, connection, of_patroni):
        """Applies the passwords. Returns what is applied, or None if it is unknown.

        @param of_patroni the present passwords of Patroni, by name @returns the id of the certificate of the Secrets, and
        for each Secret in use a mark of its passwords, which says nothing without the key of that certificate
        """
        known = passwords.read_all()
        if known is None:
            return None
        in_patroni = {name for name in OF_PATRONI if of_patroni.get(name) == known[name]}
        if len(in_patroni) < len(OF_PATRONI):
            passwords.hand_over(known)
            # Patroni reads its configuration again.
            os.kill(os.getpid(), signal.SIGHUP)
        problems = self._set_in_postgresql(connection, known)
        isset = {name for name in known if name not in problems and (name in in_patroni or name not in OF_PATRONI)}
        with open(f"{passwords.SETTINGS}/tls/tls.crt", "rb") as certificate, open(f"{passwords.SETTINGS}/tls/tls.key", "rb") as key:
            named, secret = hashlib.sha256(certificate.read()).hexdigest()[:16], key.read()
        applied = {
            end: mark(secret, [known[name] for name in names]) for end, names in SECRETS.items() if isset.issuperset(names)
        }
        problem = "; ".join(sorted(set(problems.values())))
        return {"certificate": named, "applied": applied, **({"problem": problem} if problem else {})}

    def _set_in_postgresql(self, connection, known):
        """Sets the passwords that differ, on the primary. Returns the problem by name."""
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_is_in_recovery()")
            if cursor.fetchone()[0]:
                return {}
            roles = {**OF_PATRONI, "app": owner()}
            cursor.execute(
                "SELECT rolname, rolpassword FROM pg_authid WHERE rolname = ANY(%s)", (list(roles.values()),)
            )
            hashes = dict(cursor.fetchall())
            problems = {}
            for name, role in roles.items():
                if role not in hashes:
                    problems[name] = f"role {role} does not exist"
                elif not self._has(hashes[role], known[name]):
                    problems.update(self._alter(cursor, name, role, known[name]))
            return problems

    def _has(self, verifier, password):
        return verifier is not None and (self._set.get(password) == verifier or matches(verifier, password))

    def _alter(self, cursor, name, role, password):
        verifier = encrypt_password(password, role, cursor.connection, "scram-sha-256")
        try:
            cursor.execute(f"ALTER ROLE {quote_ident(role, cursor)} PASSWORD %s", (verifier,))
        except psycopg2.Error as refused:
            return {name: f"the password of role {role} cannot be set: {refused.diag.message_primary or type(refused).__name__}"}
        self._set[password] = verifier
        return {}


def owner():
    with open(f"{passwords.SETTINGS}/begin.json", encoding="utf-8") as file:
        return json.load(file)["owner"]


def mark(key, texts):
    """A keyed hash: without the key, nobody can try passwords on it."""
    return hmac.new(key, "\n".join(texts).encode(), "sha256").hexdigest()[:16]


@functools.lru_cache(maxsize=16)
def matches(verifier, password):
    """True if PostgreSQL stores this hash for the password. @see RFC 5803"""
    found = re.fullmatch(r"SCRAM-SHA-256\$(\d+):([^$]+)\$([^:]+):(.+)", verifier)
    if not found:
        return False
    rounds, salt, stored, _ = found.groups()
    salted = hashlib.pbkdf2_hmac("sha256", password.encode(), base64.b64decode(salt), int(rounds))
    client = hmac.new(salted, b"Client Key", "sha256").digest()
    return hmac.compare_digest(hashlib.sha256(client).digest(), base64.b64decode(stored))
