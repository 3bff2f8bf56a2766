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
        # Sums over the steps since the last reading, and the means at that reading.
        self._sums, self._steps = dict.fromkeys(("data", "compute", "sync"), 0.0), 0
        self._means = dict(self._sums)

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
        if self._started is not None and _has_passed(self._ready):
            seconds["compute"] = self._started.elapsed_time(self._ready) / 1000
            seconds["sync"] = max(0.0, now - compute - seconds["compute"])
        with self._lock:
            for name, value in seconds.items():
                self._sums[name] += value
            self._steps += 1
        self._enter("idle")

    def reading(self):
        """Returns the phase, since when, and the means of the steps since the last reading (of earlier ones if none)."""
        with self._lock:
            phase, since, ready, steps = self._phase, self._since, self._ready, self._steps
            if steps:
                self._means = {name: round(value / steps, 6) for name, value in self._sums.items()}
                self._sums, self._steps = dict.fromkeys(self._sums, 0.0), 0
            means = self._means
        if phase == "sync" and ready is not None and not _has_passed(ready):
            phase = "compute"
        return {
            "phase": phase, "phaseSeconds": round(time.monotonic() - since, 3),
            "seconds": means, "stepsMeasured": steps,
        }  # fmt: skip

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


def _has_passed(event):
    try:
        return event is not None and event.query()
    except RuntimeError:
        return False  # CUDA has failed, which the next call of the training will tell.
