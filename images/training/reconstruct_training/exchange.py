"""Who has the state that a generation goes on from, and how the others get it."""

import json

import torch

from . import states

BUCKET = 64 << 20
ALIGNED = 16


def source_of(offers, restore_before):
    """Returns (rank, where) of the state to go on from; where is memory or disk. None: all begin anew.

    A state is of a line, which changes with each rollback, and a step. The newest line counts, then the highest
    step, then memory before disk, then the lowest rank.
    """
    candidates = []
    for rank, offer in enumerate(offers):
        if offer["memory"] and restore_before is None:
            candidates.append((*offer["memory"], 1, -rank))
        if offer["disk"]:
            candidates.append((*offer["disk"], 0, -rank))
    if not candidates:
        return None
    _, _, memory, rank = max(candidates)
    return -rank, "memory" if memory else "disk"


def line_after(offers, generation):
    """Returns the line of a state that no member has yet. Generations count from 1 again in a job that takes a volume over."""
    lines = [state[0] for offer in offers for state in (offer["memory"], offer["disk"]) if state]
    return max([generation, *(line + 1 for line in lines)])


def writer_of(offers):
    """Returns the rank that writes the checkpoints, the lowest that has the volume, or None."""
    return next((rank for rank, offer in enumerate(offers) if offer["volume"]), None)


def broadcast(state, source, rank, device, group):
    """Gives the state of one rank to all. Returns it; the source gets its own back."""
    skeleton, tensors = states.taken_apart(state) if rank == source else (None, None)
    about = _broadcast_json(
        {"state": skeleton, "tensors": [_described(tensor) for tensor in tensors]} if rank == source else None,
        source, device, group,
    )  # fmt: skip
    if rank != source:
        tensors = [
            torch.empty(each["shape"], dtype=getattr(torch, each["dtype"]), device=device if each["cuda"] else "cpu")
            for each in about["tensors"]
        ]
    for bucket in _buckets(tensors):
        _broadcast_bucket(bucket, source, rank, device, group)
    return state if rank == source else states.put_together(about["state"], tensors)


def _described(tensor):
    return {"shape": list(tensor.shape), "dtype": str(tensor.dtype).split(".")[1], "cuda": tensor.is_cuda}


def _broadcast_json(value, source, device, group):
    payload = json.dumps(value).encode() if value is not None else b""
    length = torch.tensor([len(payload)], dtype=torch.int64, device=device)
    group.broadcast(length, source)
    if value is not None:
        content = torch.frombuffer(bytearray(payload), dtype=torch.uint8).to(device)
    else:
        content = torch.empty(int(length), dtype=torch.uint8, device=device)
    group.broadcast(content, source)
    return value if value is not None else json.loads(bytes(content.tolist()))


def _buckets(tensors):
    bucket, size = [], 0
    for tensor in tensors:
        bucket.append(tensor)
        size += tensor.numel() * tensor.element_size()
        if size >= BUCKET:
            yield bucket
            bucket, size = [], 0
    if bucket:
        yield bucket


def _broadcast_bucket(tensors, source, rank, device, group):
    places, end = [], 0
    for tensor in tensors:
        size = tensor.numel() * tensor.element_size()
        places.append((end, size))
        end += size + -size % ALIGNED
    flat = torch.empty(end, dtype=torch.uint8, device=device)
    parts = [flat[start : start + size].view(tensor.dtype).view(tensor.shape) for tensor, (start, size) in zip(tensors, places)]
    if rank == source:
        for part, tensor in zip(parts, tensors):
            part.copy_(tensor)
    group.broadcast(flat, source)
    if rank != source:
        for part, tensor in zip(parts, tensors):
            tensor.copy_(part)
