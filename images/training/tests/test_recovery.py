"""Real processes, real gloo: what survives, what is lost, who is blamed."""

import os
import signal
import time

import pytest
import torch

from drills import drill, finished, resize, row_of, trains  # noqa: F401
from reconstruct_training.checkpoints import Checkpoints
from reconstruct_training.trainer import World


def final(tmp_path, step):
    found, _, state = Checkpoints(str(tmp_path / "checkpoints"), 5).load()
    assert found == step
    return state


def test_a_job_ends_and_its_loss_has_fallen(drill, tmp_path):
    job = drill(steps=150, pause=0)
    job.until(finished())
    rows = job.job()["ranks"]
    assert {(row["step"], row["steps"], row["rank"]) for row in rows} == {(150, 150, 0), (150, 150, 1)}
    assert all(row["loss"] < 2.2 for row in rows)
    assert [job.process(name).wait(10) for name in ("w0", "w1")] == [0, 0]
    final(tmp_path, 150)


def test_a_killed_rank_costs_no_step_and_the_result_is_that_of_a_job_without_faults(drill, tmp_path):
    job = drill(steps=400, spares=1)
    job.until_step(30)
    before = {name: job.rank(name)["pid"] for name in job.places}
    job.signal(job.places[1])
    job.until(trains(2))
    assert job.rank(job.places[0])["pid"] == before[job.places[0]], "a survivor keeps its process"
    left = job.log(job.places[0])
    (lost_at,) = [int(line.split("after step ")[1].split(":")[0]) for line in left.splitlines() if "Left" in line]
    assert f"Joined generation 2 as rank 0 of 2" in left and f"at step {lost_at}" in left
    job.until(finished())
    disturbed = final(tmp_path, 400)
    job.__exit__()
    for name in os.listdir(tmp_path / "checkpoints"):
        os.unlink(tmp_path / "checkpoints" / name)
    job = drill(steps=400, pause=0)
    job.until(finished())
    undisturbed = final(tmp_path, 400)
    for name, weight in undisturbed[0].items():
        assert torch.allclose(weight, disturbed[0][name], rtol=1e-4, atol=1e-5), name


def test_a_process_that_failed_is_started_again_in_its_container(drill, tmp_path):
    job = drill()
    job.until_step(10)
    (tmp_path / "w1.raises").touch()
    job.until(trains(2))
    assert [(each["kind"], each["message"]) for each in job.job()["faults"]] == [
        ("exit", "ArithmeticError: the program is wrong")
    ]
    assert job.process("w1").poll() is None, "its launcher is the same"


def test_a_step_that_was_done_when_a_peer_was_lost_is_counted_once(drill, tmp_path):
    job = drill(FAILS_AFTER_COMMIT_AT="12")
    job.until(trains(2))
    job.client.put("/v1/orders", {"checkpoint": "now"})
    told = job.until(lambda told: row_of(told, "w0")["checkpoint"])
    _, _, (_, optimizer) = Checkpoints(str(tmp_path / "checkpoints"), 5).load()
    assert {int(state["step"]) for state in optimizer["state"].values()} == {told["step"]}


@pytest.mark.parametrize("phase, fault", [("data", "sleeps-in-data"), ("compute", "sleeps-in-compute")])
def test_a_rank_that_sleeps_is_told_from_those_that_wait(phase, fault, drill, tmp_path):
    job = drill(3)
    job.until_step(10)
    (tmp_path / f"w1.{fault}").touch()
    job.until(lambda told: row_of(told, "w1")["phaseSeconds"] > 1.5 and row_of(told, "w0")["phaseSeconds"] > 1.5)
    told = job.job()
    assert {name: row_of(told, name)["phase"] for name in ("w0", "w1", "w2")} == {"w0": "sync", "w1": phase, "w2": "sync"}
    # The operator's answer: its process is restarted.
    (tmp_path / f"w1.{fault}").unlink()
    pids = {name: job.rank(name)["pid"] for name in ("w0", "w1", "w2")}
    (tmp_path / f"w1.{fault}").touch()
    job.client.put("/v1/orders", {"restart": {"w1": "1"}})
    job.until(lambda told: row_of(told, "w1")["pid"] != pids["w1"])
    (tmp_path / f"w1.{fault}").unlink()
    job.until(trains(2))
    assert {name for name in pids if job.rank(name)["pid"] != pids[name]} == {"w1"}


