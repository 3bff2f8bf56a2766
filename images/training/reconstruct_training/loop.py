"""A training whose loop is the program's own: the names of torch, and `Loop`."""

import atexit
import functools
import sys

import torch

from . import states
from .data import DataLoader, DistributedSampler, Place
from .participant import Participant

__all__ = ["DataLoader", "DistributedDataParallel", "DistributedSampler", "Loop"]


class DistributedDataParallel(torch.nn.Module):
    """Takes the place of torch's class of the same name. It has torch's own in each generation, and is the module alone
    before the first one and after the last one.

    The module must be on its device. `arguments` are those of torch's class; `device_ids` follow from the device.
    """

    def __init__(self, module, device_ids=None, output_device=None, **arguments):
        super().__init__()
        self.module = module
        self.arguments = arguments
        # Not a part of this module: it has the same parameters.
        self.__dict__["_generation"] = None

    def begin(self, generation, forgive):
        """From now on, this is torch's model of a generation. forgive(error) notes a failure, or raises it."""
        self.__dict__["_generation"] = (generation, forgive)

    def end(self):
        self.__dict__["_generation"] = None

    def forward(self, *inputs, **keywords):
        if self._generation is None:
            return self.module(*inputs, **keywords)
        model, forgive = self._generation
        try:
            return model(*inputs, **keywords)
        except Exception as error:
            forgive(error)
            # Nothing will come of this step, and the program gets through it.
            return self.module(*inputs, **keywords)


class Loop(Participant):
    """Trains with a loop of the program, in as many generations as it takes.

    A step is a batch of the loader, in which the optimizer steps. If a peer is lost meanwhile, the optimizer and
    the other parts keep their state, and the loader gives the batch again when the ranks are together.

    `model` is a DistributedDataParallel of this module, `loader` a DataLoader of it with a DistributedSampler of it. `parts`
    are the optimizer, and whatever else has a state (state_dict and load_state_dict), such as a scheduler.
    """

    def __init__(self, model, *parts, loader, settings=None):
        _check(model, parts, loader)
        super().__init__(model.arguments, settings)
        self._model, self._others, self._loader = model, parts, loader
        self._place = Place()
        # A scaler of gradients skips a step whose gradients are not finite.
        self._may_skip = any(hasattr(part, "get_scale") for part in parts)
        # Samples of all ranks since the optimizer stepped.
        self._pending = 0
        self._failure = self._loss = None
        # Whether a batch is being done; whether what follows it was done by the rank whose state this is.
        self._inside = self._is_behind = False
        # The state before the first step.
        self._first = None
        self._is_over = False
        self.world = None

    def epochs(self, count):
        """Yields the number of each epoch, from that of the state on. After it, all ranks have done all steps."""
        self._begin()
        self._next_world()
        while True:
            while self._place.epoch < count:
                self._say_steps(count)
                epoch = self._place.epoch
                yield epoch
                if not self._is_behind:
                    self._place.next_epoch()
                self._is_behind = False
            try:
                self._finish(self.world)
            except Exception as error:
                self._leave_after(error)
                self._next_world()
            else:
                self._loader.loop, self._is_over = None, True
                return

    def tell(self, loss):
        """Tells the loss of a step: a tensor with one number, or a number."""
        self._loss = loss

    def steps(self):
        """Yields the batches of the epoch, each until the optimizer has stepped."""
        epoch = self._place.epoch
        while True:
            try:
                yield from self._steps_of_generation()
                return
            except Exception as error:
                self._leave_after(error)
                self._next_world()
            if self._place.epoch != epoch:
                # What the program does after its epoch is in the state already, or comes again.
                self._is_behind = True
                return

    def _steps_of_generation(self):
        self._loader.sampler.begin_at(self.world, self._place.samples)
        self._pending = 0
        batches, nothing = self._loader.batches(), object()
        while True:
            self._border()
            self._raise_failure()
            self._meter.data()
            batch = next(batches, nothing)
            if batch is nothing:
                return
            self._meter.compute()
            self._pending += self._loader.batch_size * self.world.size
            buffers = [buffer.clone() for buffer in self._model.module.buffers()]
            self._inside, self._committed, self._loss = True, False, None
            try:
                # An exception in the body of the loop does not come here: it ends the program.
                yield batch
            finally:
                self._inside = False
                self._meter.end()
            if self._failure is not None and not self._committed:
                # Such as the mean of a batch that comes again.
                for buffer, value in zip(self._model.module.buffers(), buffers):
                    buffer.copy_(value)
            self._raise_failure()
            if self._committed:
                self._tell(self._loss)
            elif not self._may_skip:
                raise RuntimeError("a batch has ended without a step of the optimizer; to sum the gradients of several, use Trainer")

    def _raise_failure(self):
        if self._failure is not None:
            raise self._failure

    def _begin(self):
        if self._is_over or self._loader.loop is not None:
            raise RuntimeError("epochs was called before: a program has one loop over its epochs")
        self._loader.loop = self
        self._introduce()
        _when_the_program_ends(self._failed, lambda: self._is_over and self._done())
        self._prepare(next(self._model.module.parameters()).device, self._forgive)

    def _fresh_parts(self):
        parts = (self._model.module, *self._others, self._place)
        if self._first is None:
            self._first = _copied(*states.taken_apart([part.state_dict() for part in parts]))
            for part in self._others:
                self._guard(part)
        else:
            for part, state in zip(parts, states.put_together(*_copied(*self._first))):
                part.load_state_dict(state)
        return parts

    def _guard(self, part):
        if hasattr(part, "param_groups"):
            part.step = self._counted(part.step)
            return
        kind = type(part)
        if hasattr(kind, "get_scale"):
            # Its step calls that of the optimizer, and it must be ready for the next one.
            methods = {"update": self._skipped(kind.update, lambda scaler: kind.update(scaler, scaler.get_scale()))}
        else:
            methods = {name: self._skipped(getattr(kind, name)) for name in ("step", "update") if hasattr(kind, name)}
        # Not as attributes of the part, which a scheduler has in its state.
        part.__class__ = type(kind.__name__, (kind,), methods)

    def _counted(self, step):
        """A step of the optimizer that nothing comes of does nothing. Any other is a step of the job."""

        @functools.wraps(step)
        def counted(*arguments, **keywords):
            try:
                self._before_step()
            except Exception as error:
                self._forgive(error)
            if self._nothing_comes_of_it():
                return None
            result = step(*arguments, **keywords)
            self.step += 1
            self._committed = True
            self._place.samples += self._pending
            self._pending = 0
            return result

        return counted

    def _skipped(self, method, instead=lambda part: None):
        @functools.wraps(method)
        def skipped(part, *arguments, **keywords):
            return instead(part) if self._nothing_comes_of_it() else method(part, *arguments, **keywords)

        return skipped

    def _nothing_comes_of_it(self):
        """Tells whether what is done now comes again, or has come already."""
        return self._is_behind or (self._inside and self._failure is not None and not self._committed)

    def _forgive(self, error):
        """Notes a failure that a peer or a newer generation is the reason of. Raises any other."""
        if not self._is_of_peers(error):
            raise error
        self._failure = self._failure or error

    def _wrap(self, world):
        super()._wrap(world)
        # The gradients of an attempt that was given up.
        for parameter in self._model.module.parameters():
            parameter.grad = None
        self._failure = None
        self._model.begin(self._wrapped[0], self._forgive)

    def _leave(self):
        self._model.end()
        super()._leave()

    def _say_steps(self, count):
        self._loader.sampler.begin_at(self.world, self._place.samples)
        left = (count - self._place.epoch) * len(self._loader)
        done = self._place.samples // (self._loader.batch_size * self.world.size)
        self._member.say(steps=self.step + max(0, left - done))


