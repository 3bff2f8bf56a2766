"""A loop of the program's own, over real gloo: the same state with faults and without, and the same as with torch alone."""

import os
import subprocess
import sys
import time

import pytest
import torch
from torch.utils import data

import reconstruct_training
from drills import finished, joined_at, left_at, loop_drill, resize, row_of, trains  # noqa: F401
from reconstruct_training.checkpoints import Checkpoints
from reconstruct_training.data import DataLoader, DistributedSampler
from reconstruct_training.group import PeerLost
from reconstruct_training.loop import DistributedDataParallel, Loop
from reconstruct_training.meter import Meter
from reconstruct_training.participant import World



def final(folder):
    """The states of the parts after the last step."""
    _, _, states = Checkpoints(str(folder), 5).load()
    return states


def same(states, others):
    (model, optimizer, scheduler, place), (model_, optimizer_, scheduler_, place_) = states, others
    assert place == place_ and scheduler["last_epoch"] == scheduler_["last_epoch"]
    assert optimizer["param_groups"][0]["lr"] == optimizer_["param_groups"][0]["lr"]
    for name, weight in model.items():
        assert torch.allclose(weight, model_[name], rtol=1e-4, atol=1e-5), name


def undisturbed(loop_drill, tmp_path, epochs, workers=2, **environ):
    folder = tmp_path / "undisturbed"
    folder.mkdir()
    job = loop_drill(workers, epochs=epochs, pause=0, folder=folder, **environ)
    job.until(finished(workers), 120)
    job.__exit__()
    return final(folder / "checkpoints")


@pytest.mark.parametrize("spares", [1, 0])
def test_killed_ranks_cost_no_step_and_the_result_is_that_of_a_job_without_faults(spares, loop_drill, tmp_path):
    expected = undisturbed(loop_drill, tmp_path, 12)
    # 12 epochs of 12 steps.
    job = loop_drill(spares=spares, epochs=12, pause=0.1)
    job.until_step(20)
    pids = {name: job.rank(name)["pid"] for name in job.places}
    for generation, place in ((2, 1), (3, 0)):
        killed, stays = job.places[place], job.places[1 - place]
        step = job.job()["step"]
        job.signal(killed)
        job.until(trains(generation))
        assert job.rank(stays)["pid"] == pids.get(stays, job.rank(stays)["pid"]), "a survivor keeps its process"
        assert joined_at(job, stays, generation) == left_at(job, stays)[-1] >= step
        pids = {name: job.rank(name)["pid"] for name in job.places}
    job.until(finished(), 120)
    assert sum(row["step"] == 144 for row in job.job()["ranks"]) >= 2
    same(final(tmp_path / "checkpoints"), expected)


@pytest.mark.parametrize("each_batch", ["0", "1"])
def test_a_rank_that_is_interrupted_again_and_again_has_the_same_result(each_batch, loop_drill, tmp_path):
    expected = undisturbed(loop_drill, tmp_path, 8, EACH_BATCH=each_batch)
    job = loop_drill(epochs=8, pause=0.2, EACH_BATCH=each_batch)
    job.until(trains(1))
    job.paused = True
    # In the middle of steps, at any place of them.
    for generation in range(2, 9):
        time.sleep(0.03 * (generation % 7))
        job.begin()
        job.until(trains(generation))
    assert not finished()(job.job()) and len(left_at(job, "w0")) == 7
    job.until(finished(), 120)
    same(final(tmp_path / "checkpoints"), expected)


def test_a_process_that_fails_is_started_again_and_has_told_why(loop_drill, tmp_path):
    job = loop_drill()
    job.until_step(5)
    (tmp_path / "w1.raises").touch()
    job.until(trains(2))
    (fault,) = job.job()["faults"]
    assert fault["message"] == "ArithmeticError: the program is wrong" and "Traceback" in fault["output"]


