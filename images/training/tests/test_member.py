"""What a process says to the coordinator."""

import os
import threading
from types import SimpleNamespace

import pytest

from reconstruct_training import coordinator
from reconstruct_training.job import Job
from reconstruct_training.member import NOTE, Member
from reconstruct_training.settings import Settings


@pytest.fixture
def address():
    server = coordinator.start(Job(), "127.0.0.1")
    yield f"127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
@pytest.mark.parametrize("value", [float("nan"), object()])
def test_a_process_whose_heartbeats_fail_ends_and_tells_why(value, address, tmp_path, monkeypatch):
    ended = threading.Event()

    def exit(code):
        ended.set()
        raise SystemExit(code)

    monkeypatch.setattr(os, "_exit", exit)
    note = tmp_path / "note"
    note.write_bytes(bytes(NOTE))
    environ = {"RECONSTRUCT_COORDINATOR": address, "RECONSTRUCT_NOTE": str(note), "RECONSTRUCT_HEARTBEAT": "0.1"}
    member = Member(Settings.of(environ), SimpleNamespace(reading=dict))
    member.say(urgent=True, steps=value)
    assert ended.wait(5)
    assert note.read_bytes()[8:].startswith(b"a heartbeat failed: ")
