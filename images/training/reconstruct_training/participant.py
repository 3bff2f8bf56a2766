"""A process that takes part in the generations of its job: it joins them, has the state, and writes it."""

import functools
import gc
import inspect
import os
import sys
import time
import traceback
import uuid
from dataclasses import dataclass, replace

import torch
from torch.nn.parallel import DistributedDataParallel

from . import coordinator, exchange
from .checkpoints import Checkpoints
from .client import number
from .group import Group, PeerLost, is_device_failure, is_peer_failure
from .job import Job
from .member import Member, Superseded
from .meter import Meter
from .saver import Saver
from .settings import EXIT_DEVICE, Settings
from .snapshot import Snapshots


@dataclass(frozen=True)
class World:
    """A generation, as a rank sees it. Its size may change from one generation to the next."""

    rank: int
    size: int
    generation: int
    device: torch.device

    def part(self, count):
        """Returns this rank's part of `count` things: a range of their indexes."""
        return range(self.rank * count // self.size, (self.rank + 1) * count // self.size)


class Participant:
    """Has parts: the model, the optimizer, and anything else with state_dict and load_state_dict.

    Whoever extends it has `_fresh_parts`, and trains in the world that `_next_world` returns. After an exception there,
    `_leave_after` leaves the generation, unless the program is wrong.
    """

    def __init__(self, ddp=None, settings=None):
        self._ddp = ddp or {}
        self._settings = settings or Settings.of()
        self._parts = self._wrapped = self._writer = None
        self._line = None
        self._after = 0
        self._committed = False
        self.step = 0

    def _fresh_parts(self):
        """Returns the parts as they are before the first step. They are on self._device."""
        raise NotImplementedError

    def _introduce(self):
        """Tells the coordinator of this process."""
        self._settings, self._alone = _with_coordinator(self._settings)
        self._meter = Meter()
        self._member = Member(self._settings, self._meter)

    def _prepare(self, device, forgive=None):
        """Builds everything that takes long, before this process has a rank."""
        self._device = device
        if device.type == "cuda":
            torch.cuda.set_device(device)
            self._meter.use_cuda()
        self._begin_anew()
        self._group = Group(self._settings, device, self._member, forgive)
        self._snapshots = Snapshots(device)
        self._checkpoints = self._saver = None
        if self._settings.folder:
            self._checkpoints = Checkpoints(self._settings.folder, self._settings.keep, self._settings.job)
            self._saver = Saver(self._checkpoints, self._snapshots, self._member)
        self._member.say(urgent=True, state="ready")

    def _begin_anew(self):
        self._parts = tuple(self._fresh_parts())
        self._line = None
        self.step = 0

    def _guarded(self, step):
        """No optimizer steps with gradients of a collective that was cut off: the state stays that of a step."""

        @functools.wraps(step)
        def guarded(*args, **kwargs):
            self._before_step()
            result = step(*args, **kwargs)
            self._committed = True
            return result

        return guarded

    def _before_step(self):
        """@throws PeerLost if the gradients cannot be relied on"""
        if self._device.type == "cuda":
            torch.cuda.current_stream().synchronize()
        self._group.check()
        self._snapshots.before_change()

    def _next_world(self):
        """Waits for a generation with a place for this process, and joins it. Returns it."""
        while True:
            generation, port = self._member.next_generation(self._after, self._suspend_if_asked)
            self._after = generation["generation"]
            rank = self._rank_in(generation)
            if rank is None:
                self._member.say(urgent=True, state="ready", rank=None)
                continue
            size = len(generation["members"]) * generation["processes"]
            self.world = World(rank, size, self._after, self._device)
            try:
                self._join(generation, port, self.world)
                return self.world
            except Exception as error:
                self._leave_after(error)

    def _rank_in(self, generation):
        for index, member in enumerate(generation["members"]):
            if member["worker"] == self._settings.worker and member["uid"] in ("", self._settings.uid):
                return index * generation["processes"] + self._settings.local
        return None

    def _leave_after(self, error):
        """Leaves the generation. Raises the error if neither a peer nor a newer generation is the reason."""
        if not self._is_of_peers(error):
            raise error
        why = "a newer generation has begun" if self._member.superseded else " ".join(str(error).split())[:300]
        print(f"Left generation {self._after} after step {self.step}: {why}", file=sys.stderr, flush=True)
        _forget_frames(error)
        self._leave()
        suspended = self._member.orders["suspend"]
        if suspended:
            self._keep()
        self._member.left("suspended" if suspended else "waiting", why)

    def _suspend_if_asked(self):
        """Stops, if the job was suspended after this process has lost its peers."""
        if self._member.orders["suspend"] and self._member.told("state") == "waiting":
            self._keep()
            self._member.left("suspended", self._member.told("message"))

    def _keep(self):
        """Writes the state, if this process writes the checkpoints, or did before a generation that it could not join."""
        if self._saver is not None and self._saver.has_begun and self._writer in (None, self.world.rank):
            # It has left its generation in time. A large state takes longer.
            self._member.note.in_time()
            self._save()
            self._saver.wait()

    def _is_of_peers(self, error):
        return not is_device_failure(error) and (is_peer_failure(error) or self._member.superseded)

    def _join(self, generation, port, world):
        began = time.monotonic()
        self._writer = None
        self._member.enter(world.generation, world.rank)
        before = generation["restoreBefore"]
        offer = {
            "memory": None if self._line is None else [self._line, self.step],
            "disk": self._checkpoints.newest(before) if self._checkpoints else None,
            "volume": self._checkpoints is not None,
        }
        offers = self._group.join(world.generation, port, world.rank, world.size, offer)
        # From here to the first step, a process that hangs is ended.
        self._member.note.within(self._settings.timeout)
        self._restore(exchange.source_of(offers, before), before, world, exchange.line_after(offers, world.generation))
        self._writer = exchange.writer_of(offers)
        if self._writer == world.rank:
            self._saver.begin(world.generation, self.step, before is not None)
        self._wrap(world)
        os.environ.update(RANK=str(world.rank), WORLD_SIZE=str(world.size))
        self._member.note.in_time()
        if before is not None:
            self._member.say(firstNonFinite=None)
        self._member.say(urgent=True, state="training", step=self.step, message="")
        seconds = time.monotonic() - began
        print(f"Joined generation {world.generation} as rank {world.rank} of {world.size} in {seconds:.2f} s, at step {self.step}", flush=True)

    def _restore(self, source, before, world, line):
        """Gives all ranks the state of the source. What is trained after a rollback is of a new line."""
        if source is None:
            if self._line is not None:
                self._begin_anew()
            self._line = line
            return
        rank, where = source
        mine = (self._line, self.step)
        state = None
        if rank == world.rank:
            if where == "disk":
                self._load_newest(before)
            state = {"step": self.step, "line": self._line, "parts": self._states()}
        state = exchange.broadcast(state, rank, world.rank, self._device, self._group)
        if rank != world.rank and (mine != (state["line"], state["step"]) or before is not None):
            self._load(state["parts"])
        self.step = state["step"]
        # What was trained after the restored step is of another line.
        self._line = line if before is not None or state["line"] is None else state["line"]

    def _load_newest(self, before):
        loaded = self._checkpoints.load(before)
        if loaded is None:
            return self._begin_anew()
        self.step, self._line, states = loaded
        self._load(states)

    def _states(self):
        return [part.state_dict() for part in self._parts]

    def _load(self, states):
        for part, state in zip(self._parts, states):
            part.load_state_dict(state)
        # What was not finite was in the state before.
        self._member.say(firstNonFinite=None)

    def _wrap(self, world):
        arguments = dict(self._ddp)
        if self._device.type == "cuda":
            arguments["device_ids"] = [self._device.index]
        if "init_sync" in inspect.signature(DistributedDataParallel.__init__).parameters and self.step > 0:
            arguments["init_sync"] = False
        model = DistributedDataParallel(self._parts[0], **arguments)
        model.register_comm_hook(world.size, self._reduce)
        self._wrapped = (model, *self._parts[1:])

    def _reduce(self, size, bucket):
        if bucket.is_last():
            self._meter.sync()
        return self._group.sum(bucket.buffer().div_(size))

    def _tell(self, loss):
        if loss is None:
            return self._member.say(step=self.step)
        loss = number(loss.detach() if isinstance(loss, torch.Tensor) else loss)
        if isinstance(loss, float) or self._member.told("firstNonFinite"):
            return self._member.say(step=self.step, loss=loss)
        self._member.say(urgent=True, step=self.step, loss=loss, firstNonFinite={"step": self.step, "loss": loss})

    def _border(self):
        """Between two steps: leaves, or takes a checkpoint."""
        orders = self._member.orders
        if self._member.superseded:
            raise Superseded
        if orders["suspend"]:
            raise PeerLost("the job is suspended")
        if self._saver is None or self._writer != self._member.told("rank"):
            return
        saved = self._member.told("checkpoint") or {}
        # A volume that is new, or has only checkpoints of later steps of a line that was left, gets the state at once.
        due = self._saver.step is None or not 0 <= self.step - self._saver.step < self._settings.every
        ordered = orders["checkpoint"] and orders["checkpoint"] != saved.get("order", "")
        if (due or ordered) and not self._saver.busy():
            self._save(orders["checkpoint"] if ordered else "")

    def _save(self, order=""):
        if self._saver.step != self.step or order:
            still = list(self._parts[0].buffers())
            self._saver.save(self.step, self._line, self._states(), still, order)

    def _finish(self, world):
        """Waits until every rank has done all steps, and leaves the group."""
        self._member.say(urgent=True, state="finishing")
        if self._writer == world.rank:
            self._saver.wait()
            self._save()
            self._saver.wait()
        self._group.finish(world.size)
        self._leave()
        self._member.note.in_time()

    def _done(self):
        self._member.left("done")
        self._member.last_words()

    def _leave(self):
        self._member.note.within(self._settings.grace)
        self._meter.idle()
        # Its hooks hold the parameters and its buckets the old group.
        self._wrapped = None
        gc.collect()
        self._group.leave()

    def _failed(self, error):
        """Tells why the program ends. Does not return if CUDA failed."""
        told = f"{type(error).__name__}: {error}"
        print(f"Training failed: {told}", file=sys.stderr, flush=True)
        self._member.last_words(state="failed", message=told[:500])
        self._member.fault("cuda" if is_device_failure(error) else "program", told)
        if is_device_failure(error):
            # Destructors would call CUDA again, and may wait forever.
            os._exit(EXIT_DEVICE)


def _forget_frames(error):
    """Frees what the functions had that an error has ended: the model of the generation, which has the group.

    If it were freed after the group was left, its destructor would wait, with the lock of the interpreter, for threads that need it.
    """
    while error is not None:
        traceback.clear_frames(error.__traceback__)
        error = error.__cause__ or error.__context__


def own_device(settings):
    """Returns the device of a process by its place in its worker."""
    if not torch.cuda.is_available():
        return torch.device("cpu")
    return torch.device("cuda", settings.local % torch.cuda.device_count())


def _with_coordinator(settings):
    """Without a coordinator, this process trains alone with one of its own."""
    if settings.coordinator:
        return settings, None
    job = Job()
    server = coordinator.start(job, "127.0.0.1")
    store = coordinator.open_store(job, "127.0.0.1")
    job.begin({"generation": 1, "members": [{"worker": settings.worker}]})
    address = f"127.0.0.1:{server.server_port}"
    return replace(settings, coordinator=address, job=settings.job or str(uuid.uuid4())), (server, store)
