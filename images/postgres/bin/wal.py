"""Where PostgreSQL keeps its log, and in which pieces."""

import os

import making

FOLDER = f"{making.VOLUME}/pgdata/pg_wal"
# It keeps an empty file here for each one that is yet to be archived.
STATUS = f"{FOLDER}/archive_status"
# Bytes of a file.
SIZE = 16 * 1024**2


def waiting():
    """What is kept of the files that are yet to be archived."""
    return [entry for entry in os.scandir(STATUS) if entry.name.endswith(".ready")]
