"""Flights and entered hexes of the bot, by exact odds."""

from __future__ import annotations

import pytest

from pbem.games.next_war import air_transport
from pbem.games.next_war.air_missions import Lift
from pbem.games.next_war.bot import entering, flying
from pbem.games.next_war.bot.judgement import cleared
from pbem.games.next_war.control import _clear
from pbem.games.next_war.odds.courses import Answers, copy_of, courses
from pbem.games.next_war.state import Clearing, State
from pbem.kernel.flow import Flow
from tests.next_war.test_bot import position

SIDE, BRIGADE = "non-allied", "31 Abn"
ANSWERS = Answers(lambda seat, kind: ())
PARATROOPS = ("START movement basic non-allied", "UNITS 1306: 31 Abn", "UNITS 0705: 3/I", "MARK air non-allied 4")


def test_a_drop_arrives_and_is_hit_as_often_as_by_the_rules() -> None:
    g = position(*PARATROOPS).state
    found = [one for one in flying.flights(g, SIDE) if "drop" in one.order]  # type: ignore[operator]
    assert {0, 1, 2} == {one.order["drop"]["escort"] for one in found}  # type: ignore[index,call-overload]
    for one in found:
        lift = air_transport.read_drop(g, SIDE, one.order["drop"])  # type: ignore[index,call-overload]

        def dropped(g: State, lift: Lift = lift) -> Flow[None]:
            yield from air_transport.drop(g, SIDE, lift)

        arrived = harmed = 0.0
        for after, chance in courses(g, dropped, ANSWERS):
            piece = after.pieces.get(BRIGADE)
            arrived += chance * bool(piece and piece.at and piece.at != g.pieces[BRIGADE].at)
            harmed += chance * (piece is None or not piece.at or piece.reduced)
        assert one.arrives == pytest.approx(1000 * arrived)
        assert one.harmed == pytest.approx(1000 * harmed)


def test_air_points_go_with_a_flight_only_where_they_bring_more_than_in_a_combat(monkeypatch: pytest.MonkeyPatch) -> None:
    g = position(*PARATROOPS).state
    assert flying.flights(g, SIDE)[0].order["drop"]["escort"] == 2  # type: ignore[index,call-overload]
    monkeypatch.setattr(flying, "EARLY", 500)
    assert flying.flights(g, SIDE)[0].order["drop"]["escort"] == 0  # type: ignore[index,call-overload]


def test_a_hex_is_cleared_as_often_as_by_the_rules() -> None:
    """Marker by marker, and where it lies face down by the heap."""
    face_down = position("START movement basic allied", "UNITS 1405: 8/MEC", "UNITS 0605: 2/G").state
    place = face_down.board.labels["1405"]
    known: list[int] = []
    for number in (3, 4, 5, 6):
        g = copy_of(face_down)
        g.clearing[place] = Clearing("allied", number)
        ends = courses(g, lambda g: _clear(g, "allied", place), ANSWERS)
        by_rule = sum(chance for after, chance in ends if place not in after.clearing)
        known.append(cleared(g, "allied", place, ["8/MEC"]))
        assert known[-1] == pytest.approx(1000 * by_rule)
    assert known == sorted(known, reverse=True)
    assert cleared(face_down, "allied", place, ["8/MEC"]) == pytest.approx(sum(known) / 4)


def test_a_second_unit_enters_where_one_alone_hardly_clears() -> None:
    g = position("START movement basic allied", "UNITS 0407: 6/II, 1/MEC", "UNITS 0605: 2/G").state
    place = g.board.labels["1405"]
    alone = entering.entered(g, "allied", place, ["6/II"], 99)
    both = entering.entered(g, "allied", place, ["6/II", "1/MEC"], 99)
    crowded = entering.entered(g, "allied", place, ["6/II", "1/MEC"], g.values("6/II").sp)
    assert alone is not None
    assert both is not None
    assert crowded is not None
    assert (len(alone.units), len(both.units), len(crowded.units)) == (1, 2, 1)
    assert both.chance > alone.chance
