"""[9.2] [9.4] Fire of one side or of both at once."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from pbem.games.empire_of_the_sun.battle.hits import assign, assign_sealed, suffer
from pbem.games.empire_of_the_sun.battle.modifiers import air_naval_drm, ground_drm
from pbem.games.empire_of_the_sun.battle.participants import firing_units
from pbem.games.empire_of_the_sun.battle.salvoes import RULE, Salvo, air_naval_salvo, ground_salvo, has_targets, is_critical
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


class Volley(Struct, frozen=True):
    """The fire of one side before its die: strength in points, modifier of the die."""

    side: str
    place: int
    kind: str  # air-naval or ground
    points: int
    drm: int


def volley(g: State, side: str, place: int, kind: str) -> Volley | None:
    """[9.2] A, [9.4] A: strength and modifier; None when the side has nothing that fires or nothing to fire at."""
    if kind == "air-naval":
        points = sum(strength(g, u, place) for u in firing_units(g, side, place))
        drm = air_naval_drm(g, side, place)
    else:
        points = ground_strength(g, side, place)
        drm = ground_drm(g, side, place)
    if points == 0 or not has_targets(g, side, place, kind):
        return None
    return Volley(side, place, kind, points, drm)


class Effect(Struct, frozen=True):
    """What a die does: the rating in quarters, the hits, whether the hit is critical."""

    quarters: int
    hits: int
    critical: bool


def effect(g: State, v: Volley, die: int) -> Effect:
    """[9.2] B, F6, [9.4] A: rating and hits of a volley by a die of 0 to 9."""
    quarters = rating(AIR_NAVAL_CRT if v.kind == "air-naval" else GROUND_CRT, die + v.drm)
    return Effect(quarters, hits_of(v.points, quarters), v.kind == "air-naval" and is_critical(g, v.side, die, v.drm))


def salvo_of(g: State, v: Volley, scored: Effect) -> Salvo:
    """What the hits of a volley may fall on."""
    if v.kind == "air-naval":
        return air_naval_salvo(g, v.side, v.place, scored.hits, scored.critical)
    return ground_salvo(g, v.side, v.place, scored.hits)


def _shoot(g: State, side: str, place: int, kind: str) -> Flow[Salvo | None]:
    """Strength, die, modifier, rating; None when there is no fire."""
    v = volley(g, side, place, kind)
    if v is None:
        return None
    args: dict[str, Argument] = {
        "kind": kind,
        "side": side,
        "place": g.board.name(place),
        "points": v.points,
        "drm": signed(v.drm),
    }
    label = die_for("{kind} fire of {side} in {place}, {points} points, {drm}", **args)
    die = yield from throw(label, RULE[kind], FOE[side])
    scored = effect(g, v, die)
    words = RATING_WORDS[scored.quarters]
    emit(g, Fired(label, side, place, kind, v.points, die, v.drm, words, scored.hits, scored.critical, RULE[kind]))
    salvo = salvo_of(g, v, scored)
    return (yield from _last_step(g, salvo)) if kind == "air-naval" else salvo


def _last_step(g: State, salvo: Salvo) -> Flow[Salvo]:
    """[9.2] F5: hits of the active side for every ground unit: the reacting player names the one whose step stays."""
    cost = sum(defense(g, u, salvo.kind) * g.steps(u) for u in salvo.targets)
    if not salvo.spare_last or len(salvo.targets) < 2 or salvo.firer != offensive(g).side or cost > salvo.hits:
        return salvo
    prompt = msg("the ground unit in {place} that keeps its last step", place=g.board.name(salvo.place))
    last = yield from choose_unit(g.board.unit_index, FOE[salvo.firer], "last step", "9.2", prompt, salvo.targets)
    return replace(salvo, last=last)
