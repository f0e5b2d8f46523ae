"""What the odds and luck commands ask of a game: forecasts of combats, and what each roll was worth."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from pbem.games.next_war.combat import read_attack, targets
from pbem.games.next_war.events.combat import CombatThrown, SupportLeft, Thrown
from pbem.games.next_war.game import OPTIONS, build_board
from pbem.games.next_war.labels import SIDES
from pbem.games.next_war.odds.battle import DESTROYED, HOLDS, RETREATS, Battle, battle, copied, results_of
from pbem.games.next_war.odds.courses import USUAL, Answers, Plans
from pbem.games.next_war.odds.imagined import position, read_force
from pbem.games.next_war.stacking import efficiency
from pbem.games.next_war.state import FOE, Fight, State
from pbem.kernel.events import Entered
from pbem.kernel.orders import Rejected, unreadable
from pbem.kernel.wording import Argument, Message, linked, msg, quoted, signed
from pbem.odds.forecast import Forecast, Imagined
from pbem.odds.luck import Throw, hits_thrown, points_thrown

UNIT = "steps"
PLACES = ("land", "amphibious")
ATTACKER, DEFENDER, OPEN = "the attacker", "the defender", "the hex can be entered"
NAMES = (
    msg("the defender is destroyed"),
    msg("the defender retreats"),
    msg("the defender holds"),
    msg("the hex can be entered"),
)


# -- odds ----------------------------------------------------------------------------------------------------------------


def forecasts(state: Any, plans: Plans, *, hurry: bool = False) -> list[Forecast]:
    """The combat that was declared, as it stands before its die; else, unless in a hurry, each hex that may be attacked."""
    g: State = state
    if g.fight is not None:
        return [] if _thrown(g) else [_declared(g, plans)]
    return [] if hurry else [*_possible(g, plans)]


def _thrown(g: State) -> bool:
    """The die of the present combat has been thrown, or the fire at one side's support is going on."""
    for event in reversed(g.events):
        if isinstance(event, CombatThrown | Thrown):
            return True
        if isinstance(event, SupportLeft | Entered):
            return False
    return False


def _declared(g: State, plans: Plans) -> Forecast:
    assert g.fight is not None
    answers = Answers(plans)
    found = battle(g, answers)
    title = msg("{power} attacks {place}: {odds}", power=SIDES[g.fight.side], place=_place(g, g.fight), odds=_odds(found))
    return _forecast(title, found, answers)


def _possible(g: State, plans: Plans) -> Iterator[Forecast]:
    """[9.2.1] Attacks with every unit that can take part, in the segment in which they are declared."""
    if g.running is None or g.running.name != "attacks":
        return
    kind, side = map(str, g.running.args)
    for target, units in targets(g, side).items():
        with suppress(Rejected):  # all of them together may be too many
            fight = read_attack(g, kind, side, {"units": list(units), "at": g.board.hexes[target].label})
            answers = Answers(plans)
            found = battle(copied(g, fight), answers)
            title = msg(
                "{power} can attack {place} with {units}: {odds}",
                power=SIDES[side],
                place=_place(g, fight),
                units=tuple(g.counter(u).name for u in units),
                odds=_odds(found),
            )
            yield _forecast(title, found, answers)


def _place(g: State, fight: Fight) -> str:
    return g.board.name(fight.target)


def _odds(found: Battle) -> Message:
    low, high = found.drms[0], found.drms[-1]
    drm: Argument = signed(low) if low == high else linked(" … ", signed(low), signed(high))
    return msg("odds {ratio}, column {column}, modifier {drm}", ratio=found.ratio, column=found.column, drm=drm)


def _forecast(title: Message, found: Battle, answers: Answers) -> Forecast:
    fates = {fate: sum(p for e, p in found.endings.items() if e.fate == fate) for fate in (DESTROYED, RETREATS, HOLDS)}
    return Forecast(
        title,
        fates,
        {OPEN: sum(p for e, p in found.endings.items() if e.open)},
        means={"attacker loses": found.mean("attacker"), "defender loses": found.mean("defender")},
        unit=UNIT,
        notes=tuple(_assumed(answers)),
        losses={ATTACKER: found.losses("attacker"), DEFENDER: found.losses("defender")},
    )


def _assumed(answers: Answers) -> Iterator[Message]:
    """Decisions that no standing order takes, and what is supposed instead."""
    kinds: dict[str, list[str]] = {}
    for seat, kind in sorted(answers.supposed):
        kinds.setdefault(seat, []).append(f"{kind} {USUAL[kind]}")
    for seat, orders in kinds.items():
        yield msg("{seat} has no standing order; supposed: {orders}", seat=SIDES[seat], orders=", ".join(orders))
    if answers.once:
        yield msg("clauses of life `once` are counted as if they always held")


def imagine(scenario: Any, asked: Imagined) -> Forecast:
    """A combat in words, by totals of the odds: `24, efficiency 6, steps 4` against `8, efficiency 4, steps 3, urban`.

    `asked.place` amphibious: an assault from the sea. Raises Rejected.
    """
    if asked.losses or asked.defence_losses or asked.retreat:
        raise unreadable(msg("a combat in words has no order of losses and no retreat at will"), msg("leave these options out"))
    if asked.place not in PLACES:
        raise unreadable(msg("{given} is no place for a combat", given=quoted(asked.place)))
    board = build_board(scenario)
    attack, defence = read_force(asked.attack, False), read_force(asked.defence, True)
    options = {one.name: one.choices[0] for one in OPTIONS}
    answers = Answers(lambda seat, kind: ())
    found = battle(position(board, options, attack, defence, asked.place == "amphibious"), answers, attack.drm + defence.drm)
    title = msg("{attack} against {defence}: {odds}", attack=asked.attack, defence=asked.defence, odds=_odds(found))
    return _forecast(title, found, answers)


# -- luck ----------------------------------------------------------------------------------------------------------------

CHECKS = {  # of a defender's units; failing one costs a step or the hex
    "efficiency check, ignoring a retreat",
    "efficiency check, {name} cannot retreat",
    "efficiency check, {name} passes an enemy zone",
    "efficiency check, {name} flees again",
}


def throw(state: Any, event: Any) -> Throw | None:
    """What a roll of a combat was worth, in steps; None for other events.

    The combat's die: steps that the defender loses less those of the attacker, as the table gives them and as far as they
    are there; a retreat counts nothing. An Efficiency check of the defender: a step when it is passed.
    """
    g: State = state
    if g.fight is None:
        return None
    side, foe = g.fight.side, FOE[g.fight.side]
    if isinstance(event, CombatThrown):
        swings = [float(r.defender - r.attacker) for r in results_of(g, event.drm)]
        return points_thrown(str(event.label), side, foe, swings[event.die], swings, 1.0)
    if isinstance(event, Thrown) and event.label.id in CHECKS:
        rating = _rating(g, foe, str(event.label.args.get("name", "")))
        return hits_thrown(str(event.label), foe, side, int(event.outcome == "passed"), 1, min(10, rating + 1), 10, 1.0)
    return None


def _rating(g: State, side: str, name: str) -> int:
    """The rating that was checked: of the unit of that name, or the lowest of those that stand in the hex."""
    assert g.fight is not None
    there = g.ground(side, g.fight.target)
    if name:
        named = [u for u in g.fight.present if g.counter(u).name == name and u in there]
        return min(efficiency(g, u) for u in named or there)
    return min(efficiency(g, u) for u in there if g.refugees.get(u) != g.fight.target)
