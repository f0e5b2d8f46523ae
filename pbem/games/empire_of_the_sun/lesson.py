"""The lesson of `pbem tutorial`: an offensive with a reaction and its battle, then the other way round, in 1942.

Hands are dealt, so the files name what the newcomer holds; headquarters, units and hexes are the same in every game.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.empire_of_the_sun.state import State
from pbem.games.lesson import Exercise, Lesson, Own
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask
from pbem.kernel.wording import msg

LANDING = ("14th Army", "CA Nachi", "CVL Ryujo", "5th Air Division")  # in this order, as far as the card reaches
RAID = ("cv-enterprise", "cv-lexington", "ca-new-orleans")
RAID_OPS, OAHU = 3, 5808  # fewer points do not carry the ships from there to Kwajalein
OFFENSIVE = """\
orders:
  - play: {card}
  - operations: South HQ
  - activate: {units}
  - move: 14th Army to Manila
  - move: {ships} to Manila
  - done
  - battle: Manila with {units}
  - done
standing:
  hits: cheapest
  return: home
"""


def _strongest(g: State, own: Own) -> str:
    """The card of a hand with the most operations points, of equal ones the first by its number; "" without any."""
    held = sorted((c for c in own if c in g.board.cards), key=lambda c: (-g.board.cards[c].ops, int(c[1:])))
    return next(iter(held), "")


def _offensive(g: State, ask: Ask, own: Own) -> str:
    card = _strongest(g, own)
    units = LANDING[: 1 + g.board.cards[card].ops] if card else ()
    ships = ", ".join(name for name in units if name.startswith("C"))
    return OFFENSIVE.format(card=card, units=", ".join(units), ships=ships) if card else ""


def _react(g: State, ask: Ask, own: Own) -> str:
    return "orders:\n  - react\n  - intelligence: roll\n"


def _replies(g: State, ask: Ask, own: Own) -> Sequence[Plain]:
    """The Allies react to every offensive, and raid Kwajalein with two carriers where their best card takes them so far."""
    if ask.kind == "reaction":
        return ("react", {"intelligence": "roll"})
    card = _strongest(g, own)
    if ask.kind != "card" or not card or g.board.cards[card].ops < RAID_OPS or not {*RAID} <= {*g.units_at(OAHU)}:
        return ()
    named = ", ".join(RAID)
    return (
        {"play": card},
        {"operations": "hq-central-pacific"},
        {"activate": [*RAID]},
        {"move": f"{named} to 4715"},
        "done",
        {"battle": f"4715 with {named}"},
        "done",
    )


LESSON = Lesson(
    "year-1942",
    ("japan",),
    msg("take Japan"),
    (
        Exercise(
            "card",
            msg("An offensive"),
            msg(
                "You play a card of your hand for its operations points. South HQ activates as many units as it can with\n"
                "them, the 14th Army marches on Manila, ships come along, and the battle hex is named: one file.\n"
                "`pbem status -g mine` shows your hand, `pbem card J16` what a card does. The standing orders assign the\n"
                "hits that your units take and bring the ships home."
            ),
            _offensive,
            msg("the offensive is announced; Nowak reacts: a die decides whether he has found out"),
        ),
        Exercise(
            "reaction",
            msg("React"),
            msg(
                "Now it is the Allies' offensive, and you are asked whether you react. You do, and the intelligence die\n"
                "tells whether it becomes an interception. If it does, you may move units into the battle after it."
            ),
            _react,
            msg("you have reacted; the die says whether your units may come"),
        ),
        Exercise(
            "counter",
            msg("Units come to the battle"),
            msg(
                "The interception has succeeded. A headquarters activates units in reach, they move into the battle hex, and\n"
                "reaction cards may be played. `pbem orders -g mine` lists some reactions that are legal; this is one."
            ),
            lambda g, ask, own: "",  # what the bot finds: other units are in reach in every game
            msg("your reaction is in the offensive; the battle is fought"),
        ),
    ),
    msg("That was the heart of Empire of the Sun: offensive, reaction, intelligence, battle, and the move home."),
    opponent_begins=True,
    replies=_replies,
)
