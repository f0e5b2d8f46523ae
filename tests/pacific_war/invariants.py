"""What holds at every question of a game of Pacific War."""

from __future__ import annotations

from collections import Counter

from pbem.games.pacific_war.board import CAPITAL, CARRIERS
from pbem.games.pacific_war.records import Unit
from pbem.games.pacific_war.secret.forces import ashore_of, concealing, roster, whole
from pbem.games.pacific_war.state import SIDES, STRATEGIC, State
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask, Simultaneous
from tests.pacific_war import table


def check(g: State, decoys: bool = False) -> None:
    """What holds at every question. `decoys`: a task force may be empty."""
    for unit, u in g.units.items():
        c = g.counter(unit)
        if u.box == "sealed":
            continue
        if u.box != "map":
            assert u.at == 0 and not u.tf and not u.aboard, f"{unit} is {u.box} and somewhere"
            continue
        assert g.board.on_map(u.at), f"{unit} is off the map"
        assert g.steps(unit) > 0, f"{unit} has no steps"
        assert not u.tf or g.markers[u.tf].at == u.at, f"{unit} is not with {u.tf}"
        assert not u.aboard or u.aboard in g.units, f"{unit} is aboard {u.aboard}"
        assert c.kind != "naval" or g.board.sea(u.at), f"{unit} is on land"
        assert not (u.active and u.closed), f"{unit} has been deactivated this month and is active"  # [PW-ACT-02]
        resting = u.aboard and not g.units[u.aboard].active
        assert not (u.active and resting), f"{unit} is active aboard {u.aboard}, which rests"
    for marker in [m for m, x in g.markers.items() if not x.handle]:
        ships = g.members(marker)
        assert ships or decoys, f"{marker} is empty"
        assert sum(g.counter(s).type in CAPITAL for s in ships) <= 6, f"{marker} has too many capital ships"
    if g.mission is None:
        check_decks(g)
    for side in SIDES:
        places = Counter(g.units[u].at for u in g.on_map(side, "ground") if not g.units[u].aboard)
        for place in places:
            assert sum(g.steps(u) for u in g.ashore(side, place)) <= 48, f"{place:04d} is over full"


BETWEEN = ("activate", "bombard", "common", "contact", "engineering", "join", "land", "mission", "sail", "transport")


def check_hexes(g: State) -> None:
    """[PW-MOV-04] Where one side alone has troops, no port, support base or headquarters is the enemy's, nor an aircraft."""
    for side in SIDES:
        places = {h: kind for kind in ("port", "osb") for h, base in g.bases(kind).items() if base.side == side}
        places |= {hq.at: name for name, hq in g.hqs.items() if hq.side == side and hq.box == "map"}
        places |= {g.units[u].at: u for u in g.on_map(side, "air") if not g.units[u].aboard}
        lost = {h: what for h, what in places.items() if g.overrun(side, h)}
        assert not lost, f"{lost} of {side} among enemies alone"


def check_decks(g: State) -> None:
    """Aircraft stand on bases that are there and large enough."""
    for side in SIDES:
        for ship in g.on_map(side, "naval"):
            if g.counter(ship).type in CARRIERS:
                room = g.counter(ship).launch - g.units[ship].hits
                assert sum(g.steps(u) for u in g.air_aboard(ship)) <= max(0, room), f"{ship} is over full"
        for unit in g.on_map(side, "air"):
            if not g.units[unit].aboard:
                assert g.airfield(side, g.units[unit].at), f"{unit} has no airfield"


def check_sealed(g: State) -> None:
    """Hidden units are behind a marker of their side; a shown marker hides nothing."""
    handles = {m.handle: m.side for m in g.markers.values() if m.handle}
    sealed = [n for n, u in g.units.items() if u.box == "sealed"]
    for side in SIDES:
        hidden = list(roster(g, side, table.behind)) if concealing(g) else [n for n in sealed if g.side(n) == side]
        assert not hidden or side in handles.values() or g.forces.get(side), f"{hidden} are hidden behind nothing"


def check_truth(g: State) -> None:
    """[PW-FOG-01] What a side really has out of sight obeys the same laws, and every Force marker stands for something."""
    for side in SIDES if concealing(g) else ():
        units = roster(g, side, table.behind)
        for place in g.forces.get(side, ()):
            assert ashore_of(units, place), f"the Force of {side} in {place:04d} is nothing"
        lost = [n for n, u in units.items() if not u.tf and u.at not in g.forces[side] and not in_fleet(units, n)]
        assert not lost, f"{lost} of {side} stand behind no marker"
        seen = whole(g, side, table.behind)
        check(seen, decoys=g.options.get("decoys") == "yes")
        check_numbers(seen)


def in_fleet(units: dict[str, Unit], name: str) -> bool:
    """It is carried by a ship of a task force."""
    carrier = units[name].aboard
    return carrier in units and bool(units[carrier].tf)


def check_numbers(g: State) -> None:
    """No unit has more steps than printed, no headquarters debts; who is aboard is where the ship is."""
    for unit, u in g.units.items():
        assert u.hits >= 0, f"{unit} has {u.hits} hits"
        if u.box == "map" and u.aboard and g.mission is None and not g.airborne(unit):
            assert g.units[u.aboard].at == u.at, f"{unit} is not with {u.aboard}"
        if g.level == STRATEGIC and u.box == "map" and g.counter(unit).kind == "naval":  # [PW-SI-03]
            noted = g.ledger.get(f"hits {unit}", 0)
            assert noted <= u.hits if g.operation else noted == u.hits, f"{unit} has {u.hits} hits, {noted} are noted"
    for name, hq in g.hqs.items():
        assert hq.points >= 0, f"{name} owes {-hq.points} points"


def check_only(engine: Engine) -> None:
    """At every question: the state is sound."""
    if isinstance(engine.request, Ask):
        check(engine.state)
        check_sealed(engine.state)
        check_truth(engine.state)
        check_numbers(engine.state)
        if engine.request.kind in BETWEEN:
            check_hexes(engine.state)


def watch(engine: Engine) -> None:
    """At every question: the state is sound, and what the question proposes is legal."""
    check_only(engine)
    request = engine.request
    for ask in request.asks if isinstance(request, Simultaneous) else (request,):
        if isinstance(ask, Ask):
            for option in ask.options():
                ask.read(option)
