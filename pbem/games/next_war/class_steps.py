"""[8.2, 8.3] What a mobility class spends on each step that is not its first, whoever of it takes the step."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Set

Steps = tuple[tuple[int, int], ...]  # 2 * hex + 1 if the step ends there, and its cost in sixths
Ways = Callable[[int, Set[int] | None], Iterable[tuple[int, bool, tuple[int, ...]]]]


class StepsOfAClass(dict[int, Steps]):
    """For each hex in `other` the steps out of it, worked out when it is first asked for; from all others `costs` holds.

    `ways` judges the steps to and from special hexes; `fringe` are the hexes beside those. `base` has the steps on a map
    without units of one's own, which are the same but in `own`: crowds, and hexes beside them or beside units in enemy zones.
    """

    def __init__(
        self,
        ways: Ways,
        costs: Mapping[int, Steps],
        special: frozenset[int],
        fringe: frozenset[int],
        own: frozenset[int],
        base: StepsOfAClass | None,
    ) -> None:
        super().__init__()
        self.ways, self.costs, self.special, self.own, self.base = ways, costs, special, own, base
        self.other = special | fringe

    def __missing__(self, place: int) -> Steps:
        if self.base is not None and place not in self.own:
            found = self.base[place]
        elif place in self.special:
            found = tuple([(2 * to + stop, cost) for to, stop, (cost,) in self.ways(place, None)])
        else:
            ways = [(2 * to + stop, cost) for to, stop, (cost,) in self.ways(place, self.special)]
            found = (*ways, *[step for step in self.costs[place] if step[0] // 2 not in self.special])
        self[place] = found
        return found
