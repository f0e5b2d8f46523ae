"""What the bot thinks of units, hexes and combats, in points: ten are one Victory Point. Nothing here changes anything."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence

from pbem.games.next_war.board import distance
from pbem.games.next_war.charts import CombatResult, combat_result, pick
from pbem.games.next_war.combat import excess
from pbem.games.next_war.control import capital_hexes, clearing_drm, worth
from pbem.games.next_war.helicopters import ready, support_of
from pbem.games.next_war.retreat import may_ignore
from pbem.games.next_war.stacking import efficiency
from pbem.games.next_war.state import FOE, Fight, Piece, State
from pbem.games.next_war.strength import attack_strength, defense_strength, is_soft, modifiers, odds, shifted, shifts
from pbem.games.next_war.support import MOST_HELOS, MOST_POINTS, ships_in_range

POINT = 10  # a Victory Point
STRENGTH = 2  # a point of attack or defense strength
CAPITAL = 40  # a hex that may end the game
NEAR = 4  # hexes that an enemy may come from


# -- units and hexes -----------------------------------------------------------------------------------------------------


def eliminated(g: State, unit: str) -> int:
    """What the loss of a unit's last step costs its owner."""
    points = int(g.p["vp_chart"].get("eliminated", {}).get(g.counter(unit).value, 0))
    values = g.values(unit)
    return POINT * points + STRENGTH * (values.attack + values.defense)


def step(g: State, unit: str) -> int:
    """What the unit's next step lost costs its owner."""
    counter = g.counter(unit)
    if g.steps(unit) < 2 or counter.front is None or counter.back is None:
        return eliminated(g, unit)
    return STRENGTH * max(1, counter.front.attack + counter.front.defense - counter.back.attack - counter.back.defense)


def prize(g: State, side: str, place: int) -> int:
    """What taking a hex is worth to a side."""
    return g.memo.cached(("prize", side, place), lambda: _prize(g, side, place))


def _prize(g: State, side: str, place: int) -> int:
    if place not in g.control:
        return 0
    capital = g.memo.cached(("capitals", side), lambda: frozenset(capital_hexes(g, side)))
    return POINT * worth(g, side, place) + (CAPITAL if place in capital else 0)


def prizes(g: State, side: str) -> list[int]:
    """Hexes that this side can still take and that bring points."""
    return g.memo.cached(("prizes", side), lambda: [h for h in g.board.prizes if g.holds(FOE[side], h) and prize(g, side, h)])


def danger(g: State, side: str) -> dict[int, int]:
    """Hex -> attack strength that the enemy could bring to its neighbourhood at once."""
    return g.memo.cached(("danger", side), lambda: _danger(g, side))


def _danger(g: State, side: str) -> dict[int, int]:
    found: dict[int, int] = {}
    for place, units in g.occupied(FOE[side]).items():
        by_radius: dict[int, int] = {}
        for unit in units:
            values = g.values(unit)
            radius = 3 if values.mobility in ("mot", "mech") else 2
            by_radius[radius] = by_radius.get(radius, 0) + values.attack
        for radius, attack in by_radius.items():
            for h in g.board.within(place, radius):
                found[h] = found.get(h, 0) + attack
    return found


def threatened(g: State, side: str, place: int) -> bool:
    """An enemy unit is near."""
    return any(distance(place, h) <= NEAR for h in g.occupied(FOE[side]))


def cleared(g: State, side: str, place: int, units: Sequence[str]) -> int:
    """In how many of a thousand cases these units, standing there, clear an enemy hex at the end of the turn."""
    there = as_if(g, {u: place for u in units if g.pieces[u].at != place})
    lead = max(units, key=lambda u: (efficiency(there, u), u))
    marker = g.clearing.get(place)
    left = _markers_left(g) if marker is None or not marker.number else {marker.number: 1}
    passed = 0
    for number, count in left.items():
        drm = clearing_drm(there, side, place, lead, number)
        passed += count * sum(die + drm >= number for die in range(10))
    return 100 * passed // max(1, sum(left.values()))


def _markers_left(g: State) -> dict[int, int]:
    left = {int(n): int(count) for n, count in g.p["clearing_markers"].items()}
    for marker in g.clearing.values():
        if marker.number:
            left[marker.number] -= 1
    return left


# -- combats -------------------------------------------------------------------------------------------------------------


