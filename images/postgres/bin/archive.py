"""What pgBackRest tells of an archive."""

import datetime

# Its word for an archive that it could not look into, which it counts as a success.
NOT_ASKED = 99


def unasked(stanzas):
    """Why it could not look into one of them; nothing where it could. @param stanzas what `info` has told"""
    states = [repo["status"] for stanza in stanzas for repo in stanza.get("repo") or []]
    return next((state["message"].strip() for state in states if state["code"] == NOT_ASKED), None)


def moment(seconds):
    return datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