def test_a_rollback_to_an_earlier_epoch_repeats_it_with_the_rate_of_then(loop_drill, tmp_path):
    expected = undisturbed(loop_drill, tmp_path, 4)
    job = loop_drill(epochs=4, every=7, pause=0.1)
    job.until_step(30)
    job.paused = True
    job.begin(restoreBefore=19)
    job.until(trains(2))
    assert joined_at(job, "w0", 2) == joined_at(job, "w1", 2) == 14
    job.until(finished(), 60)
    for name in ("w0", "w1"):
        assert job.log(name).count("epoch 1 ends at step 24 with 0.008100") == 2
    same(final(tmp_path / "checkpoints"), expected)


def test_all_ranks_lost_go_on_at_the_checkpoint_within_their_epoch(loop_drill, tmp_path):
    expected = undisturbed(loop_drill, tmp_path, 4)
    job = loop_drill(epochs=4, every=5, pause=0.1)
    job.until_step(18)
    for name in ("w0", "w1"):
        job.signal(name)
    job.until(trains(2))
    assert joined_at(job, "w0", 2) == joined_at(job, "w1", 2) in (15, 20, 25)
    job.until(finished(), 60)
    same(final(tmp_path / "checkpoints"), expected)


def test_a_loss_that_is_no_number_is_told(loop_drill, tmp_path):
    job = loop_drill()
    job.until_step(5)
    (tmp_path / "w1.nan").touch()
    told = job.until(lambda job: row_of(job, "w1")["firstNonFinite"])
    assert told["loss"] == "nan" and told["step"] > 5


def test_a_batch_without_a_step_of_the_optimizer_is_a_mistake(loop_drill, tmp_path):
    job = loop_drill()
    job.until_step(5)
    (tmp_path / "w1.forgets-its-step").touch()
    told = job.until(lambda job: job["faults"])
    assert "a batch has ended without a step of the optimizer" in told[0]["message"]


def test_a_job_with_another_number_of_ranks_goes_on_with_the_rest_of_the_epoch(loop_drill, tmp_path):
    job = loop_drill(3, epochs=6, pause=0.05)
    job.until_step(4)
    resize(job)
    job.until(finished(3), 60)
    model, _, scheduler, place = final(tmp_path / "checkpoints")
    assert (place["epoch"], scheduler["last_epoch"]) == (6, 6)
    # 8 steps of 12 samples in an epoch; with two ranks, up to 12 of 8.
    assert 48 < row_of(job.job(), "w0")["step"] <= 72


@pytest.mark.parametrize("size", [1, 2, 3, 5])
@pytest.mark.parametrize("drop_last", [False, True])
@pytest.mark.parametrize("count", [1, 7, 30])
def test_the_order_in_one_generation_is_that_of_torch(size, drop_last, count):
    for rank in range(size):
        own = DistributedSampler(range(count), seed=3, drop_last=drop_last)
        own.begin_at(World(rank, size, 1, None), 0)
        theirs = data.DistributedSampler(range(count), size, rank, seed=3, drop_last=drop_last)
        for epoch in (0, 1):
            own.set_epoch(epoch)
            theirs.set_epoch(epoch)
            assert list(own) == list(theirs) and len(own) == len(list(own))


@pytest.mark.parametrize("done, size", [(0, 2), (12, 3), (29, 2), (30, 4)])
def test_the_ranks_of_the_next_generation_do_what_is_left_of_the_epoch(done, size):
    def order(rank, size, done):
        sampler = DistributedSampler(range(30))
        sampler.begin_at(World(rank, size, 1, None), done)
        return list(sampler)

    rest = order(0, 1, 0)[done:]
    parts = [order(rank, size, done) for rank in range(size)]
    assert len({len(part) for part in parts}) == 1
    assert [sample for turn in zip(*parts) for sample in turn][: len(rest)] == rest


LINEAR = torch.nn.Linear(1, 1)
SGD = torch.optim.SGD(LINEAR.parameters(), lr=1.0)
OURS = DataLoader(range(8), batch_size=2, sampler=DistributedSampler(range(8)))


