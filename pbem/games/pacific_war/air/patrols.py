"""[PW-OPT-17] By option fighters of the advantaged player patrol over a hex until the other's air missions are over."""

from __future__ import annotations

from pbem.games.pacific_war.air.landings import bases_for, choose_base
from pbem.games.pacific_war.board import distance
from pbem.games.pacific_war.engagements import HaveFlown, OnStation, PatrolEnded
from pbem.games.pacific_war.events import Moved, Removed
from pbem.games.pacific_war.state import State
from pbem.games.pacific_war.units.changes import board
from pbem.kernel.events import emit
from pbem.kernel.flow import Flow
from pbem.kernel.orders import illegal
from pbem.kernel.wording import msg

PATROL = "patrol"


def check_patrol(g: State, side: str, target: int, units: list[str]) -> None:
    """One fighter of the advantaged player, to a hex in which no other one patrols. Raises Rejected."""
    if g.options.get("fighter-patrol") != "yes":
        raise illegal(
            msg("fighters fly no patrols in this game"),
            "PW-OPT-17",
            msg("the option {option} lets them", option="`fighter-patrol`"),
        )
    if side != g.advantage:
        raise illegal(msg("only fighters of the advantaged player patrol"), "PW-OPT-17")
    if len(units) != 1 or g.counter(units[0]).type != "1E":
        raise illegal(msg("a patrol is flown by a single 1E unit"), "PW-OPT-17")
    if patrol_over(g, side, target):
        raise illegal(
            msg("{unit} patrols over {place} already", unit=patrol_over(g, side, target), place=g.board.name(target)),
            "PW-OPT-17",
        )


def patrol_over(g: State, side: str, place: int) -> str:
    """The unit of a side that patrols over a hex, or ""."""
    here = [u for u, (h, _) in g.patrols.items() if h == place and g.side(u) == side and g.units[u].box == "map"]
    return here[0] if here else ""


def take_station(g: State) -> None:
    """The unit stays in the air over its target; it has flown in this phase."""
    m = g.mission
    assert m is not None
    alive = [u for f in m.flights for u in f.units if g.units[u].box == "map"]
    emit(g, OnStation(m.target, {u: m.flown.get(u, 0) for u in alive}))
    emit(g, HaveFlown(tuple(alive)))


def end_patrols(g: State) -> Flow[None]:
    """After the other player's missions every patrol lands at home, or where its owner likes when that is gone."""
    for unit, (place, flown) in list(g.patrols.items()):
        if g.units[unit].box == "map":
            yield from _come_down(g, unit, place, g.counter(unit).range - flown)
        emit(g, PatrolEnded(unit))


def _come_down(g: State, unit: str, place: int, rest: int) -> Flow[None]:
    bases = bases_for(g, unit, place, rest)
    home = g.units[unit].aboard or f"{g.units[unit].at:04d}"
    base = home if home in bases else (yield from choose_base(g, unit, bases, "PW-OPT-17"))
    if not base:
        emit(g, Removed(unit, "eliminated", "PW-MOV-06"))
    elif base != home:
        emit(g, Moved(unit, int(base) if base[0].isdigit() else g.units[base].at, "PW-OPT-17"))
        board(g, unit, "" if base[0].isdigit() else base, "PW-OPT-17")


def within_half(g: State, unit: str, out: int) -> bool:
    """Not farther than half the range."""
    return 2 * out <= g.counter(unit).range


def stations(g: State, unit: str) -> list[int]:
    """Hexes with something to protect that a unit could patrol over, the nearest first."""
    side, at = g.side(unit), g.units[unit].at
    own = {m.at for m in g.markers.values() if m.side == side} | {h for h, b in g.airfields.items() if b.side == side}
    near = [h for h in own if within_half(g, unit, distance(at, h)) and not patrol_over(g, side, h)]
    return sorted(near, key=lambda h: (distance(at, h), h))
