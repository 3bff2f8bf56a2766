"""Nested states (of a model, an optimizer …) as JSON and a list of tensors, and back. Without pickle: neither a file
nor a peer can make this process run code."""

import math

import torch


class Unstorable(TypeError):
    """A state holds something other than tensors, numbers, text, None, and lists, tuples and dictionaries of them."""


def taken_apart(state):
    """Returns the state as a JSON value, in which each tensor is its index, and the tensors."""
    tensors = []

    def part(value, path):
        if isinstance(value, torch.Tensor):
            tensors.append(value.detach())
            return {"t": len(tensors) - 1}
        if value is None or isinstance(value, (bool, int, str)):
            return value
        if isinstance(value, float):
            return value if math.isfinite(value) else {"f": str(value)}
        if isinstance(value, (list, tuple)):
            kind = "l" if isinstance(value, list) else "u"
            return {kind: [part(each, f"{path}[{index}]") for index, each in enumerate(value)]}
        if isinstance(value, dict):
            # Pairs: the keys of an optimizer's state are numbers, which JSON would turn into text.
            return {"d": [[part(key, path), part(each, f"{path}.{key}")] for key, each in value.items()]}
        raise Unstorable(f"{path} is of type {type(value).__name__}, which a checkpoint cannot hold")

    return part(state, "state"), tensors


def put_together(skeleton, tensors):
    """Returns the state whose parts these are."""
    if not isinstance(skeleton, dict):
        return skeleton
    ((kind, value),) = skeleton.items()
    if kind == "t":
        return tensors[value]
    if kind == "f":
        return float(value)
    if kind == "d":
        return {put_together(key, tensors): put_together(each, tensors) for key, each in value}
    parts = [put_together(each, tensors) for each in value]
    return parts if kind == "l" else tuple(parts)


def finite(tensors):
    """Returns a tensor with one boolean per device: whether all numbers are finite. Asks nothing of the host."""
    told = {}
    for tensor in tensors:
        if tensor.is_floating_point() or tensor.is_complex():
            each = torch.isfinite(tensor).all()
            told[tensor.device] = each if tensor.device not in told else told[tensor.device] & each
    return list(told.values())
