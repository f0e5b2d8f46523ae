"""The ground chart, of which two cells are known: everything that is told about landings and land battles holds in it."""

from __future__ import annotations

from collections import Counter as Count
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pytest

from pbem.games.pacific_war.charts import bound, reasons
from pbem.games.pacific_war.dice import ground_result, halved
from pbem.games.pacific_war.land.combat import ratio_modifier
from pbem.games.pacific_war.state import State
from tests.pacific_war import table

Result = tuple[int, int, str]


@dataclass(frozen=True)
class Fight:
    """A ground combat: steps and quality of both sides as they count, and the terrain."""

    steps: tuple[int, int]
    quality: tuple[int, int]
    terrain: str = "atoll"

    def results(self) -> list[Result]:
        """What each die from 0 to 9 gives."""
        g: State = table.begin("coral-sea").state
        column = g.board.charts.plain["ground"]["column_at_par"] + self.quality[0] - self.quality[1]
        net = column + g.board.charts.plain["terrain_shift"][self.terrain] + ratio_modifier(g, *self.steps)
        return [ground_result(g, net - die, sum(self.steps)) for die in range(10)]

    def retreats(self) -> Count[str]:
        """On how many dice which side must retreat."""
        return Count(who for _, _, who in self.results())

    def losses(self) -> tuple[int, int]:
        """Steps lost by both sides over all ten dice."""
        rows = self.results()
        return sum(r[0] for r in rows), sum(r[1] for r in rows)


def test_the_landing_at_port_moresby() -> None:
    """G01 to G03: column 9, three to the left, no modifier for 1 to 2, die 6."""
    g: State = table.begin("coral-sea").state
    plain = g.board.charts.plain
    assert plain["ground"]["column_at_par"] + halved(7) - 5 == 9
    assert plain["terrain_shift"]["mountain"] == -3
    assert ratio_modifier(g, 2, 4) == 0
    assert Fight((2, 4), (halved(7), 5), "mountain").results()[6] == (3, 0, "A")


@pytest.mark.parametrize("defenders", [2, 3, 4, 5])
@pytest.mark.parametrize("quality", [halved(7), 4])
def test_the_first_day_on_guadalcanal(defenders: int, quality: int) -> None:
    """G04: eleven steps from the sea lose two, the defender one, and nobody retreats: some die gives it."""
    assert (2, 1, "") in Fight((11, defenders), (halved(8), quality), "jungle").results()


def test_the_second_day_on_guadalcanal() -> None:
    """G05: two engineer steps have nowhere to go and are lost with a retreat; the marines lose half as many."""
    assert (1, 2, "D") in Fight((9, 2), (halved(8), 4), "jungle").results()


@pytest.mark.parametrize("quality", [5, 6, 7])
def test_a_division_is_not_thrown_back_by_a_battalion(quality: int) -> None:
    """G06."""
    assert not Fight((9, 2), (halved(8), quality)).retreats()["A"]


def test_equal_battalions_are_stopped_at_wake() -> None:
    """G07."""
    found = Fight((1, 1), (halved(7), 8)).retreats()
    assert found["A"] >= 4 and not found["D"]


def test_bombardment_evens_the_odds_at_wake() -> None:
    """G08: the defender is demoralized."""
    found = Fight((1, 1), (halved(7), halved(8))).retreats()
    assert abs(found["A"] - found["D"]) <= 4 and found["D"] >= 2


def test_landings_cost_half_to_two_thirds_of_what_the_defender_loses() -> None:
    """G09: with room for a sentence that names no battle."""
    lost, killed = Fight((9, 2), (halved(8), 6)).losses()
    assert 4 * killed <= 10 * lost <= 8 * killed


def test_atolls_end_sooner_than_jungle_and_mountains() -> None:
    """G10."""
    ends = [Fight((9, 3), (6, 6), terrain).retreats()["D"] for terrain in ("atoll", "jungle", "mountain")]
    assert ends == sorted(ends, reverse=True) and len(set(ends)) == 3


