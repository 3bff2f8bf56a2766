"""The process group of one generation."""

import ctypes
import datetime
import inspect
import json
import os
import socket
import threading
import time

import torch
import torch.distributed as dist

from .member import Superseded
from .store import store_at

# NCCL must not end the process when a peer is lost, and must not wait forever for one that never comes.
_NCCL = {
    "TORCH_NCCL_ASYNC_ERROR_HANDLING": "0",
    "TORCH_NCCL_USE_COMM_NONBLOCKING": "1",
    "TORCH_NCCL_NONBLOCKING_TIMEOUT": "60",
}
# What torch raises when a collective fails because of a peer or the store. Before version 2 these are RuntimeErrors,
# of which only the text tells where they come from.
_FAILURES = tuple(
    getattr(dist, name)
    for name in ("DistBackendError", "DistNetworkError", "DistStoreError", "DistError")
    if hasattr(dist, name)
)
_TEXTS = ("gloo", "NCCL", "Connection closed", "Connection reset", "Broken pipe", "Socket Timeout", "peer", "TCPStore")

# Seconds after which a work that was interrupted is taken to hang.
HANGS_AFTER = 0.3


class PeerLost(Exception):
    """The group can no longer be used: a peer or the store is gone, or a newer generation has begun."""


def is_peer_failure(error):
    if isinstance(error, (PeerLost, Superseded)) or (_FAILURES and isinstance(error, _FAILURES)):
        return True
    return isinstance(error, (RuntimeError, ValueError)) and any(text in str(error) for text in _TEXTS)


def is_device_failure(error):
    accelerator = getattr(torch, "AcceleratorError", ())
    if accelerator and isinstance(error, accelerator):
        return True
    return isinstance(error, RuntimeError) and ("CUDA error" in str(error) or "CUBLAS_STATUS" in str(error))


