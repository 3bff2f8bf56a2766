"""The first process of a worker's container: `python3 -m reconstruct_training.launcher COMMAND…`.

It starts the processes of the worker, and starts a process again, in its container, when it failed, hangs or is to
be restarted. A fault of the device ends the container: the operator replaces the Pod.
"""

import contextlib
import json
import mmap
import os
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
import uuid

from . import gpu
from .client import Client, Refused, Unreachable
from .member import NOTE
from .settings import EXIT_DEVICE, EXIT_REPLACED, Settings

# Seconds between two looks at the processes.
LOOK = 0.05
# Seconds before the first, second … start of a process within the window.
PAUSES = (0.0, 0.0, 1.0, 5.0, 15.0, 30.0)
WINDOW = 600.0
# NVML tells of a fault at about the time at which its process ends: they are one fault.
XID_AFTER_END = 0.5
XID_BEFORE_START = 5.0
TOLD = os.environ.get("RECONSTRUCT_TERMINATION_LOG", "/dev/termination-log")
# Bytes of the end of an error output that are told with a fault: a traceback ends with its exception.
OUTPUT = 2048
# Seconds until an error output has ended after its process, which others may hold open.
OUTPUT_ENDS = 0.5


class Errors:
    """Passes the error output of a process on, and keeps its end."""

    def __init__(self, stream):
        self._stream = stream
        self._end = b""
        self._thread = threading.Thread(target=self._pass_on, name="errors", daemon=True)
        self._thread.start()

    def end(self):
        """Returns the end of the output of a process that has ended."""
        self._thread.join(OUTPUT_ENDS)
        return self._end.decode(errors="replace")

    def _pass_on(self):
        with self._stream:
            while chunk := os.read(self._stream.fileno(), 1 << 16):
                self._end = (self._end + chunk)[-OUTPUT:]
                with contextlib.suppress(OSError):
                    while chunk:
                        chunk = chunk[os.write(2, chunk) :]


class Process:
    """A process of the worker, with the processes that it starts."""

    def __init__(self, command, local, environ):
        self._command, self.local = command, local
        self._file = tempfile.NamedTemporaryFile(prefix="launcher-")
        self._file.write(bytes(NOTE))
        self._file.flush()
        self._note = mmap.mmap(self._file.fileno(), NOTE)
        self._environ = {**environ, "LOCAL_RANK": str(local), "RECONSTRUCT_NOTE": self._file.name}
        self._popen = None
        self._errors = None
        self._starts = []
        self._next = 0.0
        # Why it was killed: a kind, a message and an Xid or None.
        self._reason = None
        self.done = False

    @property
    def pid(self):
        return self._popen.pid if self._popen else None

    def start_when_due(self):
        if self._popen is None and not self.done and time.monotonic() >= self._next:
            self._note[:] = bytes(NOTE)
            self._reason = None
            self._starts = [start for start in self._starts if start > time.monotonic() - WINDOW]
            self._starts.append(time.monotonic())
            self._popen = subprocess.Popen(
                self._command, env=self._environ, start_new_session=True, stderr=subprocess.PIPE
            )
            self._errors = Errors(self._popen.stderr)

    def ended(self):
        """Returns the exit code, negative for a signal, once after each end; else None."""
        code = self._popen.poll() if self._popen else None
        if code is not None:
            self.signal(signal.SIGKILL)  # What it started may still hold the GPU.
            self._popen = None
            self.done = code == 0
            self._next = time.monotonic() + PAUSES[min(len(self._starts), len(PAUSES) - 1)]
        return code

    def output(self):
        """Returns what its last process wrote last as an error, once it has ended."""
        return self._errors.end() if self._errors else ""

    def hangs(self):
        (deadline,) = struct.unpack_from("d", self._note)
        return self._popen is not None and 0 < deadline < time.monotonic()

    def age(self):
        return time.monotonic() - self._starts[-1] if self._popen else 0.0

    def kill(self, kind, message, xid=None):
        if self._popen is not None:
            self._reason = self._reason or (kind, message, xid)
            self.signal(signal.SIGKILL)

    def signal(self, number):
        if self._popen is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._popen.pid, number)

    def attribute(self, xid, message):
        """Says that an end that was not told of yet has this cause."""
        self._reason = ("xid", message, xid)

    def fault(self, code):
        """Returns the kind, the message and the Xid of an end with this exit code."""
        said = self._note[8:].rstrip(b"\0").decode(errors="replace")
        if self._reason:
            return self._reason
        if code < 0:
            return "signal", f"signal {signal.Signals(-code).name}", None
        return "cuda" if code == EXIT_DEVICE else "exit", said or f"exit code {code}", None


