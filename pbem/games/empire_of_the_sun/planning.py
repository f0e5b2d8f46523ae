"""What a plan may be made for in an offensive.

Cards are hidden until they are played, so no question that a card answers can be planned for.
"""

from __future__ import annotations

from collections.abc import Mapping

from pbem.games.empire_of_the_sun.operations.declaration import BATTLE_VERBS
from pbem.games.empire_of_the_sun.operations.moves import MOVE_VERBS
from pbem.kernel.questions import AGAIN, DONE

PLANNABLE: Mapping[str, tuple[str, ...]] = {
    "activate": ("activate",),
    "move": tuple(verb for verb in MOVE_VERBS if verb != AGAIN),
    "disengage": ("disengage",),
    "battle": tuple(verb for verb in BATTLE_VERBS if verb != AGAIN),
    "reaction": ("react", "pass"),
    "special": ("special",),
    "counter": ("counter",),
    "join": ("join",),
    "fight": ("fight",),
    "hits": ("hits",),
    "last step": ("last step",),
    "critical hit": ("critical hit",),
    "transfer": ("transfer",),
    "retreat": ("retreat",),
    "target": ("target",),
    "return": ("return", DONE),
    "refuge": ("refuge",),
    "sail": ("sail", DONE),
}
