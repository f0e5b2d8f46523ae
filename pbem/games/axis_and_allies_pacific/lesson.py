"""The lesson of `pbem tutorial`: Japan's first turn of the spring of 1940."""

from __future__ import annotations

from pbem.games.lesson import Exercise, Lesson
from pbem.kernel.wording import msg

FIRST = """\
orders:
  - buy: 4 infantry, 1 transport
  - done
  - move: 3 infantry, 1 artillery from Kwangsi to Yunnan
  - done
standing:
  casualties: cheapest first
  battle: any
  retreat:
    - {when: own-strength < enemy-strength, do: retreat}
    - {do: press}
note:
  - Good luck.
"""
SECOND = """\
orders:
  - move: 1 infantry from Manchuria to Jehol
  - done
  - place: 4 infantry in Japan
  - place: 1 transport in SZ 6
"""
LESSON = Lesson(
    "spring-1940",
    ("japan",),
    msg("take Japan"),
    (
        Exercise(
            "purchase",
            msg("Write orders and try them out"),
            msg(
                "Buy units, end the phase with `done`, march into Yunnan, end the combat moves.\n"
                "The standing orders answer what is asked between the dice, so that the battle needs one exchange of files.\n"
                "Try a mistake too: 200 infantry, or a march to Hawaii; `check` signs nothing."
            ),
            lambda g, ask, own: FIRST,
            msg("your file has gone to Nowak; his program has turned the dice and answered"),
            leaves_undone=True,
        ),
        Exercise(
            "noncombat-move",
            msg("Finish the turn"),
            msg("The battle is over; noncombat moves and new units are left."),
            lambda g, ask, own: SECOND,
            msg("your turn is over; Nowak has played on until something is asked of you or your dice"),
            leaves_undone=True,
        ),
    ),
    msg("Your first turn of Pacific 1940 lies behind you: Japan has marched, bought and placed its units."),
)
