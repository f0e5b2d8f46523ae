"""One side of a battle for the odds: every hit that it can take is a bit, a state is the set of bits that are left.

Units that have left the battle alive (submerged, broken off) stand in a second set of bits above the first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache

from msgspec import Struct

from pbem.games.axis_and_allies_pacific.battle import combat_capable, worth
from pbem.games.axis_and_allies_pacific.casualties import loss_order, spares
from pbem.games.axis_and_allies_pacific.firing import attack_values, defense_values
from pbem.games.axis_and_allies_pacific.orders import spell
from pbem.games.axis_and_allies_pacific.state import AIR, CAPITAL_SHIPS, State, Unit
from pbem.kernel.canon import Plain
from pbem.odds.distributions import Dice, hits, together

Order = tuple[int, ...]  # bits in order of loss
_KINDS = ("other", "air", "submarine", "transport")


class Fire(Struct, frozen=True):
    """Dice by who rolls them, because they hit different things [GC-14]. `destroyer`: one is among the shooters."""

    ships: Dice = ()
    air: Dice = ()
    submarines: Dice = ()
    destroyer: bool = False

    @property
    def all_dice(self) -> Dice:
        """The dice, whoever rolls them."""
        return together([faces for faces, n in (*self.ships, *self.air, *self.submarines) for _ in range(n)])

    @property
    def as_ships(self) -> Fire:
        """Dice that hit anything."""
        return Fire(self.all_dice)


class Force:
    """The units of one side and what they can do in every state."""

    def __init__(self, g: State, units: Sequence[Unit], attacks: int) -> None:
        self.g, self.units = g, [u for u in units if u.type != "aa-gun"]
        self.values: Callable[[State, Sequence[Unit]], dict[int, int]] = attack_values if attacks else defense_values
        self.last: dict[int, int] = {}  # unit id -> the bit of the hit that sinks it
        self.first: dict[int, int] = {}  # whole capital ship -> the bit of its first hit
        self.kind: list[int] = []
        for unit in self.units:
            if unit.type in CAPITAL_SHIPS and not unit.damaged:
                self.first[unit.id] = self._bit(unit)
            self.last[unit.id] = self._bit(unit)
        self.size = len(self.kind)
        self.names = [name for kind in g.board.types for name in (kind, f"damaged {kind}")]
        self.whole = (1 << self.size) - 1
        self.fighting = cache(self._fighting)
        self.examples = cache(self._examples)
        self.can_fight = cache(self._can_fight)
        self.after_hits = cache(self._after_hits)
        self.taken = cache(self._taken)
        self.losses = cache(self._losses)
        self.fire = cache(self._fire)
        self.value = cache(self._value)

    def _bit(self, unit: Unit) -> int:
        kind = "air" if unit.type in AIR else unit.type if unit.type in _KINDS else "other"
        self.kind.append(_KINDS.index(kind))
        return len(self.kind) - 1

    # -- states ------------------------------------------------------------------------------------------------------

    def _fighting(self, state: int) -> tuple[Unit, ...]:
        """The units that are in the battle."""
        return tuple(u for u in self.units if state >> self.last[u.id] & 1)

    def _examples(self, state: int) -> tuple[int, ...]:
        """One unit of each type that is in the battle, by id."""
        return tuple({u.type: u.id for u in self.fighting(state)}.values())

    def by_id(self, ids: Sequence[int]) -> list[Unit]:
        """Units of this side."""
        return [u for u in self.units if u.id in ids]

    def _can_fight(self, state: int) -> bool:
        """[GC-19] More than transports is in the battle."""
        return bool(combat_capable(self.fighting(state)))

    def alive(self, state: int) -> tuple[Unit, ...]:
        """The units that are left, in the battle or out of it."""
        return self.fighting((state | state >> self.size) & self.whole)

    def inside(self, state: int) -> int:
        """The bits that can still be hit."""
        return state & self.whole

    def without(self, state: int, units: Sequence[Unit]) -> int:
        """These units leave the battle alive."""
        for unit in units:
            for bit in (self.last[unit.id], self.first.get(unit.id)):
                if bit is not None and state >> bit & 1:
                    state ^= 1 << bit | 1 << bit + self.size
        return state

    def destroyed(self, state: int, units: Sequence[Unit]) -> int:
        """These units are lost."""
        for unit in units:
            state &= ~(1 << self.last[unit.id] | 1 << self.first.get(unit.id, self.last[unit.id]))
        return state

    def _value(self, state: int) -> int:
        """Cost of what is left, in IPC."""
        return worth(self.g, self.alive(state))

    def spell(self, state: int) -> str:
        """What is left, in words."""
        counts: dict[str, int] = {}
        for unit in self.alive(state):
            first = self.first.get(unit.id)
            whole = not unit.damaged and (first is None or (state | state >> self.size) >> first & 1)
            name = unit.type if whole else f"damaged {unit.type}"
            counts[name] = counts.get(name, 0) + 1
        return spell({name: counts[name] for name in self.names if name in counts})

    # -- fire --------------------------------------------------------------------------------------------------------

    def _fire(self, state: int, silent: frozenset[int] = frozenset()) -> Fire:
        """The dice of all units in the battle but those that have struck already."""
        units = self.fighting(self.inside(state))
        values = self.values(self.g, units)
        groups: dict[str, list[int]] = {"other": [], "air": [], "submarine": []}
        for unit in units:
            if unit.id not in silent:
                kind = _KINDS[self.kind[self.last[unit.id]]]
                groups["other" if kind == "transport" else kind].append(values[unit.id])
        destroyer = any(u.type == "destroyer" for u in units)
        return Fire(together(groups["other"]), together(groups["air"]), together(groups["submarine"]), destroyer)

    def order(self, wanted: Plain) -> Order:
        """The bits in the order of loss of a standing order. Raises Rejected."""
        seen: set[int] = set()
        bits = []
        for unit in loss_order(self.g, self.units, wanted):
            first = unit.id in self.first and unit.id not in seen
            bits.append(self.first[unit.id] if first else self.last[unit.id])
            seen.add(unit.id)
        return tuple(bits)

    # -- losses ------------------------------------------------------------------------------------------------------

    def _losses(self, state: int, fire: Fire, order: Order) -> dict[int, float]:
        """What is left after this fire, with the probabilities."""
        fire = self._merged(state, fire)
        if not fire.air and not fire.submarines:
            after = self.after_hits(state, order)
            return _summed((after[min(n, len(after) - 1)], p) for n, p in enumerate(hits(fire.ships)))
        found: dict[int, float] = {}
        for s, p in enumerate(hits(fire.ships)):
            for a, q in enumerate(hits(fire.air)):
                for k, r in enumerate(hits(fire.submarines)):
                    left = self.taken(state, order, s, a, k, fire.destroyer)
                    found[left] = found.get(left, 0.0) + p * q * r
        return found

    def _merged(self, state: int, fire: Fire) -> Fire:
        """Dice that can hit everything there is are all alike."""
        present = {self.kind[b] for b in range(self.size) if state >> b & 1}
        air_hits_all = fire.destroyer or _KINDS.index("submarine") not in present
        submarines_hit_all = _KINDS.index("air") not in present
        alike = [*fire.ships, *(fire.air if air_hits_all else ()), *(fire.submarines if submarines_hit_all else ())]
        return Fire(
            together([faces for faces, n in alike for _ in range(n)]),
            () if air_hits_all else fire.air,
            () if submarines_hit_all else fire.submarines,
            fire.destroyer,
        )

    def _after_hits(self, state: int, order: Order) -> tuple[int, ...]:
        """The states after 0, 1, .. hits that may fall on anything."""
        found = [state]
        for bit in order:
            if state >> bit & 1:
                state &= ~(1 << bit)
                found.append(state)
        return tuple(found)

    def _taken(self, state: int, order: Order, ships: int, air: int, submarines: int, destroyer: bool) -> int:
        """[GC-14] [GC-15] The state after hits of three kinds, chosen in the order of loss: as many as can be taken."""
        queue = [bit for bit in order if state >> bit & 1]
        rest = [0, 0, 0, 0]
        for bit in queue:
            rest[self.kind[bit]] += 1
        rules = _Rules(ships, air, submarines, destroyer)
        total = ships + air + submarines
        most = sum(rules.fill([0, 0, 0, 0], [*rest[:3], 0], total))
        spare = most == sum(rest[:3]) or spares(self.g)
        number = min(most + rest[3], total) if spare else most
        chosen = [0, 0, 0, 0]
        for bit in queue:
            kind = self.kind[bit]
            rest[kind] -= 1
            chosen[kind] += 1
            if rules.feasible(chosen, number) and sum(rules.fill(chosen, rest, number)) == number:
                state &= ~(1 << bit)
            else:
                chosen[kind] -= 1
        return state


class _Rules(Struct, frozen=True):
    """Which numbers of losses (other, air, submarines, transports) hits of three kinds can cause."""

    ships: int
    air: int
    submarines: int
    destroyer: bool

    def _spare(self, chosen: Sequence[int]) -> int:
        """Hits of ships that are not needed for aircraft and submarines."""
        _, air, submarines, _ = chosen
        hidden = 0 if self.destroyer else max(0, submarines - self.submarines)
        return self.ships - hidden - max(0, air - self.air)

    def feasible(self, chosen: Sequence[int], number: int) -> bool:
        return self._spare(chosen) >= 0 and sum(chosen) <= number

    def fill(self, chosen: Sequence[int], rest: Sequence[int], number: int) -> list[int]:
        """As many more as can be, the submarines first, then aircraft, for they are the hardest to hit."""
        full = [*chosen]
        for kind in (2, 1, 0, 3):
            able = min(rest[kind], number - sum(full))
            while able > 0:
                full[kind] += 1
                if self._spare(full) < 0:
                    full[kind] -= 1
                    break
                able -= 1
        return full


def _summed(pairs: Iterable[tuple[int, float]]) -> dict[int, float]:
    found: dict[int, float] = {}
    for state, chance in pairs:
        found[state] = found.get(state, 0.0) + chance
    return found
