"""Luck: what fair and loaded dice look like to a test that is looked at after every roll."""

from __future__ import annotations

from itertools import product
from math import comb, exp, log
from random import Random
from xml.etree import ElementTree

import pytest

from pbem.odds.luck import (
    Luck,
    Throw,
    band,
    e_value,
    factor,
    hits_thrown,
    in_words,
    is_suspect,
    lucks,
    points_thrown,
    svg,
    total_thrown,
)

SEATS = {"japan": "yamada", "united-kingdom": "nowak", "anzac": "nowak"}


def a_log(dice: Random, rolls: int, chance_of: dict[str, float]) -> list[Throw]:
    """Rolls of both sides in turn; `chance_of`: factor on the chance to hit of a seat's dice."""
    found = []
    for i in range(rolls):
        seat, enemy = ("japan", "anzac") if i % 2 else ("united-kingdom", "japan")
        number, faces = dice.randint(1, 6), dice.randint(1, 4)
        hits = sum(dice.random() < faces / 6 * chance_of.get(seat, 1.0) for _ in range(number))
        found.append(hits_thrown(f"roll {i}", seat, enemy, hits, number, faces, 6, 4.0))
    return found


def test_fair_dice_are_rarely_flagged_however_often_one_looks() -> None:
    games, level = 600, 0.05
    flagged = 0
    for seed in range(games):
        found = lucks(a_log(Random(seed), 150, {}), SEATS)
        flagged += min(luck.p_value for luck in found.values()) < level
    assert flagged <= games * level, "one process for two players with mirrored luck"


def test_fair_dice_leave_the_band_as_rarely() -> None:
    left = 0
    for seed in range(600):
        path = lucks(a_log(Random(1000 + seed), 150, {}), SEATS)["yamada"].path
        left += any(abs(s) > band(v, 0.05) for v, s in path)
    assert left <= 600 * 0.05


@pytest.mark.parametrize("seed", range(10))
def test_loaded_dice_are_flagged(seed: int) -> None:
    found = lucks(a_log(Random(seed), 250, {"japan": 1.5}), SEATS)
    assert is_suspect(found["yamada"], 2) and found["yamada"].path[-1][1] > 0
    assert "MORE THAN CHANCE" in in_words(found, "IPC")


@pytest.mark.parametrize("seed", range(5))
def test_dice_that_never_favour_anybody_in_particular_are_not(seed: int) -> None:
    found = lucks(a_log(Random(seed), 250, {}), SEATS)
    assert not any(is_suspect(luck, 2) for luck in found.values())


@pytest.mark.parametrize(("number", "faces"), [*product((1, 2, 5), (1, 2, 3, 4, 5))])
def test_the_evidence_is_not_above_one_on_the_mean(number: int, faces: int) -> None:
    """Two rolls, every number of hits of both, exactly."""
    p = faces / 6
    chances = [comb(number, k) * p**k * (1 - p) ** (number - k) for k in range(number + 1)]
    mean = 0.0
    for (i, one), (j, other) in product(enumerate(chances), repeat=2):
        s = i + j - 2 * number * p
        mean += one * other * e_value(2 * number * factor(p), s)
    assert mean <= 1 + 1e-12


