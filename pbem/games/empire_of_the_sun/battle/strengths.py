"""[9.2] [9.4] Strengths: of units as printed and as cards change them, of garrisons; ratings and hits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pbem.games.empire_of_the_sun.battle.participants import firing_units, ground_units, landed
from pbem.games.empire_of_the_sun.board import Counter, distance
from pbem.games.empire_of_the_sun.state import JAPAN, State, offensive

GARRISON = "garrison"  # the intrinsic steps of a Japanese city
AIR_NAVAL_CRT = ((2, 1), (5, 2), (99, 4))  # [9.2] B: highest modified die -> rating in quarters
GROUND_CRT = ((2, 2), (6, 4), (8, 6), (99, 8))  # [9.4]
RATING_WORDS = {1: "1/4", 2: "1/2", 4: "1", 6: "1 1/2", 8: "2"}


# -- what cards change ---------------------------------------------------------------------------------------------


def effects(g: State) -> list[Mapping[str, Any]]:
    """[5.31] D: what the event of the offensive and the reaction cards change while it lasts."""
    o = offensive(g)
    cards = ([o.card] if o.event else []) + o.reaction_cards
    found: list[Mapping[str, Any]] = [dict(e) for c in cards for e in _effects_of(g, c)]
    if g.has("doctrine"):
        found.append({"ground": 1, "side": JAPAN, "where": "one-hex-island"})  # card J31, New Operation Plan
    return found


def _effects_of(g: State, card: str) -> Iterable[Mapping[str, Any]]:
    """Those that a card prints in the edition that is played."""
    data = g.board.cards[card].data
    printed: Iterable[Mapping[str, Any]] = (
        data["effects_1st"] if "effects_1st" in data and not g.second else data.get("effects", ())
    )
    return printed


def _changes(g: State, key: str, counter: Counter) -> int:
    total = 0
    for effect in effects(g):
        if key not in effect or effect.get("side", counter.side) != counter.side:
            continue
        if effect.get("nation", counter.nation) != counter.nation:
            continue
        if counter.type in effect["of"] or counter.kind in effect["of"]:
            total += effect[key]
    return total


# -- strengths -----------------------------------------------------------------------------------------------------


def strength(g: State, unit: str, place: int) -> int:
    """[9.2] A: attack strength here; air units beyond their normal range count half, rounded up."""
    counter = g.counter(unit)
    value = max(0, g.attack(unit) + _changes(g, "attack", counter))
    if counter.kind == "air" and distance(g.pieces[unit].at, place) > counter.range:
        return -(-value // 2)
    return value


def defense(g: State, unit: str, kind: str) -> int:
    """Hits for one step: as printed and by events; halved on 7 December, or against ground fire when it landed [9.4] B5."""
    counter = g.counter(unit)
    value = counter.defense + _changes(g, "defense", counter)
    o = offensive(g)
    if kind == "ground" and landed(g, unit) and (g.second or counter.side == o.side):
        return -(-value // 2)
    if o.card == "J1":  # [17.11] the one fire of its battle falls on Allied units
        return -(-value // 2)
    return value


def ground_strength(g: State, side: str, place: int) -> int:
    """[9.4] A: attack strength on the ground, intrinsic steps of a Japanese city included."""
    own = sum(max(0, g.attack(u) + _changes(g, "attack", g.counter(u))) for u in ground_units(g, side, place))
    return own + (intrinsic_strength(g, place) if side == JAPAN else 0)


def intrinsic_strength(g: State, place: int) -> int:
    """[13.76] [13.94] Attack of the intrinsic steps: 9 each in China, 12 in the home islands."""
    each = 12 if g.board.hexes[place].city == "homeland" else 9
    return each * intrinsic_left(g, place)


def intrinsic_left(g: State, place: int) -> int:
    """Intrinsic steps of a city that the battle there has not cost yet."""
    lost = g.fight.garrison if g.fight is not None and g.fight.hex == place else 0
    return g.intrinsic(place) - lost


def surviving_strength(g: State, side: str, place: int) -> int:
    """[9.3] Strength of the survivors that counted; what was halved is halved here as well."""
    return sum(strength(g, u, place) for u in firing_units(g, side, place) if g.counter(u).flies or g.pieces[u].at == place)


# -- ratings -------------------------------------------------------------------------------------------------------


def rating(table: Sequence[tuple[int, int]], modified: int) -> int:
    """The rating in quarters for a modified die."""
    return next(quarters for highest, quarters in table if modified <= highest)


def hits_of(points: int, quarters: int) -> int:
    """Strength times rating, rounded up."""
    return -(-points * quarters // 4)
