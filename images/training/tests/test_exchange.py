"""Which rank has the state that a generation goes on from."""

import pytest
import torch

from reconstruct_training import states
from reconstruct_training.exchange import line_after, source_of, writer_of


def offer(memory=None, disk=None, volume=False):
    return {"memory": memory, "disk": disk, "volume": volume}


@pytest.mark.parametrize(
    "source, when, offers, before",
    [
        (None, "nobody has a state", [offer(), offer()], None),
        ((0, "disk"), "there is only a checkpoint", [offer(disk=[1, 50]), offer()], None),
        ((1, "memory"), "a survivor has a state", [offer(disk=[1, 50]), offer(memory=[1, 57])], None),
        ((1, "memory"), "both have the same step", [offer(disk=[1, 50]), offer(memory=[1, 50])], None),
        ((2, "memory"), "a survivor is a step ahead", [offer(), offer(memory=[1, 57]), offer(memory=[1, 58])], None),
        ((1, "memory"), "survivors have the same", [offer(), offer(memory=[1, 57]), offer(memory=[1, 57])], None),
        ((0, "disk"), "a memory is older than the checkpoint", [offer(disk=[1, 50]), offer(memory=[1, 20])], None),
        ((1, "memory"), "a memory is of a line that was left", [offer(memory=[1, 200]), offer(memory=[7, 81])], None),
        ((0, "disk"), "the job is rolled back", [offer(disk=[1, 40]), offer(memory=[1, 57])], 41),
        (None, "the job is rolled back and has no checkpoint", [offer(memory=[1, 57])], 41),
    ],
)
def test_the_source_is(source, when, offers, before):
    assert source_of(offers, before) == source


@pytest.mark.parametrize(
    "line, when, offers, generation",
    [
        (1, "nobody has a state", [offer(), offer()], 1),
        (9, "all have a state of an older generation", [offer(disk=[1, 40]), offer(memory=[4, 57])], 9),
        (8, "the volume is that of an earlier job, with more generations", [offer(disk=[7, 40]), offer()], 3),
        (9, "a member has left that line since", [offer(disk=[7, 40]), offer(memory=[8, 57])], 3),
    ],
)
def test_the_line_after_a_rollback_is_above_all_others(line, when, offers, generation):
    assert line_after(offers, generation) == line
    # What is trained after the rollback counts more than what is on the volume.
    assert source_of([*offers, offer(memory=[line, 41])], None) == (len(offers), "memory")


@pytest.mark.parametrize(
    "writer, offers",
    [(None, [offer(), offer()]), (1, [offer(), offer(volume=True), offer(volume=True)])],
)
def test_the_writer_is(writer, offers):
    assert writer_of(offers) == writer


@pytest.mark.parametrize(
    "finite, value",
    [(True, [1.0, -2.0]), (False, [1.0, float("nan")]), (False, [float("-inf")]), (True, [])],
)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16])
def test_a_state_is_finite(finite, value, dtype):
    tensors = [torch.ones(2), torch.tensor(value, dtype=dtype), torch.tensor([1])]
    assert all(states.finite(tensors)) is finite
