"""What the odds and luck commands ask of a game: forecasts of battles, and what each roll was worth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from pbem.games.axis_and_allies_pacific.casualties import chooser_of, hit_points, loss_order
from pbem.games.axis_and_allies_pacific.clashes import clashes, imagined
from pbem.games.axis_and_allies_pacific.events.combat import DiceRolled
from pbem.games.axis_and_allies_pacific.game import build_board
from pbem.games.axis_and_allies_pacific.odds.clash import Clash
from pbem.games.axis_and_allies_pacific.odds.fight import COURSES, LIMIT
from pbem.games.axis_and_allies_pacific.odds.reckoning import odds_of
from pbem.games.axis_and_allies_pacific.odds.standing import USUAL, Plans
from pbem.games.axis_and_allies_pacific.rolls import number_in, space_of
from pbem.games.axis_and_allies_pacific.state import AIR, LAND, POWERS, State, Unit, is_enemy_unit
from pbem.games.axis_and_allies_pacific.terms import OWNERS, one_of, some
from pbem.kernel.canon import Plain
from pbem.kernel.orders import unreadable
from pbem.kernel.standing import Clause, read_clauses
from pbem.kernel.wording import Message, linked, msg, quoted, verbatim
from pbem.odds.forecast import Forecast, Imagined
from pbem.odds.luck import Throw, hits_thrown, total_thrown

PLACES = ("land", "sea", "amphibious")
UNIT = "IPC"


def forecasts(state: Any, plans: Plans, *, hurry: bool = False) -> list[Forecast]:
    """The battles that the power whose turn it is has to fight, each as things stand now; `hurry`: in half a second each."""
    return [_forecast(clash, plans, _title(clash), hurry) for clash in clashes(state)]


def imagine(scenario: Any, asked: Imagined) -> Forecast:
    """A battle in words, on one of PLACES, by the casualties and the retreat that it names. Raises Rejected."""
    attack, defence, place = asked.attack, asked.defence, asked.place
    if place not in PLACES:
        raise unreadable(msg("{given} is no place for a battle", given=quoted(place)), one_of(PLACES))
    clash = imagined(build_board(scenario), attack, defence, place == "sea", place == "amphibious")
    given = _given(asked)
    for side, units in (("attack", clash.attackers), ("defence", clash.defenders)):
        for clause in given[side, "casualties"]:
            loss_order(clash.g, units, clause.do)  # a word that names no unit is refused

    def plans(seat: str, kind: str) -> Sequence[Clause]:
        return given.get(("attack" if seat == clash.power else "defence", kind), ())

    return _forecast(clash, plans, _words_of(attack, defence, place), False)


def _words_of(attack: str, defence: str, place: str) -> Message:
    """Title of a battle that is made up, on one of PLACES."""
    if place == "land":
        return msg("{attack} against {defence}, on land", attack=attack, defence=defence)
    if place == "sea":
        return msg("{attack} against {defence}, at sea", attack=attack, defence=defence)
    return msg("{attack} against {defence}, in an amphibious assault", attack=attack, defence=defence)


def _given(asked: Imagined) -> dict[tuple[str, str], Sequence[Clause]]:
    """The standing orders of both sides, by side and kind."""
    retreat: list[Plain] = [{"when": asked.retreat, "do": "retreat"}, {"do": "press"}]
    orders: dict[tuple[str, str], Plain] = {
        ("attack", "casualties"): _listed(asked.losses),
        ("defence", "casualties"): _listed(asked.defence_losses),
        ("attack", "retreat"): retreat if asked.retreat else "press",
        ("attack", "submarines"): "strike",
        ("defence", "submarines"): "strike",
    }
    return {key: read_clauses(key[1], order) for key, order in orders.items()}


def _listed(losses: str) -> Plain:
    """`cheapest first`, or types by commas."""
    words = [w.strip() for w in losses.split(",") if w.strip()]
    return [*words] if words and losses != "cheapest first" else "cheapest first"


def _title(clash: Clash) -> Message:
    mine, theirs = _named(clash.g, clash.attackers), _named(clash.g, clash.defenders)
    owners = tuple(OWNERS[p] for p in (*POWERS, "neutral") if any(u.owner == p for u in clash.defenders))
    return msg(
        "battle for {place}: {attackers} against {defenders}",
        place=clash.g.board.name(clash.space),
        attackers=linked(" ", OWNERS[clash.power], mine) if clash.attackers else OWNERS[clash.power],
        defenders=linked(" ", owners, theirs) if owners else theirs,
    )


def _named(g: State, units: Sequence[Unit]) -> Message:
    parts = list[Message]()
    for kind in g.board.types:
        here = [u.damaged for u in units if u.type == kind]
        parts += [some(kind, n)] if (n := here.count(False)) else []
        parts += [verbatim(f"{n} damaged {kind}")] if (n := here.count(True)) else []
    return linked(", ", *parts)


def _forecast(clash: Clash, plans: Plans, title: Message, hurry: bool) -> Forecast:
    if clash.bombards and any(c.do == "none" for c in plans(clash.power, "bombard")[:1]):
        clash = replace(clash, bombards=())
    odds = odds_of(clash, plans, LIMIT // 10, COURSES // 10) if hurry else odds_of(clash, plans)
    return Forecast(
        title,
        {"win": odds.win, "loss": odds.loss, "draw": odds.draw, "retreat": odds.retreat},
        {} if clash.at_sea else {"the land is taken": odds.taken},
        {"the attacker": odds.attackers, "the defender": odds.defenders},
        {"attacker loses": odds.attack_lost, "defender loses": odds.defence_lost, "swing to the attacker": odds.swing},
        UNIT,
        odds.error,
        (*odds.notes, *_assumed(clash, plans)),
    )


def _assumed(clash: Clash, plans: Plans) -> list[Message]:
    """Decisions that no standing order takes, and what is supposed instead."""
    chooser = chooser_of(clash.g, clash.defenders, clash.power)
    asked = dict.fromkeys([(clash.power, "casualties"), (chooser, "casualties")])
    for unit in (*clash.attackers, *clash.defenders):
        if clash.at_sea and unit.type == "submarine":
            asked[unit.owner, "submarines"] = None
    if clash.ways_out(clash.attackers):
        asked[clash.power, "retreat"] = None
    open_kinds: dict[str, list[str]] = {}
    for seat, kind in asked:
        if not plans(seat, kind):
            open_kinds.setdefault(seat, []).append(f"{kind} {USUAL[kind]}")
    found = [
        msg("{seat} has no standing order; supposed: {orders}", seat=OWNERS[seat], orders=", ".join(kinds))
        for seat, kinds in open_kinds.items()
    ]
    if any(c.life == "once" for seat, kind in asked for c in plans(seat, kind)):
        found.append(msg("clauses of life `once` are counted as if they always held"))
    return found


# -- luck ----------------------------------------------------------------------------------------------------------------

AT_AIRCRAFT = ("AIR-03", "SBR-04", "SBR-06")


def throw(state: Any, event: Any) -> Throw | None:
    """What a roll was worth, from the state just before its losses; None for other events.

    A hit is worth the mean cost, in IPC, of one hit on the units that it may fall on.
    """
    if not isinstance(event, DiceRolled):
        return None
    if event.rule == "SBR-07":
        owner = state.control.get(space_of(state, event.label), "")
        return total_thrown(str(event.label), state.power, owner, event.dice, 6, 1.0)
    shooter, target, units = _exchange(state, event)
    faces = number_in(event.label, "at")
    return hits_thrown(str(event.label), shooter, target, event.hits, len(event.dice), faces, 6, _worth(state, units))


def _exchange(g: State, event: DiceRolled) -> tuple[str, str, list[Unit]]:
    """Who fires, at whom, and the units that can be hit. Seats are empty for a garrison of nobody's."""
    if event.rule == "KAM-05":
        ship = g.units[number_in(event.label, "ship")]
        return "japan", ship.owner, [ship]
    place = space_of(g, event.label)
    at_sea = place in g.board.zones
    there = [u for u in g.at(place) if not (at_sea and u.type in LAND)]
    mine, theirs = [u for u in there if u.owner == g.power], [u for u in there if is_enemy_unit(g, g.power, u)]
    defender = chooser_of(g, theirs, g.control.get(place, ""))
    if str(event.label.args.get("power")) == g.power:
        return g.power, defender, [u for u in theirs if u.role == "intercept"] if event.rule == "SBR-04" else theirs
    if event.rule == "E-01":
        return defender, g.power, [u for u in mine if u.type == "transport"]
    return defender, g.power, [u for u in mine if u.type in AIR] if event.rule in AT_AIRCRAFT else mine


def _worth(g: State, units: Sequence[Unit]) -> float:
    points = len(hit_points([u for u in units if u.type != "aa-gun"]))
    return sum(g.board.types[u.type].cost for u in units if u.type != "aa-gun") / points if points else 0.0