def _copied(skeleton, tensors):
    # In the memory of the host: it is needed once at most.
    return skeleton, [tensor.to("cpu", copy=True) for tensor in tensors]


def _check(model, parts, loader):
    """@throws TypeError if something is not of this module, which it must be to survive"""
    for value, kind, name in ((model, DistributedDataParallel, "model"), (loader, DataLoader, "loader")):
        if not isinstance(value, kind):
            got = f"{type(value).__module__}.{type(value).__name__}"
            raise TypeError(f"{name} must be a reconstruct_training.{kind.__name__}, got a {got}; import it from reconstruct_training")
    if not isinstance(loader.sampler, DistributedSampler) or loader.batch_size is None:
        raise TypeError("loader must have a batch_size and a reconstruct_training.DistributedSampler; for other data, use Trainer")
    if not any(hasattr(part, "param_groups") for part in parts):
        raise TypeError("one of the parts must be an optimizer, got none; pass Loop(model, optimizer, loader=loader)")
    for part in parts:
        if not hasattr(part, "state_dict") or not hasattr(part, "load_state_dict"):
            raise TypeError(f"each part must have state_dict and load_state_dict, got a {type(part).__name__}; leave it out")


def _when_the_program_ends(failed, done):
    """Calls failed(error) when an exception ends the program, else done()."""
    before, errors = sys.excepthook, []

    def hook(kind, error, trace):
        errors.append(error)
        before(kind, error, trace)
        failed(error)

    sys.excepthook = hook
    atexit.register(lambda: errors or done())
