"""Distributed training that survives the loss of its processes.

A program hands a `Trainer` three functions: one that builds the model and the optimizer, one that gives this rank's
part of the data, one that does a step. Or it has a loop of its own, in a `Loop`, with the classes of torch from here.
"""

__all__ = ["DataLoader", "DistributedDataParallel", "DistributedSampler", "Loop", "Trainer", "World"]


def __getattr__(name):
    # The launcher is a process of its own in every container: importing this package must not import torch.
    if name in __all__:
        from . import loop, trainer

        return getattr(loop if name in loop.__all__ else trainer, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
