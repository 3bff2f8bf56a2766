"""Writes checkpoints in a thread, beside the training."""

import threading
import time

from .checkpoints import Fenced


class Saver:
    """Writes for one rank and, after `begin`, for one generation. A state that is not finite is never written."""

    def __init__(self, checkpoints, snapshots, member):
        self._checkpoints = checkpoints
        self._snapshots = snapshots
        self._member = member
        self._generation = 0
        self._thread = None
        self.step = None
        """Step of the newest checkpoint that was begun or found. None: there is none, of a state that is not new."""

    def begin(self, generation, step, rolled_back):
        """Fences older generations off. After a rollback to this step, the checkpoints of later steps are deleted.

        @throws Fenced if a newer generation has claimed the folder
        """
        self.wait()
        self._generation = generation
        self._checkpoints.claim(generation)
        if rolled_back:
            self._checkpoints.forget_after(step)
        newest = self._checkpoints.newest()
        self.step = newest[1] if newest else 0 if step == 0 else None
        if newest and not self._member.told("checkpoint"):
            at = self._checkpoints.written_at(newest[1])
            self._member.say(checkpoint={"step": newest[1], "at": at, "healthy": True, "message": "", "order": ""})

    @property
    def has_begun(self):
        return self._generation > 0

    def busy(self):
        return self._thread is not None and self._thread.is_alive()

    def save(self, step, line, state, still, order=""):
        """Takes a snapshot and begins to write it."""
        self.wait()
        snapshot = self._snapshots.take(state, still)
        self.step = step
        arguments = (snapshot, step, line, self._generation, order)
        self._thread = threading.Thread(target=self._write, args=arguments, name="checkpoint")
        self._thread.start()

    def wait(self):
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def _write(self, snapshot, step, line, generation, order):
        before = self._member.told("checkpoint") or {"step": None}
        began = time.monotonic()
        try:
            if snapshot.wait():
                self._checkpoints.save(step, line, generation, snapshot.skeleton, snapshot.tensors)
                told = {"step": step, "at": self._checkpoints.written_at(step), "healthy": True, "message": ""}
                told["seconds"] = round(time.monotonic() - began, 3)
            else:
                told = {**before, "healthy": False, "message": f"The state of step {step} is not finite"}
        except Fenced as error:
            told = {**before, "healthy": False, "message": str(error)}
        # A full or lost volume must not end the training: the operator hears of it.
        except Exception as error:
            told = {**before, "healthy": False, "message": f"Writing step {step} failed: {error}"}
        self._member.say(urgent=True, checkpoint={**told, "order": order or before.get("order", "")})
