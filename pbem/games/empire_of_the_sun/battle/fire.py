"""[9.2] [9.4] Fire of one side or of both at once."""

from __future__ import annotations

from dataclasses import replace

from pbem.games.empire_of_the_sun.battle.hits import RULE, assign, assign_sealed, suffer
from pbem.games.empire_of_the_sun.battle.modifiers import air_naval_drm, ground_drm
from pbem.games.empire_of_the_sun.battle.participants import firing_units
from pbem.games.empire_of_the_sun.battle.salvoes import Salvo, air_naval_salvo, ground_salvo, has_targets, is_critical
from pbem.games.empire_of_the_sun.battle.strengths import (
    AIR_NAVAL_CRT,
    GROUND_CRT,
    RATING_WORDS,
    defense,
    ground_strength,
    hits_of,
    rating,
    strength,
)
from pbem.games.empire_of_the_sun.d10 import throw
from pbem.games.empire_of_the_sun.events.battles import Fired
from pbem.games.empire_of_the_sun.state import FOE, State, offensive
from pbem.kernel.events import emit
from pbem.kernel.flow import Flow
from pbem.kernel.questions import choose_unit
from pbem.kernel.wording import Argument, die_for, msg, signed


def fire_one(g: State, side: str, place: int, kind: str) -> Flow[None]:
    """One side fires alone: its hits are assigned and suffered before anybody else fires."""
    salvo = yield from _shoot(g, side, place, kind)
    if salvo is not None:
        losses = yield from assign(g, salvo)
        yield from suffer(g, salvo, losses)


def fire_both(g: State, place: int, kind: str) -> Flow[None]:
    """[9.2] C, [9.4] A: both fire and both assign against the starting forces; the losses come together."""
    o = offensive(g)
    salvoes = []
    for side in (o.side, FOE[o.side]):
        salvo = yield from _shoot(g, side, place, kind)
        if salvo is not None:
            salvoes.append(salvo)
    if g.options.get("simultaneous-hits") == "sealed" and len(salvoes) == 2:
        chosen = yield from assign_sealed(g, salvoes)
    else:
        chosen = []
        for salvo in salvoes:
            losses = yield from assign(g, salvo)
            chosen.append(losses)
    for salvo, losses in zip(salvoes, chosen, strict=True):
        yield from suffer(g, salvo, losses)


def _shoot(g: State, side: str, place: int, kind: str) -> Flow[Salvo | None]:
    """Strength, die, modifier, rating; None when the side has nothing that fires or nothing to fire at."""
    if kind == "air-naval":
        points = sum(strength(g, u, place) for u in firing_units(g, side, place))
        drm = air_naval_drm(g, side, place)
    else:
        points = ground_strength(g, side, place)
        drm = ground_drm(g, side, place)
    if points == 0 or not has_targets(g, side, place, kind):
        return None
    args: dict[str, Argument] = {"kind": kind, "side": side, "place": g.board.name(place), "points": points, "drm": signed(drm)}
    label = die_for("{kind} fire of {side} in {place}, {points} points, {drm}", **args)
    die = yield from throw(label, RULE[kind], FOE[side])
    quarters = rating(AIR_NAVAL_CRT if kind == "air-naval" else GROUND_CRT, die + drm)
    critical = kind == "air-naval" and is_critical(g, side, die, drm)
    hits = hits_of(points, quarters)
    emit(g, Fired(label, side, place, kind, points, die, drm, RATING_WORDS[quarters], hits, critical, RULE[kind]))
    if kind == "air-naval":
        salvo = air_naval_salvo(g, side, place, hits, critical)
        return (yield from _last_step(g, salvo))
    return ground_salvo(g, side, place, hits)


def _last_step(g: State, salvo: Salvo) -> Flow[Salvo]:
    """[9.2] F5: hits of the active side for every ground unit: the reacting player names the one whose step stays."""
    cost = sum(defense(g, u, salvo.kind) * g.steps(u) for u in salvo.targets)
    if not salvo.spare_last or len(salvo.targets) < 2 or salvo.firer != offensive(g).side or cost > salvo.hits:
        return salvo
    prompt = msg("the ground unit in {place} that keeps its last step", place=g.board.name(salvo.place))
    last = yield from choose_unit(g.board.unit_index, FOE[salvo.firer], "last step", "9.2", prompt, salvo.targets)
    return replace(salvo, last=last)
