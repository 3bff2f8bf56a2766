"""Keeps others off a volume."""

import fcntl
import os


def hold(volume, when_taken):
    """Keeps others off the volume for as long as this process lives, under whatever program, and waits for who is there.

    A pod that was deleted by force may run on for minutes beside the next one of its name, and neither PostgreSQL sees the
    processes of the other: both would write to the same files. Calls `when_taken` before it waits.
    """
    lock = os.open(f"{volume}/.instance", os.O_RDWR | os.O_CREAT, 0o600)
    os.set_inheritable(lock, True)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        when_taken()
        fcntl.flock(lock, fcntl.LOCK_EX)
