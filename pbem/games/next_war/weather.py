"""[4.0] Weather; in a Storm the ships go home [8.5.6.5]."""

from __future__ import annotations

from pbem.games.next_war.charts import pick
from pbem.games.next_war.choices import choose_spot, throw, told
from pbem.games.next_war.events.losses import Eliminated
from pbem.games.next_war.events.moves import Sailed
from pbem.games.next_war.events.turns import PhaseBegan, WeatherSet
from pbem.games.next_war.state import State
from pbem.kernel.events import emit
from pbem.kernel.flow import Flow
from pbem.kernel.questions import choose_word
from pbem.kernel.wording import die_for, msg

WEATHERS = ("clear", "overcast", "storm")


def weather(g: State) -> Flow[None]:
    """[4.0] Chosen on the first turn, thrown for later."""
    emit(g, PhaseBegan(g.turn, "Weather Phase", "4.0"))
    fixed = g.p["weather_fixed"].get(str(g.turn))
    if fixed is not None:
        emit(g, WeatherSet(fixed))
    elif g.turn in g.p["weather_chosen_turns"]:
        chosen = yield from choose_word(g.first, "weather", "4.0", msg("the weather of this turn"), WEATHERS)
        emit(g, WeatherSet(chosen))
    else:
        label = die_for("weather")
        die = yield from throw(label, "4.0")
        found = str(pick(g.p["weather_table"], die + g.p["weather_drm"]))
        told(g, label, die, g.p["weather_drm"], found, "4.0")
        emit(g, WeatherSet(found))
    if g.storm:
        yield from ships_go_home(g)


def ships_go_home(g: State) -> Flow[None]:
    """[4.1.3, 8.5.6.5] Every naval unit goes to an own At Sea area or Port of its Sea Zone, or is lost."""
    for side in g.order():
        for unit in [u for u, piece in g.pieces.items() if g.seat(u) == side and g.counter(u).naval and g.area_of(u)]:
            area = g.board.areas[g.area_of(unit)]
            piece = g.pieces[unit]
            if area.box or (piece.at and g.own_port(side, piece.at)):
                continue
            if not piece.at and area.at_sea and g.sea_control.get(area.id) == side:
                continue
            spots = havens(g, side, area.zone)
            if not spots:
                for gone in (*g.cargo(unit), unit):
                    emit(g, Eliminated(gone, "removed", "8.5.6.5"))
                continue
            at, box = yield from choose_spot(
                g,
                side,
                "shelter",
                "8.5.6.5",
                msg("{unit} takes shelter from the storm: where?", unit=g.counter(unit).name),
                spots,
            )
            emit(g, Sailed(unit, at, box, "8.5.6.5"))


def havens(g: State, side: str, zone: str) -> list[tuple[int, str]]:
    """Own Ports of a Sea Zone, and its At Sea area when the side controls it."""
    at_sea, inshore = g.board.zones[zone]
    ports = [h for h in g.board.hexes if g.own_port(side, h) and g.area_at(h) in inshore]
    found: list[tuple[int, str]] = [(h, "") for h in ports]
    return [*found, (0, at_sea)] if g.sea_control.get(at_sea) == side else found
