"""Odds of a battle: the sequence of [GC] and [AMP] with probabilities for dice and standing orders for decisions."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from itertools import product
from typing import NamedTuple

from pbem.games.axis_and_allies_pacific.battle import Battle, can_hurt, combat_capable, survey, worth
from pbem.games.axis_and_allies_pacific.casualties import chooser_of
from pbem.games.axis_and_allies_pacific.firing import attack_values, defense_values
from pbem.games.axis_and_allies_pacific.odds_force import Fire, Force, Order
from pbem.games.axis_and_allies_pacific.orders import read_space
from pbem.games.axis_and_allies_pacific.state import AIR, LAND, State, Unit
from pbem.kernel.canon import Plain
from pbem.kernel.orders import Rejected
from pbem.kernel.standing import ASK_ME, Clause, holds
from pbem.kernel.wording import Message
from pbem.odds import duel
from pbem.odds.chances import Chances, TooLarge, solve
from pbem.odds.distributions import Dice, binomial
from pbem.odds.sampling import Sampled, sample

Plans = Callable[[str, str], Sequence[Clause]]  # (seat, kind of question) -> its standing order
USUAL: Mapping[str, Plain] = {"casualties": "cheapest first", "submarines": "strike", "retreat": "press"}
LIMIT = 1_000_000  # transitions; a few seconds
COURSES = 20_000  # of a sample


class Moment(NamedTuple):
    """A battle between two rounds. `left`: the attacker has retreated. Rounds are counted as far as orders look at them."""

    round: int
    attack: int
    defence: int
    left: bool = False


@dataclass(frozen=True, slots=True)
class Clash:
    """A battle that is to be fought. Landed units have the role `landed`; AA guns are not among the defenders.

    `ways_out`: where these attackers may retreat to. `bombards`: dice before the landing [AMP-05]. `flak`: an AA gun
    fires before the first round [AIR-03]. `round`: rounds already fought.
    """

    g: State
    space: str
    power: str
    attackers: Sequence[Unit]
    defenders: Sequence[Unit]
    at_sea: bool
    ways_out: Callable[[Sequence[Unit]], Sequence[str]]
    bombards: Dice = ()
    flak: bool = False
    round: int = 0
    notes: Sequence[Message] = field(default=())


@dataclass(frozen=True, slots=True)
class Odds:
    """Probabilities of how a battle ends, and means in IPC. They add up: win + loss + draw + retreat = 1.

    `win`: only attackers are left; `loss`: only defenders; `draw`: nobody, or both because neither can hit; `taken`: a
    land unit holds the land. Survivors are texts with their probabilities, the likeliest first; `lost` is the mean cost
    of what a side loses, `swing` the defender's less the attacker's. `error`: 0 when exact, else the largest standard
    error of a probability.
    """

    win: float
    loss: float
    draw: float
    retreat: float
    taken: float
    attackers: Mapping[str, float]
    defenders: Mapping[str, float]
    attack_lost: float
    defence_lost: float
    error: float
    notes: Sequence[Message]

    @property
    def swing(self) -> float:
        """What the attacker gains on the mean, in IPC."""
        return self.defence_lost - self.attack_lost


def odds_of(clash: Clash, plans: Plans, limit: int = LIMIT, courses: int = COURSES) -> Odds:
    """The exact odds; when there are more than `limit` transitions, sampled ones from so many courses with their error."""
    fight = Fight(clash, plans)
    ends, error = fight.ends(limit, courses)
    return _summary(fight, ends, error)


class Fight:
    """One clash with the decisions of both sides."""

    def __init__(self, clash: Clash, plans: Plans) -> None:
        self.clash, self.g, self.plans = clash, clash.g, cache(plans)
        self.attack = Force(clash.g, clash.attackers, attacks=1)
        self.defence = Force(clash.g, clash.defenders, attacks=0)
        self.known_orders: dict[str, Order | None] = {}
        self.ways_out = cache(lambda state: clash.ways_out(self.attack.fighting(state)))
        self.after = cache(self._after)
        self.settled = cache(self._settled)
        self.in_contact = cache(self._in_contact)
        self.known_facts = cache(self._side_facts)

    # -- which way it is counted -------------------------------------------------------------------------------------

    def ends(self, limit: int = LIMIT, courses: int = COURSES) -> tuple[Chances[Moment], float]:
        """The final moments with their probabilities, and the error."""
        start = self._start()
        if self._is_duel:
            return self._as_duels(start), 0.0
        try:
            return solve(start, self.follow, self._rank, limit), 0.0
        except TooLarge:
            found: Sampled[Moment] = sample(start, self.follow, courses)
            return found.chances, found.error

    def _start(self) -> Chances[Moment]:
        """[AIR-03] [GC-16] What AA fire leaves, before the first round."""
        found: Chances[Moment] = {}
        for state, chance in self._after_flak().items():
            first = Moment(self.clash.round, *self._sunk(state, self.defence.whole))
            found[self._under_aircraft(first)] = chance
        return found

    def _under_aircraft(self, now: Moment) -> Moment:
        """[GC-16] Where nobody can hit anybody, submarines may dive and leave transports to the enemy."""
        theirs = self._theirs(now)
        if not self.clash.at_sea or not self.is_over(now) or not any(u.type == "transport" for u in theirs):
            return now
        if not combat_capable(self._mine(now)) or not combat_capable(theirs):
            return now
        d, _ = self._dive(self.defence, now, "defence")
        return Moment(now.round, *self._sunk(now.attack, d))

    def _after_flak(self) -> dict[int, float]:
        states = {self.attack.whole: 1.0}
        for kind in AIR if self.clash.flak else ():
            planes = [u for u in self.attack.units if u.type == kind]
            down = [(self.attack.destroyed(self.attack.whole, planes[:n]), p) for n, p in enumerate(binomial(len(planes), 1))]
            states = {s & left: p * q for (s, p), (left, q) in product(states.items(), down)}
        return states

    def _rank(self, moment: Moment) -> tuple[int, ...]:
        left = self.attack.inside(moment.attack).bit_count() + self.defence.inside(moment.defence).bit_count()
        return (-left, moment.round, moment.left)

    # -- as a duel ---------------------------------------------------------------------------------------------------

    @cached_property
    def _is_duel(self) -> bool:
        """Hits fall on anything in one fixed order, and who retreats does so altogether."""
        units = [*self.attack.units, *self.defence.units]
        submarines = self.clash.at_sea and any(u.type == "submarine" for u in units)
        apart = any(u.role == "landed" for u in self.attack.units) and not self._presses
        return not submarines and not apart and not self._changes_order

    def _as_duels(self, start: Chances[Moment]) -> Chances[Moment]:
        found: Chances[Moment] = {}
        for moment, chance in start.items():
            if self.is_over(moment):
                found[moment] = found.get(moment, 0.0) + chance
                continue
            for end, p in self._as_duel(moment).items():
                found[end] = found.get(end, 0.0) + p * chance
        return found

    def _as_duel(self, start: Moment) -> Chances[Moment]:
        """The ends of the battle from here, as an exact duel."""
        attack = self.attack.after_hits(start.attack, self.order("attack", start))
        defence = self.defence.after_hits(start.defence, self.order("defence", start))
        made = duel.Duel(
            tuple(self.attack.fire(s).all_dice for s in attack),
            tuple(self.defence.fire(s).all_dice for s in defence),
            self.clash.bombards,
        )
        rounds, grid = start.round + 1, duel.first_round(made)
        found: Chances[Moment] = {}

        last_a, last_d = len(attack) - 1, len(defence) - 1
        kinds_a = [self.attack.examples(self.attack.inside(s)) for s in attack]
        kinds_d = [self.defence.examples(self.defence.inside(s)) for s in defence]

        def end(a: int, d: int) -> Moment | None:
            return self.after(Moment(rounds, attack[a], defence[d]))

        def ends(a: int, d: int) -> bool:
            if a == last_a or d == last_d:
                return True
            if self._presses and (not self.clash.at_sea or self.in_contact(kinds_a[a], kinds_d[d])):
                return False
            return end(a, d) is not None

        def put_aside(grid: duel.Grid) -> None:
            for (d, row), a in product(enumerate(grid), range(len(attack))):
                if row[a] > 0.0 and ends(a, d) and (over := end(a, d)) is not None:
                    found[over] = found.get(over, 0.0) + row[a]
                    row[a] = 0.0

        while rounds < self._horizon:
            put_aside(grid)
            grid = duel.one_round(made, grid)
            rounds += 1
        put_aside(duel.to_the_end(made, grid, ends))
        return found

    def _after(self, moment: Moment) -> Moment | None:
        """The end that this moment after a round is, or None when the battle goes on."""
        end = self._settled(moment.round, moment.attack, moment.defence)
        return end if self.is_over(end) else None

    # -- round by round ------------------------------------------------------------------------------------------------

    def follow(self, moment: Moment) -> Chances[Moment] | None:
        """The next round: submarines [GC-05..09], fire of both sides [GC-10] [GC-11], then press on or retreat [GC-20]."""
        if self.is_over(moment):
            return None
        found: Chances[Moment] = {}
        dived, silent = self._decide_submarines(moment) if self.clash.at_sea else (moment, _NOBODY)
        number, settled = min(moment.round + 1, self._horizon), self.settled
        for (a, p), (d, q) in product(*self._strikes(dived, silent)):
            struck = Moment(moment.round, a, d)
            on_attack, on_defence = self._exchange(struck, silent, moment.round == 0)
            for (a2, r), (d2, s) in product(on_attack.items(), on_defence.items()):
                end = settled(number, a2, d2)
                found[end] = found.get(end, 0.0) + p * q * r * s
        return found

    def _exchange(self, now: Moment, silent: Silent, first: bool) -> tuple[dict[int, float], dict[int, float]]:
        mine, theirs = self.attack.fire(now.attack, silent[0]), self.defence.fire(now.defence, silent[1])
        if not self.clash.at_sea:
            mine, theirs = mine.as_ships, theirs.as_ships
        if first and self.clash.bombards:
            mine = replace(mine, ships=(*mine.ships, *self.clash.bombards))
        order_a, order_d = self.order("attack", now), self.order("defence", now)
        return self.attack.losses(now.attack, theirs, order_a), self.defence.losses(now.defence, mine, order_d)

    def _settled(self, number: int, attack: int, defence: int) -> Moment:
        """After a round: lone transports sink, the battle is over, or the attacker retreats."""
        now = Moment(number, *self._sunk(attack, defence))
        return now if self.is_over(now) or not self._retreats(now) else self._withdrawn(now)

    def is_over(self, moment: Moment) -> bool:
        """[GC-19] Nobody left to fight, or to be hit; on land, who is there fights."""
        mine = self.attack.examples(self.attack.inside(moment.attack))
        theirs = self.defence.examples(self.defence.inside(moment.defence))
        if moment.left or not mine or not theirs:
            return True
        return self.clash.at_sea and not self.in_contact(mine, theirs)

    def _in_contact(self, mine: tuple[int, ...], theirs: tuple[int, ...]) -> bool:
        """[GC-19] Both sides can fight, and one can hit the other: by one unit of each type."""
        one, other = self.attack.by_id(mine), self.defence.by_id(theirs)
        if not combat_capable(one) or not combat_capable(other):
            return False
        return can_hurt(self.g, one, other, attack_values(self.g, one)) or can_hurt(
            self.g, other, one, defense_values(self.g, other)
        )

    def _sunk(self, a: int, d: int) -> tuple[int, int]:
        """[GC-16] [GC-17] Transports alone go down, the attacker's only when they cannot retreat."""
        if not self.clash.at_sea:
            return a, d
        inside, there = self.attack.inside(a), self.defence.inside(d)
        mine_fight, theirs_fight = self.attack.can_fight(inside), self.defence.can_fight(there)
        if mine_fight and not theirs_fight and there:
            return a, self.defence.destroyed(d, self.defence.fighting(there))
        if theirs_fight and not mine_fight and inside:
            mine = self.attack.fighting(inside)
            return (self.attack.without(a, mine) if self.ways_out(inside) else self.attack.destroyed(a, mine)), d
        return a, d

    # -- submarines ----------------------------------------------------------------------------------------------------

    def _decide_submarines(self, moment: Moment) -> tuple[Moment, Silent]:
        """[GC-05] [GC-06] The attacker's, then the defender's; where the other side has a destroyer nothing is decided."""
        a, mine = self._dive(self.attack, moment, "attack")
        d, theirs = self._dive(self.defence, moment._replace(attack=a), "defence")
        return moment._replace(attack=a, defence=d), (mine, theirs)

    def _dive(self, force: Force, moment: Moment, side: str) -> tuple[int, frozenset[int]]:
        """The state of this side afterwards, and which of its submarines do not fire with the others."""
        state, enemies = (moment.attack, self._theirs(moment)) if side == "attack" else (moment.defence, self._mine(moment))
        own = force.fighting(force.inside(state))
        if any(u.type == "destroyer" for u in enemies):
            return state, _NONE
        silent = frozenset(u.id for u in own if u.type == "submarine")
        for owner in dict.fromkeys(u.owner for u in own if u.id in silent):
            boats = [u for u in own if u.id in silent and u.owner == owner]
            given = (_submerging(w, len(boats)) for w in self._applying(owner, "submarines", moment, side))
            state = force.without(state, boats[len(boats) - next(n for n in given if n is not None) :])
        return state, silent

    def _strikes(self, now: Moment, silent: Silent) -> list[list[tuple[int, float]]]:
        """[GC-08] [GC-09] Both sides' surprise strikes: the state of each side after the other's."""
        mine, theirs = self._mine(now), self._theirs(now)
        first = [u for u in mine if u.id in silent[0]]
        second = [u for u in theirs if u.id in silent[1]]
        on_attack, on_defence = {now.attack: 1.0}, {now.defence: 1.0}
        if first and can_hurt(self.g, first, theirs, attack_values(self.g, first)):
            fire = Fire(submarines=((2, len(first)),))
            on_defence = self.defence.losses(now.defence, fire, self.order("defence", now))
        if second and can_hurt(self.g, second, mine, defense_values(self.g, second)):
            fire = Fire(submarines=((1, len(second)),))
            on_attack = self.attack.losses(now.attack, fire, self.order("attack", now))
        return [list(on_attack.items()), list(on_defence.items())]

    def _mine(self, moment: Moment) -> tuple[Unit, ...]:
        return self.attack.fighting(self.attack.inside(moment.attack))

    def _theirs(self, moment: Moment) -> tuple[Unit, ...]:
        return self.defence.fighting(self.defence.inside(moment.defence))

    # -- decisions -------------------------------------------------------------------------------------------------------

    def _facts(self, moment: Moment, side: str, number: int) -> dict[str, int | str | bool]:
        """[GC-20] What a standing order sees: own facts and the enemy's are each looked up for its own side's state."""
        own, enemy = ("attack", "defence") if side == "attack" else ("defence", "attack")
        states = {"attack": moment.attack, "defence": moment.defence}
        about: dict[str, int | str | bool] = {"space": self.clash.space, "side": side, "round": number}
        return {**self.known_facts(own, "own", states[own]), **self.known_facts(enemy, "enemy", states[enemy]), **about}

    def _side_facts(self, side: str, word: str, state: int) -> dict[str, int | str | bool]:
        """The facts about one side, as `own-..` or `enemy-..`."""
        force = self.attack if side == "attack" else self.defence
        units, lost = force.fighting(force.inside(state)), worth(self.g, force.units) - force.value(state)
        mine, theirs = (units, ()) if side == "attack" else ((), units)
        b = Battle(self.clash.space, self.clash.power, lost_attack=lost, lost_defence=lost)
        facts = survey(self.g, b, side if word == "own" else _OTHER[side], mine, theirs)
        return {name: value for name, value in facts.items() if name.startswith(word)}

    def _applying(self, seat: str, kind: str, moment: Moment, side: str) -> list[Plain]:
        """What the clauses say that hold now, the usual answer last."""
        scope, found = f"battle:{self.clash.space}", []
        number = moment.round if kind == "retreat" else moment.round + 1
        for clause in self.plans(seat, kind):
            here = clause.scope in ("", scope)
            if here and (not clause.when or holds(clause.when, self._facts(moment, side, number))):
                if clause.do == ASK_ME:
                    break
                found.append(clause.do)
        return [*found, USUAL[kind]]

    def order(self, side: str, moment: Moment) -> Order:
        """The order of loss of a side at this moment."""
        return self._order(side, moment) if self._changes_order else self._first_orders[side]

    @cached_property
    def _first_orders(self) -> dict[str, Order]:
        start = Moment(self.clash.round, self.attack.whole, self.defence.whole)
        return {side: self._order(side, start) for side in ("attack", "defence")}

    def _order(self, side: str, moment: Moment) -> Order:
        """[MULT-05] Whoever has most units chooses; a clause that cannot be read does not apply."""
        force, seat = self.attack, self.clash.power
        if side == "defence":
            force, seat = self.defence, chooser_of(self.g, self._theirs(moment), self.clash.power)
        orders = (self._readable(side, force, wanted) for wanted in self._applying(seat, "casualties", moment, side))
        return next(order for order in orders if order is not None)

    def _readable(self, side: str, force: Force, wanted: Plain) -> Order | None:
        key = f"{side} {wanted!r}"
        if key not in self.known_orders:
            try:
                self.known_orders[key] = force.order(wanted)
            except Rejected:
                self.known_orders[key] = None
        return self.known_orders[key]

    def _retreats(self, now: Moment) -> bool:
        if self._presses:
            return False
        spaces = self.ways_out(self.attack.inside(now.attack))
        if not spaces:
            return False
        for wanted in self._applying(self.clash.power, "retreat", now, "attack"):
            if wanted == "press":
                return False
            if wanted == "retreat" or (isinstance(wanted, dict) and self._leads_out(wanted, spaces)):
                return True
        return False

    def _leads_out(self, wanted: Mapping[str, Plain], spaces: Sequence[str]) -> bool:
        body = wanted.get("retreat")
        listed = body if isinstance(body, list) else [body]
        return any(_named(self.g, s) in spaces for s in listed)

    def _withdrawn(self, now: Moment) -> Moment:
        """[GC-20] [AMP-09] All leave together, but landed units stay and fight on."""
        mine = self._mine(now)
        stay = [u for u in mine if u.role == "landed"]
        state = self.attack.without(now.attack, [u for u in mine if u not in stay])
        return now._replace(attack=state, left=not stay)

    # -- what the orders look at ------------------------------------------------------------------------------------------

    @cached_property
    def _seats(self) -> list[str]:
        return [self.clash.power, *dict.fromkeys(u.owner for u in self.defence.units)]

    @cached_property
    def _presses(self) -> bool:
        """No standing order ever retreats."""
        return all(c.do in ("press", ASK_ME) for c in self.plans(self.clash.power, "retreat"))

    @cached_property
    def _changes_order(self) -> bool:
        """The order of loss depends on how the battle goes, or on who is left to choose."""
        given = [tuple(self.plans(s, "casualties")) for s in self._seats]
        differ = any(one != given[1] for one in given[2:])
        return differ or any(_looks_at_battle(c.when) for clauses in given for c in clauses)

    @cached_property
    def _horizon(self) -> int:
        """Up to which round rounds are counted: as far as a condition can tell them apart."""
        conditions = [c.when for s in self._seats for kind in USUAL for c in self.plans(s, kind) if "round" in c.when]
        if not conditions:
            return self.clash.round + 1
        numbers = [int(n) for when in conditions for n in re.findall(r"\d+", when)]
        beyond = any("round" in _ROUND_AND_NUMBER.sub("", when) for when in conditions)  # it is held against another fact
        units = len(self.attack.units) + len(self.defence.units) if beyond else 0
        return max([self.clash.round, units, *numbers]) + 1


