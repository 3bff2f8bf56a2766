"""Checkpoints: whole or not there, and of the newest generation."""

import os
import signal
import subprocess
import sys
import time

import pytest
import torch

from reconstruct_training import states
from reconstruct_training.checkpoints import Checkpoints, Fenced

STATE = {
    "step": 3,
    "parts": [{"weight": torch.arange(6.0).reshape(2, 3), "half": torch.ones(3, dtype=torch.bfloat16)},
              {"state": {0: {"step": torch.tensor(3.0), "flags": torch.tensor([True, False])}}, "betas": (0.9, 0.99),
               "none": None, "inf": float("-inf"), "text": "ä", "empty": torch.empty(0), "long": [torch.tensor(7)]}],
}  # fmt: skip


def same(a, b):
    if isinstance(a, torch.Tensor):
        return isinstance(b, torch.Tensor) and a.dtype == b.dtype and a.shape == b.shape and torch.equal(a, b)
    if isinstance(a, dict):
        return isinstance(b, dict) and list(a) == list(b) and all(same(a[key], b[key]) for key in a)
    if isinstance(a, (list, tuple)):
        return type(a) is type(b) and len(a) == len(b) and all(map(same, a, b))
    return type(a) is type(b) and a == b


def save(checkpoints, step, generation=1, line=1, state=None):
    checkpoints.save(step, line, generation, *states.taken_apart(state or STATE))


@pytest.fixture
def folder(tmp_path):
    return str(tmp_path / "checkpoints")


def test_a_state_comes_back_as_it_was(folder):
    save(Checkpoints(folder, 5), 3)
    step, line, state = Checkpoints(folder, 5).load()
    assert (step, line) == (3, 1)
    assert same(STATE, state)


def test_a_state_with_an_object_is_refused_with_its_path():
    with pytest.raises(states.Unstorable, match=r"state\.parts\[0\]\.x is of type object"):
        states.taken_apart({"parts": [{"x": object()}]})


@pytest.mark.parametrize(
    "loaded, when, harm",
    [
        (20, "nothing is wrong", lambda content: content),
        (10, "the end is missing", lambda content: content[:-1]),
        (10, "all but the head is missing", lambda content: content[:200]),
        (10, "it is empty", lambda content: b""),
        (10, "a byte of the data has changed", lambda content: content[:-3] + bytes([content[-3] ^ 1]) + content[-2:]),
        (10, "the head is no JSON", lambda content: content[:8] + b"x" + content[9:]),
        (10, "it is full of zeros", lambda content: bytes(len(content))),
    ],
)
def test_the_newest_whole_checkpoint_is_loaded_when(loaded, when, harm, folder):
    checkpoints = Checkpoints(folder, 5)
    save(checkpoints, 10)
    save(checkpoints, 20)
    path = os.path.join(folder, "step-000000000020.safetensors")
    with open(path, "rb") as file:
        content = file.read()
    with open(path, "wb") as file:
        file.write(harm(content))
    assert checkpoints.load()[0] == loaded


def test_nothing_is_loaded_from_an_empty_folder(folder):
    assert Checkpoints(folder, 5).load() is None


@pytest.mark.parametrize("loaded, before", [(30, None), (20, 30), (20, 21), (10, 20), (None, 10)])
def test_a_rollback_loads(loaded, before, folder):
    checkpoints = Checkpoints(folder, 5)
    for step in (10, 20, 30):
        save(checkpoints, step)
    found = checkpoints.load(before)
    assert (found and found[0]) == loaded


def test_the_newest_are_kept(folder):
    checkpoints = Checkpoints(folder, 2)
    for step in (10, 20, 30, 40):
        save(checkpoints, step)
    assert checkpoints.steps() == [30, 40]


def test_a_newer_line_counts_more_than_a_higher_step(folder):
    checkpoints = Checkpoints(folder, 5)
    save(checkpoints, 30, line=1)
    save(checkpoints, 25, line=4)
    assert checkpoints.newest() == (4, 25)


def test_the_newest_line_is_kept_beside_higher_steps_of_a_line_that_was_left(folder):
    checkpoints = Checkpoints(folder, 2)
    for step, line in ((100, 1), (200, 1), (50, 3)):
        checkpoints.save(step, line, 1, {}, [])
    assert (checkpoints.steps(), checkpoints.newest()) == ([50, 200], (3, 50))


def test_an_old_generation_cannot_write(folder):
    old, new = Checkpoints(folder, 5, "job"), Checkpoints(folder, 5, "job")
    old.claim(1)
    save(old, 10, generation=1)
    new.claim(2)
    with pytest.raises(Fenced, match="generation 2 writes"):
        save(old, 20, generation=1)
    with pytest.raises(Fenced):
        old.claim(1)
    save(new, 15, generation=2)
    assert new.steps() == [10, 15]
    assert sorted(os.listdir(folder))[:2] == [".lock", "claim.json"] and len(os.listdir(folder)) == 4


def test_another_job_takes_a_folder_over(folder):
    old, new = Checkpoints(folder, 5, "old"), Checkpoints(folder, 5, "new")
    old.claim(12)
    new.claim(1)
    save(new, 10, generation=1)
    with pytest.raises(Fenced):
        save(old, 20, generation=12)


def test_a_claim_removes_what_a_killed_writer_left(folder):
    checkpoints = Checkpoints(folder, 5)
    with open(os.path.join(folder, "step-000000000009.1.1.partial"), "wb") as file:
        file.write(b"torn")
    checkpoints.claim(2)
    assert [name for name in os.listdir(folder) if name.endswith(".partial")] == []


WRITER = """
import sys, torch
from reconstruct_training.checkpoints import Checkpoints
from reconstruct_training import states
checkpoints = Checkpoints(sys.argv[1], 3)
for step in range(1, 10**6):
    checkpoints.save(step, 1, 1, *states.taken_apart({"x": torch.full((300_000,), float(step))}))
    print(step, flush=True)
"""


def test_a_writer_that_is_killed_leaves_only_whole_checkpoints(folder):
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    for delay in (0.0, 0.004, 0.011, 0.017):
        writer = subprocess.Popen([sys.executable, "-c", WRITER, folder], stdout=subprocess.PIPE, env=env)
        for _ in range(3):
            written = int(writer.stdout.readline())
        time.sleep(delay)
        writer.send_signal(signal.SIGKILL)
        writer.wait()
        checkpoints = Checkpoints(folder, 3)
        step, _, state = checkpoints.load()
        assert step >= written and step == checkpoints.steps()[-1]
        assert torch.equal(state["x"], torch.full((300_000,), float(step)))
