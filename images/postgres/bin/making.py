"""A mark for incomplete data: incomplete data must not be used as that of a Database.

A file on the volume marks the data from before its first byte until it is complete, even if the machine crashes
meanwhile.
"""

import os
import sys

VOLUME = "/var/lib/postgresql"
MARK = f"{VOLUME}/.making"
# The termination message of the container.
TOLD = "/dev/termination-log"


def is_made():
    return not os.path.exists(MARK)


def begun(note=""):
    """Sets the mark, with a note for the program that completes the data."""
    with open(MARK, "w", encoding="utf-8") as file:
        file.write(note)
        file.flush()
        os.fsync(file)
    _kept()


def noted():
    with open(MARK, encoding="utf-8") as file:
        return file.read()


def done():
    """Removes the mark durably: after a power loss, a mark that reappears would delete the data."""
    os.unlink(MARK)
    _kept()


def give_up(why):
    """Exits with an error, which also becomes the termination message of the Pod."""
    with open(TOLD, "w", encoding="utf-8") as file:
        file.write(why)
    sys.exit(why)


def given_up():
    """Returns the error of another program of this container, or an empty string."""
    with open(TOLD, encoding="utf-8", errors="replace") as file:
        return file.read().strip()


def _kept():
    folder = os.open(VOLUME, os.O_RDONLY)
    os.fsync(folder)
    os.close(folder)
