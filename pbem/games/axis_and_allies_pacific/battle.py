"""[GC] General combat and [AMP] the land battle of an assault, in the rulebook's order."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, field

from pbem.games.axis_and_allies_pacific import rolls
from pbem.games.axis_and_allies_pacific.amphibious import bombard, go_ashore
from pbem.games.axis_and_allies_pacific.casualties import (
    Hits,
    apply_hits,
    choose,
    chooser_of,
    mark_fought,
    remove,
    spares,
)
from pbem.games.axis_and_allies_pacific.conduct_combat import attackers_at_sea
from pbem.games.axis_and_allies_pacific.events.combat import BattleEnded, BattleJoined, DiceRolled, RoleTaken, SeaCombat
from pbem.games.axis_and_allies_pacific.firing import attack_values, defense_values, fire, roll
from pbem.games.axis_and_allies_pacific.orders import read_submarines
from pbem.games.axis_and_allies_pacific.ownership import capture
from pbem.games.axis_and_allies_pacific.retreat import ask_escape, ask_retreat, origins, retreat_spaces, withdraw
from pbem.games.axis_and_allies_pacific.state import (
    AIR,
    LAND,
    POWERS,
    SURFACE_WARSHIPS,
    State,
    Unit,
    enemies_of,
    enemy_units,
    reacts,
)
from pbem.games.axis_and_allies_pacific.terms import OWNERS, place, some
from pbem.kernel.events import emit
from pbem.kernel.flow import Ask, Flow, Roll
from pbem.kernel.wording import msg


class Battle(Struct):
    """One battle while it is fought. `doomed`: in the casualty zone, still to fire this round [GC-10]."""

    space: str
    power: str
    round: int = 0
    doomed: list[int] = field(default_factory=list)
    lost_attack: int = 0
    lost_defence: int = 0
    engaged: tuple[str, ...] = ()  # at sea, when no fleet compelled the battle: only these fight [AMP-02]


def battle(g: State, power: str, space: str) -> Flow[None]:
    """[GC-01] One battle from its beginning to its conclusion."""
    b = Battle(space, power)
    emit(g, BattleJoined(space, tuple(origins(g, space, attackers(g, b)))))
    if g.board.is_land(space):
        yield from _land_battle(g, b)
    else:
        yield from _sea_battle(g, b)
    for unit in [u for u in g.at(space) if u.role == "submerged"]:
        emit(g, RoleTaken(unit.id, "", "GC-07"))


# -- who fights ----------------------------------------------------------------------------------------------------------


def attackers(g: State, b: Battle) -> list[Unit]:
    """Units of the attacking power that are in the battle."""
    if not g.board.is_land(b.space):
        return [u for u in attackers_at_sea(g, b.power, b.space) if u.role not in ("submerged", "retreated")]
    out = ("bomb", "bombed", "escort", "retreated")
    return [u for u in g.at(b.space) if u.owner == b.power and u.role not in out and u.type != "aa-gun"]


def defenders(g: State, b: Battle) -> list[Unit]:
    """[MULT-01] Everybody there at war with the attacker; at sea without a fleet only what he engages [AMP-02]."""
    there = [u for u in enemy_units(g, b.power, b.space) if u.role not in ("submerged", "intercept") and u.type != "aa-gun"]
    return [u for u in there if not b.engaged or u.type + "s" in b.engaged]


def combat_capable(units: Sequence[Unit]) -> list[Unit]:
    """[GC-19] Everything but transports and AA guns."""
    return [u for u in units if u.type not in ("transport", "aa-gun")]


def opponent(g: State, b: Battle) -> str:
    """The seat that dice are rolled against, also when nobody's garrison defends."""
    chosen = chooser_of(g, defenders(g, b), "")
    return chosen or next(iter(enemies_of(g, b.power)), "united-kingdom" if b.power == "japan" else "japan")


def facts(g: State, b: Battle, side: str) -> dict[str, int | str | bool]:
    """What a standing order may look at, from one side's view."""
    return survey(g, b, side, attackers(g, b), defenders(g, b))


