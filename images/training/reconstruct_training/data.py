"""A loader whose order does not depend on the number of ranks: another number goes on where the last one was."""

import math

import torch
from torch.utils import data


class DistributedSampler(data.Sampler):
    """Takes the place of torch's class of the same name, with the same order of the samples in a generation.

    The ranks take turns in one order of all samples. After a recovery, the ranks of the next generation take turns in the
    rest of it.
    """

    def __init__(self, dataset, shuffle=True, seed=0, drop_last=False):
        self._dataset, self._shuffle, self._seed, self._drop_last = dataset, shuffle, seed, drop_last
        self.epoch = 0
        self._world, self._done = None, 0

    def set_epoch(self, epoch):
        """Another epoch has another order."""
        self.epoch = epoch

    def begin_at(self, world, done):
        """The samples go on in this world, after so many of the epoch."""
        self._world, self._done = world, done

    def __iter__(self):
        rank, size = (self._world.rank, self._world.size) if self._world else (0, 1)
        order = self._order()
        rest = order[self._done :]
        count = self._count(len(rest), size) * size
        # All ranks get as many: the first samples are taken again, or the last ones are left out.
        while rest and len(rest) < count:
            rest = rest + order[: count - len(rest)]
        return iter(rest[rank:count:size])

    def __len__(self):
        """Samples of a rank in a whole epoch.

        @throws RuntimeError before the first generation
        """
        if self._world is None:
            raise RuntimeError(
                "the number of ranks is not known before the first step: compute from len(dataset) instead, or ask in the loop"
            )
        return self._count(len(self._dataset), self._world.size)

    def _count(self, samples, size):
        return samples // size if self._drop_last else math.ceil(samples / size)

    def _order(self):
        count = len(self._dataset)
        if not self._shuffle:
            return list(range(count))
        return torch.randperm(count, generator=torch.Generator().manual_seed(self._seed + self.epoch)).tolist()


class DataLoader(data.DataLoader):
    """Takes the place of torch's class of the same name. In a `Loop`, each batch is done once, by all ranks together."""

    loop = None

    def __iter__(self):
        return self.batches() if self.loop is None else self.loop.steps()

    def batches(self):
        """Returns the batches from where the sampler is."""
        return super().__iter__()


class Place:
    """How far all ranks have come: a part of the state, so that a new process and a checkpoint have it too."""

    def __init__(self):
        self.epoch = 0
        self.samples = 0
        """Samples of the epoch that all ranks together have done."""

    def next_epoch(self):
        self.epoch, self.samples = self.epoch + 1, 0

    def state_dict(self):
        return {"epoch": self.epoch, "samples": self.samples}

    def load_state_dict(self, state):
        self.epoch, self.samples = state["epoch"], state["samples"]
