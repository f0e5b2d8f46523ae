"""Numbers as print sets them: the minus sign, no powers of ten."""

from __future__ import annotations

from pbem.games.next_war.chances import _odds
from pbem.kernel.wording import english
from pbem.odds.decimals import tenths, two_figures


def test_a_loss_has_the_minus_of_print() -> None:
    assert [english(tenths(n, signed=True)) for n in (-2.05, 1.5)] == ["−2.0", "+1.5"]
    assert english(tenths(-0.5)) == "−0.5"


def test_a_small_chance_is_no_power_of_ten() -> None:
    def told(number: float) -> str:
        found = two_figures(number)
        return found if isinstance(found, str) else english(found)

    assert [told(n) for n in (0.43, 0.000012, 1.0)] == ["0.43", "0.000012", "1"]


def test_modifiers_of_a_battle_have_it_too() -> None:
    class Found:
        drms, ratio, column = (-2, -1, 1), "3:1", 7

    assert english(_odds(Found)) == "odds 3:1, column 7, modifier −2 … +1"  # type: ignore[arg-type]
    Found.drms = (-2, -2, -2)
    assert english(_odds(Found)).endswith("modifier −2")  # type: ignore[arg-type]
