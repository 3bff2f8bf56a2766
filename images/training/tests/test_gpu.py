"""What follows from what NVML tells, over a small fake of it."""

import os
import sys
import threading
import time

import pytest

from reconstruct_training import gpu
from reconstruct_training.launcher import Launcher
from reconstruct_training.settings import Settings


class Fake:
    """NVML of a container with two GPUs."""

    def __init__(self, xids=(), action="none", remap_failed=False, uncorrected=0):
        self.xids, self._action = list(xids), action
        self._remap_failed, self._uncorrected = remap_failed, uncorrected

    def gpus(self):
        return ["GPU-a", "GPU-b"]

    def events(self, seconds):
        if not self.xids:
            time.sleep(seconds / 20)
        taken, self.xids = self.xids, []
        return [("GPU-b", xid) for xid in taken]

    def action(self, of):
        return self._action if of == "GPU-b" else "none"

    def row_remap_failed(self, of):
        return self._remap_failed and of == "GPU-b"

    def uncorrected_errors(self, of):
        return self._uncorrected if of == "GPU-b" else 0


@pytest.mark.parametrize(
    "grade, xids",
    [
        ("process", [13, 31, 43, 45, 68, 69, 109]),
        ("pod", [48, 63, 64, 74, 79, 92, 94, 95, 119, 120]),
        (None, [1, 32, 60, 149]),
    ],
)
def test_an_xid_asks_for(grade, xids):
    assert {gpu.grade_of(xid) for xid in xids} == {grade}


@pytest.mark.parametrize(
    "faults, when, fake",
    [
        ([], "all is well", Fake()),
        ([], "an Xid is of no concern", Fake([32])),
        ([("process", 31)], "the program did an illegal access", Fake([31])),
        ([("pod", 79)], "the GPU fell off the bus", Fake([79])),
        ([("process", 13), ("pod", 48)], "both come together", Fake([13, 48])),
        ([("pod", None)], "NVML asks for a reset", Fake(action="reset")),
        ([("pod", None)], "a row could not be remapped", Fake(remap_failed=True)),
        ([("pod", None)], "memory has uncorrected errors", Fake(uncorrected=2)),
    ],
)
def test_the_faults_are(faults, when, fake):
    watch = gpu.Watch(fake)
    assert [(fault.grade, fault.number) for fault in watch.faults(0)] == faults
    assert watch.faults(0) == []


def launcher(tmp_path, monkeypatch, fake, count=2):
    monkeypatch.setattr("reconstruct_training.launcher.TOLD", str(tmp_path / "told"))
    monkeypatch.setattr("reconstruct_training.launcher.XID_BEFORE_START", 0.2)
    monkeypatch.setattr("signal.signal", lambda *_: None)
    program = f"import os,time; print(os.environ['LOCAL_RANK'], file=open({str(tmp_path / 'starts')!r}, 'a')); time.sleep(60)"
    made = Launcher([sys.executable, "-c", program], Settings.of({"RECONSTRUCT_GRACE": "1"}), count, gpu.Watch(fake))
    made.codes = []
    made.thread = threading.Thread(target=lambda: made.codes.append(made.run()), daemon=True)
    made.thread.start()
    return made


def starts(tmp_path):
    path = tmp_path / "starts"
    return sorted(path.read_text().split()) if path.exists() else []


def wait_for(is_so):
    end = time.monotonic() + 10
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_a_fault_of_the_program_restarts_the_process_of_that_gpu(tmp_path, monkeypatch):
    fake = Fake()
    made = launcher(tmp_path, monkeypatch, fake)
    wait_for(lambda: starts(tmp_path) == ["0", "1"])
    time.sleep(0.4)
    fake.xids = [31]
    wait_for(lambda: starts(tmp_path) == ["0", "1", "1"])
    (report,) = made._reports
    assert (report["kind"], report["grade"], report["xid"], report["local"]) == ("xid", "process", 31, 1)
    made._ending = 15
    made.thread.join(5)
    assert made.codes == [143]


def test_a_fault_of_the_device_ends_the_container_and_is_in_its_message(tmp_path, monkeypatch):
    fake = Fake()
    made = launcher(tmp_path, monkeypatch, fake)
    wait_for(lambda: starts(tmp_path) == ["0", "1"])
    fake.xids = [79]
    made.thread.join(10)
    assert made.codes == [1]
    assert '"xid": 79' in (tmp_path / "told").read_text() and '"grade": "pod"' in (tmp_path / "told").read_text()
    assert [(report["kind"], report["grade"], report["xid"]) for report in made._reports] == [("xid", "pod", 79)]
    assert starts(tmp_path) == ["0", "1"]
    assert os.path.exists(tmp_path / "told")
