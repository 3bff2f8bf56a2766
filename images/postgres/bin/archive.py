"""Status of an archive, as pgBackRest reports it."""

import datetime

# The status code of an archive that pgBackRest could not read. The command itself succeeds.
NOT_ASKED = 99


def unasked(stanzas):
    """Returns the reason why a stanza could not be read, or None. @param stanzas the output of `info`"""
    states = [repo["status"] for stanza in stanzas for repo in stanza.get("repo") or []]
    return next((state["message"].strip() for state in states if state["code"] == NOT_ASKED), None)


def moment(seconds):
    return datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
