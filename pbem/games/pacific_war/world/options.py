"""[PW-OPT-02] [PW-OPT-20] [PW-OPT-21] By option: the Panama Canal, the Tirpitz, seaplane carriers converted."""

from __future__ import annotations

from pbem.games.pacific_war.dice import die
from pbem.games.pacific_war.events import Mended, Moved, Remarked, Removed
from pbem.games.pacific_war.state import ALLIES, JAPAN, STRATEGIC, State
from pbem.games.pacific_war.strategic import ConversionCounted, ConversionStopped, PanamaBombarded
from pbem.games.pacific_war.tallies import CanalClosed
from pbem.games.pacific_war.units.changes import arrive
from pbem.games.pacific_war.world.initiative import lead
from pbem.kernel.events import emit
from pbem.kernel.flow import Flow
from pbem.kernel.questions import yes_or_no
from pbem.kernel.wording import msg

TIRPITZ, TIRPITZ_MONTH = "Tirpitz", 19  # January 1944
MUSTANG, MUSTANG_MONTH = "P-51", 4  # April 1945
CONVERSIONS = {"CVS2 Chitose": "CVL8 Chitose", "CVS3 Chiyoda": "CVL9 Chiyoda"}
CONVERSION_MONTHS = 6
PANAMA_MONTH, DELAYED = 44, range(43, 31, -1)  # December 1941; January to December 1942


def waiting_ships(g: State) -> list[str]:
    """Counters that come into play by an option and by no schedule."""
    wanted = list(CONVERSIONS.values()) if g.options.get("conversions") == "yes" else []
    if g.options.get("tirpitz") == "yes":
        wanted += [u for u in g.board.counters if TIRPITZ in u]
    if g.options.get("mustangs") == "yes":
        wanted += [u for u in g.board.counters if MUSTANG in u]
    return [u for u in wanted if u in g.board.counters and u not in g.units]


def extra_arrivals(g: State, side: str) -> list[str]:
    """[PW-OPT-10] [PW-OPT-20] The P-51 in April 1945; the Tirpitz in January 1944 for a Japan that has the initiative."""
    if g.options.get("mustangs") == "yes" and side == ALLIES and g.level == STRATEGIC and g.month == MUSTANG_MONTH:
        return [u for u, x in g.units.items() if MUSTANG in u and x.box == "due"]
    if side != JAPAN or g.level != STRATEGIC:
        return []
    if g.month != TIRPITZ_MONTH or lead(g) <= 0:
        return []
    return [u for u, x in g.units.items() if TIRPITZ in u and x.box == "due"]


# -- conversions -------------------------------------------------------------------------------------------------------


def convertible(g: State, ship: str, in_yard: bool) -> bool:
    """[PW-OPT-21] Undamaged and idle in a working yard; its light carrier is not in play."""
    u, other = g.units[ship], CONVERSIONS.get(ship, "")
    if g.options.get("conversions") != "yes" or other not in g.units or g.units[other].box != "due":
        return False
    return in_yard and u.box == "map" and not u.active and not u.hits


def begin_conversion(g: State, ship: str) -> None:
    """The six months begin."""
    emit(g, ConversionCounted(ship, 0))


def interrupt_conversion(g: State, ship: str) -> None:
    """Whatever interrupts it, a conversion starts again from the beginning."""
    if f"converting {ship}" in g.ledger:
        emit(g, ConversionStopped(ship))


def convert_month(g: State, ship: str, in_yard: bool) -> None:
    """A month in the yard; after six of them the light carrier lies in the ship's place."""
    key = f"converting {ship}"
    if key not in g.ledger:
        return
    if not convertible(g, ship, in_yard):
        interrupt_conversion(g, ship)
        return
    months, place = g.ledger[key] + 1, g.units[ship].at
    if months < CONVERSION_MONTHS:
        emit(g, ConversionCounted(ship, months))
        return
    interrupt_conversion(g, ship)
    emit(g, Removed(ship, "converted", "PW-OPT-21"))
    carrier = CONVERSIONS[ship]
    emit(g, Mended(carrier, g.units[carrier].hits, "PW-OPT-21"))
    arrive(g, carrier, "PW-OPT-21")
    emit(g, Moved(carrier, place, "PW-OPT-21"))


# -- the canal ---------------------------------------------------------------------------------------------------------


def at_east_edge(g: State, place: int) -> bool:
    """[PW-OPT-02] No hex of the map lies east of it in its row."""
    row = place // 100
    return not any(g.board.on_map(100 * row + p) for p in range(place % 100 + 1, g.board.positions[1] + 1))


def panama(g: State, boat: str) -> Flow[None]:
    """[PW-OPT-02] Two zeros delay the US reinforcements of 1942 by a month; otherwise the submarine is lost. Once in a game."""
    if g.options.get("panama") != "yes" or g.level != STRATEGIC or g.month != PANAMA_MONTH:
        return
    if g.counter(boat).type != "STO" or not at_east_edge(g, g.units[boat].at) or g.ledger.get("panama"):
        return
    yes = yield from yes_or_no(JAPAN, "panama", "PW-OPT-02", msg("bombard the Panama Canal"))
    if not yes:
        return
    emit(g, PanamaBombarded())
    for number in (1, 2):
        rolled = yield from die(g, msg("bombardment of the Panama Canal, die {n}", n=number), "PW-OPT-02", ALLIES)
        if rolled:
            emit(g, Removed(boat, "eliminated", "PW-OPT-02"))
            return
    closed = msg("The Panama Canal is closed: US reinforcements of 1942 come a month later")
    emit(g, Remarked(closed, "PW-OPT-02"))
    emit(g, CanalClosed(delayed(g)))


def delayed(g: State) -> dict[str, object]:
    """The schedule with the US units of 1942 a month later."""
    rows = {k: dict(row) for k, row in g.schedule.items()}
    for month in reversed(DELAYED):  # the last month first
        row = rows.get(str(month), {})
        late = [u for u in row.get(ALLIES, ()) if g.counter(u).nation == "us"]
        if late:
            row[ALLIES] = [u for u in row[ALLIES] if u not in late]
            after = rows.setdefault(str(month - 1), {})
            after[ALLIES] = [*after.get(ALLIES, []), *late]
    return {k: rows[k] for k in rows}
