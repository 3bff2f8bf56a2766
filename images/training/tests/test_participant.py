"""A process that takes part in generations, without a group."""

import weakref
from types import SimpleNamespace

import pytest

from reconstruct_training.group import PeerLost
from reconstruct_training.participant import Participant
from reconstruct_training.trainer import whole


class Model:
    """Stands for a model with the group of a generation."""


class Leaving(Participant):
    """Records whether the models were freed when it leaves the group."""

    def __init__(self):
        self._member = SimpleNamespace(superseded=False, orders={"suspend": False}, left=lambda state, why: None)
        self._after, self.step, self.models, self.freed = 1, 0, [], []

    def _leave(self):
        self.freed = [model() is None for model in self.models]


def lost(participant):
    model = Model()
    participant.models.append(weakref.ref(model))
    raise PeerLost("the connection was closed")


def lost_behind_another(participant):
    model = Model()
    participant.models.append(weakref.ref(model))
    try:
        lost(participant)
    except PeerLost as error:
        raise PeerLost("a newer generation has begun") from error


@pytest.mark.parametrize("fails, count", [(lost, 1), (lost_behind_another, 2)])
def test_what_a_failed_step_had_is_freed_before_the_group_is_left(fails, count):
    participant = Leaving()
    try:
        fails(participant)
    except PeerLost as error:
        participant._leave_after(error)
    assert participant.freed == [True] * count


class Waiting(Participant):
    """Has trained to a step, and has lost its peers."""

    def __init__(self, writer, state="waiting", begun=True):
        self.said, self.saved, self.deadline = [state], [], None
        note = SimpleNamespace(in_time=lambda: setattr(self, "deadline", None))
        self._member = SimpleNamespace(
            superseded=False, orders={"suspend": False}, note=note, left=self._left,
            told=lambda name: {"state": self.said[-1]}.get(name, ""),
        )
        self._saver = SimpleNamespace(has_begun=begun, step=400, wait=lambda: None)
        self._writer, self.world, self.step, self._after = writer, SimpleNamespace(rank=0), 480, 1

    def _leave(self):
        self.deadline = 20

    def _left(self, state, why):
        self.said.append(state)

    def _save(self, order=""):
        assert self.deadline is None
        self.saved.append(self.step)


@pytest.mark.parametrize(
    "saved, says, when, made",
    [
        ([480], "suspended", "it writes the checkpoints", Waiting(writer=0)),
        ([480], "suspended", "it wrote them before it could not join", Waiting(writer=None)),
        ([], "suspended", "another one writes them", Waiting(writer=1)),
        ([], "suspended", "it never wrote one", Waiting(writer=None, begun=False)),
        ([], "ready", "it waits for a place", Waiting(writer=None, state="ready")),
    ],
)
def test_a_process_that_waits_when_the_job_is_suspended(saved, says, when, made):
    made._suspend_if_asked()
    assert (made.saved, made.said) == ([], made.said[:1])
    made._member.orders["suspend"] = True
    made._suspend_if_asked()
    made._suspend_if_asked()
    assert (made.saved, made.said[-1]) == (saved, says)


def test_a_checkpoint_of_a_suspended_job_has_more_time_than_the_end_of_a_generation():
    made = Waiting(writer=0, state="training")
    made._member.orders["suspend"] = True
    made._leave_after(PeerLost("the job is suspended"))
    assert (made.saved, made.said[-1]) == ([480], "suspended")


class Int64:
    """Stands for a number of NumPy, which is no int."""

    def __int__(self):
        return 1000

    def __eq__(self, other):
        return other == 1000


@pytest.mark.parametrize("steps, expected", [(None, None), (float("inf"), None), (1000, 1000), (1e3, 1000), (Int64(), 1000)])
def test_a_number_of_steps_is_an_int(steps, expected):
    assert whole(steps) == expected and type(whole(steps)) is type(expected)


def test_a_number_of_steps_is_whole():
    with pytest.raises(ValueError, match="got 2.5"):
        whole(2.5)


@pytest.mark.parametrize(
    "saves, when, saved",
    [
        (False, "the next one is not due", 400),
        (True, "it is due", 380),
        (True, "the volume is new", None),
        (True, "the volume has later steps of a line that was left", 4000),
    ],
)
def test_a_checkpoint_between_two_steps(saves, when, saved):
    made = Waiting(writer=0, state="training")
    made._settings = SimpleNamespace(every=100)
    made._member.orders["checkpoint"] = ""
    made._member.told = lambda name: {"rank": 0}.get(name)
    made._saver.step, made._saver.busy = saved, lambda: False
    made.step = 480
    made._border()
    assert bool(made.saved) is saves
