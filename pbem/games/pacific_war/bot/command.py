"""Months and operations: bids, activation, repairs, replacements; light, and when to stand down."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pbem.games.pacific_war.board import distance
from pbem.games.pacific_war.bot import war
from pbem.games.pacific_war.bot.ground_war import flies_to
from pbem.games.pacific_war.bot.hunting import prey
from pbem.games.pacific_war.bot.landfall import goals_at_sea, landing_from
from pbem.games.pacific_war.bot.marching import march_goal, march_goals
from pbem.games.pacific_war.bot.sea import focus, going_home, is_over, time_is_up
from pbem.games.pacific_war.bot.worth import enemy_forces, goals
from pbem.games.pacific_war.command.callable import activation_options
from pbem.games.pacific_war.cycle.bidding import purse
from pbem.games.pacific_war.cycle.common_phase import may_rest
from pbem.games.pacific_war.state import ALLIES, BATTLE, FOE, STRATEGIC, State
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask

QUIET: tuple[Plain, ...] = ("pass", "done", "stay", "hold", "end", "none")
FIGHT = 6  # hexes
LONG_ENOUGH = 3  # battle cycles after which units without a fight stand down


def always(*orders: Plain) -> Callable[[State, Ask], Sequence[Plain]]:
    """The same answer every time."""
    return lambda g, ask: orders


def only(*verbs: str) -> Callable[[State, Ask], Sequence[Plain]]:
    """Whatever is proposed with these words; nothing that could be done and undone for ever."""
    return lambda g, ask: [o for o in ask.options() if isinstance(o, dict) and next(iter(o)) in verbs]


def _lands_now(g: State, side: str) -> bool:
    """In the strategic game ships with troops that reach their beach in this phase sail first: the troops land at once."""
    if g.level != STRATEGIC or not g.cycle:
        return False
    afloat = {m.at: landing_from(g, side, m.at)[1] for m in g.markers.values() if m.side == side}
    return any(beach and 0 < distance(at, beach) <= 2 for at, beach in afloat.items())


def kinds(g: State, ask: Ask) -> list[Plain]:
    """Troops embark before their ships sail; aircraft first of all."""
    for order in ask.options():
        if isinstance(order, dict) and isinstance(order["kinds"], list):
            first = ("air", "naval", "ground") if _lands_now(g, ask.seat) else ("air", "ground", "naval")
            return [{"kinds": [k for k in first if k in order["kinds"]]}]
    return []


def bid(g: State, ask: Ask) -> list[Plain]:
    """In the strategic game what the best operation costs; else two thirds of what the best headquarters has with an
    objective to take, or a third; two bots never tie.
    """
    most = int(str(ask.facts.get("most", 0)))
    if g.level == STRATEGIC:
        return [{"bid": war.bid(g, ask.seat, most)}]
    if not _can_activate(g, ask.seat):
        return []
    amount = most * 2 // 3 if goals(g, ask.seat) else most // 3
    odd = ask.seat == ALLIES
    return [{"bid": max(0, amount - (amount % 2 != odd))}]


def claim(g: State, ask: Ask) -> list[Plain]:
    """An operation without a bid is taken by who has something to activate."""
    if g.level == STRATEGIC:
        return [{"claim": "yes" if war.bid(g, ask.seat, purse(g, ask.seat)) else "no"}]
    return [{"claim": "yes" if _can_activate(g, ask.seat) else "no"}]


def _can_activate(g: State, side: str) -> bool:
    return len(activation_options(g, side, purse(g, side), 3, True)) > 1


def activate(g: State, ask: Ask) -> list[Plain]:
    """In the strategic game the best operation; else the proposal that activates most. A fortnight is enough."""
    if g.level == STRATEGIC:
        return [*war.activate(g, ask.seat, int(str(ask.facts["bid"]))), "done"]
    found: list[dict[str, Any]] = [o for o in ask.options() if isinstance(o, dict)]
    found.sort(key=lambda o: (-_strength(g, o["activate"]["units"]), o["activate"].get("days", 14)))
    return [*found, "done"]


def react(g: State, ask: Ask) -> list[Plain]:
    """In the strategic game who reaches the enemy's task forces; else as many as can be paid."""
    return [*war.react(g, ask.seat), "done"] if g.level == STRATEGIC else activate(g, ask)


