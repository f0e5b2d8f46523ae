"""[PW-ENG-01] [PW-ENG-06] Constructions that lose their engineer."""

from __future__ import annotations

from pbem.games.pacific_war.records import Work
from pbem.games.pacific_war.state import State
from pbem.games.pacific_war.tallies import WorkOver
from pbem.kernel.events import emit


def abandon_works(g: State) -> None:
    """Work whose engineer has gone, is lost or demoralized is given up at once."""
    for place in [place for place, work in g.works.items() if not _goes_on(g, place, work)]:
        emit(g, WorkOver(place, "PW-ENG-01"))


def _goes_on(g: State, place: int, work: Work) -> bool:
    u = g.units[work.engineer]
    return u.box == "map" and u.at == place and not u.aboard and not u.demoralized