_ROUND_AND_NUMBER = re.compile(r"round\s*(!=|[<>]=?|=)\s*\d+|\d+\s*(!=|[<>]=?|=)\s*round")
_OTHER = {"attack": "defence", "defence": "attack"}
Silent = tuple[frozenset[int], frozenset[int]]
_NONE: frozenset[int] = frozenset()
_NOBODY: Silent = (_NONE, _NONE)


def _submerging(wanted: Plain, number: int) -> int | None:
    """[GC-06] How many of these submarines submerge; None when the order does not fit them."""
    if wanted in ("strike", "submerge"):
        return number if wanted == "submerge" else 0
    counts = {"strike": 0, "submerge": 0, **wanted} if isinstance(wanted, dict) else {}
    strike, dive = counts.get("strike"), counts.get("submerge")
    return dive if isinstance(strike, int) and isinstance(dive, int) and strike + dive == number else None


def _looks_at_battle(when: str) -> bool:
    return bool(re.search(r"round|own|enemy", when))


def _named(g: State, space: Plain) -> str:
    try:
        return read_space(g.board, space)
    except Rejected:
        return ""


def _summary(fight: Fight, ends: Chances[Moment], error: float) -> Odds:
    attack, defence = fight.attack, fight.defence
    kinds = {"win": 0.0, "loss": 0.0, "draw": 0.0, "retreat": 0.0}
    taken = 0.0
    left: tuple[dict[int, float], dict[int, float]] = ({}, {})
    for moment, p in ends.items():
        mine, theirs = attack.inside(moment.attack), defence.inside(moment.defence)
        kind = "win" if mine and not theirs else "loss" if theirs and not mine else "draw"
        kinds["retreat" if moment.left else kind] += p
        if kind == "win" and not fight.clash.at_sea and any(u.type in LAND for u in attack.fighting(mine)):
            taken += p
        for state, found in ((moment.attack, left[0]), (moment.defence, left[1])):
            found[state] = found.get(state, 0.0) + p
    lost_a, lost_d = (
        sum(p * (f.value(f.whole) - f.value(s)) for s, p in found.items())
        for f, found in zip((attack, defence), left, strict=True)
    )
    ranked = [_ranked(force, found) for force, found in zip((attack, defence), left, strict=True)]
    return Odds(
        **kinds, taken=taken, attackers=ranked[0], defenders=ranked[1], attack_lost=lost_a, defence_lost=lost_d,
        error=error, notes=tuple(fight.clash.notes),
    )  # fmt: skip


def _ranked(force: Force, left: Mapping[int, float]) -> dict[str, float]:
    """What is left in words, the likeliest first."""
    found: dict[str, float] = {}
    for state, p in left.items():
        text = force.spell(state)
        found[text] = found.get(text, 0.0) + p
    return dict(sorted(found.items(), key=lambda item: -item[1]))
