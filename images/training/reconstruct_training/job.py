"""What the coordinator knows: the generation, the orders, what every process last said."""

import threading
import time
import uuid

FAULTS_KEPT = 50
# A change of one of these is worth waking the operator for; a step is not.
TELLING = ("state", "pid", "generation", "firstNonFinite", "message")
# Of a checkpoint, the step is not either.
TELLING_OF_CHECKPOINT = ("healthy", "order")


class Invalid(Exception):
    """The request cannot be understood."""


class Conflict(Exception):
    """The request is of an old generation, or contradicts the current one."""

    def __init__(self, message, generation):
        super().__init__(message)
        self.generation = generation


class Job:
    """Thread-safe. Its version is another one after each change that the operator may want to act on."""

    def __init__(self, clock=time.monotonic):
        self._clock = clock
        self._changed = threading.Condition()
        # A coordinator that was restarted counts from 0 again.
        self._instance = uuid.uuid4().hex
        self._revision = 0
        self._generation = None
        # The highest number that a process was in: it outlives a restart of the coordinator.
        self._heard = 0
        self._orders = {"checkpoint": "", "suspend": False, "restart": {}}
        self._ranks = {}
        self._launchers = {}
        self._faults = []
        self._fault_number = 0
        self.store_port = None

    def store_opened(self, port):
        with self._changed:
            self.store_port = port
            self._advance()

    def begin(self, wanted):
        """Begins a generation. Its number must rise; the same generation again changes nothing.

        @throws Conflict if the number is old, or is the current one with other members
        """
        wanted = _generation(wanted)
        with self._changed:
            current = self._generation
            number = current["generation"] if current else 0
            if wanted == current:
                return {"generation": number}
            if wanted["generation"] < max(number, self._heard):
                raise Conflict(f"generation {wanted['generation']} is old", max(number, self._heard))
            if wanted["generation"] == number:
                raise Conflict(f"generation {number} has begun with other members or another restore", number)
            self._generation = wanted
            for told in (self._ranks, self._launchers):
                for key in [key for key in told if not self._has_place(key[0], key[-1])]:
                    del told[key]
            self._advance()
            return {"generation": wanted["generation"]}

    def is_past(self, number, wait):
        """Waits until a generation above `number` and the store exist. Returns whether they do."""
        with self._changed:
            return self._changed.wait_for(lambda: self._is_past(number), wait)

    def generation_after(self, number):
        """Returns the generation and the store's port if both exist and the number is above `number`."""
        with self._changed:
            if not self._is_past(number):
                return {"generation": None}
            return {"generation": self._generation, "store": self.store_port, "orders": self._orders_of_process()}

    def _is_past(self, number):
        current = self._generation
        return bool(current and current["generation"] > number and self.store_port)

    def order(self, wanted):
        """Replaces the orders that are given and keeps the others."""
        orders = {}
        if "checkpoint" in wanted:
            orders["checkpoint"] = _of(wanted, "checkpoint", str)
        if "suspend" in wanted:
            orders["suspend"] = _of(wanted, "suspend", bool)
        if "restart" in wanted:
            # worker → id: a launcher acts once on each id.
            orders["restart"] = {str(worker): str(each) for worker, each in _of(wanted, "restart", dict).items()}
        with self._changed:
            self._orders = {**self._orders, **orders}
            self._advance()
            return self._orders

    def hear(self, said):
        """Records a heartbeat. Returns what the process must know: the generation and the orders."""
        worker, local = _of(said, "worker", str), _of(said, "local", int)
        generation = _of(said, "generation", int)
        with self._changed:
            answer = {"generation": self._number(), "orders": self._orders_of_process(), "replaced": False}
            answer["planned"] = bool(self._generation and self._generation["planned"])
            if generation > 0 and not self._has_place(worker, said.get("uid", "")):
                return {**answer, "replaced": True}
            self._heard = max(self._heard, generation)
            key = (worker, local, said.get("uid", ""))
            before = self._ranks.get(key, {})
            now = {**said, "heard": self._clock()}
            self._ranks[key] = now
            if _telling(before) != _telling(now):
                self._advance()
            return answer

    def hear_launcher(self, said):
        worker = _of(said, "worker", str)
        with self._changed:
            key = (worker, said.get("uid", ""))
            before = self._launchers.get(key, {})
            self._launchers[key] = {**said, "heard": self._clock()}
            if before.get("processes") != said.get("processes"):
                self._advance()
            return {"restart": self._orders["restart"].get(worker, "")}

    def fault(self, said):
        """Records a fault. Returns its number, which rises."""
        _of(said, "worker", str), _of(said, "kind", str)
        with self._changed:
            # A request that was sent again because its answer was lost.
            for known in self._faults:
                if said.get("id") and known.get("id") == said["id"]:
                    return {"number": known["number"]}
            self._fault_number += 1
            self._faults.append({**said, "number": self._fault_number, "heard": self._clock()})
            del self._faults[:-FAULTS_KEPT]
            self._end(said)
            self._advance()
            return {"number": self._fault_number}

    def _end(self, said):
        """What a process said last does not hold any more when its launcher tells of its end."""
        about = (said["worker"], said.get("uid", ""))
        for (worker, local, uid), rank in self._ranks.items():
            if (worker, uid) == about and said.get("local") in (None, local):
                self._ranks[worker, local, uid] = {**rank, "state": "ended"}

    def is_other(self, version, wait):
        """Waits until the version is another one. Returns whether it is."""
        with self._changed:
            return self._changed.wait_for(lambda: self._version() != version, wait)

    def report(self):
        """Returns everything that is known."""
        with self._changed:
            ranks = [_aged(rank, self._clock()) for _, rank in sorted(self._ranks.items())]
            for rank in ranks:
                rank["behind"] = rank["generation"] < self._number()
            # A process that is behind is still heard of, and its step moves nothing.
            current = [rank for rank in ranks if not rank["behind"]]
            return {
                "version": self._version(),
                "generation": self._number(),
                "members": self._generation["members"] if self._generation else [],
                "step": min((rank["step"] for rank in current if rank.get("rank") is not None), default=None),
                "store": self.store_port,
                "orders": self._orders,
                "ranks": ranks,
                "launchers": [_aged(each, self._clock()) for _, each in sorted(self._launchers.items())],
                "faults": [_aged(fault, self._clock()) for fault in self._faults],
            }

    def _version(self):
        return f"{self._instance}-{self._revision}"

    def _number(self):
        return self._generation["generation"] if self._generation else self._heard

    def _orders_of_process(self):
        return {"checkpoint": self._orders["checkpoint"], "suspend": self._orders["suspend"]}

    def _has_place(self, worker, uid):
        """Tells whether another Pod has not taken the place of this one, which has been in a generation."""
        members = self._generation["members"] if self._generation else []
        uids = [member["uid"] for member in members if member["worker"] == worker and member["uid"]]
        return not uids or uid in uids

    def _advance(self):
        self._revision += 1
        self._changed.notify_all()


