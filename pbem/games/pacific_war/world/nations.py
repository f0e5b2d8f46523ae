"""[PW-NAT] [PW-SI-02] What happens to the nations: internment in the USSR, surrender, Chinese that do not stack."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import Struct

from pbem.games.pacific_war.events import Remarked, Removed
from pbem.games.pacific_war.state import ALLIES, JAPAN, STRATEGIC, State
from pbem.games.pacific_war.strategic import NationFell
from pbem.games.pacific_war.tallies import ControlTaken, HqLost, PoolsLost
from pbem.games.pacific_war.terms import COUNTRIES
from pbem.games.pacific_war.world.initiative import overrun, shift
from pbem.games.pacific_war.world.links import usually_linked
from pbem.kernel.events import emit
from pbem.kernel.wording import Message, msg

CHINESE = ("china", "red-china")  # nationalists and reds
EXITED = 80  # [PW-NAT-03] steps that left through the exit hexes
SHIFT = 3  # [PW-SI-02]


class Nation(Struct, frozen=True):
    """[PW-NAT-02] to [PW-NAT-05] What Japan must hold, what is more asked, and what a surrender takes away."""

    name: str
    rule: str
    held: Callable[[State], Iterable[int]]
    more: Callable[[State], bool]
    hqs: str = ""  # how the names of the headquarters begin that go
    initiative: int = 0
    replacements: tuple[str, ...] = ()


def _java_empty(g: State) -> bool:
    hidden = g.forces.get(ALLIES, ())
    return not any(g.here(ALLIES, h, "ground", "air") or h in hidden for h in g.board.region("java"))


NATIONS = (
    Nation("java", "PW-NAT-02", lambda g: g.board.region("java"), _java_empty, "ABDA"),
    Nation(
        "india",
        "PW-NAT-03",
        lambda g: g.board.region("indian-city"),
        lambda g: g.ledger.get("exited steps", 0) >= EXITED,
        "SEAC",
        SHIFT,
        ("britain",),
    ),
    Nation("china", "PW-NAT-04", lambda g: g.board.region("chinese-city"), lambda g: True, "", SHIFT, CHINESE),
    Nation("malaya", "PW-NAT-05", lambda g: g.board.region("singapore"), lambda g: True, "Malaya"),
)
TRACKED = {
    "java",
    "indian-city",
    "chinese-city",
    "singapore",
    "bangkok",
}  # hexes whose control matters from the first capture on


def capture(g: State, side: str, place: int) -> None:
    """[PW-MOV-04] A side's ground unit stands alone in a hex: it takes over what the enemy controls there."""
    features = set(g.board.hex(place).features)
    before = g.control.get(place, ALLIES if features & TRACKED else side)
    if before == side:
        return
    emit(g, ControlTaken(place, side))
    for feature in ("co-prosperity", "home"):
        if feature in features:
            overrun(g, side, place, feature)
    if side == JAPAN and "bangkok" in features:
        shift(g, 1, "PW-SI-02")


def surrenders(g: State) -> None:
    """[PW-NAT-02] to [PW-NAT-05] Every nation whose conditions are met, once; campaigns only those that the scenario names."""
    for nation in NATIONS:
        counts = g.level == STRATEGIC or nation.name in g.script.get("surrenders", ())
        places = list(nation.held(g))
        if not counts or not places or has_surrendered(g, nation.name):
            continue
        if all(g.control.get(h) == JAPAN for h in places) and nation.more(g):
            _surrender(g, nation)


def has_surrendered(g: State, nation: str) -> bool:
    """It has fallen in this game."""
    return bool(g.ledger.get(f"surrendered {nation}"))


def _surrender(g: State, nation: Nation) -> None:
    emit(g, NationFell(nation.name, nation.rule))
    emit(g, Remarked(msg("{nation} surrenders", nation=COUNTRIES[nation.name]), nation.rule))
    shift(g, nation.initiative, "PW-SI-02")
    for name, hq in g.hqs.items():
        if nation.hqs and name.startswith(nation.hqs) and hq.side == ALLIES and hq.box != "gone":
            emit(g, HqLost(name))
    lost = tuple(key for key in g.pools.get(ALLIES, {}) if lost_steps(g, key))
    if lost:
        emit(g, PoolsLost(lost, nation.rule))
    if nation.name == "china":
        _disband(g)


def _disband(g: State) -> None:
    """[PW-NAT-04] Chinese units without a link, emergency links not counted, leave the game."""
    linked = usually_linked(g, ALLIES)
    for unit in [u for u in g.on_map(ALLIES) if g.counter(u).nation in CHINESE and g.units[u].at not in linked]:
        emit(g, Removed(unit, "surrendered", "PW-NAT-04"))


def lost_steps(g: State, key: str) -> bool:
    """[PW-NAT-03] [PW-NAT-04] Replacement steps (`ground britain`) of a nation that has surrendered."""
    return any(key.endswith(f" {n}") for nation in NATIONS if has_surrendered(g, nation.name) for n in nation.replacements)


def closed_to(g: State, unit: str, place: int) -> tuple[Message, str] | None:
    """Why a ground unit cannot enter a hex for reasons of state: reason and rule; None if it can."""
    c = g.counter(unit)
    if c.side == JAPAN and "ussr" in g.board.hex(place).features:
        return msg("Japanese units never enter the USSR"), "PW-NAT-01"
    if c.nation in CHINESE and any(
        g.counter(u).nation in CHINESE and g.counter(u).nation != c.nation for u in g.ashore(ALLIES, place)
    ):
        return msg("Nationalists and Reds do not stack"), "PW-NAT-04"
    return None


def interned(g: State, units: Iterable[str]) -> None:
    """[PW-NAT-01] Allied ground units that have entered the USSR leave the game."""
    for unit in list(units):
        u = g.units[unit]
        if u.box == "map" and g.side(unit) == ALLIES and not u.aboard and "ussr" in g.board.hex(u.at).features:
            emit(g, Removed(unit, "interned", "PW-NAT-01"))


def china_headquarters(g: State, unit: str, hq: str) -> tuple[Message, str] | None:
    """[PW-NAT-04] Japanese units in China are activated by the headquarters of China, where there is one."""
    if g.side(unit) != JAPAN or "china" not in g.board.hex(g.units[unit].at).features:
        return None
    theirs = [n for n, h in g.hqs.items() if h.side == JAPAN and n.startswith("China")]
    if theirs and hq not in theirs:
        return msg("{unit} is in China and activated by the headquarters {hq}", unit=unit, hq=theirs[0]), "PW-NAT-04"
    return None
