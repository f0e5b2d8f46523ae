"""What is true of every position, whatever was played."""

from __future__ import annotations

from pbem.games.axis_and_allies_pacific.game import GAME
from pbem.games.axis_and_allies_pacific.state import AIR, LAND, POWERS, SEA, State
from pbem.kernel.canon import canonical
from pbem.kernel.engine import Engine
from pbem.kernel.events import emit
from pbem.kernel.flow import Ask
from pbem.kernel.records import from_plain, to_plain


def check(g: State) -> None:
    """Units are where their kind may be, nothing is negative, cargo fits, facilities keep their limits."""
    for unit in g.units.values():
        assert unit.owner in POWERS or unit.owner == "neutral"
        land = unit.at in g.board.territories
        assert not (unit.type in SEA and land), f"{unit} is a ship ashore"
        assert not (unit.type in LAND and not land and unit.aboard is None), f"{unit} swims"
        if unit.aboard is not None:
            ship = g.units[unit.aboard]
            assert ship.at == unit.at and ship.type in ("transport", "aircraft-carrier")
        assert unit.owner != "china" or unit.at in g.board.territories
    for ship in g.units.values():
        if ship.type == "transport":
            assert sum(g.board.types[c.type].load for c in g.cargo(ship)) <= 5
        if ship.type == "aircraft-carrier":
            assert len(g.cargo(ship)) <= 2
    assert all(n >= 0 for n in g.cash.values()), g.cash
    assert all(n >= 0 for counts in g.purchased.values() for n in counts.values())
    assert 0 <= g.kamikaze_left <= 6
    limits = {"major-ic": 20, "minor-ic": 6, "air-base": 6, "naval-base": 6}
    for place, facilities in g.facilities.items():
        kinds = [f.type for f in facilities]
        assert len(kinds) == len(set(kinds)), place
        assert all(0 <= f.damage <= limits[f.type] for f in facilities), place


def check_between_turns(g: State) -> None:
    """When a turn begins nobody is in the air over the sea, and no submarine is still submerged."""
    for unit in g.units.values():
        if unit.type in AIR and unit.at in g.board.zones:
            assert unit.aboard is not None, f"{unit} hovers"
        assert unit.role != "submerged"


def check_resume(engine: Engine) -> None:
    """A position saved and read again is the same position, in mid-battle too."""
    again = Engine.resume(engine.game, engine.scenario, engine.checkpoint())
    assert again.state_hash() == engine.state_hash()
    plain = to_plain(engine.state)
    state = from_plain(GAME.state_type, plain)  # type: ignore[type-abstract]
    assert canonical(to_plain(state)) == canonical(plain)


def check_options(ask: Ask) -> None:
    """Every order that is offered is accepted."""
    for order in ask.options():
        ask.read(order)


def check_events_alone(engine: Engine, first: State) -> None:
    """The events, applied to the first position, give the last one; every position between them is sound."""
    for event in engine.state.events:
        emit(first, event)
        check(first)
    assert canonical(to_plain(first)) == canonical(to_plain(engine.state))
