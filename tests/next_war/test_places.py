"""Orders give hexes by number; a draft says how the map calls them."""

from pbem.games.next_war.game import GAME
from tests.next_war import table


def test_samples_name_their_hexes() -> None:
    state = GAME.start(table.scenario("training"), {})
    named = next(h for h, hex_ in state.board.hexes.items() if hex_.name)
    other = next(h for h, hex_ in state.board.hexes.items() if not hex_.name)
    told = state.board.name(named)
    assert GAME.places_in(state, {"move": f"4/G to {named:04}"}) == [told]
    assert GAME.places_in(state, [{"attack": f"{named:04} from {other:04}"}]) == [told]
    assert GAME.places_in(state, {"move": f"4/G to {other:04}"}) == []
    assert GAME.places_in(state, {"move": f"4/G to {told}"}) == []