class Launcher:
    def __init__(self, command, settings, count, watch=None, environ=os.environ):
        self._settings = settings
        self._processes = [Process(command, local, environ) for local in range(count)]
        self._client = Client(settings.coordinator, settings.token, timeout=2.0) if settings.coordinator else None
        self._reports = []
        self._report_due = threading.Event()
        self._lock = threading.Lock()
        self._watch = watch
        self._gpu_faults = []
        # local → exit code and time of an end that was not told of yet.
        self._ends = {}
        self._restart = None
        self._ordered = None
        self._ending = None

    def run(self):
        """Returns the exit code of the container."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda number, _: setattr(self, "_ending", number))
        if self._client:
            threading.Thread(target=self._talk, name="launcher", daemon=True).start()
        if self._watch:
            threading.Thread(target=self._watch_gpus, name="gpus", daemon=True).start()
        while True:
            code = self._look()
            if code is not None:
                return self._end(code)
            time.sleep(LOOK)

    def _look(self):
        if self._ending:
            return 128 + self._ending
        for fault in self._taken_gpu_faults():
            if fault.grade == "pod":
                self._tell("xid" if fault.number else "gpu", "pod", None, fault.message, xid=fault.number)
                return self._give_up(fault.message, fault.number)
            self._blame(fault)
        if self._restart is not None:
            self._ordered, self._restart = self._restart, None
            for process in self._processes:
                process.kill("ordered", "the operator asked for a restart")
        for process in self._processes:
            if process.hangs():
                process.kill("hang", "no progress by the deadline")
            code = process.ended()
            if code == EXIT_REPLACED:
                return code
            if code:
                self._ends[process.local] = (code, time.monotonic())
            self._tell_end(process)
            if process.local not in self._ends:
                process.start_when_due()
        _reap({process.pid for process in self._processes})
        return 0 if all(process.done for process in self._processes) else None

    def _blame(self, fault):
        for process in self._processes:
            if self._watch.gpu_of(process.local) != fault.gpu:
                continue
            if process.local in self._ends:
                process.attribute(fault.number, fault.message)
            # A process that has just started is not the one that this is about.
            elif process.age() > XID_BEFORE_START:
                process.kill("xid", fault.message, fault.number)

    def _tell_end(self, process):
        code, when = self._ends.get(process.local, (None, 0.0))
        if code is None or time.monotonic() - when < (XID_AFTER_END if self._watch else 0.0):
            return
        del self._ends[process.local]
        kind, message, xid = process.fault(code)
        self._tell(kind, "process", process.local, message, exitCode=code, xid=xid, output=process.output())
        print(f"Process {process.local} ended: {message}", file=sys.stderr, flush=True)

    def _give_up(self, message, xid):
        # The coordinator may be away: the Pod's status says it too.
        try:
            with open(TOLD, "w", encoding="utf-8") as file:
                json.dump({"grade": "pod", "xid": xid, "message": message}, file)
        except OSError as error:
            print(f"Could not write {TOLD}: {error}", file=sys.stderr)
        return 1

    def _end(self, code):
        for process in self._processes:
            process.signal(signal.SIGTERM)
        end = time.monotonic() + (self._settings.grace if self._ending else 1.0)
        while any(process.pid for process in self._processes) and time.monotonic() < end:
            for process in self._processes:
                process.ended()
            time.sleep(LOOK)
        for process in self._processes:
            process.signal(signal.SIGKILL)
            process.output()  # All of it has been passed on.
        end = time.monotonic() + 3.0
        while self._reports and self._client and time.monotonic() < end:
            self._report_due.set()
            time.sleep(LOOK)
        return code

    def _tell(self, kind, grade, local, message, **more):
        body = {"worker": self._settings.worker, "uid": self._settings.uid, "local": local, "kind": kind}
        with self._lock:
            self._reports.append({**body, "id": str(uuid.uuid4()), "grade": grade, "message": message, **more})
        self._report_due.set()

    def _talk(self):
        """Reports faults and the processes, and hears whether to restart them."""
        reached = True
        while True:
            self._report_due.clear()
            try:
                while self._reports:
                    self._client.post("/v1/fault", self._reports[0])
                    with self._lock:
                        del self._reports[0]
                about = {"worker": self._settings.worker, "uid": self._settings.uid}
                about["processes"] = [{"local": each.local, "pid": each.pid} for each in self._processes]
                ordered = self._client.post("/v1/launcher", about)["restart"]
                # An order from before this container began is not for it.
                if self._ordered is None:
                    self._ordered = ordered
                elif ordered not in ("", self._ordered):
                    self._restart = ordered
                reached = True
            except (Unreachable, Refused) as error:
                if reached:
                    print(f"Could not report to the coordinator: {error}", file=sys.stderr, flush=True)
                reached = False
            self._report_due.wait(self._settings.heartbeat)

    def _watch_gpus(self):
        while True:
            faults = self._watch.faults(2.0)
            with self._lock:
                self._gpu_faults += faults

    def _taken_gpu_faults(self):
        with self._lock:
            taken, self._gpu_faults = self._gpu_faults, []
        return taken


def _reap(own):
    """Takes leave of orphans, which end up with the first process of a container."""
    while True:
        try:
            found = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:
            return
        # A process of the worker is waited for elsewhere, where its exit code counts.
        if found is None or found.si_pid in own:
            return
        os.waitpid(found.si_pid, 0)


def _nvml_watch():
    try:
        return gpu.Watch(gpu.Nvml())
    except Exception as error:
        print(f"GPUs are not watched: {error}", file=sys.stderr, flush=True)
        return None


def main():
    command = sys.argv[1:]
    if not command:
        sys.exit("usage: python3 -m reconstruct_training.launcher COMMAND…")
    count = int(os.environ.get("RECONSTRUCT_PROCESSES", "1"))
    sys.exit(Launcher(command, Settings.of(), count, _nvml_watch()).run())


if __name__ == "__main__":
    main()
