"""This process as a member of the job: what it says to the coordinator, and what it hears."""

import mmap
import os
import struct
import sys
import threading
import time

from .client import Client, Refused, Unreachable
from .settings import EXIT_REPLACED

PAUSE = 0.2
# Seconds of one request for the next generation.
WAIT = 5
# Bytes of the note to the launcher.
NOTE = 1024


class Superseded(Exception):
    """A newer generation has begun: this process must leave its own."""


class Note:
    """What the launcher must know even when this process hangs or has ended: a deadline, then the cause of the end.

    Without a launcher, it does nothing.
    """

    def __init__(self, path):
        self._memory = None
        if path:
            with open(path, "r+b") as file:
                self._memory = mmap.mmap(file.fileno(), NOTE)

    def within(self, seconds):
        """The launcher ends this process if it has not called `in_time` in so many seconds."""
        self._set(time.monotonic() + seconds)

    def in_time(self):
        self._set(0.0)

    def cause(self, message):
        """Returns whether there is a launcher, which will report this."""
        if self._memory is None:
            return False
        text = message.encode()[: NOTE - 8]
        self._memory[8 : 8 + len(text)] = text
        return True

    def _set(self, deadline):
        if self._memory is not None:
            struct.pack_into("d", self._memory, 0, deadline)


class Member:
    """Sends heartbeats from a thread of its own, which ends the process if another one has its place.

    `interrupt` is called in that thread when this process must leave its generation and may be waiting for a peer.
    """

    def __init__(self, settings, meter):
        self._settings = settings
        self._meter = meter
        self._lock = threading.Lock()
        self._wake = threading.Event()
        # What is said last arrives last.
        self._turn = threading.Lock()
        self._said = {
            "worker": settings.worker, "uid": settings.uid, "local": settings.local, "pid": os.getpid(),
            "rank": None, "generation": 0, "state": "starting", "step": 0, "steps": None, "loss": None,
            "firstNonFinite": None, "checkpoint": None, "message": "",
        }  # fmt: skip
        self._own = Client(settings.coordinator, settings.token)
        self.note = Note(settings.note)
        self.interrupt = None
        self.orders = {"checkpoint": "", "suspend": False}
        self.superseded = False
        threading.Thread(target=self._beat, name="heartbeats", daemon=True).start()

    def say(self, urgent=False, **said):
        """Changes what the heartbeats say. An urgent change is sent at once."""
        with self._lock:
            self._said.update(said)
        if urgent:
            self._wake.set()

    def told(self, name):
        with self._lock:
            return self._said[name]

    def left(self, state, message=""):
        """Says that this process is in no generation any more, and has left in time."""
        with self._lock:
            self._said.update(state=state, message=message)
            self.note.in_time()
        self._wake.set()

    def enter(self, generation, rank):
        self.superseded = False
        self.say(urgent=True, generation=generation, rank=rank, state="joining", loss=None)

    def next_generation(self, after, meanwhile=lambda: None):
        """Waits for a generation with a number above `after`. Returns it, and the port of its store.

        `meanwhile` is called every few seconds.
        """
        while True:
            meanwhile()
            try:
                answer = self._own.get(f"/v1/generation?after={after}&wait={WAIT}", wait=WAIT)
            except Unreachable:
                time.sleep(PAUSE)
                continue
            if answer["generation"]:
                self.orders = answer["orders"]
                return answer["generation"], answer["store"]

    def fault(self, kind, message):
        """Reports a fault of this process, which is about to exit: to the launcher, or by itself."""
        if self.note.cause(message):
            return
        body = {"worker": self._settings.worker, "uid": self._settings.uid, "local": self._settings.local}
        body.update(kind=kind, grade="process", message=message[:500])
        body.update({name: self.told(name) for name in ("rank", "generation", "step")})
        try:
            self._own.post("/v1/fault", body)
        except (Unreachable, Refused) as error:
            print(f"Could not report a fault: {error}", file=sys.stderr)

    def last_words(self, **said):
        """Sends a heartbeat from the calling thread and waits for the answer."""
        self.say(**said)
        try:
            with self._turn:
                self._own.post("/v1/heartbeat", self._report())
        except (Unreachable, Refused) as error:
            print(f"Could not send the last heartbeat: {error}", file=sys.stderr)

    def _report(self):
        reading = self._meter.reading()
        with self._lock:
            return {**self._said, **reading}

    def _beat(self):
        client = Client(self._settings.coordinator, self._settings.token, timeout=max(2.0, self._settings.heartbeat))
        while True:
            self._wake.clear()
            try:
                with self._turn:
                    answer = client.post("/v1/heartbeat", self._report())
                self._heed(answer)
            except Unreachable:
                pass  # It may be restarting. Training goes on without it.
            except Refused as error:
                print(f"The coordinator refused a heartbeat: {error}", file=sys.stderr)
            except Exception as error:
                # Without heartbeats, this process would take part in nothing, and nobody would know why.
                told = f"a heartbeat failed: {type(error).__name__}: {error}"
                print(told, file=sys.stderr, flush=True)
                self.note.cause(told)
                os._exit(1)
            self._wake.wait(self._settings.heartbeat)

    def _heed(self, answer):
        if answer["replaced"]:
            print("Another process has this process's place: exiting", file=sys.stderr)
            sys.stderr.flush()
            os._exit(EXIT_REPLACED)
        self.orders = answer["orders"]
        # At once: a process that has left meanwhile must not get a deadline.
        with self._lock:
            inside = self._said["state"] in ("joining", "training", "finishing")
            if not inside or answer["generation"] <= self._said["generation"]:
                return
            if not self.superseded:
                self.superseded = True
                self._since = time.monotonic()
                self.note.within((2 if answer["planned"] else 1) * self._settings.grace)
        # A planned change waits for the border of a step. Whoever waits for a peer that has left is woken.
        if not answer["planned"] or time.monotonic() - self._since > self._settings.grace / 2:
            if self.interrupt:
                self.interrupt()
