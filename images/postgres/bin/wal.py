"""Location and file size of the write-ahead log."""

import os

import making

FOLDER = f"{making.VOLUME}/pgdata/pg_wal"
# PostgreSQL keeps an empty file here for each log file that waits for the archive.
STATUS = f"{FOLDER}/archive_status"
# Size of a log file, in bytes.
SIZE = 16 * 1024**2


def waiting():
    """Returns the entries of the log files that wait for the archive."""
    return [entry for entry in os.scandir(STATUS) if entry.name.endswith(".ready")]
