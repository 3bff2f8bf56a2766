"""The loop of a program that survives the loss of its peers."""

import math

from .participant import Participant, World, own_device

__all__ = ["Trainer", "World"]


class Trainer(Participant):
    """Trains with DistributedDataParallel, in as many generations as it takes.

    build(device) returns the model, the optimizer and whatever else has a state (state_dict and load_state_dict).
    batches(world, step) returns an iterable of this rank's batches from that step on. It is called in each generation.
    step(model, optimizer, …, batch) does a step, in which the optimizer steps once, and returns the loss.
    `steps` is the number of steps; without it, the batches end the training.
    `ddp` has more arguments for DistributedDataParallel.
    """

    def __init__(self, build, step, batches, steps=None, ddp=None, settings=None):
        super().__init__(ddp, settings)
        self._build, self._do, self._batches, self._steps = build, step, batches, whole(steps)

    def run(self):
        """Trains to the end. Exits with EXIT_DEVICE if CUDA failed, and raises what the program raised."""
        self._introduce()
        self._member.say(steps=self._steps)
        try:
            self._prepare(own_device(self._settings))
            self._run()
        except Exception as error:
            self._failed(error)
            raise

    def _fresh_parts(self):
        parts = tuple(self._build(self._device))
        for part in parts:
            if hasattr(part, "param_groups"):
                part.step = self._guarded(part.step)
        return parts

    def _run(self):
        while True:
            world = self._next_world()
            try:
                self._train(world)
                self._finish(world)
                return self._done()
            except Exception as error:
                self._leave_after(error)

    def _train(self, world):
        batches = iter(self._batches(world, self.step))
        nothing = object()
        while self._steps is None or self.step < self._steps:
            self._border()
            self._meter.data()
            batch = next(batches, nothing)
            if batch is nothing:
                return
            self._meter.compute()
            self._committed = False
            try:
                loss = self._do(*self._wrapped, batch)
            except Exception:
                # A peer that has not got as far gets this state.
                self.step += self._committed
                raise
            finally:
                self._meter.end()
            self.step += 1
            self._tell(loss)


def whole(steps):
    """Returns a number of steps as an int, such as that of NumPy, which JSON does not have. None: without an end.

    @throws ValueError if it is no whole number
    """
    if steps is None or steps == math.inf:
        return None
    if steps != int(steps):
        raise ValueError(f"steps must be a whole number, got {steps}")
    return int(steps)
