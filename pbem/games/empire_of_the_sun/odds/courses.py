"""Every course of one battle: the rules of the battle played on a copy, for each different effect of each die.

A battle throws four dice at most, each with a handful of effects; so all courses together are counted, none is sampled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from msgspec import Struct, field

from pbem.games.empire_of_the_sun.battle.battles import battle
from pbem.games.empire_of_the_sun.battle.fire import Effect, effect, volley
from pbem.games.empire_of_the_sun.battle.salvoes import RULE
from pbem.games.empire_of_the_sun.d10 import face
from pbem.games.empire_of_the_sun.facts import PlanFacts
from pbem.games.empire_of_the_sun.rehearsal import rehearse
from pbem.games.empire_of_the_sun.state import FOE, State
from pbem.kernel import standing
from pbem.kernel.flow import Ask, Request, Roll, Simultaneous
from pbem.kernel.standing import Clause

Plans = Callable[[str, str], Sequence[Clause]]  # seat, kind of question -> the standing orders that are known
DIE = range(10)
KINDS = {rule: kind for kind, rule in RULE.items()}  # section -> kind of fire
USUAL = {kind: (Clause(do),) for kind, do in {"hits": "cheapest", "transfer": "never"}.items()}


class Course(Struct, frozen=True):
    """One way in which the battle goes: the state after it, its probability, and how many dice were thrown."""

    g: State
    chance: float
    dice: int


class Deciding(Struct):
    """The players' answers: their standing orders, else the usual ones. `supposed`: (seat, kind) that no order answered."""

    plans: Plans
    supposed: dict[tuple[str, str], None] = field(default_factory=dict)

    def answer(self, g: State, ask: Ask) -> Any:
        """The forced answer, that of the standing order, whose conditions see the game as it is by then, the usual one, or
        the first that is proposed."""
        if ask.forced is not None:
            return ask.read(ask.forced)
        given = standing.answer(ask, self.plans(ask.seat, ask.kind), (), PlanFacts(g, ask.seat))
        if not isinstance(given, standing.Answered):
            self.supposed[ask.seat, ask.kind] = None
            given = standing.answer(ask, USUAL.get(ask.kind, ()))
        return ask.read(given.order if isinstance(given, standing.Answered) else ask.options()[0])


def courses(g: State, place: int, deciding: Deciding) -> Iterator[Course]:
    """All courses of the battle in a hex that comes next; the state stays as it is."""
    open_courses: list[tuple[tuple[int, ...], float]] = [((), 1.0)]
    while open_courses:
        dice, chance = open_courses.pop()
        copy = rehearse(g)
        thrown = 0
        flow, answer = battle(copy, place), None
        try:
            while True:
                request = flow.send(answer)
                if not isinstance(request, Roll):
                    answer = _decided(copy, request, deciding)
                    continue
                if thrown == len(dice):
                    (die, weight), *others = alike(copy, request, place)
                    open_courses += [((*dice, other), chance * ways / 10) for other, ways in others]
                    dice, chance = (*dice, die), chance * weight / 10
                answer = (face(dice[thrown]),)
                thrown += 1
        except StopIteration:
            yield Course(copy, chance, thrown)


def _decided(g: State, request: Request, deciding: Deciding) -> Any:
    if isinstance(request, Simultaneous):
        return {ask.seat: deciding.answer(g, ask) for ask in request.asks}
    assert isinstance(request, Ask)
    return deciding.answer(g, request)


def alike(g: State, roll: Roll, place: int) -> list[tuple[int, int]]:
    """[9.2] [9.4] One face for each effect of a die of fire, with the number of faces that have it."""
    fired = volley(g, FOE[str(roll.against)], place, KINDS[roll.rule])
    assert fired is not None
    found: dict[Effect, list[int]] = {}
    for die in DIE:
        found.setdefault(effect(g, fired, die), []).append(die)
    return [(faces[0], len(faces)) for faces in found.values()]