@pytest.mark.parametrize(
    "message, model, parts, loader",
    [
        ("model must be a reconstruct_training.DistributedDataParallel, got a torch.nn.modules.linear.Linear", LINEAR, [SGD], OURS),
        ("loader must be a reconstruct_training.DataLoader, got a torch.utils", DistributedDataParallel(LINEAR), [SGD],
         data.DataLoader(range(8))),
        ("loader must have a batch_size and a reconstruct_training.DistributedSampler", DistributedDataParallel(LINEAR), [SGD],
         DataLoader(range(8), batch_size=2, shuffle=True)),
        ("one of the parts must be an optimizer, got none", DistributedDataParallel(LINEAR), [], OURS),
        ("each part must have state_dict and load_state_dict, got a int", DistributedDataParallel(LINEAR), [SGD, 3], OURS),
    ],
)  # fmt: skip
def test_a_loop_refuses_what_would_not_survive(message, model, parts, loader):
    with pytest.raises(TypeError, match=message):
        Loop(model, *parts, loader=loader)


class Part:
    """A part with a state, and what was called of it."""

    def __init__(self):
        self.called = []

    def state_dict(self):
        return {}

    def load_state_dict(self, state):
        pass

    def step(self):
        self.called.append("step")

    def update(self, scale=None):
        self.called.append(f"update {scale}")


class Scaler(Part):
    def get_scale(self):
        return 8


@pytest.mark.parametrize(
    "part, called, when, inside, failure, committed, behind",
    [
        (Part, ["step", "update None"], "all is well", True, None, False, False),
        (Part, [], "a peer was lost in the batch", True, PeerLost(), False, False),
        (Part, ["step", "update None"], "a peer was lost in it after the step", True, PeerLost(), True, False),
        (Part, ["step", "update None"], "a peer was lost after the epoch", False, PeerLost(), False, False),
        (Part, [], "another rank has done the rest of the epoch", False, None, False, True),
        (Scaler, ["step", "update None"], "all is well", True, None, False, False),
        (Scaler, ["step", "update 8"], "a peer was lost in the batch", True, PeerLost(), False, False),
    ],
)
def test_the_parts_are_called_if(part, called, when, inside, failure, committed, behind):
    made = part()
    loop = Loop(DistributedDataParallel(LINEAR), SGD, made, loader=OURS)
    loop._guard(made)
    loop._inside, loop._failure, loop._committed, loop._is_behind = inside, failure, committed, behind
    made.step()
    made.update()
    assert made.called == called and isinstance(made, part) and set(vars(made)) == {"called"}


def test_the_number_of_ranks_is_not_known_before_the_first_generation():
    with pytest.raises(RuntimeError, match="is not known before the first step: compute from len"):
        len(OURS)


def test_a_loop_has_its_epochs_once():
    loop = Loop(DistributedDataParallel(LINEAR), SGD, loader=OURS)
    loop._is_over = True
    with pytest.raises(RuntimeError, match="epochs was called before"):
        next(loop.epochs(1))


def test_outside_of_a_loop_a_loader_and_a_model_are_those_of_torch():
    assert sorted(int(each) for batch in OURS for each in batch) == list(range(8))
    model = DistributedDataParallel(torch.nn.Linear(1, 1))
    assert model(torch.ones(1)).equal(model.module(torch.ones(1)))


def test_the_package_has_its_public_names_without_importing_torch_first():
    code = "import sys, reconstruct_training as r; assert 'torch' not in sys.modules; print(*(getattr(r, name).__name__ for name in r.__all__))"
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    told = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True).stdout
    assert told.split() == reconstruct_training.__all__


def test_a_batch_that_comes_again_finds_the_buffers_as_they_were():
    class Alone(Loop):
        def _border(self):
            pass

    model = DistributedDataParallel(torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.BatchNorm1d(2)))
    samples = torch.randn(4, 2)
    loop = Alone(
        model, torch.optim.SGD(model.parameters(), lr=0.1), loader=DataLoader(samples, batch_size=2, sampler=DistributedSampler(samples))
    )
    loop._meter, loop.world = Meter(), World(0, 1, 1, torch.device("cpu"))
    before = [buffer.clone() for buffer in model.buffers()]
    steps = loop._steps_of_generation()
    model(next(steps))
    assert not all(torch.equal(*pair) for pair in zip(model.buffers(), before))
    loop._failure = PeerLost("the connection was closed")
    with pytest.raises(PeerLost):
        next(steps)
    assert all(torch.equal(*pair) for pair in zip(model.buffers(), before))
