"""Explanations of errors of pgBackRest, with what to do. They precede the original error."""

import re

MEANINGS = [
    (
        r"unable to acquire lock on file",
        "an earlier attempt still runs, or was killed and keeps its lock for up to a minute",
    ),
    (r"failed with 403|<Code>\w*(?:AccessKey|User)\w*<", "the object store rejects the keys in the Secret of the bucket"),
    (r"<Code>NoSuchBucket<", "the bucket does not exist; create it, or correct s3.bucket"),
    (
        r"unable to verify certificate presented by '([^']*)'",
        "{} presents an untrusted certificate; for an object store, add its CA certificate as ca.crt to the Secret of the bucket",
    ),
    (r"unable to get address for '([^']*)'", "host {} does not exist"),
    (r"(?:unable to connect to|timeout connecting to) '([^']*)'", "{} does not respond"),
    (r"No space left", "no space is left; increase {room}"),
    (r"no backup sets to restore", "the archive has no backup yet"),
]


def meaning(text, room="spec.backup.target.volume.size"):
    """Returns an empty string for unknown errors. @param room the field with the size of the volume"""
    for pattern, words in MEANINGS:
        if found := re.search(pattern, text):
            return f"{words.format(*found.groups(), room=room)}; "
    return ""