def as_if(g: State, places: Mapping[str, int]) -> State:
    """The position with some units in other hexes, to look at: it shares everything else with the real one."""
    seen = copy.copy(g)
    seen.pieces = {**g.pieces, **{u: Piece(h, "", g.pieces[u].reduced) for u, h in places.items()}}
    seen.forget()
    return seen


def defended(g: State, fight: Fight) -> Fight:
    """The fight with the defenders and the lead that the other side will name, as far as one can tell."""
    there = g.ground(FOE[fight.side], fight.target)
    fight.present, fight.defenders = list(there), [u for u in there if g.refugees.get(u) != fight.target]
    if fight.defenders:
        fight.defender_lead = max(fight.defenders, key=lambda u: (g.values(u).er, g.steps(u), u))
    return fight


def support_to_hope_for(g: State, side: str, target: int, attacking: bool) -> int:
    """Combat Support that a side can bring to a hex: half its Air Points at most, a point less for the enemy's fire."""
    points = min(MOST_POINTS[attacking], (g.air[side] + 1) // 2)
    flying = sorted((support_of(g, u) for u in ready(g, side, target)), reverse=True)[: MOST_HELOS[attacking]]
    guns = sum(g.counter(u).support[0] for u in ships_in_range(g, side, target))
    return max(0, points + sum(flying) - 1) + guns


def expect_support(g: State, fight: Fight) -> Fight:
    """The fight with the support that either side will probably give."""
    foe = FOE[fight.side]
    fight.support = {
        fight.side: support_to_hope_for(g, fight.side, fight.target, True),
        foe: support_to_hope_for(g, foe, fight.target, False),
    }
    return fight


def forecast(g: State, fight: Fight) -> int:
    """Points gained less points lost in a combat, for the ten faces of the die together; the attacker's view."""
    mine, theirs = _bill(g, fight.units, fight.lead), _bill(g, fight.present, fight.defender_lead)
    hex_value = max(3, 6 * prize(g, fight.side, fight.target) // POINT)
    holds_on = may_ignore(g, FOE[fight.side], fight.target)
    total = 0
    for result in results(g, fight):
        total += sum(theirs[: result.defender]) - sum(mine[: result.attacker])
        if result.defender >= len(theirs):
            total += hex_value
        elif result.retreat:
            total += hex_value // 2 if holds_on else hex_value
        elif fight.amphibious:
            total -= sum(step(g, u) for u in fight.amphibious)
    return total


def driven_out(g: State, fight: Fight) -> int:
    """On how many of the ten faces the defenders die or have to leave; who may ignore a retreat stays."""
    steps = len(_bill(g, fight.present, fight.defender_lead))
    stays = may_ignore(g, FOE[fight.side], fight.target)
    return sum(r.defender >= steps or (bool(r.retreat) and not stays) for r in results(g, fight))


def steps_lost(g: State, fight: Fight) -> tuple[int, int]:
    """Steps that attacker and defender lose by the table on the ten faces together, as far as they are there."""
    mine, theirs = (
        len(_bill(g, units, lead)) for units, lead in ((fight.units, fight.lead), (fight.present, fight.defender_lead))
    )
    found = results(g, fight)
    return sum(min(r.attacker, mine) for r in found), sum(min(r.defender, theirs) for r in found)


def results(g: State, fight: Fight) -> list[CombatResult]:
    """What each face of the die, 0 to 9, brings; notes the column in the fight."""
    soft = is_soft(g, fight.defenders)
    attack = sum(attack_strength(g, u, fight.target, u in fight.amphibious, soft) for u in fight.units)
    found = odds(g, fight.target, attack, defense_strength(g, FOE[fight.side], fight.target, fight.defenders))
    fight.column = shifted(g, fight, found.column, shifts(g, fight))
    drm = found.drm + sum(p.value for p in modifiers(g, fight))
    lines = [str(pick(g.p["crt"]["results"], face + drm)[fight.column - 1]) for face in range(10)]
    return [excess(g, fight, combat_result(line)) for line in lines]


def _bill(g: State, units: Sequence[str], lead: str) -> list[int]:
    """What the first, second ... step lost costs: the lead unit's, then the cheapest; everybody once before anybody twice."""
    left = {u: g.steps(u) for u in units}
    found: list[int] = []
    ranked = sorted(units, key=lambda u: (g.lost_steps(u), u != lead, step(g, u), u))
    for again in (False, True):
        for unit in ranked:
            if left[unit] and (not again or g.counter(unit).back is not None):
                found.append(step(g, unit) if not again else eliminated(g, unit))
                left[unit] -= 1
    return found
