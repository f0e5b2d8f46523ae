"""[9.2] The ends of a combat with their probabilities, from wherever it stands before its die."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from pbem.games.next_war.advance import flee_again
from pbem.games.next_war.charts import CombatResult, combat_result
from pbem.games.next_war.combat import excess, joined, printed, suffered
from pbem.games.next_war.odds.courses import Answers, copy_of, courses
from pbem.games.next_war.state import FOE, Fight, State
from pbem.games.next_war.strength import odds_of, total_drm
from pbem.games.next_war.support import ask_support, commit, under_fire
from pbem.kernel.flow import Flow

DIE = tuple(range(10))
DESTROYED, RETREATS, HOLDS = "the defender is destroyed", "the defender retreats", "the defender holds"


class Ending(Struct, frozen=True):
    """Steps that each side lost, what became of the defender (DESTROYED, RETREATS, HOLDS), whether an attacker can enter."""

    attacker: int
    defender: int
    fate: str
    open: bool


class Battle(Struct, frozen=True):
    """Odds, column and modifiers (by the fire at the support more than one) of a combat, and its ends."""

    ratio: str
    column: int
    drms: tuple[int, ...]
    endings: dict[Ending, float]

    def mean(self, name: str) -> float:
        """The expected loss in steps of the `attacker` or the `defender`."""
        return sum((e.attacker if name == "attacker" else e.defender) * p for e, p in self.endings.items())

    def losses(self, name: str) -> dict[int, float]:
        """Steps that a side loses -> probability."""
        found: dict[int, float] = {}
        for ending, p in self.endings.items():
            lost = ending.attacker if name == "attacker" else ending.defender
            found[lost] = found.get(lost, 0.0) + p
        return dict(sorted(found.items()))


def battle(g: State, answers: Answers, more: int = 0) -> Battle:
    """[9.2] The combat that stands in the state, its die not yet thrown. `more`: a modifier beside those of the rules."""
    start = _committed(g, answers)
    f = _fight(start)
    results: dict[CombatResult, float] = {}
    drms: dict[int, None] = {}
    for support, chance in _supports(start, answers).items():
        f.support = {f.side: support[0], FOE[f.side]: support[1]}
        drm = total_drm(start, f) + more
        drms[drm] = None
        for result, p in _results(start, f, drm):
            results[result] = results.get(result, 0.0) + chance * p
    endings: dict[Ending, float] = {}
    for result, chance in results.items():
        for after, p in courses(start, lambda g, result=result: _to_the_advance(g, result), answers):  # type: ignore[misc]
            ending = _ending(start, after)
            endings[ending] = endings.get(ending, 0.0) + chance * p
    return Battle(odds_of(start, f).ratio, f.column, tuple(sorted(drms)), endings)


def results_of(g: State, drm: int) -> list[CombatResult]:
    """[9.7] The result of each face of the die, from 0 to 9, losses no larger than the steps that are there."""
    f = _fight(g)
    mine, theirs = _steps(g, f.units), _steps(g, f.defenders) + _beach_steps(g, f)
    found = []
    for die in DIE:
        result = excess(g, f, combat_result(printed(g, die + drm, f.column)))
        found.append(replace(result, attacker=min(result.attacker, mine), defender=min(result.defender, theirs)))
    return found


def _results(g: State, f: Fight, drm: int) -> Iterator[tuple[CombatResult, float]]:
    for die in DIE:
        yield excess(g, f, combat_result(printed(g, die + drm, f.column))), 1 / len(DIE)


def _fight(g: State) -> Fight:
    assert g.fight is not None
    return g.fight


def _committed(g: State, answers: Answers) -> State:
    """The state in which both sides have named what they fight with, as far as they had not."""
    ((after, _),) = courses(g, _commitment, answers)
    return after


def _commitment(g: State) -> Flow[None]:
    f = _fight(g)
    if not f.column:
        yield from joined(g, f)
    for side, attacking in ((f.side, True), (FOE[f.side], False)):
        if side not in f.points:
            commit(g, side, (yield from ask_support(g, side, attacking)))


def _supports(g: State, answers: Answers) -> dict[tuple[int, int], float]:
    """[9.2.5] Combat Support of the attacker and of the defender after Air Defense Fire."""
    f = _fight(g)
    mine, theirs = _support(g, f.side, answers), _support(g, FOE[f.side], answers)
    return {(a, b): p * q for a, p in mine.items() for b, q in theirs.items()}


def _support(g: State, side: str, answers: Answers) -> dict[int, float]:
    known = _fight(g).support
    if side in known:
        return {known[side]: 1.0}
    found: dict[int, float] = {}

    def fire(g: State) -> Flow[None]:
        _fight(g).support = {side: (yield from under_fire(g, side))}

    for after, chance in courses(g, fire, answers):
        points = _fight(after).support[side]
        found[points] = found.get(points, 0.0) + chance
    return found


def _to_the_advance(g: State, result: CombatResult) -> Flow[None]:
    f = _fight(g)
    yield from suffered(g, f, result)
    yield from flee_again(g, f, FOE[f.side])


def _steps(g: State, units: Sequence[str]) -> int:
    return sum(g.steps(u) for u in units if g.pieces[u].at or g.pieces[u].aboard)


def _beach_steps(g: State, f: Fight) -> int:
    beach = g.beachheads.get(f.target)
    return beach.steps if beach is not None and beach.side != f.side else 0


def _ending(before: State, after: State) -> Ending:
    f, foe = _fight(before), FOE[_fight(before).side]
    lost = _steps(before, f.units) - _steps(after, f.units)
    left = _steps(after, f.present)
    killed = _steps(before, f.present) + _beach_steps(before, f) - left - _beach_steps(after, f)
    if after.ground(foe, f.target):
        return Ending(lost, killed, HOLDS, False)
    entering = any(after.pieces[u].at for u in f.units)
    return Ending(lost, killed, RETREATS if left else DESTROYED, entering)


def copied(g: State, fight: Fight) -> State:
    """The state with a combat that nobody has declared yet."""
    again = copy_of(g)
    again.fight = fight
    return again
