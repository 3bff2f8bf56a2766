"""The passwords in the Secrets of this Database, which the kubelet keeps as files, and those in the configuration of Patroni."""

import json
import os

SETTINGS = "/etc/reconstruct"
# The part of the configuration of Patroni that this instance writes, in memory.
INSTANCE = "/tmp/patroni/1-instance.yaml"
# The users of Patroni, by the key in its configuration.
OF_PATRONI = {"superuser": "postgres", "replication": "replicator", "rewind": "rewinder"}
# The passwords of each Secret, by the end of its name.
SECRETS = {"superuser": ["superuser"], "app": ["app"], "internal": ["replication", "rewind"]}


def read(name):
    with open(f"{SETTINGS}/secrets/{name}-password", encoding="utf-8") as file:
        return file.read()


def read_all():
    """Returns the passwords by name, or None while a file is missing or unreadable."""
    try:
        return {name: read(name) for names in SECRETS.values() for name in names}
    except (OSError, ValueError):
        return None


def authentication(known=None):
    """The passwords in the form of the configuration of Patroni."""
    known = known or {name: read(name) for name in OF_PATRONI}
    return {name: {"password": known[name]} for name in OF_PATRONI}


def hand_over(known):
    """Replaces the passwords in the configuration of Patroni."""
    with open(INSTANCE, encoding="utf-8") as file:
        own = json.load(file)
    own["postgresql"]["authentication"] = authentication(known)
    beside = f"{INSTANCE}.new"
    with open(beside, "w", encoding="utf-8", opener=_private) as file:
        json.dump(own, file)
    os.rename(beside, INSTANCE)


def _private(path, flags):
    return os.open(path, flags, 0o600)
