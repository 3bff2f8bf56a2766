"""A program with a loop of its own, and a scheduler, with faults as in program.py."""

import os
import time

import torch

from reconstruct_training import DataLoader, DistributedDataParallel, DistributedSampler, Loop

WORKER = os.environ["RECONSTRUCT_WORKER"]
PAUSE = float(os.environ.get("PAUSE", "0"))
# The scheduler steps after each batch, or after each epoch.
EACH_BATCH = os.environ.get("EACH_BATCH") == "1"


def has(fault):
    path = os.path.join(os.environ["TRIGGERS"], f"{WORKER}.{fault}")
    if not os.path.exists(path):
        return False
    os.unlink(path)
    return True


class Numbers(torch.utils.data.Dataset):
    def __len__(self):
        return 96

    def __getitem__(self, index):
        inputs = torch.randn(8, generator=torch.Generator().manual_seed(index))
        return inputs, inputs.sum().reshape(1)


def main():
    torch.manual_seed(0)
    sampler = DistributedSampler(Numbers())
    loader = DataLoader(Numbers(), batch_size=4, sampler=sampler)
    model = DistributedDataParallel(torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.BatchNorm1d(16), torch.nn.Linear(16, 1)))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.9)
    loop = Loop(model, optimizer, scheduler, loader=loader)
    for epoch in loop.epochs(int(os.environ["EPOCHS"])):
        sampler.set_epoch(epoch)
        for inputs, sums in loader:
            loss = torch.nn.functional.mse_loss(model(inputs), sums)
            optimizer.zero_grad()
            time.sleep(PAUSE * 0.7)
            loss.backward()
            if has("raises"):
                raise ArithmeticError("the program is wrong")
            if not has("forgets-its-step"):
                optimizer.step()
            if EACH_BATCH:
                scheduler.step()
            loop.tell(loss * float("nan") if has("nan") else loss)
            time.sleep(PAUSE * 0.3)
        if not EACH_BATCH:
            scheduler.step()
        print(f"epoch {epoch} ends at step {loop.step} with {scheduler.get_last_lr()[0]:.6f}", flush=True)


main()
