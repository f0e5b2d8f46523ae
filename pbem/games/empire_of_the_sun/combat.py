"""[9.0] The arithmetic of battles: who takes part, strengths, modifiers, ratings, and which hits are legal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pbem.games.empire_of_the_sun.board import SINGAPORE, TERRAIN_DRM, Counter, distance
from pbem.games.empire_of_the_sun.state import ALLIES, FOE, JAPAN, LANDINGS, State, fighting, offensive
from pbem.kernel.wording import NO_WORDS, Message, msg

GARRISON = "garrison"  # the intrinsic steps of a Japanese city
AIR_NAVAL_CRT = ((2, 1), (5, 2), (99, 4))  # [9.2] B: highest modified die -> rating in quarters
GROUND_CRT = ((2, 2), (6, 4), (8, 6), (99, 8))  # [9.4]
RATING_WORDS = {1: "1/4", 2: "1/2", 4: "1", 6: "1 1/2", 8: "2"}


def defender(g: State) -> str:
    """The reacting side."""
    return FOE[offensive(g).side]


# -- who takes part --------------------------------------------------------------------------------------------------


def firing_units(g: State, side: str, place: int) -> list[str]:
    """[9.11] [9.12] Air and naval units of a side that add strength in a battle hex."""
    o = offensive(g)
    mine = o.units if side == o.side else o.reactors
    here = g.mine_at(side, place, "air", "naval")
    if side == o.side:
        here = [u for u in here if u in mine and mine[u].mode != "strategic" and mine[u].battle in (0, place)]
    else:
        here = [u for u in here if u not in mine or mine[u].battle in (0, place)]
    away = [u for u, a in mine.items() if a.battle == place and g.pieces[u].box == "map" and g.pieces[u].at != place]
    return [*here, *(u for u in away if g.counter(u).flies)]


def escorts(g: State, side: str, place: int) -> list[str]:
    """[9.12] Other ships in a hex outside the battle with carriers that fight: they can be hit, and add nothing."""
    o = offensive(g)
    mine = o.units if side == o.side else o.reactors
    homes = {g.pieces[u].at for u in firing_units(g, side, place) if g.counter(u).carrier and g.pieces[u].at != place}
    return [
        u
        for h in sorted(homes)
        for u in g.mine_at(side, h, "naval")
        if u in mine and not g.counter(u).carrier and not mine[u].battle
    ]


def ground_units(g: State, side: str, place: int) -> list[str]:
    """[9.13] Ground units of a side in a battle hex, those turned back excepted."""
    o = offensive(g)
    here = g.mine_at(side, place, "ground")
    if side == o.side:
        return [u for u in here if u in o.units and not o.units[u].beaten and not o.units[u].out]
    return here


def landed(g: State, unit: str) -> bool:
    """The unit came into its present hex by amphibious assault."""
    o = offensive(g)
    entry = o.units.get(unit) or o.reactors.get(unit)
    return entry is not None and entry.mode in LANDINGS


# -- strengths -------------------------------------------------------------------------------------------------------


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
    if o.card == "J1" and counter.side == ALLIES:
        return -(-value // 2)
    return value


def hits_of(points: int, quarters: int) -> int:
    """Strength times rating, rounded up."""
    return -(-points * quarters // 4)


def rating(table: Sequence[tuple[int, int]], modified: int) -> int:
    """The rating in quarters for a modified die."""
    return next(quarters for highest, quarters in table if modified <= highest)


def air_naval_drm(g: State, side: str, place: int) -> int:
    """[9.2] The modifier of the air-naval die for one side."""
    return sum(by for _, by in air_naval_modifiers(g, side, place))


def air_naval_modifiers(g: State, side: str, place: int) -> list[tuple[str, int]]:
    """[9.2] Surprise for the offensive side, Ambush for the Allies, the year, events."""
    o = offensive(g)
    american = any(g.counter(u).nation == "us" and g.counter(u).flies for u in firing_units(g, ALLIES, place))
    events = (int(e["air_naval"]) for e in effects(g) if "air_naval" in e and e["side"] == side and _holds(g, e, place, side))
    found = [
        ("surprise", 3 if o.condition == "surprise" and side == o.side else 0),
        ("ambush", 4 if o.condition == "ambush" and side == ALLIES else 0),
        ("year", (1 if g.year == 1943 else 3 if g.year >= 1944 else 0) if side == ALLIES and american else 0),
        ("events", sum(events)),
    ]
    return [(name, by) for name, by in found if by]


def _holds(g: State, effect: Mapping[str, Any], place: int, side: str) -> bool:
    """The condition `if` or the place `where` of an effect."""
    here = g.board.hexes[place]
    match effect.get("where", effect.get("if", "")):
        case "":
            return True
        case "one-hex-island":
            return here.one_hex_island
        case "singapore":
            return place == SINGAPORE
        case "malaya-jungle-mixed":
            return here.region == "Malaya" or here.terrain in ("jungle", "mixed")
        case "brigade":
            return any(g.counter(u).size == 1 for u in ground_units(g, side, place))
        case "commonwealth-ships":
            return any(g.counter(u).commonwealth and g.counter(u).kind == "naval" for u in firing_units(g, FOE[side], place))
        case "inactive-carrier-6":
            idle = (u for u in g.on_map(JAPAN) if g.counter(u).type in ("cv", "cvl") and u not in offensive(g).units)
            return any(distance(g.pieces[u].at, place) <= 6 for u in idle)
    return False


def ground_drm(g: State, side: str, place: int) -> int:
    """[9.4] The modifier of the ground die for one side."""
    return sum(by for _, by in ground_modifiers(g, side, place))


def ground_modifiers(g: State, side: str, place: int) -> list[tuple[str, int]]:
    """[9.4] Events; for the attack ships, air superiority and terrain, for the defence a garrison that is landed upon."""
    o = offensive(g)
    own = [e for e in effects(g) if e.get("side") == side and _holds(g, e, place, side)]
    final = [e["ground_final"] for e in own if "ground_final" in e]
    if final:
        return [("event, final", int(final[0]))]
    found = [("events", sum(e["ground"] for e in own if "ground" in e))]
    if side == o.side:
        ships = any(g.counter(u).kind == "naval" and g.pieces[u].at == place for u in firing_units(g, side, place))
        found += [
            ("ships", 2 if ships and not g.mine_at(FOE[side], place, "naval") else 0),
            ("air", 2 if _air_rules(g, side, place) else 0),
            ("terrain", TERRAIN_DRM.get(g.board.hexes[place].terrain, 0)),
        ]
    elif place in o.garrisoned and any(landed(g, u) for u in ground_units(g, o.side, place)):
        found.append(("landing", 3))
    armour = side == ALLIES and "7th-armored-brigade" in ground_units(g, side, place)
    return [(name, by) for name, by in (*found, ("armour", int(armour))) if by]


def _air_rules(g: State, side: str, place: int) -> bool:
    """Only the offensive side has air units or carriers in the battle."""
    mine = any(g.counter(u).flies for u in firing_units(g, side, place))
    return mine and not any(g.counter(u).flies for u in firing_units(g, FOE[side], place))


def intrinsic_strength(g: State, place: int) -> int:
    """[13.76] [13.94] Attack of the intrinsic steps: 9 each in China, 12 in the home islands."""
    each = 12 if g.board.hexes[place].city == "homeland" else 9
    return each * intrinsic_left(g, place)


def intrinsic_left(g: State, place: int) -> int:
    """Intrinsic steps of a city that the battle there has not cost yet."""
    lost = g.fight.garrison if g.fight is not None and g.fight.hex == place else 0
    return g.intrinsic(place) - lost


# -- hits ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Salvo:
    """Hits to be assigned: by whom, in which hex and round, how many; what may be hit and what protects."""

    firer: str
    place: int
    kind: str  # air-naval or ground
    hits: int
    critical: bool
    targets: tuple[str, ...]
    shields: tuple[str, ...]  # full-strength units that must be reduced before anything is eliminated
    distant: tuple[str, ...]  # [9.2] F4: air units and carriers outside the battle hex
    distant_limit: int
    garrison: int = 0  # intrinsic steps that can be hit, after every unit
    spare_last: bool = False  # [9.2] F5: air-naval hits leave the last ground step
    last: str = ""  # the unit whose step that is, when the hits are enough for all


def air_naval_salvo(g: State, firer: str, place: int, hits: int, critical: bool) -> Salvo:
    """[9.2] F: what air and naval fire of one side may hit."""
    foe = FOE[firer]
    units = [*firing_units(g, foe, place), *escorts(g, foe, place)]
    own = firing_units(g, firer, place)
    if not units and own:
        return _bombardment(g, firer, place, hits, critical)
    distant = tuple(u for u in units if g.counter(u).flies and g.pieces[u].at != place)
    limit = sum(g.counter(u).flies for u in own)
    return Salvo(firer, place, "air-naval", hits, critical, tuple(units), _full(g, units), distant, limit)


def _bombardment(g: State, firer: str, place: int, hits: int, critical: bool) -> Salvo:
    """[9.2] F5: against ground units alone; of those in a city with intrinsic troops the last one of these stays."""
    ground = ground_units(g, FOE[firer], place)
    steps = intrinsic_left(g, place) if firer == ALLIES else 0
    return Salvo(
        firer, place, "air-naval", hits, critical, tuple(ground), _full(g, ground), (), 0, max(0, steps - 1), not steps
    )


def ground_salvo(g: State, firer: str, place: int, hits: int) -> Salvo:
    """[9.4] B: ground fire hits ground units, intrinsic steps last."""
    targets = ground_units(g, FOE[firer], place)
    steps = intrinsic_left(g, place) if firer == ALLIES else 0
    return Salvo(firer, place, "ground", hits, False, tuple(targets), _full(g, targets), (), 0, steps)


def _full(g: State, units: Iterable[str]) -> tuple[str, ...]:
    return tuple(u for u in units if not g.weak(u))


FINE = (NO_WORDS, "")  # why an assignment of hits is not legal, and the section


def problem(g: State, salvo: Salvo, losses: Mapping[str, int]) -> tuple[Message, str]:
    """Why an assignment of hits (unit -> steps) is not legal, with the section; or two empty words."""
    garrison = losses.get(GARRISON, 0)
    for unit, steps in losses.items():
        if unit != GARRISON and unit not in salvo.targets:
            return msg("{unit} cannot be hit", unit=g.counter(unit).name), "9.2"
        if steps < 1 or (unit != GARRISON and steps > g.steps(unit)):
            name = unit if unit == GARRISON else g.counter(unit).name
            return msg("{unit} cannot lose so many steps: {n}", unit=name, n=steps), "9.2"
    cost = sum(defense(g, u, salvo.kind) * n for u, n in losses.items() if u != GARRISON) + 12 * garrison
    if cost > salvo.hits:
        return msg("hits that this needs: {cost}; there are {n}", cost=cost, n=salvo.hits), "9.2"
    if sum(u in losses for u in salvo.distant) > salvo.distant_limit:
        return msg("units outside the battle hex that can be hit: {n}", n=salvo.distant_limit), "9.2 F4"
    killed = [u for u, n in losses.items() if u != GARRISON and n >= g.steps(u)]
    if killed and not salvo.critical and any(u not in losses for u in salvo.shields):
        return msg("every full-strength unit is reduced before any unit is eliminated"), "9.2 F2"
    if garrison and (garrison > salvo.garrison or len(killed) < len(salvo.targets)):
        return msg("garrison steps are lost last"), "13.76"
    return _last_step(g, salvo, killed, losses)


def _last_step(g: State, salvo: Salvo, killed: Sequence[str], losses: Mapping[str, int]) -> tuple[Message, str]:
    if salvo.last not in killed if salvo.last else not salvo.spare_last or len(killed) < len(salvo.targets):
        return FINE
    return msg("air-naval hits leave the last ground unit of a hex"), "9.2 F5"


def best(g: State, salvo: Salvo, order: Sequence[str]) -> dict[str, int]:
    """The assignment that follows an order of targets: reduce in that order what can be reduced, then eliminate in it."""
    losses: dict[str, int] = {}
    ranked = [u for u in order if u in salvo.targets] + [u for u in salvo.targets if u not in order]
    for second in (False, True):
        for unit in ranked:
            if second != (g.weak(unit) or unit in losses):
                continue
            trial = {**losses, unit: losses.get(unit, 0) + 1}
            if problem(g, salvo, trial) == FINE:
                losses = trial
    for _ in range(salvo.garrison):
        trial = {**losses, GARRISON: losses.get(GARRISON, 0) + 1}
        if problem(g, salvo, trial) == FINE:
            losses = trial
    return losses


def cheapest_targets(g: State, salvo: Salvo) -> list[str]:
    """Targets by defence, then by strength: the order that costs the enemy most steps."""
    return sorted(salvo.targets, key=lambda u: (defense(g, u, salvo.kind), -g.attack(u), u))


def minimum_critical(g: State, salvo: Salvo, losses: Mapping[str, int]) -> list[str]:
    """[9.2] F6: a critical hit that can cost no step costs one of the weakest target; several: the reacting player chooses."""
    if not salvo.critical or losses or not salvo.targets:
        return []
    open_to = [u for u in salvo.targets if u not in salvo.distant or salvo.distant_limit > 0]
    if salvo.spare_last and len(salvo.targets) == 1 and g.weak(salvo.targets[0]):
        return []
    lowest = min((defense(g, u, salvo.kind) for u in open_to), default=0)
    if not open_to or lowest <= salvo.hits:
        return []
    return [u for u in open_to if defense(g, u, salvo.kind) == lowest]


def surviving_strength(g: State, side: str, place: int) -> int:
    """[9.3] Strength of the survivors that counted; what was halved is halved here as well."""
    return sum(strength(g, u, place) for u in firing_units(g, side, place) if g.counter(u).flies or g.pieces[u].at == place)


def air_naval_winner(g: State, place: int) -> str:
    """[9.3] [9.31] The larger surviving strength; a tie for the defender; only his wings left: he wins."""
    o = offensive(g)
    mine, theirs = firing_units(g, o.side, place), firing_units(g, defender(g), place)
    if not mine and not theirs:
        return o.side
    wings = any(g.counter(u).flies for u in theirs)
    if wings and not any(g.counter(u).flies for u in mine):
        return defender(g)
    return o.side if surviving_strength(g, o.side, place) > surviving_strength(g, defender(g), place) else defender(g)


def ground_strength(g: State, side: str, place: int) -> int:
    """[9.4] A: attack strength on the ground, intrinsic steps of a Japanese city included."""
    own = sum(max(0, g.attack(u) + _changes(g, "attack", g.counter(u))) for u in ground_units(g, side, place))
    return own + (intrinsic_strength(g, place) if side == JAPAN else 0)


def has_targets(g: State, side: str, place: int, kind: str) -> bool:
    """There is something that the fire of a side can hit."""
    foe = FOE[side]
    if kind == "ground":
        return bool(ground_units(g, foe, place)) or (foe == JAPAN and intrinsic_left(g, place) > 0)
    spare = foe == JAPAN and intrinsic_left(g, place) > 1
    return bool(firing_units(g, foe, place)) or bool(ground_units(g, foe, place)) or spare


def is_critical(g: State, side: str, die: int, drm: int) -> bool:
    """[9.2] F6: a natural 9; card A12: the Allies' modified 9 or more."""
    lowered = side == ALLIES and any("critical" in g.board.cards[c].data for c in offensive(g).reaction_cards)
    return die == 9 or (lowered and die + drm >= 9)


def only_assignment(g: State, salvo: Salvo) -> dict[str, int] | None:
    """The assignment when there is nothing to choose: one target, or hits for everything."""
    everything = {u: g.steps(u) for u in salvo.targets}
    if problem(g, salvo, everything) == FINE:
        return everything if not salvo.garrison else best(g, salvo, ())
    return best(g, salvo, ()) if len(salvo.targets) + bool(salvo.garrison) == 1 else None


def ground_winner(g: State, mine: bool, theirs: bool) -> str:
    """[9.4] C: the side that alone is left; else the one that lost fewer steps; a tie, or nobody left: the defender."""
    o = offensive(g)
    if not mine or not theirs:
        return o.side if mine else FOE[o.side]
    fight = fighting(g)
    lost = {o.side: 0, FOE[o.side]: fight.garrison_round}
    for unit, steps in fight.losses.items():
        lost[g.counter(unit).side] += steps
    return o.side if lost[o.side] < lost[FOE[o.side]] else FOE[o.side]
