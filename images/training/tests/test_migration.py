"""The scripts of the page about a script with torch alone, with torch."""

import os
import signal
import subprocess
import sys

import pytest

from drills import finished, joined_at, left_at, loop_drill, trains  # noqa: F401
from reconstruct_training.drill import _free_ports

HERE = os.path.dirname(os.path.abspath(__file__))
EXAMPLE = os.path.join(HERE, "..", "..", "..", "examples", "14-migration")
pytestmark = pytest.mark.skipif(not os.path.isdir(EXAMPLE), reason="the examples are not beside the module")


def plain(script, epochs, **environ):
    """Starts two ranks of a script with torch alone."""
    (port,) = _free_ports(1)

    def start(rank):
        env = {
            **os.environ, "EPOCHS": str(epochs), "RANK": str(rank), "WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1",
            "MASTER_PORT": str(port), "GLOO_SOCKET_IFNAME": "lo", **(environ if rank == 0 else {}),
        }  # fmt: skip
        return subprocess.Popen([sys.executable, os.path.join(EXAMPLE, script)], env=env, stdout=subprocess.PIPE, text=True)

    return [start(rank) for rank in (0, 1)]


def told_by(processes):
    told, _ = processes[0].communicate(timeout=120)
    assert [each.wait(10) for each in processes] == [0, 0]
    return told.splitlines()


def test_the_example_gives_the_losses_of_the_program_with_torch_alone(loop_drill):
    told = told_by(plain("plain.py", 2))
    assert len(told) == 2
    job = loop_drill(program=os.path.join(EXAMPLE, "train.py"), epochs=2)
    job.until(finished(), 60)
    losses = [line for line in job.log("w0").splitlines() if line.startswith("epoch ")]
    assert losses == told


def test_the_example_loses_no_step_with_a_rank(loop_drill):
    job = loop_drill(program=os.path.join(EXAMPLE, "train.py"), spares=1)
    step = job.until_step(50)
    job.signal("w1")
    job.until(trains(2))
    assert joined_at(job, "w0", 2) == left_at(job, "w0")[-1] >= step


def test_the_example_trains_alone_without_a_coordinator():
    env = {**os.environ, "EPOCHS": "1", "PYTHONPATH": os.pathsep.join(sys.path), "GLOO_SOCKET_IFNAME": "lo"}
    ended = subprocess.run([sys.executable, os.path.join(EXAMPLE, "train.py")], env=env, capture_output=True, text=True, timeout=120)
    assert ended.returncode == 0 and "epoch 0 loss" in ended.stdout, ended.stderr


def test_the_script_that_saves_goes_on_after_the_last_epoch_that_it_has_saved(tmp_path):
    expected = told_by(plain("plain.py", 5))
    ranks = plain("saved.py", 10**6, RECONSTRUCT_CHECKPOINTS=str(tmp_path))
    told = [ranks[0].stdout.readline().rstrip() for _ in range(3)]
    for each in ranks:
        each.send_signal(signal.SIGKILL)
        each.wait()
    told += [line for line in ranks[0].stdout.read().splitlines()]
    again = told_by(plain("saved.py", len(told) + 2, RECONSTRUCT_CHECKPOINTS=str(tmp_path)))
    # The last line can be of an epoch that was not saved any more.
    assert again[-2].startswith(f"epoch {len(told)} ") and len(again) in (2, 3)
    assert told[:3] == expected[:3] and len(os.listdir(tmp_path)) in (1, 2)
