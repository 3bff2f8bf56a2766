"""Learns to add digits."""

import os

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler

EPOCHS = int(os.environ.get("EPOCHS", "20"))
# The first worker has the volume.
SAVED = os.path.join(os.environ.get("RECONSTRUCT_CHECKPOINTS", ""), "digits.pt")


def digits():
    pairs = torch.cartesian_prod(torch.arange(10), torch.arange(10)).repeat(50, 1)
    return list(zip(torch.nn.functional.one_hot(pairs, 10).flatten(1).float(), pairs.sum(1)))


def save(done, model, optimizer):
    torch.save({"done": done, "model": model.state_dict(), "optimizer": optimizer.state_dict()}, f"{SAVED}.new")
    os.replace(f"{SAVED}.new", SAVED)


def load(model, optimizer):
    state = [torch.load(SAVED) if dist.get_rank() == 0 and os.path.exists(SAVED) else None]
    dist.broadcast_object_list(state)
    if state[0] is None:
        return 0
    model.load_state_dict(state[0]["model"])
    optimizer.load_state_dict(state[0]["optimizer"])
    return state[0]["done"]


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(0)
    dataset = digits()
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, batch_size=32, sampler=sampler)
    model = torch.nn.Sequential(torch.nn.Linear(20, 128), torch.nn.ReLU(), torch.nn.Linear(128, 19))
    model = DistributedDataParallel(model)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for epoch in range(load(model, optimizer), EPOCHS):
        sampler.set_epoch(epoch)
        for inputs, sums in loader:
            loss = torch.nn.functional.cross_entropy(model(inputs), sums)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if dist.get_rank() == 0:
            print(f"epoch {epoch} loss {loss.item():.4f}", flush=True)
            save(epoch + 1, model, optimizer)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
