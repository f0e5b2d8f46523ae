"""What lies between two phases: aircraft that wait for their simultaneous strike, ships beside a sealed task force."""

from __future__ import annotations

import pytest

from pbem.games.pacific_war.air import landings
from pbem.games.pacific_war.engagements import WaveWaits
from pbem.games.pacific_war.events import Removed
from pbem.games.pacific_war.records import Base
from pbem.games.pacific_war.state import ALLIES, State
from pbem.games.pacific_war.units.fleets import organization_options, read_organization
from pbem.kernel.events import emit
from pbem.kernel.flow import Ask
from pbem.kernel.orders import Rejected
from tests.pacific_war import table

ENTERPRISE, GROUP = "CV2 Enterprise", "Enterprise air group"


def santa_cruz() -> State:
    state: State = table.begin("santa-cruz").state
    return state


def sunk_behind_its_wave() -> State:
    """The Enterprise has sunk while her aircraft wait above the Japanese carriers."""
    g = santa_cruz()
    emit(g, WaveWaits((GROUP,), 1039))
    emit(g, Removed(ENTERPRISE, "sunk", "PW-DMG-02"))
    return g


def test_a_wave_without_a_ship_is_lost_when_no_base_is_in_range() -> None:
    g = sunk_behind_its_wave()
    emit(g, Removed("CV5 Hornet", "sunk", "PW-DMG-02"))
    assert list(landings.return_waves(g)) == []
    assert g.units[GROUP].box == "eliminated" and not g.waves


def test_a_wave_without_a_ship_lands_on_the_only_base_in_range() -> None:
    g = sunk_behind_its_wave()
    emit(g, Removed("CV5 Hornet", "sunk", "PW-DMG-02"))
    g.airfields[940] = Base(ALLIES, 6)
    asking = landings.return_waves(g)
    ask = next(asking)
    assert isinstance(ask, Ask) and list(ask.options()) == [{"base": "0940"}]
    with pytest.raises(StopIteration):
        asking.send(ask.read({"base": "0940"}))
    assert (g.units[GROUP].box, g.units[GROUP].at, g.units[GROUP].aboard) == ("map", 940, "")


def test_ships_in_sight_do_not_join_a_sealed_task_force() -> None:
    g = santa_cruz()
    g.markers["A1"].handle = "sealed"
    ships = [s for s in g.ships(ALLIES, 940) if g.units[s].tf == "A2"]
    with pytest.raises(Rejected) as refusal:
        read_organization(g, ALLIES, 940, ships, {"organize": {"A1": {"core": ships, "screen": []}}})
    assert refusal.value.problems[0].rule == "PW-FOG-02"
    for order in organization_options(g, ALLIES, 940, ships):
        read_organization(g, ALLIES, 940, ships, order)
