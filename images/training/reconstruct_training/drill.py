"""A job on this machine, with a stand-in for the operator: for tests, and for trying a program.

The stand-in knows one rule: a generation begins when each place has a living process, and one of these is new or has
left the current generation.
"""

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time

from .client import Client, Refused, Unreachable

TOKEN = "a-token-of-a-drill"


class Drill:
    """A job of `workers` and `spares`. Use it in a `with`: it ends what it started."""

    def __init__(self, program, workers, spares=0, folder="", environ=None, launcher=True):
        self._program = program
        self._names = [f"w{index}" for index in range(workers)]
        self._all = self._names + [f"spare{index}" for index in range(spares)]
        self._environ, self._launcher = environ or {}, launcher
        self._folder = folder or tempfile.mkdtemp(prefix="drill-")
        self._processes, self._uid = {}, {}
        self._started = []
        self._coordinator = None
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._port, self._store_port = _free_ports(2)
        self.client = Client(f"127.0.0.1:{self._port}", TOKEN)
        self.generation = 0
        self.began = {}
        self.paused = False
        self.places = list(self._names)
        self.members = []

    def __enter__(self):
        self.start_coordinator()
        for name in self._all:
            self.start(name)
        threading.Thread(target=self._operate, name="operator", daemon=True).start()
        return self

    def __exit__(self, *_):
        self._stop.set()
        for process in self._started:
            with contextlib.suppress(ProcessLookupError):
                process.terminate()
        for process in self._started:
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()

    def start_coordinator(self):
        self._coordinator = self._spawn(
            "coordinator", ["-m", "reconstruct_training.coordinator", "--host", "127.0.0.1", "--port", str(self._port),
                            "--store-port", str(self._store_port)], {},
        )  # fmt: skip

    def kill_coordinator(self):
        self._coordinator.kill()
        self._coordinator.wait()

    def start(self, name, **environ):
        more = {
            "RECONSTRUCT_WORKER": name, "RECONSTRUCT_UID": f"{name}-{time.monotonic_ns()}", "RECONSTRUCT_JOB": "drill",
            "RECONSTRUCT_COORDINATOR": f"127.0.0.1:{self._port}", "RECONSTRUCT_HEARTBEAT": "0.5",
            "RECONSTRUCT_TERMINATION_LOG": self.file(f"{name}.termination"), **environ,
        }  # fmt: skip
        command = ["-m", "reconstruct_training.launcher", sys.executable] if self._launcher else []
        self._processes[name] = self._spawn(name, [*command, *self._program], more)
        with self._lock:
            self._uid[name] = more["RECONSTRUCT_UID"]

    def _spawn(self, name, arguments, environ):
        env = {
            **os.environ, "OMP_NUM_THREADS": "1", "GLOO_SOCKET_IFNAME": "lo", "PYTHONUNBUFFERED": "1",
            "RECONSTRUCT_TOKEN": TOKEN, "PYTHONPATH": os.pathsep.join(sys.path), **self._environ, **environ,
        }  # fmt: skip
        with open(self.file(f"{name}.log"), "ab") as log:
            process = subprocess.Popen(
                [sys.executable, *arguments], env=env, stdout=log, stderr=log, start_new_session=True
            )
        self._started.append(process)
        return process

    def file(self, name):
        return os.path.join(self._folder, name)

    def log(self, name):
        with open(self.file(f"{name}.log"), encoding="utf-8", errors="replace") as file:
            return file.read()

    def job(self):
        return self.client.get("/v1/job")

    def rank(self, name):
        """Returns what the newest process of a worker said, or None."""
        rows = [row for row in self.job()["ranks"] if row["worker"] == name and row["uid"] == self._uid[name]]
        return rows[0] if rows else None

    def until(self, is_so, seconds=60.0, of=""):
        """Waits until is_so(job) is true. Returns its value."""
        end = time.monotonic() + seconds
        while True:
            with contextlib.suppress(Unreachable):
                job = self.job()
                value = is_so(job)
                if value:
                    return value
            if time.monotonic() > end:
                logs = "\n".join(f"--- {name}\n{self.log(name)[-1500:]}" for name in self._all)
                raise AssertionError(f"not within {seconds} s: {of or is_so}\n{job}\n{logs}")
            time.sleep(0.02)

    def until_step(self, step, seconds=60.0):
        return self.until(lambda job: (job["step"] or 0) >= step and job["step"], seconds, f"step {step}")

    def process(self, name):
        """Returns the first process of a worker's container."""
        return self._processes[name]

    def signal(self, name, number=signal.SIGKILL):
        """Sends a signal to the training process of a worker."""
        os.kill(self.rank(name)["pid"], number)

    def kill_pod(self, name):
        """Ends a worker with its launcher, as the loss of its node does."""
        process = self._processes[name]
        row = self.rank(name)
        for pid in (process.pid, row and row["pid"]):
            with contextlib.suppress(ProcessLookupError, TypeError):
                os.kill(pid, signal.SIGKILL)
        process.wait()

    def begin(self, **more):
        """Begins the next generation with the current places."""
        with self._lock:
            self.members = [{"worker": name, "uid": self._uid[name]} for name in self.places]
            body = {"generation": self.generation + 1, "members": self.members, **more}
            self.client_of_operator().put("/v1/generation", body)
            self.generation += 1
            self.began[self.generation] = time.monotonic()
            self._last = body

    def client_of_operator(self):
        return Client(f"127.0.0.1:{self._port}", TOKEN)

    def _operate(self):
        client, version = Client(f"127.0.0.1:{self._port}", TOKEN), ""
        while not self._stop.is_set():
            try:
                job = client.get(f"/v1/job?after={version}&wait=0.2", wait=0.2)
                version = job["version"]
                if not self.paused:
                    self._decide(job)
            except (Unreachable, Refused):
                time.sleep(0.05)

    def _decide(self, job):
        if job["generation"] == 0 and self.generation and not job["ranks"]:
            # The coordinator is new: it is told again what it knew.
            self.client_of_operator().put("/v1/generation", self._last)
            return
        rows = {row["worker"]: row for row in job["ranks"] if row["uid"] == self._uid.get(row["worker"])}

        def state(name):
            row = rows.get(name)
            if self._processes[name].poll() is not None or (row and not exists(row["pid"])):
                return "lost"
            return row["state"] if row else "starting"

        spares = [name for name in self._all if name not in self.places and state(name) == "ready"]
        for index, name in enumerate(self.places):
            if state(name) == "lost" and spares and self.generation:
                self.places[index] = spares.pop(0)
        states = [state(name) for name in self.places]
        if not {"lost", "starting", "done", "failed"}.isdisjoint(states):
            return
        left = any(rows[name]["state"] == "waiting" and not rows[name]["behind"] for name in self.places)
        new = [self._uid[name] for name in self.places] != [member["uid"] for member in self.members]
        if left or new:
            self.begin()


def exists(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:
            return file.read().rsplit(")", 1)[1].split()[0] not in ("Z", "X")
    except FileNotFoundError:
        return False


def _free_ports(count):
    import socket

    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports
