"""What a plan may be made for, and the public facts that its conditions name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pbem.games.next_war.combat import VERBS as COMBAT
from pbem.games.next_war.moving import GROUND, OTHER
from pbem.games.next_war.reinforcements import ARRIVE, REPLACING
from pbem.games.next_war.state import FOE, State
from pbem.kernel.questions import DONE

PLANNABLE: Mapping[str, tuple[str, ...]] = {
    "movement": (*GROUND, *OTHER, "bridge", DONE),
    "combat": COMBAT,
    "support": ("support",),
    ARRIVE: (ARRIVE,),
    "replacements": REPLACING,
    "throw": ("throw",),
}
OWN, ENEMY = "own-at-", "enemy-at-"


class PlanFacts(Mapping[str, int | str | bool]):
    """The facts of one side, each computed when it is looked up.

    `turn`; `moment`, how many Movement Segments of the game have begun, so that impulses can be told apart; `target`, the hex
    that is attacked in the present combat, 0 outside of one; `own-at-HEX`, `enemy-at-HEX`, numbers of ground units.
    """

    def __init__(self, g: State, side: str) -> None:
        self._g, self._side = g, side

    def __getitem__(self, name: str) -> int | str | bool:
        g, name = self._g, name.lower()
        if name in ("turn", "moment"):
            return int(getattr(g, name))
        if name == "target":
            label = g.board.hexes[g.fight.target].label if g.fight is not None else "0"
            return int(label) if label.isdigit() else label.lower()
        for begins, side in ((OWN, self._side), (ENEMY, FOE[self._side])):
            if name.startswith(begins):
                return len(g.ground(side, g.board.labels[name.removeprefix(begins)]))
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        yield from ("turn", "moment", "target")
        yield from (begins + label for begins in (OWN, ENEMY) for label in self._g.board.labels)

    def __len__(self) -> int:
        return 3 + 2 * len(self._g.board.labels)