def survey(g: State, b: Battle, side: str, mine: Sequence[Unit], theirs: Sequence[Unit]) -> dict[str, int | str | bool]:
    """The facts of a battle between these attackers and defenders."""
    attack, defence = attack_values(g, mine), defense_values(g, theirs)
    lost_mine, lost_theirs = b.lost_attack, b.lost_defence
    values = (sum(attack.values()), sum(defence.values()))
    if side == "defence":
        mine, theirs, values, lost_mine, lost_theirs = theirs, mine, values[::-1], lost_theirs, lost_mine
    return {
        "space": b.space,
        "round": b.round,
        "side": side,
        "own-units": len(mine),
        "enemy-units": len(theirs),
        "own-strength": values[0],
        "enemy-strength": values[1],
        "own-value": worth(g, mine),
        "enemy-value": worth(g, theirs),
        "own-value-lost": lost_mine,
        "enemy-value-lost": lost_theirs,
        "own-land-units": sum(u.type in LAND for u in mine),
        "own-destroyers": sum(u.type == "destroyer" for u in mine),
        "enemy-destroyers": sum(u.type == "destroyer" for u in theirs),
        "own-surface-ships": sum(u.type in SURFACE_WARSHIPS for u in mine),
    }


def worth(g: State, units: Sequence[Unit]) -> int:
    """What these units cost, in IPC."""
    return sum(g.board.types[u.type].cost for u in units)


# -- sea -----------------------------------------------------------------------------------------------------------------


def _sea_battle(g: State, b: Battle) -> Flow[None]:
    """[GC-05..GC-21] Rounds at sea until one side has nothing left, nobody can hit, or the attacker retreats."""
    emit(g, SeaCombat(b.space, "AMP-03"))
    if not any(u.type in SURFACE_WARSHIPS or u.role == "scramble" for u in enemy_units(g, b.power, b.space)):
        b.engaged = tuple(g.engaged.get(b.space, []))
    fought = [*attackers(g, b), *defenders(g, b)]
    yield from _dive_under_aircraft(g, b)
    while True:
        _sink_defenseless(g, b)
        if not _goes_on(g, b):
            break
        b.round += 1
        yield from _round_at_sea(g, b)
        _sink_defenseless(g, b)
        if not _goes_on(g, b) or (yield from _retreat(g, b)):
            break
    yield from _transports_leave(g, b)
    mark_fought(g, fought)
    emit(g, BattleEnded(b.space, _left(g, b)))


def _round_at_sea(g: State, b: Battle) -> Flow[None]:
    struck = yield from _submarines(g, b)
    _sink_defenseless(g, b)
    if not attackers(g, b) or not defenders(g, b):
        return
    first = [u for u in attackers(g, b) if u.id not in struck]
    values = attack_values(g, attackers(g, b))
    hits = yield from fire(g, _where(g, b), b.power, first, values, opponent(g, b), "GC-10")
    down = yield from _losses(g, b, hits, "defence")
    b.doomed = [u.id for u in down]
    second = [u for u in defenders(g, b) if u.id not in struck]
    back = yield from fire(g, _where(g, b), _defence_name(g, b), second, defense_values(g, second), b.power, "GC-11")
    lost = yield from _losses(g, b, back, "attack")
    _remove(g, b, down, lost)


def _where(g: State, b: Battle) -> rolls.Label:
    return rolls.combat(g, b.space, b.round)


def _defence_name(g: State, b: Battle) -> str:
    return chooser_of(g, defenders(g, b), "the garrison's")


def _losses(g: State, b: Battle, hits: Hits, side: str) -> Flow[list[Unit]]:
    """The side that is hit chooses; first hits on capital ships are marked, the rest is returned to be removed."""
    units = defenders(g, b) if side == "defence" else attackers(g, b)
    chooser = chooser_of(g, units, b.power) if side == "defence" else b.power
    picked = yield from choose(g, chooser, units, hits, f"battle:{b.space}", facts(g, b, side), b.power)
    return apply_hits(g, picked, "GC-13")


def _remove(g: State, b: Battle, down: Sequence[Unit], lost: Sequence[Unit]) -> None:
    """[GC-12] The casualty zone is emptied."""
    b.lost_defence += worth(g, down)
    b.lost_attack += worth(g, lost)
    b.doomed = []
    remove(g, [*down, *lost], "GC-12", b.power)


def _goes_on(g: State, b: Battle) -> bool:
    """[GC-19] Both sides have combat-capable units, and some unit of them can hit something."""
    mine, theirs = attackers(g, b), defenders(g, b)
    if not combat_capable(mine) or not theirs or not (combat_capable(theirs)):
        return False
    return can_hurt(g, mine, theirs, attack_values(g, mine)) or can_hurt(g, theirs, mine, defense_values(g, theirs))


