"""[CC] Phase 3: kamikazes, scrambling, then raids, assaults and general combat in the attacker's order."""

from __future__ import annotations

from pbem.games.axis_and_allies_pacific.events.turns import PhaseBegan
from pbem.games.axis_and_allies_pacific.kamikaze import kamikazes
from pbem.games.axis_and_allies_pacific.orders import read_space, split_order
from pbem.games.axis_and_allies_pacific.scramble import scrambles
from pbem.games.axis_and_allies_pacific.state import (
    AIR,
    SEA,
    SURFACE_WARSHIPS,
    State,
    Unit,
    enemy_units,
    is_friendly,
)
from pbem.games.axis_and_allies_pacific.terms import OWNERS, one_of, place, places
from pbem.kernel.canon import Plain
from pbem.kernel.events import Scheduled, emit
from pbem.kernel.flow import Ask, Flow
from pbem.kernel.forms import VERB, Form, listed
from pbem.kernel.orders import illegal
from pbem.kernel.wording import Message, msg, verbatim


def conduct_combat(g: State, power: str) -> Flow[None]:
    """[CC-01] Kamikazes and scrambling come before any combat; then raids; then the battles."""
    emit(g, PhaseBegan(power, "conduct-combat"))
    yield from kamikazes(g, power)
    yield from scrambles(g, power, threatened_zones(g, power))
    raids = sorted({u.at for u in g.of(power) if u.role == "bomb"})
    emit(g, Scheduled((*(("raid", (power, t)) for t in raids), ("next-battle", (power,))), "CC-01"))


def next_battle(g: State, power: str) -> Flow[None]:
    """[GC-01] The attacker says which battle is next; assaults come before general combat [CC-01]."""
    spaces = next_choices(g, power)
    if not spaces:
        return
    choice = yield Ask(
        power,
        "battle",
        "GC-01",
        msg("{power}: which battle is next? {places}", power=OWNERS[power], places=places(g, spaces)),
        lambda plain: _read(g, spaces, plain),
        ("battle",),
        forced={"battle": spaces[0]} if len(spaces) == 1 else None,
        options=lambda: [{"battle": s} for s in spaces],
        form=lambda: _form(g, spaces),
        policy=lambda wanted: _policy(g, spaces, wanted),
        facts={"battles": len(spaces)},
    )
    emit(g, Scheduled((("battle", (power, choice)), ("next-battle", (power,))), "GC-01"))


def _read(g: State, spaces: list[str], plain: Plain) -> str:
    _, body = split_order(plain, ("battle",))
    space = read_space(g.board, body)
    if space not in spaces:
        raise illegal(msg("{place} is not next", place=place(g, space)), "CC-01", one_of(places(g, spaces)))
    return space


def _form(g: State, spaces: list[str]) -> Form:
    """The spaces, on the map too."""

    def name(slot: str, word: str) -> Message:
        return verbatim(word) if slot == VERB else place(g, word)

    offered: list[Plain] = [{"battle": s} for s in spaces]
    return listed(offered, lambda plain: _read(g, spaces, plain), ("battle",), bare="to", name=name, whole=True)


def _policy(g: State, spaces: list[str], wanted: Plain) -> Plain:
    """A list of spaces in order; `any` takes what comes first."""
    listed = [read_space(g.board, w) for w in (wanted if isinstance(wanted, list) else [wanted]) if w != "any"]
    found = next((s for s in listed if s in spaces), None)
    if found is None and (wanted == "any" or (isinstance(wanted, list) and "any" in wanted)):
        found = spaces[0]
    return {"battle": found} if found else None


def next_choices(g: State, power: str) -> list[str]:
    """Assaults whose sea is settled and the sea battles before them; when none is left, the rest."""
    spaces = battles(g, power)
    targets = {u.target for u in g.of(power) if u.target}
    zones = {u.at for u in g.of(power) if u.target}
    sea = [s for s in spaces if s in zones]
    assaults = [s for s in spaces if s in targets and not any(z in sea for z in _zones_of(g, power, s))]
    return sea + assaults or spaces


def _zones_of(g: State, power: str, territory: str) -> list[str]:
    return [u.at for u in g.of(power) if u.target == territory]


def battles(g: State, power: str) -> list[str]:
    """[GC-01] Spaces in which this power must fight or occupies hostile land, not yet resolved."""
    spaces = dict.fromkeys(u.target or u.at for u in g.of(power))
    zones = dict.fromkeys(u.at for u in g.of(power) if u.at in g.board.zones)
    found = [t for t in spaces if t in g.board.territories and _is_land_battle(g, power, t)]
    found += [z for z in zones if is_sea_battle(g, power, z)]
    return sorted(s for s in found if s not in g.battles_done)


def _is_land_battle(g: State, power: str, territory: str) -> bool:
    if is_friendly(g, power, territory):
        return False
    here = [u for u in g.at(territory) if u.owner == power and u.role not in ("bomb", "bombed", "escort")]  # [SBR-08]
    return bool(here) or any(u.target == territory for u in g.of(power))


def is_sea_battle(g: State, power: str, zone: str) -> bool:
    """[AMP-02] Enemy surface warships or scrambled aircraft are there, or what the attacker engages."""
    if not attackers_at_sea(g, power, zone):
        return False
    return any(_compels(u) for u in enemy_units(g, power, zone)) or bool(g.engaged.get(zone))


def _compels(unit: Unit) -> bool:
    return unit.type in SURFACE_WARSHIPS or unit.role == "scramble"


def attackers_at_sea(g: State, power: str, zone: str) -> list[Unit]:
    """Own ships and the aircraft that are in the air or on own carriers; guests are cargo [CVM-02]."""
    return [u for u in g.at(zone) if u.owner == power and (u.type in SEA or (u.type in AIR and _may_fight(g, u)))]


def able_to_engage(g: State, power: str, zone: str) -> list[Unit]:
    """[CM-11] Own units there that could fight submarines or transports; transports and a friend's guests cannot."""
    return [u for u in attackers_at_sea(g, power, zone) if u.type != "transport"]


def _may_fight(g: State, plane: Unit) -> bool:
    return plane.aboard is None or g.units[plane.aboard].owner == plane.owner


def threatened_zones(g: State, power: str) -> list[str]:
    """[AMB-SCR-TRIGGER] Zones in which the attacker fights sea units or from which he lands."""
    zones = {u.at: None for u in g.of(power) if u.at in g.board.zones and (u.target or is_sea_battle(g, power, u.at))}
    return sorted(zones)