@pytest.mark.parametrize("faces", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("x", [-3.0, -1.0, -0.1, 0.1, 0.5, 2.0])
def test_the_variance_factor_bounds_the_moments_of_a_die(faces: int, x: float) -> None:
    p = faces / 6
    assert p * exp(x * (1 - p)) + (1 - p) * exp(-x * p) <= exp(x * x * factor(p) / 2) + 1e-12


@pytest.mark.parametrize("x", [-8.0, -2.0, -0.3, 0.3, 2.0, 8.0])
def test_the_variance_factor_bounds_the_moments_of_a_total(x: float) -> None:
    factor_of_one = total_thrown("", "", "", [1], 6, 1.0).factor
    assert log(sum(exp(x * (k - 3.5) / 6) for k in range(1, 7)) / 6) <= x * x * factor_of_one / 2


def test_a_hit_is_worth_what_it_costs_and_is_the_other_sides_loss() -> None:
    found = lucks([hits_thrown("a", "japan", "anzac", 2, 3, 2, 6, 5.0)], SEATS)
    assert found["yamada"].value == pytest.approx(5.0) == -found["nowak"].value
    assert found["yamada"].dice == 3 == found["nowak"].against_dice
    assert found["yamada"].path[-1][1] == -found["nowak"].path[-1][1] == pytest.approx(1.0)


def test_a_total_is_worth_its_pips() -> None:
    thrown = total_thrown("bombs", "japan", "anzac", [6, 5], 6, 1.0)
    assert thrown.surplus * thrown.worth == pytest.approx(11 - 7)


def test_rolls_among_seats_of_one_player_are_nobodys_luck() -> None:
    found = lucks([hits_thrown("a", "united-kingdom", "anzac", 3, 3, 1, 6, 5.0)], SEATS)
    assert found["nowak"].dice == 0 and found["nowak"].value == 0


def test_a_garrison_of_nobodys_counts_for_the_player_only() -> None:
    found = lucks([hits_thrown("a", "", "japan", 1, 1, 2, 6, 3.0)], SEATS)
    assert found["yamada"].value == pytest.approx(-2.0) and found["nowak"].value == 0


def test_the_picture_is_one_line_each_and_holds_hostile_names() -> None:
    found = {name: Luck(name) for name in ("<script>", "b&b")}
    for luck in found.values():
        luck.add(hits_thrown("a", "x", "y", 1, 2, 3, 6, 1.0), 1)
    root = ElementTree.fromstring(svg(found, "<b>"))
    assert len(root.findall("{*}polyline")) == 2
    told = [str(t.text) for t in root.findall("{*}text")]
    assert [t.split()[0] for t in told[-2:]] == ["<script>", "b&b"] and told[0] == "<b>"


def test_the_picture_says_what_it_shows_and_how_far_its_axes_reach() -> None:
    found = {"yamada": Luck("yamada")}
    for _ in range(40):
        found["yamada"].add(hits_thrown("a", "x", "y", 1, 1, 1, 6, 1.0), 1)
    root = ElementTree.fromstring(svg(found, "Luck", lambda told: str(told).upper(), "#ffffff"))
    told = [str(t.text) for t in root.findall("{*}text")]
    assert told[0] == "Luck" and told[1:4] == ["+33", "0", "-33"], "40 hits where 6.7 are expected"
    assert "HITS ABOVE EXPECTATION" in told and any("SPREAD" in t for t in told)
    assert root.find("{*}rect") is not None, "a picture by itself has paper"


def test_without_rolls_there_is_no_picture() -> None:
    assert svg({"yamada": Luck("yamada")}, "Luck") == ""


def test_the_chance_of_a_throw_counts_what_is_as_far_from_the_mean() -> None:
    """Every throw of three dice, counted out."""
    for dice in product(range(1, 7), repeat=3):
        hits, total = sum(die <= 2 for die in dice), sum(dice)
        everything = list(product(range(1, 7), repeat=3))
        as_many = [sum(die <= 2 for die in other) for other in everything]
        far = [k for k in as_many if (k <= hits if hits < 1 else k >= hits)]
        assert hits_thrown("", "", "", hits, 3, 2, 6, 1.0).chance == pytest.approx(len(far) / 216)
        far = [k for k in map(sum, everything) if (k <= total if total < 10.5 else k >= total)]
        assert total_thrown("", "", "", dice, 6, 1.0).chance == pytest.approx(len(far) / 216)


def test_the_chance_of_a_face_counts_faces_with_as_much() -> None:
    assert [points_thrown("", "", "", s, [0, 0, 0, 1, 4], 1.0).chance for s in (0, 1, 4)] == pytest.approx([0.6, 0.4, 0.2])
