"""What the coordinator accepts, and what it answers."""

import http.client
import json
import socket
import threading
import time

import pytest

from reconstruct_training import coordinator
from reconstruct_training.client import Client, Refused, number
from reconstruct_training.job import Conflict, Job


def generation(number, *workers, **more):
    return {"generation": number, "members": [{"worker": worker, "uid": f"{worker}-1"} for worker in workers], **more}


def said(worker, generation=0, uid=None, **more):
    row = {"worker": worker, "uid": uid or f"{worker}-1", "local": 0, "generation": generation, "rank": 0, "step": 0}
    return {**row, "state": "training", "pid": 1, **more}


@pytest.mark.parametrize(
    "accepted, when, first, second",
    [
        (True, "the number rises", generation(3, "a"), generation(4, "a")),
        (True, "the number skips some", generation(3, "a"), generation(9, "a")),
        (True, "the same is sent again", generation(3, "a"), generation(3, "a")),
        (False, "the number falls", generation(3, "a"), generation(2, "a")),
        (False, "the number is the same for other members", generation(3, "a"), generation(3, "b")),
        (False, "the number is the same for another restore", generation(3, "a"), generation(3, "a", restoreBefore=4)),
    ],
)
def test_a_generation_is_accepted_if(accepted, when, first, second):
    job = Job()
    job.begin(first)
    if accepted:
        assert job.begin(second) == {"generation": second["generation"]}
    else:
        with pytest.raises(Conflict):
            job.begin(second)
        assert job.report()["generation"] == 3


def test_a_coordinator_that_restarted_learns_the_generation_from_the_processes():
    job = Job()
    job.hear(said("a", 7))
    with pytest.raises(Conflict):
        job.begin(generation(6, "a"))
    assert job.begin(generation(7, "a")) == {"generation": 7}


@pytest.mark.parametrize(
    "replaced, when, worker, number, uid",
    [
        (False, "its Pod has the place", "a", 2, "a-1"),
        (True, "it was in a generation and another Pod has its place", "a", 1, "a-0"),
        (False, "it is new and waits for the place", "a", 0, "a-2"),
        (False, "it was in a generation and is a spare now", "b", 1, "b-1"),
    ],
)
def test_a_process_is_replaced_if(replaced, when, worker, number, uid):
    job = Job()
    job.begin(generation(2, "a"))
    assert job.hear(said(worker, number, uid))["replaced"] is replaced


def test_a_process_of_an_old_generation_does_not_move_the_step():
    job = Job()
    job.begin(generation(2, "a", "b"))
    job.hear(said("a", 2, step=10))
    job.hear(said("b", 1, step=99))
    job.hear(said("b", 1, step=3))
    report = job.report()
    assert report["step"] == 10
    assert [rank["behind"] for rank in report["ranks"]] == [False, True]


def test_a_new_generation_forgets_the_pods_that_were_replaced():
    job = Job()
    job.begin({"generation": 1, "members": [{"worker": "a", "uid": "a-0"}, {"worker": "b", "uid": "b-1"}]})
    job.hear(said("a", 1, "a-0"))
    job.hear(said("b", 1))
    job.begin(generation(2, "a", "b"))
    assert [rank["uid"] for rank in job.report()["ranks"]] == ["b-1"]


@pytest.fixture
def served():
    job = Job()
    server = coordinator.start(job, "127.0.0.1", token="secret")
    yield job, f"127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize(
    "status, when, method, path, body, token",
    [
        (200, "all is well", "POST", "/v1/heartbeat", json.dumps(said("a")), "secret"),
        (401, "the token is wrong", "POST", "/v1/heartbeat", json.dumps(said("a")), "other"),
        (401, "there is no token", "GET", "/v1/job", "", ""),
        (200, "health is asked for without a token", "GET", "/healthz", "", ""),
        (400, "the loss is a bare NaN", "POST", "/v1/heartbeat", json.dumps(said("a", loss=float("nan"))), "secret"),
        (400, "a field is missing", "POST", "/v1/heartbeat", "{}", "secret"),
        (400, "the body is no object", "POST", "/v1/heartbeat", "[1]", "secret"),
        (400, "the body is no JSON", "PUT", "/v1/generation", "{", "secret"),
        (400, "a worker is named twice", "PUT", "/v1/generation", json.dumps(generation(1, "a", "a")), "secret"),
        (400, "the generation is 0", "PUT", "/v1/generation", json.dumps(generation(0, "a")), "secret"),
        (404, "the path is unknown", "GET", "/v1/nothing", "", "secret"),
        (409, "the generation is old", "PUT", "/v1/generation", json.dumps(generation(4, "a")), "secret"),
    ],
)
def test_it_answers(status, when, method, path, body, token, served):
    job, address = served
    if status == 409:
        job.begin(generation(5, "a"))
    connection = http.client.HTTPConnection(address, timeout=5)
    connection.request(method, path, body, {"Authorization": f"Bearer {token}"} if token else {})
    response = connection.getresponse()
    json.loads(response.read(), parse_constant=lambda text: pytest.fail(f"a bare {text}"))
    assert response.status == status


