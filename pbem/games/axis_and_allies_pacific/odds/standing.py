"""[GC-20] [MULT-05] The decisions of a battle as its standing orders make them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property

from pbem.games.axis_and_allies_pacific.battle import Battle, survey, worth
from pbem.games.axis_and_allies_pacific.casualties import chooser_of
from pbem.games.axis_and_allies_pacific.odds.clash import Moment
from pbem.games.axis_and_allies_pacific.odds.force import Force, Order
from pbem.games.axis_and_allies_pacific.odds.sides import Sides
from pbem.games.axis_and_allies_pacific.orders import read_space
from pbem.games.axis_and_allies_pacific.planning import AT, PlanFacts
from pbem.games.axis_and_allies_pacific.state import State
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Facts
from pbem.kernel.orders import Rejected
from pbem.kernel.standing import ASK_ME, Clause, beside, holds

Plans = Callable[[str, str], Sequence[Clause]]  # (seat, kind of question) -> its standing order
USUAL: Mapping[str, Plain] = {"casualties": "cheapest first", "submarines": "strike", "retreat": "press"}
_ROUND_AND_NUMBER = re.compile(r"round\s*(!=|[<>]=?|=)\s*\d+|\d+\s*(!=|[<>]=?|=)\s*round")
_OTHER = {"attack": "defence", "defence": "attack"}


class Elsewhere(PlanFacts):
    """The facts of the game that no course of a battle changes: all but who stands in its space."""

    def __init__(self, g: State, seat: str, space: str) -> None:
        super().__init__(g, seat)
        self._here = f"{AT}{space}"

    def __getitem__(self, name: str) -> int | str | bool:
        if name.lower().endswith(self._here):
            raise KeyError(name)
        return super().__getitem__(name)


class Orders:
    """What the standing orders of both sides say at any moment."""

    def __init__(self, sides: Sides, plans: Plans) -> None:
        self.sides, self.clash, self.g, self.plans = sides, sides.clash, sides.g, cache(plans)
        self.known_orders: dict[str, Order | None] = {}
        self.known_facts = cache(self._side_facts)

    def applying(self, seat: str, kind: str, moment: Moment, side: str) -> list[Plain]:
        """What the clauses say that hold now, the usual answer last."""
        scope, found = f"battle:{self.clash.space}", []
        number = moment.round if kind == "retreat" else moment.round + 1
        for clause in self.plans(seat, kind):
            here = clause.scope in ("", scope)
            if here and (not clause.when or holds(clause.when, self._facts(seat, moment, side, number))):
                if clause.do == ASK_ME:
                    break
                found.append(clause.do)
        return [*found, USUAL[kind]]

    def _facts(self, seat: str, moment: Moment, side: str, number: int) -> Facts:
        """[GC-20] What a standing order sees: own facts and the enemy's are each looked up for its own side's state, and what
        the game is elsewhere."""
        own, enemy = ("attack", "defence") if side == "attack" else ("defence", "attack")
        states = {"attack": moment.attack, "defence": moment.defence}
        about: dict[str, int | str | bool] = {"space": self.clash.space, "side": side, "round": number}
        known = {**self.known_facts(own, "own", states[own]), **self.known_facts(enemy, "enemy", states[enemy]), **about}
        return beside(known, Elsewhere(self.g, seat, self.clash.space))

    def _side_facts(self, side: str, word: str, state: int) -> dict[str, int | str | bool]:
        """The facts about one side, as `own-..` or `enemy-..`."""
        force = self.sides.attack if side == "attack" else self.sides.defence
        units, lost = force.fighting(force.inside(state)), worth(self.g, force.units) - force.value(state)
        mine, theirs = (units, ()) if side == "attack" else ((), units)
        b = Battle(self.clash.space, self.clash.power, lost_attack=lost, lost_defence=lost)
        facts = survey(self.g, b, side if word == "own" else _OTHER[side], mine, theirs)
        return {name: value for name, value in facts.items() if name.startswith(word)}

    # -- the order of loss ---------------------------------------------------------------------------------------------

    def order(self, side: str, moment: Moment) -> Order:
        """The order of loss of a side at this moment."""
        return self._order(side, moment) if self.changes_order else self._first_orders[side]

    @cached_property
    def _first_orders(self) -> dict[str, Order]:
        return {side: self._order(side, self.sides.whole) for side in ("attack", "defence")}

    def _order(self, side: str, moment: Moment) -> Order:
        """[MULT-05] Whoever has most units chooses; a clause that cannot be read does not apply."""
        force, seat = self.sides.attack, self.clash.power
        if side == "defence":
            force, seat = self.sides.defence, chooser_of(self.g, self.sides.theirs(moment), self.clash.power)
        orders = (self._readable(side, force, wanted) for wanted in self.applying(seat, "casualties", moment, side))
        return next(order for order in orders if order is not None)

    def _readable(self, side: str, force: Force, wanted: Plain) -> Order | None:
        key = f"{side} {wanted!r}"
        if key not in self.known_orders:
            try:
                self.known_orders[key] = force.order(wanted)
            except Rejected:
                self.known_orders[key] = None
        return self.known_orders[key]

    # -- retreats -------------------------------------------------------------------------------------------------------

    def retreats(self, now: Moment) -> bool:
        """[GC-20] The attacker leaves after this round."""
        if self.presses:
            return False
        spaces = self.sides.ways_out(self.sides.attack.inside(now.attack))
        if not spaces:
            return False
        for wanted in self.applying(self.clash.power, "retreat", now, "attack"):
            if wanted == "press":
                return False
            if wanted == "retreat" or (isinstance(wanted, dict) and self._leads_out(wanted, spaces)):
                return True
        return False

    def _leads_out(self, wanted: Mapping[str, Plain], spaces: Sequence[str]) -> bool:
        body = wanted.get("retreat")
        listed = body if isinstance(body, list) else [body]
        return any(_named(self.g, s) in spaces for s in listed)

    @cached_property
    def presses(self) -> bool:
        """No standing order ever retreats."""
        return all(c.do in ("press", ASK_ME) for c in self.plans(self.clash.power, "retreat"))

    # -- what the orders look at ------------------------------------------------------------------------------------------

    @cached_property
    def _seats(self) -> list[str]:
        return [self.clash.power, *dict.fromkeys(u.owner for u in self.sides.defence.units)]

    @cached_property
    def changes_order(self) -> bool:
        """The order of loss depends on how the battle goes, or on who is left to choose."""
        given = [tuple(self.plans(s, "casualties")) for s in self._seats]
        differ = any(one != given[1] for one in given[2:])
        return differ or any(_looks_at_battle(c.when) for clauses in given for c in clauses)

    @cached_property
    def horizon(self) -> int:
        """Up to which round rounds are counted: as far as a condition can tell them apart."""
        conditions = [c.when for s in self._seats for kind in USUAL for c in self.plans(s, kind) if "round" in c.when]
        if not conditions:
            return self.clash.round + 1
        numbers = [int(n) for when in conditions for n in re.findall(r"\d+", when)]
        beyond = any("round" in _ROUND_AND_NUMBER.sub("", when) for when in conditions)  # it is held against another fact
        units = len(self.sides.attack.units) + len(self.sides.defence.units) if beyond else 0
        return max([self.clash.round, units, *numbers]) + 1


def _looks_at_battle(when: str) -> bool:
    return bool(re.search(r"round|own|enemy", when))


def _named(g: State, space: Plain) -> str:
    try:
        return read_space(g.board, space)
    except Rejected:
        return ""
