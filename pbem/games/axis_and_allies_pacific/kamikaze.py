"""[KAM] Kamikaze attacks: announced all together, one die each, a hit on two or less."""

from __future__ import annotations

from pbem.games.axis_and_allies_pacific import rolls
from pbem.games.axis_and_allies_pacific.casualties import apply_hits, remove
from pbem.games.axis_and_allies_pacific.events.combat import DiceRolled, KamikazeSpent
from pbem.games.axis_and_allies_pacific.orders import as_list, read_space, read_type, split_order
from pbem.games.axis_and_allies_pacific.politics import read_powers
from pbem.games.axis_and_allies_pacific.state import SEA, SIDES, SURFACE_WARSHIPS, State, Unit, at_war
from pbem.games.axis_and_allies_pacific.terms import OWNERS, example, place, places, some
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Ask, Flow, Roll
from pbem.kernel.orders import illegal, unreadable
from pbem.kernel.wording import msg, verbatim


def kamikazes(g: State, power: str) -> Flow[None]:
    """[KAM-03] Japan answers ships that an Allied power has moved into a kamikaze zone."""
    zones = open_zones(g, power)
    if not zones:
        return
    ships = [u for z in zones for u in targets(g, z)]
    chosen = yield Ask(
        "japan",
        "kamikaze",
        "KAM-04",
        msg("{power}: kamikazes in {places}? Left: {n}", power=OWNERS["japan"], places=places(g, zones), n=g.kamikaze_left),
        lambda plain: _read(g, zones, plain),
        ("kamikaze",),
        facts={"left": g.kamikaze_left, "ships": len(ships)},
        options=lambda: _options(g, ships),
        policy=lambda wanted: _policy(g, ships, wanted),
        reaction=True,
    )
    for ship in chosen:
        emit(g, KamikazeSpent(ship.at))
    for ship in chosen:
        yield from _attack(g, ship)


def _options(g: State, ships: list[Unit]) -> list[Plain]:
    found: list[Plain] = [{"kamikaze": "none"}]
    return found + [{"kamikaze": [_spell(g, s)]} for s in ships]


def open_zones(g: State, power: str) -> list[str]:
    """[KAM-01] [KAM-02] [AMB-KAM-MOVED] Kamikaze zones into which ships of this power moved, with a target."""
    if not g.kamikaze_enabled or not g.kamikaze_left or SIDES[power] == "axis":
        return []
    moved = {u.at for u in g.of(power) if u.type in SEA and u.moved == "combat"}
    return [z for z, zone in g.board.zones.items() if zone.kamikaze and z in moved and targets(g, z)]


def targets(g: State, zone: str) -> list[Unit]:
    """Surface warships of powers at war with Japan."""
    return [u for u in g.at(zone) if u.type in SURFACE_WARSHIPS and at_war(g, "japan", u.owner)]


def _attack(g: State, ship: Unit) -> Flow[None]:
    label = rolls.kamikaze(g, ship)
    dice = yield Roll(label, 1, 6, "KAM-05", ship.owner)
    emit(g, DiceRolled(label, dice, int(dice[0] <= 2), "KAM-05"))
    if dice[0] <= 2:
        remove(g, apply_hits(g, [ship], "KAM-05"), "KAM-05", ship.owner)


def _spell(g: State, ship: Unit) -> str:
    mark = "damaged " if ship.damaged else ""
    return f"{mark}{ship.type} of {ship.owner} in {g.board.name(ship.at)}"


def _read(g: State, zones: list[str], plain: Plain) -> list[Unit]:
    """[KAM-04] At most one attack a ship, at most those left. Raises Rejected."""
    _, body = split_order(plain, ("kamikaze",))
    chosen: list[Unit] = []
    for line in as_list(body):
        chosen.append(_read_target(g, zones, line, chosen))
    if len(chosen) > g.kamikaze_left:
        raise illegal(msg("kamikazes named: {n}", n=len(chosen)), "KAM-01", msg("left: {n}", n=g.kamikaze_left))
    return chosen


def _read_target(g: State, zones: list[str], line: Plain, chosen: list[Unit]) -> Unit:
    if not isinstance(line, str) or " in " not in line:
        raise unreadable(verbatim(repr(line)), example("`destroyer of united-states in SZ 6`"))
    what, _, where = line.rpartition(" in ")
    zone = read_space(g.board, where)
    kind, _, owner = what.partition(" of ")
    mark = kind.strip().startswith("damaged ")
    name = read_type(kind.strip().removeprefix("damaged ").removeprefix("1 "))
    if zone not in zones:
        raise illegal(msg("no Allied ships moved into {place}, or it has no kamikaze symbol", place=place(g, zone)), "KAM-02")
    if name not in SURFACE_WARSHIPS:
        raise illegal(
            msg("no target: {things}", things=some(name)),
            "KAM-03",
            msg("targets: {things}", things=tuple(map(some, SURFACE_WARSHIPS))),
        )
    owners = read_powers(owner) if owner else None
    able = [u for u in targets(g, zone) if u.type == name and (owners is None or u.owner in owners)]
    able = [u for u in able if not mark or u.damaged]
    free = [u for u in able if u not in chosen]
    if not free:
        raise illegal(msg("such ships in {place}: {n}; one kamikaze a ship", place=place(g, zone), n=len(able)), "KAM-04")
    return free[0]


def _policy(g: State, ships: list[Unit], wanted: Plain) -> Plain:
    """A list of ship types in order of preference; `none`."""
    if wanted == "none":
        return {"kamikaze": "none"}
    kinds = [read_type(str(w)) for w in (wanted if isinstance(wanted, list) else [wanted])]
    ranked = [s for k in kinds for s in ships if s.type == k][: g.kamikaze_left]
    return {"kamikaze": [_spell(g, s) for s in ranked] or "none"}