class Group:
    """A group enters its backend only after every member has said in the store that it is there.

    With `forgive`, a sum that fails because of a peer completes, and forgive(error) is called before: the program of the
    user gets no exception, and nothing may come of the result.
    """

    def __init__(self, settings, device, member, forgive=None):
        self._settings = settings
        self._device = device
        self._member = member
        self._forgive = forgive
        self._sockets = ()
        self._cut = False
        self._lock = threading.Lock()
        # What a thread of this process waits for and its tensor, by the work that will bring it.
        self._promised = {}
        # Works that nobody waits for any more.
        self._forsaken = []
        self.store = None
        self.backend = None

    def join(self, generation, port, rank, size, offer):
        """Joins a generation. Returns what all members offered, by rank.

        @throws Superseded if a newer generation begins first
        @throws PeerLost if this rank has entered this generation before, or the store is gone
        """
        before = _open_sockets()
        self._cut = False
        self._member.interrupt = lambda: self._interrupt(before)
        host = self._settings.coordinator.rsplit(":", 1)[0]
        timeout = datetime.timedelta(seconds=self._settings.timeout)
        store = store_at(host, port, timeout=timeout)
        self.store = dist.PrefixStore(f"gen{generation}", store)
        if self.store.add(f"entered/{rank}", 1) > 1:
            raise PeerLost(f"rank {rank} has entered generation {generation} before")
        self.store.set(f"offer/{rank}", json.dumps({**offer, "gpu": self._gpu()}))
        self.store.add("offers", 1)
        self._await("offers", size)
        if rank == 0:
            offers = [json.loads(self.store.get(f"offer/{each}")) for each in range(size)]
            self.store.set("agreed", json.dumps(offers))
            self.store.add("agreements", 1)
        self._await("agreements", 1)
        offers = json.loads(self.store.get("agreed"))
        self._init(rank, size, offers, timeout)
        self._sockets = _open_sockets() - before
        self._member.interrupt = lambda: self._interrupt(None)
        self.check()
        return offers

    def check(self):
        """@throws PeerLost if the group was interrupted: what its collectives gave cannot be relied on"""
        if self._cut:
            raise PeerLost("a newer generation has begun")

    def sum(self, tensor):
        """Begins to sum a tensor over all ranks. Returns its future, which fails if the group is interrupted."""
        try:
            self.check()
            work = dist.all_reduce(tensor, async_op=True)
        except Exception as error:
            if self._forgive is None:
                raise
            failed = torch.futures.Future()
            self._fail(failed, tensor, error)
            return failed
        if self.backend == "nccl":
            return work.get_future().then(lambda done: self._value_of(done, tensor))
        # gloo may wait forever for a peer that closes its connection at a bad moment: nobody waits for gloo itself.
        promise = torch.futures.Future()
        with self._lock:
            self._promised[work] = (promise, tensor)
        work.get_future().add_done_callback(lambda done: self._keep(work, done, tensor))
        return promise

    def broadcast(self, tensor, source):
        """Gives a tensor of one rank to all.

        @throws PeerLost if the group is interrupted
        """
        work = dist.broadcast(tensor, source, async_op=True)
        while not work.is_completed():
            if self._cut:
                self._forsaken.append(work)
                self.check()
            time.sleep(0.0002)
        work.wait()

    def finish(self, size):
        """Waits until every member has come this far: one that has done its last step may be needed as a source."""
        self.store.add("finished", 1)
        self._await("finished", size)

    def leave(self):
        self._member.interrupt = None
        if dist.is_initialized():
            end = time.monotonic() + HANGS_AFTER
            while not all(work.is_completed() for work in self._forsaken):
                if time.monotonic() > end:
                    # Its destructor would wait for the work: the group is never freed.
                    ctypes.pythonapi.Py_IncRef(ctypes.py_object(dist.distributed_c10d._get_default_group()))
                    break
                time.sleep(0.01)
            dist.destroy_process_group()
        self.store, self._sockets, self._forsaken = None, (), []

    def _init(self, rank, size, offers, timeout):
        gpus = [offer["gpu"] for offer in offers]
        alone = None not in gpus and len(set(gpus)) == len(gpus)
        self.backend = self._settings.backend or ("nccl" if alone and dist.is_nccl_available() else "gloo")
        arguments = {}
        if self.backend == "nccl":
            for name, value in _NCCL.items():
                os.environ.setdefault(name, value)
            if "device_id" in inspect.signature(dist.init_process_group).parameters:
                arguments["device_id"] = self._device
        dist.init_process_group(
            self.backend, store=dist.PrefixStore("group", self.store), rank=rank, world_size=size, timeout=timeout,
            **arguments,
        )  # fmt: skip

    def _gpu(self):
        if self._device.type != "cuda":
            return None
        about = torch.cuda.get_device_properties(self._device)
        return str(getattr(about, "uuid", f"{socket.gethostname()}/{self._device.index}"))

    def _await(self, key, count):
        # Asked for again and again, since a wait for a key cannot be given up when a newer generation begins.
        pause = 0.01 + count * 0.0002
        while self.store.add(key, 0) < count:
            if self._member.superseded:
                raise Superseded
            time.sleep(pause)

    def _interrupt(self, before):
        """Wakes a thread that waits for a peer or the store. Runs in the thread of the heartbeats."""
        self._cut = True
        with self._lock:
            promised, self._promised = self._promised, {}
            self._forsaken += promised
        for promise, tensor in promised.values():
            self._fail(promise, tensor, PeerLost("a newer generation has begun"))
        if self.backend == "nccl" and dist.is_initialized():
            _abort(self._device)
        for handle, inode in self._sockets if before is None else _open_sockets() - before:
            _shut(handle, inode)

    def _keep(self, work, done, tensor):
        """Passes the result of a work on. Runs in a thread of gloo."""
        with self._lock:
            promise, _ = self._promised.pop(work, (None, None))
        if promise is None:
            return
        try:
            done.value()
            if tensor.is_cuda:
                torch.cuda.synchronize(tensor.device)
        except Exception as error:
            self._fail(promise, tensor, error)
        else:
            promise.set_result(tensor)

    def _fail(self, promise, tensor, error):
        try:
            self._excuse(error)
        except Exception as failure:
            promise.set_exception(failure)
        else:
            promise.set_result(tensor)

    def _value_of(self, done, tensor):
        try:
            return done.value()[0]
        except Exception as error:
            self._excuse(error)
            return tensor

    def _excuse(self, error):
        if self._forgive is None:
            raise error
        self._forgive(error)


def _abort(device):
    group = dist.distributed_c10d._get_default_group()
    backend = group._get_backend(device) if hasattr(group, "_get_backend") else group
    for name in ("abort", "_abort"):
        if hasattr(backend, name):
            getattr(backend, name)()
            return


def _open_sockets():
    """Returns (descriptor, inode) of the sockets of this process."""
    found = set()
    for name in os.listdir("/proc/self/fd"):
        try:
            target = os.readlink(f"/proc/self/fd/{name}")
        except FileNotFoundError:
            continue
        if target.startswith("socket:"):
            found.add((int(name), target))
    return found


def _shut(handle, inode):
    """Ends a connection for both sides. gloo has no abort: a thread that waits on this socket gets an error."""
    try:
        if os.readlink(f"/proc/self/fd/{handle}") != inode:
            return
        with socket.socket(fileno=os.dup(handle)) as connection:
            listens = connection.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN)
            # gloo ends the process if its listening socket fails.
            if connection.family in (socket.AF_INET, socket.AF_INET6) and not listens:
                connection.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass  # It has ended already.
