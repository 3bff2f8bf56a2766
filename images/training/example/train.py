"""Learns to add digits: a small model whose loss falls within a minute on two cores."""

import os
import time

import torch

from reconstruct_training import Trainer

BATCH = 512
PAUSE = float(os.environ.get("PAUSE", "0"))


def build(device):
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(20, 128), torch.nn.ReLU(), torch.nn.Linear(128, 19)).to(device)
    return model, torch.optim.Adam(model.parameters(), lr=1e-3)


def batches(world, step):
    while True:
        # The same batch in every world: each rank takes its part of it.
        digits = torch.randint(0, 10, (BATCH, 2), generator=torch.Generator().manual_seed(step))[world.part(BATCH)]
        pairs = torch.nn.functional.one_hot(digits, 10).reshape(len(digits), 20).float()
        yield pairs.to(world.device), digits.sum(1).to(world.device)
        step += 1


def step(model, optimizer, batch):
    inputs, sums = batch
    loss = torch.nn.functional.cross_entropy(model(inputs), sums)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if PAUSE:
        time.sleep(PAUSE)
    return loss


if __name__ == "__main__":
    Trainer(build, step, batches, steps=int(os.environ.get("STEPS", "2000"))).run()
