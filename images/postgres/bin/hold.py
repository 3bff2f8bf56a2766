"""An exclusive lock on a volume."""

import fcntl
import os


def hold(volume, when_taken):
    """Locks the volume for the lifetime of this process, across exec, and waits for an earlier holder.

    A Pod that was deleted by force may run for minutes beside the next Pod of the same name. Neither PostgreSQL sees
    the processes of the other, so both would write to the same files. Calls `when_taken` before it waits.
    """
    lock = os.open(f"{volume}/.instance", os.O_RDWR | os.O_CREAT, 0o600)
    os.set_inheritable(lock, True)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        when_taken()
        fcntl.flock(lock, fcntl.LOCK_EX)
