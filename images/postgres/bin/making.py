"""Whether the data of an instance is still being made: what is half made must not be taken for a Database's.

A file says so, on the volume, from before the first data until all of it is there, whatever happens to the machine meanwhile.
"""

import os
import sys

VOLUME = "/var/lib/postgresql"
MARK = f"{VOLUME}/.making"
# What Kubernetes tells of a container that has ended.
TOLD = "/dev/termination-log"


def is_made():
    return not os.path.exists(MARK)


def begun(note=""):
    """With a note for whoever makes the rest of it."""
    with open(MARK, "w", encoding="utf-8") as file:
        file.write(note)
        file.flush()
        os.fsync(file)
    _kept()


def noted():
    with open(MARK, encoding="utf-8") as file:
        return file.read()


def done():
    """Whoever writes to it from now on must not find it gone because the machine forgot this as it lost its power."""
    os.unlink(MARK)
    _kept()


def give_up(why):
    """What its pod tells of it."""
    with open(TOLD, "w", encoding="utf-8") as file:
        file.write(why)
    sys.exit(why)


def given_up():
    """Why another program of this container gave up, or nothing."""
    with open(TOLD, encoding="utf-8", errors="replace") as file:
        return file.read().strip()


def _kept():
    folder = os.open(VOLUME, os.O_RDONLY)
    os.fsync(folder)
    os.close(folder)
