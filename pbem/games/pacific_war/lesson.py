"""The lesson of `pbem tutorial`: the whole raid on Pearl Harbor, two waves of six carriers' aircraft."""

from __future__ import annotations

from pbem.games.lesson import Exercise, Lesson
from pbem.kernel.wording import msg

FIRST_WAVE = """\
orders:
  - done
  - mission: {strike: 2860, units: [CAD1, CAD2, CAD3, CAD4, CAD5, CAD6]}
standing:
  escort: any
  landing: home
"""
TARGETS = """\
orders:
  - targets:
      CAD1: [BB4 Arizona]
      CAD2: [BB4 Arizona]
      CAD3: [BB9 West Virginia]
      CAD4: [BB9 West Virginia]
      CAD5: [BB3 Oklahoma]
      CAD6: [BB10 California]
"""
SECOND_WAVE = """\
orders:
  - mission: {strike: 2860, units: [CAD1, CAD2, CAD3, CAD4, CAD5, CAD6]}
standing:
  targets: [BB8 Maryland, BB1 Nevada, BB]
"""
LESSON = Lesson(
    "pearl-harbor",
    ("japan",),
    msg("take Japan"),
    (
        Exercise(
            "organize",
            msg("The first wave"),
            msg(
                "The task forces stay as they are (`done`), and six air groups strike hex 2860, Oahu.\n"
                "Standing orders answer what is asked behind the dice: whoever can escorts, all land where they came from.\n"
                "Units go by number or name, hexes by number. Try a mistake too: a strike on 2861; `check` says what is wrong."
            ),
            lambda g, ask, own: FIRST_WAVE,
            msg("the aircraft are in the air"),
            leaves_undone=True,
        ),
        Exercise(
            "targets",
            msg("Targets"),
            msg(
                "The wave is over the harbour, and each air group is told what it attacks. Six battleships with four hits\n"
                "each, or sunk, win the raid; two groups at one ship sink it more often than one."
            ),
            lambda g, ask, own: TARGETS,
            msg("the bombs have fallen; Nowak's patrol aircraft search for the carriers"),
        ),
        Exercise(
            "mission",
            msg("The second wave"),
            msg(
                "In the afternoon the carriers may strike once more. This time the targets stand in the file as a standing\n"
                "order: the first of the list that is still there, group by group, so that the wave is one file."
            ),
            lambda g, ask, own: SECOND_WAVE,
            msg("the second wave has come back"),
        ),
    ),
    msg("You have played a whole game of Pacific War, from the charter to the verdict on the raid."),
)
