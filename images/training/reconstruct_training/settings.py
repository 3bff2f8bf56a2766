"""What the operator sets in the environment of a container."""

import os
import socket
from dataclasses import dataclass

# Exit codes of a training process, for its launcher.
EXIT_DEVICE = 70
"""CUDA failed in this process: every later call of it fails too."""
EXIT_REPLACED = 71
"""Another process has this process's place in the job."""


@dataclass(frozen=True)
class Settings:
    coordinator: str
    """HOST:PORT of the coordinator, or an empty string: this process trains alone."""
    job: str
    """Identity of the job: another job may take its folder of checkpoints over, an old generation of it may not."""
    worker: str
    """Name of the worker, the same in all its processes."""
    uid: str
    """Identity of the Pod. A Pod that replaces another has the same worker name and another UID."""
    local: int
    """Index of this process in its worker."""
    token: str
    """Bearer token of every request, or an empty string."""
    folder: str
    """Folder of the checkpoints, or an empty string where no volume is mounted."""
    every: int
    """Steps between two checkpoints."""
    keep: int
    """Number of checkpoints kept."""
    heartbeat: float
    """Seconds between two heartbeats."""
    timeout: float
    """Seconds after which a collective fails, if nothing else ended it."""
    grace: float
    """Seconds that a process has to leave a generation that was superseded."""
    note: str
    """File through which this process tells its launcher what it must know, or an empty string."""
    backend: str
    """gloo, nccl, or an empty string: nccl if each process has a GPU of its own."""

    @classmethod
    def of(cls, environ=os.environ):
        def text(name, default=""):
            return environ.get(f"RECONSTRUCT_{name}", default)

        return cls(
            coordinator=text("COORDINATOR"),
            job=text("JOB"),
            worker=text("WORKER") or socket.gethostname(),
            uid=text("UID"),
            local=int(environ.get("LOCAL_RANK", "0")),
            token=text("TOKEN"),
            folder=text("CHECKPOINTS"),
            every=int(text("EVERY", "500")),
            keep=int(text("KEEP", "5")),
            heartbeat=float(text("HEARTBEAT", "1")),
            timeout=float(text("TIMEOUT", "600")),
            grace=float(text("GRACE", "20")),
            note=text("NOTE"),
            backend=text("BACKEND"),
        )
