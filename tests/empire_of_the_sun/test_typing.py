"""An offensive in the words in which people type it, on the rules themselves."""

from __future__ import annotations

from pbem.games.empire_of_the_sun.game import GAME
from pbem.kernel.flow import Ask
from tests.empire_of_the_sun.test_lesson import HANDS, at_the_card, replied

LINES = (
    "ops central pac",
    "activate enterprise, lexington, new orl",
    "sail enterprise, lexington, new orl -> kwaj",
    "done",
    "attack kwaj with all",
    "done",
)


def test_a_raid_typed_in_short() -> None:
    engine = next(engine for engine in map(at_the_card, range(HANDS)) if replied(engine.fork()))
    cards = engine.state.board.cards
    engine.reply({"play": max(engine.state.hands["allies"], key=lambda card: cards[card].ops if card in cards else 0)})
    for line in LINES:
        asked = engine.request
        assert isinstance(asked, Ask)
        engine.reply(next(iter(GAME.typed(engine.state, asked, line)), line))
    assert engine.state.battle_hex(4715)
