"""The first process of a container, with small programs in place of a training."""

import os
import signal
import subprocess
import sys
import time

import pytest

from reconstruct_training import coordinator
from reconstruct_training.drill import exists
from reconstruct_training.job import Job


@pytest.fixture
def job():
    made = Job()
    server = coordinator.start(made, "127.0.0.1")
    made.address = f"127.0.0.1:{server.server_port}"
    yield made
    server.shutdown()
    server.server_close()


# Each start of the process adds a line: `before` is the number of earlier starts.
BEGIN = """
import os, signal, subprocess, sys, time
with open({0!r}, "a+") as starts:
    starts.seek(0)
    before = len(starts.readlines())
    print(os.getpid(), file=starts)
"""


def launch(job, tmp_path, program, processes=1):
    code = BEGIN.format(str(tmp_path / "starts")) + program
    env = {
        **os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "RECONSTRUCT_COORDINATOR": job.address,
        "RECONSTRUCT_WORKER": "w0", "RECONSTRUCT_UID": "u0", "RECONSTRUCT_HEARTBEAT": "0.1", "RECONSTRUCT_GRACE": "2",
        "RECONSTRUCT_PROCESSES": str(processes), "RECONSTRUCT_TERMINATION_LOG": str(tmp_path / "told"),
    }  # fmt: skip
    command = [sys.executable, "-m", "reconstruct_training.launcher", sys.executable, "-c", code]
    with open(tmp_path / "errors", "wb") as errors:
        return subprocess.Popen(command, env=env, stderr=errors)


def pids(tmp_path):
    path = tmp_path / "starts"
    return [int(line) for line in path.read_text().split()] if path.exists() else []


def wait_for(is_so, seconds=10):
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.02)


NOTE = "from reconstruct_training.member import Note\nnote = Note(os.environ['RECONSTRUCT_NOTE'])\n"


@pytest.mark.parametrize(
    "kind, message, when, program",
    [
        ("exit", "exit code 3", "it exits with an error", "sys.exit(3 if before == 0 else 0)"),
        ("signal", "signal SIGKILL", "it is killed", "before or os.kill(os.getpid(), signal.SIGKILL)"),
        ("cuda", "a device-side assert", "CUDA failed", NOTE + "before or (note.cause('a device-side assert'), os._exit(70))"),
        ("hang", "no progress by the deadline", "its deadline passes", NOTE + "before or (note.within(0.2), time.sleep(60))"),
        ("hang", "no progress by the deadline", "it is stopped past its deadline",
         NOTE + "before or (note.within(0.2), os.kill(os.getpid(), signal.SIGSTOP))"),
    ],
)  # fmt: skip
def test_a_process_is_started_again_and_the_fault_is_told_once_if(kind, message, when, program, job, tmp_path):
    launcher = launch(job, tmp_path, program)
    assert launcher.wait(20) == 0
    assert len(pids(tmp_path)) == 2
    faults = job.report()["faults"]
    assert [(fault["kind"], fault["message"], fault["grade"]) for fault in faults] == [(kind, message, "process")]


@pytest.mark.parametrize(
    "ends_with, when, program",
    [
        ("ValueError: no such dataset\n", "the program raises", "before or exec('raise ValueError(\"no such dataset\")')"),
        ("ModuleNotFoundError: No module named 'absent'\n", "it cannot import a module", "if not before:\n    import absent"),
        ("the end\n", "it writes much", "before or (print('x' * 100_000, 'the end', file=sys.stderr), sys.exit(1))"),
        ("held open\n", "another process holds its output",
         "before or (subprocess.Popen(['setsid', 'sleep', '3']), print('held open', file=sys.stderr), sys.exit(1))"),
        ("", "it writes nothing", "before or sys.exit(1)"),
    ],
)  # fmt: skip
def test_a_fault_has_the_end_of_the_error_output_which_is_passed_on_if(ends_with, when, program, job, tmp_path):
    assert launch(job, tmp_path, program).wait(20) == 0
    (fault,) = job.report()["faults"]
    assert (fault["message"], fault["exitCode"]) == ("exit code 1", 1)
    assert fault["output"].endswith(ends_with) and len(fault["output"]) <= 2048
    assert ends_with in (tmp_path / "errors").read_text()
    assert bool(fault["output"]) is bool(ends_with)


def test_the_error_output_of_the_last_process_is_passed_on_whole(job, tmp_path):
    assert launch(job, tmp_path, "print('y' * 1_000_000, 'the end', file=sys.stderr)").wait(20) == 0
    assert len((tmp_path / "errors").read_text()) > 1_000_000 and "the end" in (tmp_path / "errors").read_text()


def test_it_ends_with_0_when_all_processes_have(job, tmp_path):
    assert launch(job, tmp_path, "pass", processes=3).wait(20) == 0
    assert len(pids(tmp_path)) == 3
    assert job.report()["faults"] == []


def test_a_process_that_was_replaced_is_not_started_again(job, tmp_path):
    assert launch(job, tmp_path, "sys.exit(71)").wait(20) == 71
    assert len(pids(tmp_path)) == 1


def test_the_operator_orders_a_restart_once_even_of_a_stopped_process(job, tmp_path):
    job.order({"restart": {"w0": "old"}})
    launcher = launch(job, tmp_path, "time.sleep(60)")
    wait_for(lambda: job.report()["launchers"] and pids(tmp_path))
    os.kill(pids(tmp_path)[0], signal.SIGSTOP)
    time.sleep(0.3)
    assert len(pids(tmp_path)) == 1, "an order from before the container began is not for it"
    job.order({"restart": {"w0": "new"}})
    wait_for(lambda: len(pids(tmp_path)) == 2)
    time.sleep(0.3)
    assert len(pids(tmp_path)) == 2
    assert [fault["kind"] for fault in job.report()["faults"]] == ["ordered"]
    launcher.terminate()
    assert launcher.wait(10) == 143


def test_what_a_process_started_ends_with_it(job, tmp_path):
    path = str(tmp_path / "child")
    program = f"""
if not before:
    print(subprocess.Popen(["sleep", "60"]).pid, file=open({path!r}, "w"), flush=True)
    os._exit(1)
"""
    assert launch(job, tmp_path, program).wait(20) == 0
    child = int((tmp_path / "child").read_text())
    assert not exists(child)


@pytest.mark.parametrize("code, program", [(143, "time.sleep(60)"), (143, "signal.signal(signal.SIGTERM, signal.SIG_IGN)\ntime.sleep(60)")])
def test_it_ends_in_the_grace_period(code, program, job, tmp_path):
    launcher = launch(job, tmp_path, program)
    wait_for(lambda: pids(tmp_path))
    time.sleep(0.3)
    began = time.monotonic()
    launcher.terminate()
    assert launcher.wait(10) == code
    assert time.monotonic() - began < 5
    wait_for(lambda: not exists(pids(tmp_path)[0]))