@pytest.mark.parametrize("length", ["-1", "many", "5000000", "9" * 5000])
def test_a_body_of_no_known_length_is_not_read(length, served):
    host, port = served[1].split(":")
    with socket.create_connection((host, int(port)), timeout=5) as connection:
        connection.sendall(f"POST /v1/heartbeat HTTP/1.1\r\nHost: a\r\nContent-Length: {length}\r\n\r\n".encode())
        assert connection.recv(1000).startswith(b"HTTP/1.1 413 ")


def test_a_connection_that_says_nothing_is_closed(served, monkeypatch):
    monkeypatch.setattr(coordinator.Handler, "timeout", 0.2)
    host, port = served[1].split(":")
    for start in (b"", b"POST /v1/heartbeat HTTP/1.1\r\n", b"POST /v1/heartbeat HTTP/1.1\r\nContent-Length: 9\r\n\r\n{"):
        with socket.create_connection((host, int(port)), timeout=5) as connection:
            connection.sendall(start)
            assert connection.recv(1000) == b""


def test_a_waiting_process_gets_the_generation_at_once(served):
    job, address = served
    job.store_opened(1)
    threading.Timer(0.3, lambda: job.begin(generation(1, "a"))).start()
    began = time.monotonic()
    answer = Client(address, "secret").get("/v1/generation?after=0&wait=10", wait=10)
    assert answer["generation"]["generation"] == 1 and answer["store"] == 1
    assert 0.2 < time.monotonic() - began < 2


@pytest.mark.parametrize(
    "wakes, when, change",
    [
        (False, "a step is done", {"step": 2}),
        (True, "the state changes", {"state": "waiting"}),
        (True, "the loss is no number", {"firstNonFinite": {"step": 2, "loss": "nan"}}),
        (True, "the process is another one", {"pid": 2}),
        (False, "a further checkpoint is written", {"checkpoint": {"step": 4, "healthy": True, "order": ""}}),
        (True, "a checkpoint is not finite", {"checkpoint": {"step": 4, "healthy": False, "order": ""}}),
        (True, "a checkpoint was ordered", {"checkpoint": {"step": 4, "healthy": True, "order": "one"}}),
    ],
)
def test_the_operator_is_woken_if(wakes, when, change):
    job = Job()
    before_it = {"checkpoint": {"step": 2, "healthy": True, "order": ""}}
    job.hear(said("a", **before_it))
    before = job.report()["version"]
    job.hear(said("a", **{**before_it, **change}))
    assert (job.report()["version"] != before) is wakes


@pytest.mark.parametrize(
    "act, change",
    [
        ("members change", lambda job: job.begin(generation(1, "a"))),
        ("a process ends", lambda job: job.fault({"worker": "a", "uid": "a-1", "local": 0, "kind": "signal"})),
        ("the job is suspended", lambda job: job.order({"suspend": True})),
        ("the store opens", lambda job: job.store_opened(1)),
    ],
)
def test_the_operator_is_woken_when(act, change):
    job = Job()
    job.hear(said("a"))
    before = job.report()["version"]
    assert not job.is_other(before, 0)
    change(job)
    assert job.is_other(before, 0)


def test_a_version_of_a_coordinator_never_comes_back_in_the_next_one():
    one, next_one = Job(), Job()
    for job in (one, next_one):
        job.hear(said("a"))
    assert next_one.is_other(one.report()["version"], 0)


@pytest.mark.parametrize(
    "waits, change",
    [
        (lambda job, version, seconds: job.is_other(version, seconds), lambda job: job.order({"suspend": True})),
        (lambda job, _, seconds: job.is_past(0, seconds), lambda job: job.begin(generation(1, "a"))),
    ],
    ids=["version", "generation"],
)
def test_who_waits_sleeps_until_the_change(waits, change):
    job = Job()
    job.store_opened(1)
    version = job.report()["version"]
    began = time.monotonic()
    assert not waits(job, version, 0.2)
    assert time.monotonic() - began >= 0.2
    threading.Timer(0.1, lambda: change(job)).start()
    assert waits(job, version, 20)
    assert time.monotonic() - began < 10