def can_hurt(g: State, shooters: Sequence[Unit], targets: Sequence[Unit], values: dict[int, int]) -> bool:
    """[GC-14] [GC-15] [AMB-SUB-ONLY] Aircraft against submarines need a destroyer; submarines never hit aircraft."""
    if not spares(g):
        targets = combat_capable(targets) or targets  # transports are hit when nothing else is left
    for unit in shooters:
        if values[unit.id] < 1:
            continue
        for target in targets:
            if unit.type in AIR and target.type == "submarine":  # a destroyer beside them hits it herself
                continue
            if not (unit.type == "submarine" and target.type in AIR):
                return True
    return False


def _dive_under_aircraft(g: State, b: Battle) -> Flow[None]:
    """[GC-16] Where nobody can hit anybody, submarines may still dive and leave the transports beside them to the enemy."""
    mine, theirs = attackers(g, b), defenders(g, b)
    if _goes_on(g, b) or not combat_capable(mine) or not any(u.type == "transport" for u in theirs):
        return
    b.round += 1
    for owner in [p for p in POWERS if any(u.owner == p and u.type == "submarine" for u in theirs)]:
        yield from _decide_submarines(g, b, [u for u in theirs if u.owner == owner], mine, owner, "defence")


def _sink_defenseless(g: State, b: Battle) -> None:
    """[GC-16] [GC-17] Lone transports go down without dice; the attacker's only when they cannot retreat."""
    mine, theirs = attackers(g, b), defenders(g, b)
    if theirs and not combat_capable(theirs) and combat_capable(mine):
        remove(g, theirs, "GC-16", b.power)
    elif mine and not combat_capable(mine) and combat_capable(theirs) and not _ways_out(g, b, mine):
        remove(g, mine, "GC-17", b.power)


# -- submarines ------------------------------------------------------------------------------------------------------------


def _submarines(g: State, b: Battle) -> Flow[set[int]]:
    """[GC-05..GC-09] Strike or submerge, attacker first; struck ships leave before they can fire. Returns who acted."""
    mine = yield from _decide_submarines(g, b, attackers(g, b), defenders(g, b), b.power, "attack")
    theirs: list[Unit] = []
    all_defenders = defenders(g, b)
    for owner in [p for p in POWERS if any(u.owner == p and u.type == "submarine" for u in all_defenders)]:
        own = [u for u in all_defenders if u.owner == owner]
        theirs += yield from _decide_submarines(g, b, own, attackers(g, b), owner, "defence")
    strikers, answering = [u for u in mine if u.role != "submerged"], [u for u in theirs if u.role != "submerged"]
    down: list[Unit] = []
    if strikers and can_hurt(g, strikers, defenders(g, b), attack_values(g, strikers)):
        hits = yield from roll(g, rolls.surprise(g, b.space, b.round), b.power, strikers, 2, opponent(g, b), "GC-08")
        down = yield from _losses(g, b, Hits(by_submarines=hits, spare=spares(g)), "defence")
    lost: list[Unit] = []
    if answering and can_hurt(g, answering, attackers(g, b), defense_values(g, answering)):
        hits = yield from roll(g, rolls.surprise(g, b.space, b.round), answering[0].owner, answering, 1, b.power, "GC-08")
        lost = yield from _losses(g, b, Hits(by_submarines=hits, spare=spares(g)), "attack")
    _remove(g, b, down, lost)
    return {u.id for u in [*mine, *theirs]}


def _decide_submarines(
    g: State, b: Battle, own: Sequence[Unit], enemy: Sequence[Unit], owner: str, side: str
) -> Flow[list[Unit]]:
    """[GC-05] [MULT-02] Only when no destroyer of the other side is in the battle."""
    subs = [u for u in own if u.type == "submarine"]
    if not subs or any(u.type == "destroyer" for u in enemy):
        return []
    dive = yield Ask(
        owner,
        "submarines",
        "GC-06",
        msg(
            "{power}, {place}: strike or submerge? {things}",
            power=OWNERS[owner],
            place=place(g, b.space),
            things=some("submarine", len(subs)),
        ),
        lambda plain: read_submarines(len(subs), plain),
        ("submarines",),
        f"battle:{b.space}",
        facts(g, b, side),
        options=lambda: [{"submarines": "strike"}, {"submarines": "submerge"}],
        policy=lambda p: p if isinstance(p, dict) and "submarines" in p else {"submarines": p},
        reaction=reacts(g, owner),
    )
    for unit in subs[len(subs) - dive :]:
        emit(g, RoleTaken(unit.id, "submerged", "GC-07"))
    return subs


# -- land ------------------------------------------------------------------------------------------------------------------


