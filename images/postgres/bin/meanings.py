"""What people can mend of what pgBackRest says. It is told before its own words."""

import re

MEANINGS = [
    (
        r"unable to acquire lock on file",
        "an earlier try still runs, or was ended by force and keeps its lock for up to a minute",
    ),
    (r"failed with 403|<Code>\w*(?:AccessKey|User)\w*<", "the store refuses the keys of the bucket's Secret"),
    (r"<Code>NoSuchBucket<", "there is no such bucket: make it, or correct the bucket that s3 names"),
    (
        r"unable to verify certificate presented by '([^']*)'",
        "{} shows a certificate that is not trusted: of a store, put its authority's into ca.crt of the bucket's Secret",
    ),
    (r"unable to get address for '([^']*)'", "there is no host {}"),
    (r"(?:unable to connect to|timeout connecting to) '([^']*)'", "{} does not answer"),
    (r"No space left", "there is no room left: raise {room}"),
    (r"no backup sets to restore", "the archive has no backup yet"),
]


def meaning(text, room="backup.target.volume.size"):
    """Nothing where it means nothing to people. @param room the field that says how much room there is"""
    for pattern, words in MEANINGS:
        if found := re.search(pattern, text):
            return f"{words.format(*found.groups(), room=room)}; "
    return ""
