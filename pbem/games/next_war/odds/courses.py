"""A rule of the game played out through every die, on copies of the state."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields

from msgspec import Struct, field

from pbem.games.next_war.events.combat import Thrown
from pbem.games.next_war.planning import PlanFacts
from pbem.games.next_war.state import State
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask, Flow, Request, Roll
from pbem.kernel.standing import Answered, Clause, answer

Plans = Callable[[str, str], Sequence[Clause]]  # seat, kind of question -> the standing orders that are known
Begin = Callable[[State], Flow[None]]
SIDES_OF_DIE = 10
RECORDS = ("pieces", "beachheads", "clearing", "mines")
USUAL: Mapping[str, Plain] = {  # what is supposed where no standing order answers
    "defend": "any",
    "support": "none",
    "lose": "any",
    "stand": "yes",
    "failed": "retreat",
    "retreat": "any",
}


def copy_of(g: State) -> State:
    """A state that may be played on without a trace in the first; the events so far are left out."""
    again = copy.copy(g)
    for one in fields(State):
        held = getattr(g, one.name)
        if one.name in RECORDS:
            setattr(again, one.name, {key: copy.copy(record) for key, record in held.items()})
        elif isinstance(held, dict | list):
            setattr(again, one.name, held.copy())
    again.fight = copy.deepcopy(g.fight)
    again.events = []
    again.forget()
    return again


class Answers(Struct):
    """Both players by their standing orders, else by USUAL; `supposed` collects where that was needed: (seat, kind)."""

    plans: Plans
    supposed: dict[tuple[str, str], None] = field(default_factory=dict)
    once: bool = False  # a clause of life `once` has answered

    def __call__(self, g: State, ask: Ask) -> object:
        """What the rule receives for its question; conditions see the game as it is by then."""
        if ask.forced is not None:
            return ask.read(ask.forced)
        clauses = self.plans(ask.seat, ask.kind)
        given = answer(ask, clauses, (), PlanFacts(g, ask.seat))
        if isinstance(given, Answered):
            self.once = self.once or clauses[given.clause].life == "once"
            return ask.read(given.order)
        self.supposed[ask.seat, ask.kind] = None
        usual = answer(ask, [Clause(USUAL[ask.kind])])
        assert isinstance(usual, Answered), usual
        return ask.read(usual.order)


class _Course(Struct, frozen=True):
    faces: tuple[int, ...]
    state: State
    over: bool
    chance: float


def courses(g: State, begin: Begin, answers: Answers) -> Iterator[tuple[State, float]]:
    """Every way that a rule can go: the state in which it ends, and the probability of that.

    Faces after which the rule tells of the same result are one way.
    """
    todo = [_play(g, begin, answers, (), 1.0)]
    while todo:
        course = todo.pop()
        if course.over:
            yield course.state, course.chance
        else:
            todo += _next(g, begin, answers, course)


def _next(g: State, begin: Begin, answers: Answers, course: _Course) -> list[_Course]:
    before = len(course.state.events)
    found: dict[object, tuple[_Course, int]] = {}
    for face in range(1, SIDES_OF_DIE + 1):
        one = _play(g, begin, answers, (*course.faces, face), 0.0)
        told = next((e for e in one.state.events[before:] if isinstance(e, Thrown)), None)
        key = (told.outcome, told.number) if told is not None else face
        first, ways = found.get(key, (one, 0))
        found[key] = first, ways + 1
    return [_Course(c.faces, c.state, c.over, course.chance * n / SIDES_OF_DIE) for c, n in found.values()]


def _play(g: State, begin: Begin, answers: Answers, faces: tuple[int, ...], chance: float) -> _Course:
    """The rule from its beginning to the first die after these, or to its end."""
    state, left = copy_of(g), list(faces)
    flow = begin(state)
    try:
        request: Request = next(flow)
        while True:
            if isinstance(request, Roll):
                if not left:
                    return _Course(faces, state, False, chance)
                request = flow.send((left.pop(0),))
            else:
                assert isinstance(request, Ask), request
                request = flow.send(answers(state, request))
    except StopIteration:
        return _Course(faces, state, True, chance)