@pytest.mark.parametrize("becomes, taker", [("a spare", "spare0"), ("nothing", "w0")])
def test_a_rank_that_was_frozen_across_a_recovery_becomes(becomes, taker, drill, tmp_path):
    job = drill(spares=int(taker == "spare0"), every=10)
    job.until_step(25)
    container, frozen = job.process("w0"), job.rank("w0")
    os.kill(frozen["pid"], signal.SIGSTOP)
    job.until(lambda told: row_of(told, "w0")["age"] > 1.5)
    told = row_of(job.job(), "w1")
    assert told["age"] < 1.5 and told["phase"] == "sync", "its peer waits in a collective that has not failed"
    if taker == "w0":
        job.start("w0")  # A Pod with the same name.
    else:
        job.places = ["spare0", "w1"]
    # The new generation frees the peer.
    job.until(trains(2))
    assert "a newer generation has begun" in job.log("w1")
    step = job.until_step(frozen["step"] + 15)
    os.kill(frozen["pid"], signal.SIGCONT)
    if taker == "w0":
        assert container.wait(10) == 71
    else:
        job.until(lambda told: row_of(told, "w0")["state"] == "ready" and row_of(told, "w0")["rank"] is None)
    job.until_step(step + 25)
    assert job.job()["generation"] == 2
    written = Checkpoints(str(tmp_path / "checkpoints"), 5)
    assert all(head["generation"] == "2" for at, head in written._heads().items() if at > frozen["step"] + 10)


def test_a_loss_that_is_no_number_is_told_at_once_and_rolled_back(drill, tmp_path):
    job = drill(every=10, pause=0.01, NAN_AT="35")
    told = job.until(lambda job: [row["firstNonFinite"] for row in job["ranks"] if row["firstNonFinite"]])
    assert told[0] == {"step": 35, "loss": "nan"}
    job.until(lambda told: row_of(told, "w0")["checkpoint"]["healthy"] is False)
    assert "is not finite" in row_of(job.job(), "w0")["checkpoint"]["message"]
    assert Checkpoints(str(tmp_path / "checkpoints"), 5).steps() == [10, 20, 30]
    job.begin(restoreBefore=35)
    job.until(lambda _: "Joined generation 2" in job.log("w1"))
    assert "at step 30" in job.log("w1").split("Joined generation 2")[1]
    again = job.until(lambda job: [row["firstNonFinite"] for row in job["ranks"] if row["firstNonFinite"]])
    assert again[0]["step"] == 35


def test_a_rollback_without_a_checkpoint_begins_anew(drill):
    job = drill(RECONSTRUCT_CHECKPOINTS="")
    job.until_step(20)
    job.begin(restoreBefore=15)
    job.until(trains(2))
    assert "at step 0" in job.log("w0").split("Joined generation 2")[1]


def test_training_goes_on_without_the_coordinator_and_recovers_after_it(drill):
    job = drill(spares=1)
    step = job.until_step(20)
    job.kill_coordinator()
    time.sleep(2)
    job.start_coordinator()
    step = job.until(lambda told: told["generation"] == 1 and len(told["ranks"]) == 3 and told["step"])
    assert step > 40, "it has trained meanwhile"
    assert "Left" not in job.log("w0") + job.log("w1")
    job.signal("w1")
    assert job.until(trains(2)) >= step


def test_a_suspended_job_has_a_checkpoint_and_goes_on_from_it(drill, tmp_path):
    job = drill()
    job.until_step(20)
    job.paused = True
    job.client.put("/v1/orders", {"suspend": True})
    job.until(lambda told: all(row["state"] == "suspended" for row in told["ranks"]))
    steps = Checkpoints(str(tmp_path / "checkpoints"), 5).steps()
    assert steps == [row_of(job.job(), "w0")["step"]] == [row_of(job.job(), "w0")["checkpoint"]["step"]]
    job.client.put("/v1/orders", {"suspend": False})
    job.begin()
    job.until(trains(2))
    assert f"at step {steps[0]}" in job.log("w1").split("Joined generation 2")[1]