def _generation(wanted):
    members = [
        {"worker": _of(member, "worker", str), "uid": str(member.get("uid", ""))}
        for member in _of(wanted, "members", list)
    ]
    names = [member["worker"] for member in members]
    if not names or len(set(names)) < len(names):
        raise Invalid("members must be one or more workers, each once")
    number, processes = _of(wanted, "generation", int), int(wanted.get("processes", 1))
    if number < 1 or processes < 1:
        raise Invalid("generation and processes must be at least 1")
    before = wanted.get("restoreBefore")
    return {
        "generation": number,
        # Rank = index of the worker × processes + index of the process in it.
        "members": members,
        "processes": processes,
        # True: the members are well, and change at the border of a step.
        "planned": bool(wanted.get("planned", False)),
        # A step: the newest checkpoint before it is loaded, and what is in memory is not used.
        "restoreBefore": None if before is None else int(before),
    }


def _telling(said):
    checkpoint = said.get("checkpoint") or {}
    return [said.get(field) for field in TELLING] + [checkpoint.get(field) for field in TELLING_OF_CHECKPOINT]


def _aged(said, now):
    age = round(now - said["heard"], 3)
    return {**{name: value for name, value in said.items() if name != "heard"}, "age": age}


def _of(body, name, kind):
    value = body.get(name) if isinstance(body, dict) else None
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise Invalid(f"{name} must be of type {kind.__name__}, got {value!r}")
    return value