def asked(address, path):
    connection = http.client.HTTPConnection(address, timeout=5)
    connection.request("GET", path, headers={"Authorization": "Bearer secret"})
    return connection


@pytest.mark.parametrize(
    "least, most, when, after, wait, changes",
    [
        (0, 2, "there is no version", "", "&wait=4", False),
        (0, 2, "the version is of another coordinator", "other-1", "&wait=4", False),
        (0, 2, "there is no time", None, "", False),
        (0.6, 3, "nothing changes", None, "&wait=0.6", False),
        (0.3, 3, "something changes", None, "&wait=4.5", True),
    ],
)
def test_an_answer_comes_within_seconds_when(least, most, when, after, wait, changes, served):
    job, address = served
    after = job.report()["version"] if after is None else after
    if changes:
        threading.Timer(0.3, lambda: job.hear(said("a"))).start()
    began = time.monotonic()
    answer = json.loads(asked(address, f"/v1/job?after={after}{wait}").getresponse().read())
    assert least <= time.monotonic() - began < most
    assert (answer["version"] == after) is (when in ("nothing changes", "there is no time"))


@pytest.mark.parametrize("path", ["/v1/job?after={version}&wait=20", "/v1/generation?after=0&wait=20"])
def test_a_client_that_has_left_is_let_go(path, served):
    job, address = served
    before = threading.active_count()
    connection = asked(address, path.format(version=job.report()["version"]))
    wait_until(lambda: threading.active_count() > before)
    connection.close()
    wait_until(lambda: threading.active_count() == before)


@pytest.mark.parametrize("wait", ["nan", "-1", "soon"])
def test_it_holds_nothing_for_a_wait_that_is_no_time(wait, served):
    job, address = served
    assert asked(address, f"/v1/job?after={job.report()['version']}&wait={wait}").getresponse().status == 400


def wait_until(is_so, seconds=5.0):
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_orders_that_are_not_given_stay():
    job = Job()
    job.order({"checkpoint": "one"})
    job.order({"suspend": True})
    job.order({"restart": {"a": "r1"}})
    assert job.hear(said("a"))["orders"] == {"checkpoint": "one", "suspend": True}
    assert job.hear_launcher({"worker": "a"}) == {"restart": "r1"}
    assert job.hear_launcher({"worker": "b"}) == {"restart": ""}


@pytest.mark.parametrize(
    "state, whose, fault",
    [
        ("ended", "its own", {"local": 0}),
        ("ended", "that of its whole worker", {"local": None}),
        ("training", "that of another process of its worker", {"local": 1}),
        ("training", "that of an earlier Pod of its worker", {"local": 0, "uid": "a-0"}),
        ("training", "that of another worker", {"local": 0, "worker": "b", "uid": "b-1"}),
    ],
)
def test_a_process_is_told_as_ended_or_not_after_a_fault_that_is(state, whose, fault):
    job = Job()
    job.hear(said("a", 1))
    job.fault({"worker": "a", "uid": "a-1", "kind": "signal", **fault})
    assert [rank["state"] for rank in job.report()["ranks"]] == [state]


def test_the_next_process_takes_the_place_of_one_that_has_ended():
    job = Job()
    job.hear(said("a", 1))
    job.fault({"worker": "a", "uid": "a-1", "local": 0, "kind": "signal"})
    job.hear(said("a", 0, pid=2, state="starting"))
    assert [(rank["state"], rank["pid"]) for rank in job.report()["ranks"]] == [("starting", 2)]


def test_only_the_newest_faults_are_kept_and_their_numbers_rise():
    job = Job()
    for _ in range(60):
        job.fault({"worker": "a", "kind": "exit"})
    assert [fault["number"] for fault in job.report()["faults"]] == list(range(11, 61))


@pytest.mark.parametrize("text, value", [(1.5, 1.5), ("nan", float("nan")), ("inf", float("inf")), ("-inf", -float("inf"))])
def test_a_loss_is_told_as(text, value):
    assert number(value) == text


def test_a_refusal_has_its_reason(served):
    with pytest.raises(Refused, match="members must be of type list"):
        Client(served[1], "secret").put("/v1/generation", {"generation": 1})
