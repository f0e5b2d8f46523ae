"""Orders give hexes by number; a draft says how the map calls them."""

import pytest

from pbem.games.next_war.game import GAME
from tests.next_war import table


@pytest.mark.parametrize("scenario", ["training", "gap"])
def test_samples_name_their_hexes(scenario: str) -> None:
    """Korea's numbers begin with the letter of their sheet."""
    state = GAME.start(table.scenario(scenario), {})
    named = next(h for h, hex_ in state.board.hexes.items() if hex_.name)
    other = next(h for h, hex_ in state.board.hexes.items() if not hex_.name)
    told, here, there = state.board.name(named), state.board.hexes[named].label, state.board.hexes[other].label
    assert GAME.names_in(state, {"move": f"4/G to {here}"}) == [told]
    assert GAME.names_in(state, [{"attack": f"{here} from {there}"}]) == [told]
    assert GAME.names_in(state, {"move": f"4/G to {there}"}) == []
    assert GAME.names_in(state, {"move": f"4/G to {told}"}) == []
