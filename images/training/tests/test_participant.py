"""A process that takes part in generations, without a group."""

import weakref
from types import SimpleNamespace

import pytest

from reconstruct_training.group import PeerLost
from reconstruct_training.participant import Participant


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
