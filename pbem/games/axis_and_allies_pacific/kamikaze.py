"""[KAM] Kamikaze attacks: announced all together, one die each, a hit on two or less."""

from __future__ import annotations

from pbem.games.axis_and_allies_pacific.casualties import apply_hits, remove
from pbem.games.axis_and_allies_pacific.events import DiceRolled, KamikazeSpent
from pbem.games.axis_and_allies_pacific.orders import as_list, read_space, read_type, split_order
from pbem.games.axis_and_allies_pacific.politics import read_powers
from pbem.games.axis_and_allies_pacific.state import SEA, SIDES, SURFACE_WARSHIPS, State, Unit, at_war
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Ask, Flow, Roll
from pbem.kernel.orders import illegal, unreadable


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
        f"japan: kamikazes ({g.kamikaze_left} left) in {', '.join(map(g.board.name, zones))}?",
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
    return [z for z, place in g.board.zones.items() if place.kamikaze and z in moved and targets(g, z)]


def targets(g: State, zone: str) -> list[Unit]:
    """Surface warships of powers at war with Japan."""
    return [u for u in g.at(zone) if u.type in SURFACE_WARSHIPS and at_war(g, "japan", u.owner)]


def _attack(g: State, ship: Unit) -> Flow[None]:
    label = f"kamikaze in {g.board.name(ship.at)} against a {ship.type} of {ship.owner} (ship {ship.id}), at 2"
    dice = yield Roll(label, 1, 6, "KAM-05", ship.owner)
    emit(g, DiceRolled(label, dice, int(dice[0] <= 2), "KAM-05"))
    if dice[0] <= 2 and ship.id in g.units:
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
        raise illegal(f"{len(chosen)} kamikazes", "KAM-01", f"{g.kamikaze_left} are left")
    return chosen


def _read_target(g: State, zones: list[str], line: Plain, chosen: list[Unit]) -> Unit:
    if not isinstance(line, str) or " in " not in line:
        raise unreadable(f"{line!r}", "for example `destroyer of united-states in SZ 6`")
    what, _, place = line.rpartition(" in ")
    zone = read_space(g.board, place)
    kind, _, owner = what.partition(" of ")
    mark = kind.strip().startswith("damaged ")
    name = read_type(kind.strip().removeprefix("damaged ").removeprefix("1 "))
    if zone not in zones:
        raise illegal(f"no Allied ships moved into {g.board.name(zone)}, or it has no kamikaze symbol", "KAM-02")
    if name not in SURFACE_WARSHIPS:
        raise illegal(f"{name} is no target", "KAM-03", "targets: " + ", ".join(SURFACE_WARSHIPS))
    owners = read_powers(owner) if owner else None
    able = [u for u in targets(g, zone) if u.type == name and (owners is None or u.owner in owners)]
    able = [u for u in able if not mark or u.damaged]
    free = [u for u in able if u not in chosen]
    if not free:
        raise illegal(f"{len(able)} such ships in {g.board.name(zone)}: one kamikaze a ship", "KAM-04")
    return free[0]


def _policy(g: State, ships: list[Unit], wanted: Plain) -> Plain:
    """A list of ship types in order of preference; `none`."""
    if wanted == "none":
        return {"kamikaze": "none"}
    kinds = [read_type(str(w)) for w in (wanted if isinstance(wanted, list) else [wanted])]
    ranked = [s for k in kinds for s in ships if s.type == k][: g.kamikaze_left]
    return {"kamikaze": [_spell(g, s) for s in ranked] or "none"}
