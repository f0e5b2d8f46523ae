"""Orders of Next War in the words in which people type them."""

from __future__ import annotations

from pbem.games.next_war.game import GAME
from pbem.kernel.flow import Ask
from tests.next_war.test_forms import CROWD, MARCH, position


def test_all_against_a_hex_are_those_who_may_attack_it() -> None:
    engine = position(*CROWD, "UNITS 0807: 7/II")
    asked = engine.request
    assert isinstance(asked, Ask)
    everybody = [{"attack": "1/MEC, 2/MEC, 3/I, 4/I, 5/II, 6/II at 1007"}]
    assert GAME.typed(engine.state, asked, "attack 1007 with all") == everybody


def test_all_from_a_hex_are_those_who_stand_there() -> None:
    engine = position(*MARCH)
    asked = engine.request
    assert isinstance(asked, Ask)
    assert GAME.typed(engine.state, asked, "march all from 0906 to 0805") == [{"move": "3/I, 4/I from 0906 to 0805"}]
