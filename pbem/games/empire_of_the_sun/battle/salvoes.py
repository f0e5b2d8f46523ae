"""[9.2] F, [9.4] B: hits that have been scored, what they may hit, and which assignments are legal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from pbem.games.empire_of_the_sun.battle.participants import escorts, firing_units, ground_units
from pbem.games.empire_of_the_sun.battle.strengths import GARRISON, defense, intrinsic_left
from pbem.games.empire_of_the_sun.state import ALLIES, FOE, JAPAN, State, offensive
from pbem.kernel.wording import NO_WORDS, Message, msg

RULE = {"air-naval": "9.2", "ground": "9.4"}
REDUCED_FIRST = {"air-naval": "9.2 F2", "ground": "9.4 B3"}
LEFT_OVER = {"air-naval": "9.2 F3", "ground": "9.4 B4"}


class Salvo(Struct, frozen=True):
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


def has_targets(g: State, side: str, place: int, kind: str) -> bool:
    """There is something that the fire of a side can hit."""
    foe = FOE[side]
    if kind == "ground":
        return bool(ground_units(g, foe, place)) or (foe == JAPAN and intrinsic_left(g, place) > 0)
    spare = foe == JAPAN and intrinsic_left(g, place) > 1
    return bool(firing_units(g, foe, place)) or bool(ground_units(g, foe, place)) or spare


def is_critical(g: State, side: str, die: int, drm: int) -> bool:
    """[9.2] F6: a natural 9; card A12: the Allies' modified figure of the card or more."""
    cards = (g.board.cards[c].data for c in offensive(g).reaction_cards)
    lowered = [int(data["critical"]) for data in cards if "critical" in data] if side == ALLIES else []
    return die == 9 or any(die + drm >= figure for figure in lowered)


# -- assignments ---------------------------------------------------------------------------------------------------


FINE = (NO_WORDS, "")  # why an assignment of hits is not legal, and the section


def problem(g: State, salvo: Salvo, losses: Mapping[str, int]) -> tuple[Message, str]:
    """Why an assignment of hits (unit -> steps) is not legal, with the section; or two empty words."""
    rule = RULE[salvo.kind]
    garrison = losses.get(GARRISON, 0)
    for unit, steps in losses.items():
        if unit != GARRISON and unit not in salvo.targets:
            return msg("{unit} cannot be hit", unit=g.counter(unit).name), rule
        if steps < 1 or (unit != GARRISON and steps > g.steps(unit)):
            name = unit if unit == GARRISON else g.counter(unit).name
            return msg("{unit} cannot lose so many steps: {n}", unit=name, n=steps), rule
    cost = sum(defense(g, u, salvo.kind) * n for u, n in losses.items() if u != GARRISON) + 12 * garrison
    if cost > salvo.hits:
        return msg("hits that this needs: {cost}; there are {n}", cost=cost, n=salvo.hits), rule
    if sum(u in losses for u in salvo.distant) > salvo.distant_limit:
        return msg("units outside the battle hex that can be hit: {n}", n=salvo.distant_limit), "9.2 F4"
    killed = [u for u, n in losses.items() if u != GARRISON and n >= g.steps(u)]
    if killed and not salvo.critical and any(u not in losses for u in salvo.shields):
        return msg("every full-strength unit is reduced before any unit is eliminated"), REDUCED_FIRST[salvo.kind]
    if garrison and (garrison > salvo.garrison or len(killed) < len(salvo.targets)):
        return msg("garrison steps are lost last"), "13.76"
    return _last_step(g, salvo, killed, losses)


def _last_step(g: State, salvo: Salvo, killed: Sequence[str], losses: Mapping[str, int]) -> tuple[Message, str]:
    if salvo.last not in killed if salvo.last else not salvo.spare_last or len(killed) < len(salvo.targets):
        return FINE
    return msg("air-naval hits leave the last ground unit of a hex"), "9.2 F5"


def filled_up(g: State, salvo: Salvo, losses: Mapping[str, int]) -> dict[str, int]:
    """[9.2] F3: a legal assignment with every step more that the hits are enough for: only what fits nowhere is lost."""
    full = dict(losses)
    for unit in (*salvo.targets, *salvo.targets, *[GARRISON] * salvo.garrison):
        more = {**full, unit: full.get(unit, 0) + 1}
        if problem(g, salvo, more) == FINE:
            full = more
    return full


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


def only_assignment(g: State, salvo: Salvo) -> dict[str, int] | None:
    """The assignment when there is nothing to choose: one target, or hits for everything."""
    everything = {u: g.steps(u) for u in salvo.targets}
    if problem(g, salvo, everything) == FINE:
        return everything if not salvo.garrison else best(g, salvo, ())
    return best(g, salvo, ()) if len(salvo.targets) + bool(salvo.garrison) == 1 else None


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