def test_a_checkpoint_is_taken_by_order(drill, tmp_path):
    job = drill()
    job.until_step(5)
    job.client.put("/v1/orders", {"checkpoint": "before-the-edit"})
    told = job.until(lambda told: row_of(told, "w0")["checkpoint"])
    assert told["order"] == "before-the-edit" and told["healthy"]
    assert Checkpoints(str(tmp_path / "checkpoints"), 5).steps() == [told["step"]]


def test_a_job_shrinks_and_grows_at_the_border_of_a_step(drill):
    job = drill(3)
    job.until_step(10)
    resize(job)
    assert row_of(job.job(), "w2")["pid"] and "Left generation 1" in job.log("w2")


def test_a_job_goes_on_with_fewer_ranks_and_others_join_without_a_lost_step(drill, tmp_path):
    job = drill(4, steps=1200, pause=0.03)
    job.until_step(20)
    job.paused = True
    stay = {name: job.rank(name)["pid"] for name in ("w0", "w2")}
    for name in ("w1", "w3"):
        job.kill_pod(name)
    job.until(lambda told: all(row_of(told, name)["state"] == "waiting" for name in stay))
    done = max(row_of(job.job(), name)["step"] for name in stay)
    job.places = ["w0", "w2"]
    job.begin()
    job.until(trains(2))
    assert "as rank 1 of 2 in" in job.log("w2") and int(joined(job, "w0", 2)) == done >= 20

    for name in ("w1", "w3"):
        job.start(name)
        job.until(lambda _: (job.rank(name) or {}).get("state") == "ready")
    step = job.job()["step"]
    job.places = ["w0", "w2", "w1", "w3"]
    job.begin(planned=True)
    job.until(trains(3))
    assert len({joined(job, name, 3) for name in job.places}) == 1 and int(joined(job, "w3", 3)) >= step > done
    assert {name: job.rank(name)["pid"] for name in stay} == stay
    job.until(finished(4), 180)
    final(tmp_path, 1200)


def test_any_number_of_ranks_that_share_a_batch_gives_the_same_state(drill, tmp_path):
    states = []
    for workers in (1, 2, 4):
        folder = str(tmp_path / str(workers))
        job = drill(workers, steps=100, pause=0, RECONSTRUCT_CHECKPOINTS=folder)
        job.until(finished(workers), 120)
        job.__exit__()
        states.append(Checkpoints(folder, 5).load()[2][0])
    for name, weight in states[0].items():
        assert all(torch.allclose(weight, other[name], rtol=1e-2, atol=1e-3) for other in states), name


def joined(job, worker, generation):
    """The step at which a worker joined a generation."""
    return job.log(worker).split(f"Joined generation {generation} ")[1].splitlines()[0].rsplit(" ", 1)[1]


@pytest.mark.parametrize("size", [1, 2, 3, 5, 7])
def test_the_parts_of_all_ranks_are_the_whole(size):
    parts = [World(rank, size, 1, torch.device("cpu")).part(512) for rank in range(size)]
    assert [index for part in parts for index in part] == list(range(512))
    assert {len(part) for part in parts} <= {512 // size, 512 // size + 1}


def test_all_ranks_lost_cost_the_steps_since_the_checkpoint(drill):
    job = drill(every=10)
    job.until_step(37)
    for name in ("w0", "w1"):
        job.signal(name)
    job.until(trains(2))
    at = int(job.log("w0").split("Joined generation 2")[1].splitlines()[0].rsplit(" ", 1)[1])
    assert at % 10 == 0 and at >= 30


def test_a_new_volume_gets_the_state_of_a_peer(drill, tmp_path):
    job = drill(RECONSTRUCT_CHECKPOINTS="")
    job.until_step(20)
    job.kill_pod("w0")
    job.start("w0", RECONSTRUCT_CHECKPOINTS=str(tmp_path / "new"))
    job.until(trains(2))
    job.until(lambda _: Checkpoints(str(tmp_path / "new"), 5).steps())
    assert Checkpoints(str(tmp_path / "new"), 5).steps()[0] >= 20


def test_a_slow_rank_has_the_longest_computing_time(drill, tmp_path):
    job = drill(3)
    (tmp_path / "w2.slow").touch()
    job.until_step(10)
    seconds = {row["worker"]: row["seconds"]["compute"] for row in job.job()["ranks"]}
    assert seconds["w2"] > 0.05 > 2 * max(seconds["w0"], seconds["w1"])
