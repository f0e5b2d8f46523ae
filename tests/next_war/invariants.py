"""What is true of every position between two segments, whatever was played."""

from __future__ import annotations

from pbem.games.next_war.game import GAME
from pbem.games.next_war.state import FOE, SIDES, State
from pbem.kernel.canon import Plain, canonical
from pbem.kernel.engine import Engine
from pbem.kernel.events import emit
from pbem.kernel.flow import Ask
from pbem.kernel.records import from_plain, to_plain
from tests.next_war import table

OFF_MAP = ("due", "eliminated", "removed")


def check(g: State) -> None:
    """Every counter has one place that its kind may be in; control, markers and tracks are within bounds."""
    assert g.pieces.keys() == g.board.counters.keys()
    for unit in g.pieces:
        check_place(g, unit)
    check_hexes(g)
    for side in SIDES:
        assert g.air[side] >= 0 and g.lift[side] >= 0 and g.lift_points[side] >= 0
        assert 0 <= g.threat[side] <= g.p["track_maximum"] and 0 <= g.asw[side] <= g.p["track_maximum"]
        assert sum(m.side == side for m in g.mines.values()) <= max(g.mine_pool[side], 0) + 1
        assert sum(b.side == side for b in g.beachheads.values()) <= g.p["beachhead_markers"][side]
    assert -3 <= g.air_level <= 3 and all(n >= 0 for n in g.replacements.values())


def check_place(g: State, unit: str) -> None:
    """[8.3.3, 7.3.2, 6.5.1] A counter is in one hex, in one box, or aboard one AMPH and then where that is."""
    piece, counter = g.pieces[unit], g.counter(unit)
    assert bool(piece.at) != bool(piece.box), f"{unit} is in {piece}"
    assert piece.at in g.board.hexes or piece.box in g.board.areas or piece.box in OFF_MAP, f"{unit} is in {piece}"
    assert not piece.reduced or counter.steps == 2, f"{unit} has one side"
    assert not piece.due or piece.box == "due" or not piece.box or piece.box in OFF_MAP, f"{unit} is due and in {piece.box}"
    if piece.aboard:
        ship = g.pieces[piece.aboard]
        assert g.counter(piece.aboard).kind == "AMPH" and g.seat(piece.aboard) == counter.seat
        assert (piece.at, piece.box) == (ship.at, ship.box), f"{unit} is not where {piece.aboard} is"
    elif counter.ground:
        assert not piece.at or g.board.hexes[piece.at].land, f"{unit} is in the sea"
        assert piece.box not in g.board.areas, f"{unit} is at sea"
    elif counter.kind == "helo" and piece.at:
        hex_ = g.board.hexes[piece.at]
        beachhead = g.newer and piece.at in g.beachheads
        base = hex_.airbase or hex_.airfield or hex_.city or hex_.terrain == "urban" or beachhead
        assert base or unit in g.overrun, f"{unit} has no base"
    elif counter.naval and piece.at:
        assert hex_sea_or_port(g, piece.at), f"{unit} is on land"


def hex_sea_or_port(g: State, place: int) -> bool:
    """[8.5.6.3] Where a naval unit may be on the map."""
    hex_ = g.board.hexes[place]
    return not hex_.land or hex_.port


def check_hexes(g: State) -> None:
    """[8.2.2, 8.4, 7.3.6, 2.4.4] One army in a hex, one owner of each hex, markers in their places, full ships at most."""
    assert g.control.keys() == {h for h, x in g.board.hexes.items() if x.land} and set(g.control.values()) <= {*SIDES, ""}
    for place, units in g.by_hex().items():
        assert len({g.seat(u) for u in units if g.counter(u).ground}) <= 1, f"both sides in {g.board.name(place)}"
    for place, marker in g.clearing.items():
        assert g.ground(marker.side, place), f"a Clearing marker without units in {g.board.name(place)}"
        assert not g.holds(marker.side, place) and not g.ground(FOE[marker.side], place)
        assert g.board.hexes[place].needs_clearing
    for place, mine in g.mines.items():
        assert mine.density in (1, 2) and place in g.board.hexes
    for unit, counter in g.board.counters.items():
        if counter.kind == "AMPH" and (cargo := [u for u in g.cargo(unit) if g.counter(u).ground]):
            assert g.stack_points(cargo) <= counter.capacity, f"{unit} carries {cargo}"


def check_resume(engine: Engine) -> None:
    """A position saved and read again is the same position with the same question, in mid-combat too."""
    again = Engine.resume(engine.game, engine.scenario, engine.checkpoint())
    assert again.state_hash() == engine.state_hash()
    if isinstance(engine.request, Ask):
        assert isinstance(again.request, Ask)
        assert (again.request.kind, again.request.prompt) == (engine.request.kind, engine.request.prompt)
        assert again.request.facts == engine.request.facts
    plain = to_plain(engine.state)
    assert canonical(to_plain(from_plain(State, plain))) == canonical(plain)


def check_options(ask: Ask) -> None:
    """Every order that is offered is accepted, and some order is offered."""
    offered = list(ask.options())
    assert offered, f"nothing is offered for {ask.kind}: {ask.prompt}"
    for order in offered:
        ask.read(order)


def check_events_alone(engine: Engine, name: str, **options: Plain) -> None:
    """The events, applied to the first position, give the last one."""
    first = GAME.start(table.scenario(name), options)
    for event in engine.state.events:
        emit(first, event)
    assert canonical(to_plain(first)) == canonical(to_plain(engine.state))


class Watch:
    """Invariants whenever a segment has ended; options and resumption now and then."""

    def __init__(self, every: int = 50) -> None:
        self.every, self.steps, self.segment, self.positions = every, 0, "", 0

    def __call__(self, engine: Engine, _: Plain) -> None:
        self.steps += 1
        g = engine.state
        segment = f"{g.turn} {g.phase} {g.segment} {g.running}"
        if segment != self.segment:
            self.segment = segment
            self.positions += 1
            check(g)
        if self.steps % self.every == 0:
            check_resume(engine)
            if isinstance(engine.request, Ask):
                check_options(engine.request)