def _land_battle(g: State, b: Battle) -> Flow[None]:
    """[AMP-01] Bombardment and landing, AA fire, rounds, and who holds the land [CAP-01]."""
    early = yield from bombard(g, b.power, b.space, defenders(g, b), opponent(g, b), facts(g, b, "defence"))
    go_ashore(g, b.power, b.space)
    b.doomed = [u.id for u in early]
    fought = [*attackers(g, b), *defenders(g, b)]
    yield from _aa_guns(g, b)
    while combat_capable(attackers(g, b)) and defenders(g, b):
        b.round += 1
        yield from _round_on_land(g, b)
        if not attackers(g, b) or not defenders(g, b) or (yield from _retreat(g, b)):
            break
    mark_fought(g, fought)
    _conclude(g, b)


def _aa_guns(g: State, b: Battle) -> Flow[None]:
    """[AIR-03] Once, before the first round: a die for each attacking aircraft, a 1 brings it down."""
    guns = [u for u in g.at(b.space) if u.type == "aa-gun"]
    for kind in AIR if guns else ():
        planes = [u for u in attackers(g, b) if u.type == kind]
        if not planes:
            continue
        label = rolls.aa_guns(g, b.space, guns, kind, len(planes))
        dice = yield Roll(label, len(planes), 6, "AIR-03", b.power)
        emit(g, DiceRolled(label, dice, sum(d == 1 for d in dice), "AIR-03"))
        down = [plane for plane, die in zip(planes, dice, strict=True) if die == 1]
        b.lost_attack += worth(g, down)
        remove(g, down, "AIR-03", b.power)


def _round_on_land(g: State, b: Battle) -> Flow[None]:
    mine = attackers(g, b)
    hits = yield from fire(g, _where(g, b), b.power, mine, attack_values(g, mine), opponent(g, b), "GC-10")
    early = [g.units[i] for i in b.doomed]
    standing = [u for u in defenders(g, b) if u.id not in b.doomed]
    chooser = chooser_of(g, standing, b.power)
    plain_hits = Hits(by_ships=hits.total)
    down = yield from choose(g, chooser, standing, plain_hits, f"battle:{b.space}", facts(g, b, "defence"), b.power)
    second = defenders(g, b)  # [GC-11] also those in the casualty zone
    back = yield from fire(g, _where(g, b), _defence_name(g, b), second, defense_values(g, second), b.power, "GC-11")
    lost = yield from choose(g, b.power, mine, Hits(by_ships=back.total), f"battle:{b.space}", facts(g, b, "attack"), b.power)
    _remove(g, b, [*early, *down], lost)


def _conclude(g: State, b: Battle) -> None:
    """[CAP-01] The attacker holds the land when nobody defends it any more and one of his land units stands there."""
    held = [u for u in attackers(g, b) if u.type in LAND]
    if held and not defenders(g, b):
        capture(g, b.space, b.power)
    emit(g, BattleEnded(b.space, _left(g, b), "CAP-01"))


def _left(g: State, b: Battle) -> tuple[str, ...]:
    """Whose units are still in the battle, the attacker first."""
    mine, theirs = attackers(g, b), defenders(g, b)
    owners = [p for p in (*POWERS, "neutral") if any(u.owner == p for u in theirs)]
    return (b.power, *owners) if mine else tuple(owners)


# -- retreat -----------------------------------------------------------------------------------------------------------------


def _ways_out(g: State, b: Battle, mine: Sequence[Unit]) -> list[str]:
    return retreat_spaces(g, b.power, b.space, mine, g.attacked_from[b.space])


def _retreat(g: State, b: Battle) -> Flow[bool]:
    """[GC-20] [AMP-09] Press on or retreat; true when the battle is over for want of attackers."""
    mine = attackers(g, b)
    spaces = _ways_out(g, b, mine)
    if not spaces:
        return False
    to = yield ask_retreat(g, b.power, b.space, spaces, facts(g, b, "attack"))
    if to is None:
        return False
    withdraw(g, mine, b.space, to)
    return not combat_capable(attackers(g, b))


def _transports_leave(g: State, b: Battle) -> Flow[None]:
    """[GC-17] [GC-19] Transports that have lost their escort retreat; before transports alone they may stay as well."""
    mine, theirs = attackers(g, b), defenders(g, b)
    spaces = _ways_out(g, b, mine)
    if not theirs or combat_capable(mine) or not spaces:
        return
    ask = ask_escape if combat_capable(theirs) else ask_retreat
    to = yield ask(g, b.power, b.space, spaces, facts(g, b, "attack"))
    if to is not None:
        withdraw(g, mine, b.space, to)