def extend(g: State, ask: Ask) -> list[Plain]:
    """Another week is paid for as long as ships are at sea: given up there, they are lost [PW-TIM-03]."""
    at_sea = any(g.units[u].active and g.units[u].tf and not may_rest(g, u) for u in g.on_map(ask.seat, "naval"))
    return [{"extend": "yes" if at_sea else "no"}]


def allocate(g: State, ask: Ask) -> list[Plain]:
    """In the strategic game as its landings need the points."""
    return war.allocate(g, ask) if g.level == STRATEGIC else []


def _strength(g: State, units: Sequence[str]) -> int:
    return sum(g.counter(u).cost for u in units)


def stand_down(g: State, ask: Ask) -> list[Plain]:
    """Units without anything left to do are deactivated after a few cycles; in a battle nobody is."""
    if g.level == BATTLE:
        return ["done"]
    late = going_home(g, ask.seat) or time_is_up(g, ask.seat) or is_over(g, ask.seat)
    if not late and g.cycle < LONG_ENOUGH:
        return ["done"]
    able = [u for u in g.on_map(ask.seat) if may_rest(g, u) and (late or not _busy(g, ask.seat, u))]
    return [{"deactivate": [*able]}, "done"] if able else ["done"]


def _busy(g: State, side: str, unit: str) -> bool:
    """It fights, marches, carries or covers those who do."""
    u, c = g.units[unit], g.counter(unit)
    if c.kind == "ground":
        return bool(u.aboard or g.ashore(FOE[side], u.at) or march_goal(g, unit))
    if c.kind == "naval" and g.cargo(unit):
        return bool(landing_from(g, side, u.at)[1])
    if c.kind == "naval" and u.tf and prey(g, side, g.members(u.tf), u.at):
        return True
    fights = focus(g, side) if g.operation is not None else _contested(g, side)
    if g.level == STRATEGIC and c.kind == "air":
        wanted = (*fights, *goals_at_sea(g, side), *march_goals(g, side))
        return any(flies_to(g, unit, h) for h in wanted)
    near = any(distance(u.at, h) <= FIGHT for h in fights)
    return near or any(enemy_forces(g, side, m.at, FIGHT) for m in g.markers.values() if m.side == side)


def _contested(g: State, side: str) -> list[int]:
    return [g.units[u].at for u in g.on_map(side, "ground") if g.ashore(FOE[side], g.units[u].at)]


def light(g: State, ask: Ask) -> list[Plain]:
    """By day with more aircraft than the enemy, at night with fewer."""
    mine, theirs = (sum(g.steps(u) for u in g.on_map(s, "air") if g.units[u].active) for s in (ask.seat, FOE[ask.seat]))
    return [{"light": "am" if mine >= theirs else "night"}, {"light": "no"}]


def show(g: State, ask: Ask) -> list[Plain]:
    """Forces are shown when they may be activated: the bot keeps no secrets."""
    if ask.rule not in ("PW-ACT-03", "PW-ACT-11"):
        return []
    return [o for o in ask.options() if isinstance(o, dict) and str(o["show"]).isdigit()]


THOUGHTS: Mapping[str, Callable[[State, Ask], Sequence[Plain]]] = {
    "kinds": kinds,
    "operation-bid": bid,
    "activate": activate,
    "react": react,
    "show": show,
    "join": always("done"),
    "claim": claim,
    "allocate": allocate,
    "extend": extend,
    "common": stand_down,
    "light": light,
    "repairs": only("repair"),
    "replacements": only("replace", "rebuild"),
    "rebase": always("done"),
    "raid": only("raid"),
    "simultaneous": always({"simultaneous": "yes"}),
    "night_attack": always({"night_attack": "yes"}),
    "sweep": always({"sweep": "yes"}),
    "panama": always({"panama": "no"}),
    "bombard": only("bombard"),
}
