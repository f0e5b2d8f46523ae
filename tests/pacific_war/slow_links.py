"""A second, slow reading of command links, activation, deactivation and control, hex by hex.

Written from the rules alone (PW-CMD-06 to PW-CMD-12, PW-ACT-02 to PW-ACT-08, PW-ACT-12, PW-ACT-13, PW-NAT-04, PW-MOV-04): it
shares with the game the printed map and counters and the plain fields of the state. For games without sealed forces.
"""

from __future__ import annotations

import heapq
import random
from collections import Counter
from collections.abc import Iterable
from functools import cached_property

from pbem.games.pacific_war.board import FORT
from pbem.games.pacific_war.state import CAMPAIGN, FOE, JAPAN, SIDES, STRATEGIC, State
from pbem.games.pacific_war.world.links import reach as reach_of_the_game
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask
from pbem.kernel.orders import Rejected
from tests.pacific_war.slow_judge import accepted, beside, rings

ENTRY = {"clear": 2, "atoll": 2, "jungle": 3, "rough": 6}  # mountains only across a transport route
BY_LAND, BY_OSB, BY_AIR, FLIGHT = 12, 20, 6, 8
SPARE = 0  # hexes of range more than printed: set by a test that wants the judge to be wrong
At = tuple[int, int]  # hex, and the hex from which a double coastline was entered


