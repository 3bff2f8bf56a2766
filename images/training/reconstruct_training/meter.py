"""What a rank is doing now and how long the parts of its last step took."""

import threading
import time

import torch


class Meter:
    """Phases: data (waits for a batch), compute, sync (waits for its peers). Read from another thread.

    With CUDA the host runs ahead of the device: there, a rank computes until the device has done what it must before
    the last bucket of gradients can be reduced.
    """

    def __init__(self):
        self._lock = threading.Lock()
        self._cuda = False
        self._phase, self._since = "idle", time.monotonic()
        self._started = self._ready = None
        self._marks = {}
        self._seconds = {"data": 0.0, "compute": 0.0, "sync": 0.0}

    def use_cuda(self):
        self._cuda = True

    def idle(self):
        self._enter("idle")

    def data(self):
        self._enter("data")

    def compute(self):
        self._started, self._ready = self._event(), None
        self._enter("compute")

    def sync(self):
        """All gradients of this rank are there, or on the device: will be."""
        self._ready = self._event()
        self._enter("sync")

    def end(self):
        """Ends a step, of which the device has done all up to the reduced gradients."""
        now = time.monotonic()
        with self._lock:
            marks, self._marks = self._marks, {}
            compute = marks.get("compute", now)
            sync = marks.get("sync", now)
            seconds = {"data": compute - marks.get("data", compute), "compute": sync - compute, "sync": now - sync}
        if self._started is not None and self._ready is not None and self._ready.query():
            seconds["compute"] = self._started.elapsed_time(self._ready) / 1000
            seconds["sync"] = max(0.0, now - compute - seconds["compute"])
        with self._lock:
            self._seconds = {name: round(value, 6) for name, value in seconds.items()}
        self._enter("idle")

    def reading(self):
        with self._lock:
            phase, since, seconds, ready = self._phase, self._since, self._seconds, self._ready
        if phase == "sync" and ready is not None and not ready.query():
            phase = "compute"
        return {"phase": phase, "phaseSeconds": round(time.monotonic() - since, 3), "seconds": seconds}

    def _enter(self, phase):
        with self._lock:
            self._phase, self._since = phase, time.monotonic()
            self._marks[phase] = self._since

    def _event(self):
        if not self._cuda:
            return None
        event = torch.cuda.Event(enable_timing=True)
        event.record()
        return event