def test_better_troops_sweep_worse_ones_away() -> None:
    """G11."""
    assert Fight((6, 6), (8, 5), "clear").retreats()["D"] >= 5


def rows() -> list[tuple[int, list[Result]]]:
    found = []
    for row in table.scenario("coral-sea")["charts"]["ground"]["rows"]:
        words = [str(r).split() for r in row["results"]]
        found.append((row["steps"], [(int(w[0]), int(w[1]), w[2] if len(w) > 2 else "") for w in words]))
    return found


def test_losses_never_fall_with_a_worse_result_or_with_more_troops() -> None:
    """G12."""
    for _, results in rows():
        assert [r[0] for r in results] == sorted((r[0] for r in results), reverse=True)
        assert [r[1] for r in results] == sorted(r[1] for r in results)
    for cells in zip(*(results for _, results in rows()), strict=True):
        assert [c[0] for c in cells] == sorted(c[0] for c in cells) and [c[1] for c in cells] == sorted(c[1] for c in cells)


def test_the_form_of_the_chart() -> None:
    """G13: the smallest row is five steps. G14: losses and at most one retreat, of the attacker first, of the defender last."""
    assert rows()[0][0] == 5
    for _, results in rows():
        who = [r[2] for r in results]
        assert who == sorted(who, key=["A", "", "D"].index) and {"A", "", "D"} == set(who)


def test_the_other_charts_keep_what_is_told_of_them() -> None:
    """O1, N1, B1, B2, J1, H1, H2."""
    charts = table.scenario("coral-sea")["charts"]
    order = ["surprise", "intercept", "ambush", "cv-ambush"]
    levels = [[order.index(c) for c in charts["operational"][str(level)]] for level in range(1, 5)]
    assert all(row == sorted(row, reverse=True) for row in levels)
    assert all(list(column) == sorted(column) for column in zip(*levels, strict=True))
    track = charts["naval_track"]
    assert track[0] == 1 and sum(2 <= space <= 6 for space in track) == 1
    assert charts["range_bids"]["medium"]["medium short"] == charts["range_bids"]["short"]["short short"] == "short"
    assert charts["japanese_points"]["resources"][-1][0] == 100
    harassment = charts["harassment"]
    ratio = harassment["ratios"].index(50)
    assert harassment["letters"][(6 + 2 * ratio - 3) // 3 + 1] == "C"
    assert harassment["losses"]["C"][0][harassment["submarines"].index(38)] == 5 and harassment["losses"]["C"][1:] == [1, 1]


# -- what is published about the cells ------------------------------------------------------------------------------------


def test_every_cell_rests_on_something_that_is_named() -> None:
    known = reasons()
    for name, cells in bound(table.scenario("coral-sea")).items():
        for cell in cells:
            assert cell.by and set(cell.by) <= set(known), (name, cell)
    used = {id for cells in bound(table.scenario("coral-sea")).values() for cell in cells for id in cell.by}
    assert used | {"S2"} >= set(known) and {r.kind for r in known.values()} == {"printed", "fact", "bound", "own"}


@pytest.mark.parametrize("name", table.SCENARIOS)
def test_charts_are_reconstructed_where_not_all_their_cells_are_printed_or_stated(name: str) -> None:
    known, scenario = reasons(), table.scenario(name)
    found = [n for n, cells in bound(scenario).items() if any(known[c.by[0]].kind in ("bound", "own") for c in cells)]
    assert sorted(found) == sorted(scenario["charts"]["reconstructed"])


MUTATIONS: list[tuple[str, Sequence[int], Callable[[], None]]] = [
    ("bands", (-4, 0, 3, 6, 9, 12, 99), test_better_troops_sweep_worse_ones_away),
]


@pytest.mark.parametrize(("part", "value", "broken"), MUTATIONS)
def test_the_chart_of_before_breaks_them(
    part: str, value: Sequence[int], broken: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    ground = table.scenario("coral-sea")["charts"]["ground"]
    monkeypatch.setitem(ground, part, list(value))
    with pytest.raises(AssertionError):
        broken()