class Links:
    """The links of one side in one position. Nothing is kept between two of these."""

    def __init__(self, g: State, side: str) -> None:
        self.g, self.side, self.foe = g, side, FOE[side]
        on_map = [(u, x) for u, x in g.units.items() if x.box == "map"]
        self.air = [(g.counter(u), x.at) for u, x in on_map if g.counter(u).kind == "air"]
        self.fleets = {s: {x.at for u, x in on_map if g.counter(u).kind == "naval" and g.side(u) == s} for s in SIDES}
        covered = {h for c, at in self.air if c.side == side and c.type == "1E" for h in self.around(at)}
        self.watched = {h for c, at in self.air if c.side != side for h in self.around(at)} - covered
        self.blocked = self.watched | (self.fleets[self.foe] - self.fleets[side])

    def around(self, place: int) -> Iterable[int]:
        return [h for h, far in rings(place).items() if far <= 2 and self.g.board.on_map(h)]

    # -- ways ----------------------------------------------------------------------------------------------------------

    def sails(self, here: int, came: int, there: int) -> bool:
        """[PW-MAP-01] From water to water; a double coastline is left on the side on which it was entered."""
        board = self.g.board
        if not board.on_map(there) or not board.hex(there).water:
            return False
        coasts = board.double_coasts
        if there in coasts and not any(here in part for part in coasts[there]):
            return False
        return here not in coasts or any(there in part and (not came or came in part) for part in coasts[here])

    def by_sea(self, starts: Iterable[int], most: int) -> dict[int, int]:
        """[PW-CMD-08] Water hexes with their distance; a way goes into a blocked hex, not through it [PW-CMD-09]."""
        best: dict[At, int] = {}
        queue = [(0, h, 0) for h in starts]
        while queue:
            far, h, came = heapq.heappop(queue)
            if (h, came) in best or far > most:
                continue
            best[(h, came)] = far
            if far and h in self.blocked:
                continue
            for n in beside(h):
                if self.sails(h, came, n):
                    heapq.heappush(queue, (far + 1, n, h if n in self.g.board.double_coasts else 0))
        found: dict[int, int] = {}
        for (h, _), far in best.items():
            found[h] = min(far, found.get(h, far))
        return found

    def by_land(self, start: int, points: int, towards: bool = False) -> set[int]:
        """[PW-CMD-08] Land hexes in reach of a march from a hex; `towards`: those from which a march reaches it."""
        board = self.g.board
        best: dict[int, int] = {}
        queue = [(0, start)]
        while queue:
            spent, h = heapq.heappop(queue)
            if h in best or spent > points:
                continue
            best[h] = spent
            if h != start and h in self.blocked:
                continue
            for n in beside(h):
                strait = (min(h, n), max(h, n)) in board.straits
                if board.on_map(n) and board.hex(n).land and not strait:
                    entered = board.hex(h if towards else n).land
                    route = n in board.hex(h).routes or h in board.hex(n).routes
                    if route or entered in ENTRY:
                        heapq.heappush(queue, (spent + (2 if route else ENTRY[entered]), n))
        return set(best)

    # -- sources, headquarters, what they link ----------------------------------------------------------------------------

    @cached_property
    def from_sources(self) -> dict[int, int]:
        """[PW-CMD-07] Water that a line from an ultimate source reaches."""
        g, board = self.g, self.g.board
        if self.side == JAPAN:
            homes = [int(k[5:]) for k, left in g.ledger.items() if k.startswith("home ") and left > 0]
            return self.by_sea([h for h in homes if g.control.get(h, JAPAN) == JAPAN], 10**6)
        (west, east), south = board.positions, board.rows[0]
        hexes = [r * 100 + p for r in range(board.rows[0], board.rows[1] + 1) for p in range(west, east + 1)]
        edge = [h for h in hexes if board.on_map(h) and (h % 100 in (west, east) or h // 100 == south) and board.hex(h).water]
        return self.by_sea([h for h in edge if h not in self.watched and h not in self.fleets[JAPAN]], 10**6)

    def port(self, place: int) -> bool:
        """A friendly port that is not interdicted."""
        base = self.g.ports.get(place)
        return base is not None and base.side == self.side and not base.interdicted

    def coast(self, place: int) -> bool:
        return bool(self.g.board.hex(place).land and self.g.board.hex(place).water)

    def osb(self, place: int) -> bool:
        base = self.g.osbs.get(place)
        return base is not None and base.side == self.side

    def headquarters(self) -> list[str]:
        """[PW-CMD-06] Linked ones: in a working port, by water to a source."""
        ours = [n for n, h in self.g.hqs.items() if h.side == self.side and h.box == "map"]
        return [n for n in ours if self.port(self.g.hqs[n].at) and self.g.hqs[n].at in self.from_sources]

    def linked_to(self, hq: str) -> set[int]:
        """[PW-CMD-08] Hexes that links from this headquarters reach, emergency links apart."""
        at, reach = self.g.hqs[hq].at, self.g.hqs[hq].range + SPARE
        found = {h for h in self.by_sea([at], reach) if self.coast(h)} | {at}
        used: set[int] = set()
        while True:
            hubs = [h for h in found if h not in used and (self.port(h) or self.osb(h))]
            if not hubs:
                return found
            for hub in hubs:
                used.add(hub)
                found |= self.by_land(hub, BY_LAND)
                if self.osb(hub) and self.port(hub):
                    found |= {h for h in self.by_sea([hub], BY_OSB) if self.coast(h)}

    def reach(self) -> dict[str, set[int]]:
        """Linked hexes by linked headquarters, emergency links [PW-CMD-10] [PW-CMD-11] with them."""
        found = {hq: self.linked_to(hq) for hq in self.headquarters()}
        japan = self.side == JAPAN
        routes = [(e[0], e[1]) for n, e in self.g.express.items() if n.startswith("express") == japan]
        routes = [r for r in routes if japan or self.flies(*r)]
        for hq, places in found.items():
            more, changed = set(places), True
            ends: set[int] = set()
            while changed:
                changed = False
                for start, end in routes:
                    if (start in places or start in ends) and end not in ends:
                        ends.add(end)
                        changed = True
            for end in ends:
                more |= {end} if japan else self.by_land(end, BY_AIR, towards=True)
            found[hq] = more
        return found

    def flies(self, start: int, end: int) -> bool:
        """[PW-CMD-11] At most eight hexes, not through blocked ones."""
        edge, seen = {start}, {start}
        for _ in range(FLIGHT):
            edge = {n for h in edge if h == start or h not in self.blocked for n in beside(h)} - seen
            seen |= {h for h in edge if self.g.board.on_map(h)}
            edge &= seen
        return end in seen


def link_disagreements(g: State) -> list[str]:
    """The links of both sides, read twice."""
    found = []
    for side in SIDES if g.level in (CAMPAIGN, STRATEGIC) else ():
        mine, theirs = Links(g, side).reach(), reach_of_the_game(g, side)
        found += [f"{hq} is linked: {hq in mine} says the slow judge" for hq in sorted(mine.keys() ^ theirs.keys())]
        for hq in mine.keys() & theirs.keys():
            found += [f"{hq} links {h:04d}: {h in mine[hq]} says the slow judge" for h in sorted(mine[hq] ^ theirs[hq])]
    return found


# -- activation and deactivation --------------------------------------------------------------------------------------------


def activation_disagreements(g: State, ask: Ask, dice: random.Random, number: int = 12) -> list[str]:
    """Single units called by headquarters in the common phase [PW-ACT-12], some of all, legal or not."""
    if ask.kind != "join" or g.operation is None or any(m.handle for m in g.markers.values()) or any(g.forces.values()):
        return []
    if ask.seat == g.operator and not g.operation.days:
        return []  # its length is sealed
    side, links, found = ask.seat, Links(g, ask.seat).reach(), []
    usual = {h for hq in Links(g, side).headquarters() for h in Links(g, side).linked_to(hq)}
    units = [u for u, x in g.units.items() if g.side(u) == side and x.box == "map"]
    for hq in [n for n, h in g.hqs.items() if h.side == side and h.box == "map"]:
        for unit in dice.sample(units, min(number, len(units))):
            counter, u = g.counter(unit), g.units[unit]
            dear = 2 if g.express and u.at not in usual else 1
            multiple = {14: 1, 21: 2, 28: 3}[g.operation.days if side == g.operator else 14]
            cost = counter.cost * (3 if side == JAPAN and "china" in g.board.hex(u.at).features else 1)
            price = dear if counter.kind == "submarine" else cost * dear * multiple
            ready = not u.active and not u.closed and counter.type != FORT
            ready = ready and (not u.aboard or g.units[u.aboard].active)
            if any("china" in g.board.hex(x).features for x in (u.at, g.hqs[hq].at)):
                continue  # PW-NAT-04 has its own cases
            legal = ready and hq in links and u.at in links[hq] and price <= g.hqs[hq].points and price <= 10
            wrong = _judged(ask, {"activate": {"hq": hq, "units": [unit]}}, legal)
            found += [f"{wrong} at {u.at:04d}"] if wrong else []
    return found


def _judged(ask: Ask, order: Plain, legal: bool) -> str:
    try:
        ask.read(order)
    except Rejected as refused:
        spent = any("at most" in str(p.legal) for p in refused.problems)  # what was spent before in this phase, nobody notes
        return "" if spent or not legal else f"{order} was refused: {refused}"
    return "" if legal else f"{order} was accepted"


def rest_disagreements(g: State, ask: Ask) -> list[str]:
    """[PW-ACT-13] Who may be deactivated in the common phase: troops and aircraft where they are, ships at anchor."""
    if ask.kind != "common" or any(m.handle for m in g.markers.values()) or any(g.forces.values()):
        return []
    found = []
    for unit, u in g.units.items():
        kind, hex_, port = g.counter(unit).kind, g.board.hex(u.at), g.ports.get(u.at)
        if g.side(unit) != ask.seat or u.box != "map" or kind == "submarine" or u.aboard:
            continue  # aboard: aircraft and troops rest in land hexes [PW-DEA-01], with their ship otherwise [PW-RUL-120]
        legal = u.active and not u.landed
        if kind == "naval":
            enemies = any(g.side(n) != ask.seat and x.at == u.at and g.counter(n).kind == "naval" for n, x in g.units.items())
            anchorage = hex_.water == "restricted" or hex_.land == "atoll"
            friendly = port is not None and port.side == ask.seat
            if anchorage and port is not None and not friendly:
                continue  # an enemy port in restricted water or on an atoll: the text says both
            if friendly and enemies:
                continue  # whether enemy ships close a port as they close an anchorage, it does not say
            legal = legal and (friendly or (anchorage and port is None and not enemies))
        if accepted(ask, {"deactivate": [unit]}) != legal:
            found.append(f"{unit} at {u.at:04d} may rest: {legal} says the slow judge")
    return found


# -- control ------------------------------------------------------------------------------------------------------------------


class Control:
    """[PW-MOV-04] Who holds resource hexes and ports, followed from question to question by where the troops are."""

    def __init__(self) -> None:
        self.held: dict[tuple[str, int], str] = {}
        self.events = 0

    def disagreements(self, g: State) -> list[str]:
        """After each step: a hex belongs to whose troops are alone in it, else to whom it belonged."""
        new, self.events = g.events[self.events :], len(g.events)
        theirs = {("control", h): side for h, side in g.control.items()}
        theirs |= {("port", h): base.side for h, base in g.ports.items()}
        alone = self.alone(g)
        political = any(e.rule.startswith(("PW-NAT", "PW-ENG")) for e in new)
        found = []
        for key, side in theirs.items():
            before = self.held.get(key)
            mine = alone.get(key[1], side if before is None or political else before)
            if mine != side:
                found.append(f"{key[0]} of {key[1]:04d} is {side}, the slow judge says {mine}")
        self.held = theirs
        return found

    def alone(self, g: State) -> dict[int, str]:
        sides: dict[int, set[str]] = {}
        for unit, u in g.units.items():
            if g.counter(unit).kind == "ground" and u.box == "map" and not u.aboard:
                sides.setdefault(u.at, set()).add(g.side(unit))
        return {h: next(iter(who)) for h, who in sides.items() if len(who) == 1}


BETWEEN = ("activate", "bombard", "common", "contact", "engineering", "join", "land", "mission", "sail", "transport")


class Watch:
    """Compares at some questions of a game: all of control, activation and rest by a chance, links by another."""

    def __init__(self, dice: random.Random, orders: float, positions: float) -> None:
        self.dice, self.orders, self.positions = dice, orders, positions
        self.control, self.seen = Control(), Counter[str]()

    def __call__(self, engine: Engine) -> None:
        found = self.disagreements(engine)
        assert not found, f"month {engine.state.month}: {found[0]}"

    def disagreements(self, engine: Engine) -> list[str]:
        """What the game and this judge think differently here."""
        g, ask, found = engine.state, engine.request, []
        if not isinstance(ask, Ask):
            return []
        if ask.kind in BETWEEN:
            self.seen["control"] += 1
            found += self.control.disagreements(g)
        if ask.kind in ("join", "common") and self.dice.random() < self.orders:
            self.seen["activations" if ask.kind == "join" else "rests"] += 1
            found += activation_disagreements(g, ask, self.dice) + rest_disagreements(g, ask)
        if self.dice.random() < self.positions:
            self.seen["links"] += 1
            found += link_disagreements(g)
        return found
