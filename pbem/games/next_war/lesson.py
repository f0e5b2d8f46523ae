"""The lesson of `pbem tutorial`: the first Initiative Turn of the training map, an attack through the Orno gap."""

from __future__ import annotations

from pbem.games.lesson import Exercise, Lesson
from pbem.kernel.wording import msg

WEATHER = """\
orders:
  - weather: clear
"""
ATTACK = """\
orders:
  - move: 1/G to 0708
  - move: 11/A to 0807
  - move: 12/A to 0706
  - done
  - attack: 1/G, 11/A, 12/A at 0707 lead 1/G
standing:
  combat: [done]
  support: {air: 2}
  stand: yes
  failed: step
  retreat: any
  advance: all
"""
ON = """\
orders:
  - done
  - done
"""
LESSON = Lesson(
    "training",
    ("non-allied",),
    msg("take Borea, the Non-Allied side"),
    (
        Exercise(
            "weather",
            msg("Write orders and try them out"),
            msg(
                "The side with the initiative chooses the weather of the first turn; clear skies let all aircraft fly.\n"
                "Try a mistake too: `weather: fog`; `check` signs nothing and says what would be legal."
            ),
            lambda g, ask, own: WEATHER,
            msg("the turn has its weather; the dice that follow from it are thrown"),
        ),
        Exercise(
            "movement",
            msg("March and attack"),
            msg(
                "Three units close in on hex 0707, `done` ends the Movement Segment, they attack. The standing orders hold\n"
                "behind the dice: no further attack (`combat: [done]`), two Air Points in each combat, stand if the dice\n"
                "allow it, else lose a step; whoever has won advances. `pbem check` shows odds and column of the attack."
            ),
            lambda g, ask, own: ATTACK,
            msg("the combat is fought, and Nowak's elite units have moved in reaction"),
        ),
        Exercise(
            "movement",
            msg("Exploitation"),
            msg("Units that may exploit could move and attack once more; this time both segments end with nothing done."),
            lambda g, ask, own: ON,
            msg("the Initiative Turn is over"),
            leaves_undone=True,
        ),
    ),
    msg("The first turn of Next War lies behind you: weather, march, combat with support, reaction and exploitation."),
)
