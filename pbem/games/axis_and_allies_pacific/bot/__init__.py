"""A bot that plays every power legally and to win. It knows only what everybody sees."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from msgspec.structs import replace

from pbem.games.axis_and_allies_pacific.bot.airfields import kept_promises
from pbem.games.axis_and_allies_pacific.bot.attack import plan_combat
from pbem.games.axis_and_allies_pacific.bot.buying import buy, place
from pbem.games.axis_and_allies_pacific.bot.course import rest
from pbem.games.axis_and_allies_pacific.bot.judgement import Temper, defenders_of, outlook, temper
from pbem.games.axis_and_allies_pacific.bot.legal import is_legal, next_legal
from pbem.games.axis_and_allies_pacific.bot.lookahead import foresee
from pbem.games.axis_and_allies_pacific.bot.pursuit import pursuit
from pbem.games.axis_and_allies_pacific.bot.redeploy import plan_noncombat
from pbem.games.axis_and_allies_pacific.bot.rehearsal import Rehearsal
from pbem.games.axis_and_allies_pacific.state import AIR, SEA, SIDES, SURFACE_WARSHIPS, State, enemy_units
from pbem.games.parts import EASY, HARD, NORMAL, NOTHING, Own
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask

EASY_NOISE = 80  # per cent by which an easy bot likes one goal better than another


def choose(g: State, ask: Ask, own: Own = NOTHING, seed: int = 0, level: str = NORMAL) -> Plain:
    """One legal order for the question at hand. `seed` gives every power its temperament; nobody has hidden items here."""
    mind = temper(seed, ask.seat, g.board)
    if level == EASY:
        mind = replace(mind, noise=EASY_NOISE)
    return _answer(g, ask, mind, level == HARD)


def _answer(g: State, ask: Ask, mind: Temper, ahead: bool = False) -> Plain:
    match ask.kind:
        case "purchase":
            return buy(g, ask, mind)
        case "combat-move" | "noncombat-move":
            return _next_move(g, ask, mind, ahead)
        case "mobilize":
            return place(g, ask, mind)
        case "retreat":
            return _press(g, ask, mind)
        case "scramble":
            return _scramble(g, ask)
        case "kamikaze":
            return _kamikaze(g, ask)
        case "submarines":
            return _dive_or_strike(ask)
    options = list(ask.options())
    if ask.kind == "bomb-targets":
        return min(options, key=lambda o: not any(kind.endswith("-ic") for kind in _bombed(o)))  # it makes units, a base none
    return options[-1] if ask.kind == "intercept" else options[0]


def _bombed(order: Plain) -> Sequence[str]:
    targets = order.get("targets") if isinstance(order, dict) else None
    return list(targets) if isinstance(targets, dict) else []


def _next_move(g: State, ask: Ask, mind: Temper, ahead: bool) -> Plain:
    """The next order of the phase's plan that is still legal; dice on the way may have changed things: then a new plan."""
    found = next_legal(ask, _plan(g, ask, mind, ahead))
    if found is not None:
        return found[1]
    if ask.kind == "noncombat-move":
        return next(_last_resort(g, ask), "start over")
    return next((o for o in ask.options() if not (isinstance(o, dict) and "declare war" in o)), "start over")


def _last_resort(g: State, ask: Ask) -> Iterator[Plain]:
    """A carrier that comes to those who count on it; else what takes no deck from anybody; else anything."""
    yield from kept_promises(g, ask.seat)[:1]
    yield from (o for o in ask.options() if Rehearsal(g, ask.seat).attempt([o]))
    yield from ask.options()


def _plan(g: State, ask: Ask, mind: Temper, ahead: bool) -> Sequence[Plain]:
    """What is left of the plan that led to this position, or a new one; `ahead`: the phase begins by look-ahead."""
    plan = plan_combat if ask.kind == "combat-move" else plan_noncombat
    name = f"{mind.seed} {mind.noise} {mind.fear} {ahead} {ask.seat} {ask.kind}"
    usual = partial(plan, power=ask.seat, mind=mind)
    return rest(g, name, usual, partial(foresee, power=ask.seat, mind=mind, choose=_answer) if ahead else usual)


def _press(g: State, ask: Ask, mind: Temper) -> Plain:
    """Retreat from a battle in which more is lost than gained."""
    return "press" if pursuit(g, ask.seat, str(ask.facts["space"]), mind) >= 0 else list(ask.options())[1]


def _scramble(g: State, ask: Ask) -> Plain:
    """All or nothing: all when the defence of the threatened zones would then be the stronger side."""
    options = list(ask.options())
    everything: Any = options[-1]
    chosen: Plain = everything
    if everything == options[0]:
        return options[0]
    for zone in sorted({line["to"] for line in everything["scramble"]}):
        bases = {line["from"] for line in everything["scramble"] if line["to"] == zone}
        planes = [u for b in sorted(bases) for u in g.at(b) if u.owner == ask.seat and u.type in AIR]
        attack = [u for u in g.at(zone) if u.owner == g.power and (u.type in SEA or u.type in AIR)]
        ships = defenders_of(g, SIDES[ask.seat], zone)
        landing = any(u.target for u in g.at(zone))
        expected = outlook(g, attack, [*ships, *planes])
        if expected.is_won and not (landing and expected.attack_cost * 2 > expected.defence_cost):
            return options[0]
    return chosen


def _kamikaze(g: State, ask: Ask) -> Plain:
    """Carriers and battleships first; all that are left when Japan itself is at stake, else half of them."""
    ships = [u for z in g.board.zones if g.board.zones[z].kamikaze for u in enemy_units(g, "japan", z)]
    ships = [u for u in ships if u.type in SURFACE_WARSHIPS and u.owner == g.power]
    last_stand = any(u.at == "sz-6" for u in ships)
    ships.sort(key=lambda u: (-u.damaged, -g.board.types[u.type].cost, u.id))
    number = g.kamikaze_left if last_stand else (g.kamikaze_left + 1) // 2
    words: list[Plain] = [f"{'damaged ' if u.damaged else ''}{u.type} of {u.owner} in {g.board.name(u.at)}" for u in ships]
    for count in range(min(number, len(words)), 0, -1):
        if is_legal(ask, {"kamikaze": words[:count]}):
            return {"kamikaze": words[:count]}
    return {"kamikaze": "none"}


def _dive_or_strike(ask: Ask) -> Plain:
    """A defender far too weak hides."""
    hopeless = ask.facts["side"] == "defence" and int(ask.facts["own-strength"]) * 3 < int(ask.facts["enemy-strength"])
    return {"submarines": "submerge" if hopeless else "strike"}
