"""Jobs on this machine, and what they have said."""

import contextlib
import os

import pytest

from reconstruct_training.drill import Drill

HERE = os.path.dirname(os.path.abspath(__file__))


@contextlib.contextmanager
def drills(tmp_path):
    """Yields a function that begins a job in a folder. Its environment has what all jobs have, unless it is given."""
    made = []

    def begin(program, workers, spares, folder=tmp_path, **environ):
        environ = {
            "TRIGGERS": str(tmp_path), "RECONSTRUCT_CHECKPOINTS": str(folder / "checkpoints"), "RECONSTRUCT_GRACE": "5",
            **environ,
        }  # fmt: skip
        made.append(Drill([os.path.join(HERE, program)], workers, spares, str(folder), environ))
        return made[-1].__enter__()

    yield begin
    for each in made:
        each.__exit__()


@pytest.fixture
def drill(tmp_path):
    """Jobs of a program with a Trainer."""
    with drills(tmp_path) as begun:

        def begin(workers=2, spares=0, steps=10**6, every=10**6, pause=0.005, **environ):
            environ = {"STEPS": str(steps), "PAUSE": str(pause), "RECONSTRUCT_EVERY": str(every), **environ}
            return begun("program.py", workers, spares, **environ)

        yield begin


@pytest.fixture
def loop_drill(tmp_path):
    """Jobs of a program with a loop of its own."""
    with drills(tmp_path) as begun:

        def begin(workers=2, spares=0, program="loop_program.py", epochs=10**6, every=10**6, pause=0.02, folder=None, **environ):
            environ = {"EPOCHS": str(epochs), "PAUSE": str(pause), "RECONSTRUCT_EVERY": str(every), **environ}
            return begun(program, workers, spares, folder or tmp_path, **environ)

        yield begin


def row_of(job, worker):
    return next(row for row in job["ranks"] if row["worker"] == worker)


def trains(generation):
    """The first step of a generation has been done."""

    def is_so(job):
        rows = [row for row in job["ranks"] if not row["behind"] and row["rank"] is not None]
        return job["generation"] == generation and rows and all(row["loss"] is not None for row in rows) and job["step"]

    return is_so


def finished(workers=2):
    return lambda job: sum(row["state"] == "done" for row in job["ranks"]) == workers


def left_at(job, worker):
    """The steps after which a worker left its generations."""
    return [int(line.split("after step ")[1].split(":")[0]) for line in job.log(worker).splitlines() if "Left" in line]


def joined_at(job, worker, generation):
    return int(job.log(worker).split(f"Joined generation {generation} ")[1].splitlines()[0].rsplit(" ", 1)[1])


def resize(job):
    """Takes the last of three workers out at the border of a step, and then in again."""
    job.paused = True
    for generation, places in ((2, ["w0", "w1"]), (3, ["w0", "w1", "w2"])):
        step = job.job()["step"]
        job.places = places
        job.begin(planned=True)
        job.until(trains(generation))
        assert f"Joined generation {generation} as rank 0 of {len(places)} " in job.log("w0")
        assert joined_at(job, "w0", generation) >= step
