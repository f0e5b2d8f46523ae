"""Idle aircraft in Noncombat Move: to guarded land, or a deck, from where more can be reached."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, field

from pbem.games.axis_and_allies_pacific.bot.airfields import (
    appeal,
    guards,
    homes_of,
    movement_left,
    prospects_of,
    risk,
    room_on,
)
from pbem.games.axis_and_allies_pacific.bot.forces import orders_for
from pbem.games.axis_and_allies_pacific.bot.judgement import FAR, Temper, garrison, is_key, is_safe, steps
from pbem.games.axis_and_allies_pacific.bot.rehearsal import Rehearsal
from pbem.games.axis_and_allies_pacific.bot.value import counter
from pbem.games.axis_and_allies_pacific.landing import may_land
from pbem.games.axis_and_allies_pacific.state import AIR, State, Unit
from pbem.kernel.canon import Plain

LOST = 900  # chance in thousandths from which on aircraft do not stay to defend a place
BETTER = 300  # thousandths of an IPC from which another post is worth the flight


class Posts(Struct):
    """Where each idle aircraft is to stand; nothing has been ordered yet."""

    g: State
    power: str
    prospects: dict[str, int]
    idle: list[Unit]
    at: dict[int, str]
    fear: int  # per cent of what an answer would cost
    risks: dict[tuple[str, tuple[int, ...]], int] = field(default_factory=dict)

    def others(self, plane: Unit, space: str) -> list[Unit]:
        """Who else stands in a place, as planned."""
        here = [u for u in garrison(self.g, self.power, space) if self.at.get(u.id, space) == space]
        come = [u for u in self.idle if self.at[u.id] == space and u.at != space]
        return [u for u in (*here, *come) if u.id != plane.id]

    def risk(self, space: str, held: Sequence[Unit]) -> int:
        """What the enemy's answer costs each aircraft there."""
        question = space, tuple(sorted(u.id for u in held))
        if question not in self.risks:
            self.risks[question] = risk(self.g, self.power, space, held)
        return self.risks[question]

    def cost(self, plane: Unit, space: str, alone: bool, mates: Sequence[Unit] = ()) -> int:
        """How bad a post is for an aircraft `alone`, or with what it changes for the others there; `mates` come if they can."""
        gain_there = appeal(self.g, plane, space, self.prospects)
        if space in self.g.board.zones:
            return -gain_there * 3 // 2 - 3000
        others = self.others(plane, space)
        air, known = steps(self.g.board, "air")[space], {u.id for u in others}
        wing = 0 if alone else sum(u.type in AIR for u in others)
        come = [u for u in mates if u.id not in known and u.id != plane.id]
        others += [u for u in come if air.get(u.at, FAR) <= movement_left(self.g, u)]
        held = [*others, plane]
        danger = (wing + 1) * self.risk(space, held) - (wing * self.risk(space, others) if wing else 0)
        return 2 * danger * self.fear // 100 - gain_there - guards(self.g, self.power, plane, space, held)

    def costs(self, plane: Unit, hope: bool) -> dict[str, int]:
        """How bad each post is that an aircraft can reach, its place among them; decks take no more than they have room for."""
        mates = self.idle if hope else ()
        open_to = [s for s in homes_of(self.g, self.power, plane) if self.has_room(plane, s)]
        return {s: self.cost(plane, s, hope, mates) for s in (*open_to, plane.at)}

    def has_room(self, plane: Unit, space: str) -> bool:
        """The others who are planned to come leave a deck for it."""
        if space in self.g.board.territories:
            return True
        coming = sum(self.at[u.id] == space for u in self.idle if u.id != plane.id)
        return room_on(self.g, plane, space) > coming

    def improve(self, plane: Unit, hope: bool) -> None:
        """The best post for one aircraft, the others where they are planned to be."""
        here = self.at[plane.id]
        gone = [i for i, space in self.at.items() if self.g.units[i].at == plane.at != space]
        if here == plane.at and _is_needed(self.g, self.power, plane, gone):
            return
        costs = self.costs(plane, hope)
        best = min(costs, key=lambda s: (costs[s], s))
        if costs[best] + BETTER < self.cost(plane, here, hope):
            self.at[plane.id] = best

    def danger(self) -> int:
        """What the enemy's answers cost all aircraft in these places, those that have landed there too, counted twice."""
        spaces = dict.fromkeys(s for u in self.idle for s in (u.at, self.at[u.id]) if s in self.g.board.territories)
        held = [(s, self.others(_NOBODY, s)) for s in spaces]
        return sum(2 * sum(u.type in AIR for u in here) * self.risk(s, here) for s, here in held if here)

    def total(self) -> int:
        """How bad all posts together are."""
        return self.danger() * self.fear // 100 - sum(appeal(self.g, u, self.at[u.id], self.prospects) for u in self.idle)


_NOBODY = Unit(0, "fighter", "", "")


def rebase(stage: Rehearsal, mind: Temper) -> None:
    """The better of two plans: all go where they reach most and those come back whom nobody has followed, or each leaves only
    whom it may leave.
    """
    g, power = stage.g, stage.power
    idle = [u for u in g.of(power) if u.type in AIR and not u.moved and u.aboard is None]
    idle = [u for u in idle if u.at in g.board.territories and may_land(g, power, u.at)]
    wanted = prospects_of(g, power, mind)
    bold, careful = (Posts(g, power, wanted, idle, {u.id: u.at for u in idle}, mind.fear) for _ in range(2))
    for plane in idle:
        bold.improve(plane, True)
    posts = bold
    if bold.danger():
        careful.risks = bold.risks
        for plane in idle + idle:
            bold.improve(plane, False)
            careful.improve(plane, False)
        posts = min(bold, careful, key=Posts.total)
    for ways in [_ways(posts, u) for u in idle if posts.at[u.id] != u.at]:
        any(map(stage.attempt, ways))


def _ways(posts: Posts, plane: Unit) -> list[list[Plain]]:
    """Orders to its post, and to those that are better than its place where that one is refused."""
    costs = posts.costs(plane, False)
    others = sorted((s for s in costs if costs[s] + BETTER < costs[plane.at]), key=lambda s: (costs[s], s))
    return [orders_for([plane], s) for s in dict.fromkeys((posts.at[plane.id], *others))]


def _is_needed(g: State, power: str, plane: Unit, gone: Sequence[int]) -> bool:
    """A capital in danger keeps what it has, another key place too unless it is lost all the same."""
    if plane.at == g.board.capitals.get(power, ""):
        return not is_safe(g, power, plane.at, [*gone, plane.id])
    if not is_key(g, plane.at) or is_safe(g, power, plane.at, [*gone, plane.id]):
        return False
    staying = [u for u in garrison(g, power, plane.at) if u.id not in gone]
    return counter(g, power, plane.at, staying).won < LOST
