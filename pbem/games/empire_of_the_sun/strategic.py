"""[4.1] The Strategic Phase: reinforcements, delays and Europe, submarines, strategic bombing, the deal."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.empire_of_the_sun.cards import draw_cards
from pbem.games.empire_of_the_sun.china_box import china_box_supplied
from pbem.games.empire_of_the_sun.d10 import throw
from pbem.games.empire_of_the_sun.deployment import entry_hexes, fed_hexes, may_enter_china_box
from pbem.games.empire_of_the_sun.events.cards import CardsDrawn, DealLossSet
from pbem.games.empire_of_the_sun.events.politics import ProgressSet
from pbem.games.empire_of_the_sun.events.strategy import (
    ArrivalsPunctual,
    Bombed,
    BombingSucceeded,
    EscortSet,
    HeadquartersDue,
    ReinforcementsBegan,
    ShippingReady,
    ShippingSet,
)
from pbem.games.empire_of_the_sun.events.turns import PassesSet, PhaseBegan, Rolled
from pbem.games.empire_of_the_sun.events.units import Placed
from pbem.games.empire_of_the_sun.happenings.blows import near_tokyo
from pbem.games.empire_of_the_sun.labels import names, places, unread, written
from pbem.games.empire_of_the_sun.losses import lose_step
from pbem.games.empire_of_the_sun.orders import only_done, read_place, read_unit, read_units, split_order
from pbem.games.empire_of_the_sun.phase_forms import bombings, placements
from pbem.games.empire_of_the_sun.replacements import replacement_segment
from pbem.games.empire_of_the_sun.state import ALLIES, JAPAN, State, europe_level
from pbem.games.empire_of_the_sun.supply import hostile, supplied
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Ask, Flow
from pbem.kernel.orders import illegal, possible, unreadable
from pbem.kernel.questions import DONE, NONE, yes_or_no
from pbem.kernel.wording import Message, die_for, msg

EUROPE = {1: 1, 2: 3, 3: 5, 4: 7}  # [10.24] highest die by War in Europe level
EUROPE_TURNS = 3
LEAST_CARDS = 4  # [12.11]
BOMBING_FROM = 9


# -- reinforcements --------------------------------------------------------------------------------------------------


def reinforcements(g: State) -> Flow[None]:
    """[4.11] Shipping points, delays, then the Allies place, then Japan."""
    emit(g, PhaseBegan(g.turn, "Reinforcement Segment", "4.11"))
    emit(g, ShippingReady())
    level = europe_level(g.europe)
    emit(g, ReinforcementsBegan(level))
    if g.turn >= 2 and level < 3:
        emit(g, ShippingSet(ALLIES, g.asp[ALLIES] + 1, "10.31"))
    ready = [u for u, p in g.pieces.items() if p.box == "delayed"]
    ready += yield from _arrivals(g, level)
    emit(g, HeadquartersDue(tuple(u for u in (*ready, *_due(g, JAPAN)) if g.counter(u).kind == "hq")))
    for side in (ALLIES, JAPAN):
        own = [u for u in ready if g.counter(u).side == side] if side == ALLIES else _due(g, JAPAN)
        yield from _place(g, side, own)
    for unit in [u for u in ready if g.pieces[u].box != "map" and g.pieces[u].box != "china"]:
        emit(g, Placed(unit, 0, "delayed", "10.12"))
        yield from _europe_roll(g, unit, level)
    emit(g, ProgressSet(g.asp[ALLIES]))


def _due(g: State, side: str) -> list[str]:
    """Units that enter this turn by schedule or from the turn track."""
    boxes = ("schedule", "track", "delayed") if side == JAPAN else ("schedule", "track")
    lost = "australia" in g.surrendered
    return [
        u
        for u, p in g.pieces.items()
        if p.box in boxes
        and p.due <= g.turn
        and g.counter(u).side == side
        and not (lost and g.counter(u).nation == "australian")
    ]


def _arrivals(g: State, level: int) -> Flow[list[str]]:
    """[10.21] Allied reinforcements of this turn that are not delayed; the others may go to Europe."""
    all_delayed = level > 0 or g.has("delayed_next")
    if g.has("delayed_next"):
        emit(g, ArrivalsPunctual())
    ready: list[str] = []
    for unit in _due(g, ALLIES):
        piece, counter = g.pieces[unit], g.counter(unit)
        never = piece.undelayable or counter.kind == "hq" or counter.b29
        if never or not (all_delayed or (ALLIES in g.rivalry and _us_army(g, unit))):
            ready.append(unit)
            continue
        emit(g, Placed(unit, 0, "delayed", "10.21"))
        yield from _europe_roll(g, unit, level)
    return ready


def _us_army(g: State, unit: str) -> bool:
    """[14.1] US Army ground and air units."""
    counter = g.counter(unit)
    return counter.nation == "us" and counter.service == "army" and counter.kind in ("ground", "air")


def _europe_roll(g: State, unit: str, level: int) -> Flow[None]:
    """[10.24] A unit that may go to Europe does so on a low die and comes back three turns later."""
    counter = g.counter(unit)
    able = _us_army(g, unit) or (counter.type == "cve" and counter.nation == "us")
    if not able or counter.b29 or counter.side != ALLIES or level not in EUROPE:
        return
    label = die_for("Europe: {unit}", unit=counter.name)
    die = yield from throw(label, "10.24", ALLIES)
    gone = max(0, die - (ALLIES in g.rivalry)) <= EUROPE[level]
    emit(g, Rolled(label, die, "sent to Europe" if gone else "stays", "10.24"))
    if gone:
        emit(g, Placed(unit, 0, "schedule", "10.24", due=g.turn + EUROPE_TURNS))


def _place(g: State, side: str, units: Sequence[str]) -> Flow[None]:
    """[10.11] Every unit that can be placed has to be; one without a legal hex waits in the Delayed box [10.12]."""
    waiting, closed = list(units), hostile(g, side)  # those who come in neutralise nothing for each other
    while any(_has_place(g, u, closed) for u in waiting):
        order = yield _ask_place(g, side, waiting, closed)
        if order is None:
            break
        unit, to = order
        emit(g, Placed(unit, max(to, 0), "map" if to > 0 else "china", "10.11", reduced=g.pieces[unit].reduced))
        waiting.remove(unit)
    for unit in waiting if side == JAPAN else ():
        emit(g, Placed(unit, 0, "delayed", "10.12"))


def _choices(g: State, unit: str, closed: frozenset[int]) -> list[int]:
    """Hexes for one unit outside the zones that were hostile when the segment began; -1 for the China box."""
    return [*(h for h in entry_hexes(g, unit) if h not in closed), *([-1] if may_enter_china_box(g, unit) else [])]


def _has_place(g: State, unit: str, closed: frozenset[int]) -> bool:
    return any(h not in closed for h in entry_hexes(g, unit)) or may_enter_china_box(g, unit)


def _placeable(g: State, waiting: Sequence[str], closed: frozenset[int]) -> list[str]:
    return [u for u in waiting if _has_place(g, u, closed)]


def _ask_place(g: State, side: str, waiting: Sequence[str], closed: frozenset[int]) -> Ask:
    def read(plain: Plain) -> tuple[str, int] | None:
        verb, body = split_order(plain, ("place", DONE))
        if verb == DONE:
            only_done(body)
            left = _placeable(g, waiting, closed)
            if left:
                raise illegal(msg("these units have to be placed: {things}", things=names(g, left)), "10.12")
            return None
        name, word, place = str(body).rpartition(" at ")
        if not word:
            raise unreadable(unread("place", body), written("place: UNIT at HEX"))
        unit = read_unit(g, name.strip())
        to = -1 if place.strip().lower() in ("china", "china box") else read_place(g, place)
        if unit not in waiting:
            why = msg("{unit} does not come in now", unit=g.counter(unit).name)
            raise illegal(why, "10.11", possible(names(g, waiting)))
        if to not in _choices(g, unit, closed):
            legal = possible(places(g, _choices(g, unit, closed))) or msg("there is no hex for it: it waits")
            raise illegal(msg("{unit} cannot be placed there", unit=g.counter(unit).name), "10.11", legal)
        return unit, to

    def options() -> list[Plain]:
        unit = next(u for u in waiting if _has_place(g, u, closed))
        return [{"place": f"{unit} at {'china box' if h < 0 else f'{h:04}'}"} for h in _choices(g, unit, closed)]

    return Ask(
        side,
        "reinforcements",
        "10.11",
        msg("place reinforcements: {things}", things=names(g, waiting)),
        read,
        ("place", DONE),
        facts={"units": len(waiting)},
        options=options,
        form=lambda: placements(g, ("place", DONE), waiting, lambda u: _choices(g, u, closed), read),
    )


# -- replacements, strategic warfare ---------------------------------------------------------------------------------


def replacements(g: State) -> Flow[None]:
    """[4.12] The Replacement Segment."""
    emit(g, PhaseBegan(g.turn, "Replacement Segment", "4.12"))
    yield from replacement_segment(g)


def strategic_warfare(g: State) -> Flow[None]:
    """[4.13] Submarines, then B-29s; both cost Japan cards of the deal."""
    emit(g, PhaseBegan(g.turn, "Strategic Warfare Segment", "4.13"))
    emit(g, DealLossSet(0, "12.2"))
    yield from _submarines(g)
    if g.turn >= BOMBING_FROM:
        yield from _bombing(g)


def _submarines(g: State) -> Flow[None]:
    """[12.2] d10 less the turn, plus escorts, plus one in 1942: 0 or less costs a card, a shipping point and escorts."""
    label = die_for("submarine warfare")
    die = yield from throw(label, "12.2", JAPAN)
    result = die - g.turn + g.escort + (g.year == 1942)
    emit(g, Rolled(label, die, "success" if result <= 0 else "failure", "12.2"))
    if result > 0:
        return
    emit(g, DealLossSet(g.deal_loss + 1, "12.2"))
    if g.asp[JAPAN] > 1:
        emit(g, ShippingSet(JAPAN, g.asp[JAPAN] - 1, "10.32"))
    if g.escort:
        emit(g, EscortSet(g.escort - 2))


def bombers(g: State) -> list[str]:
    """[12.31] B-29s in supply within eight hexes of Tokyo on an airfield, or in the China box; not when just rebuilt."""
    found = []
    for unit, piece in g.pieces.items():
        if not g.counter(unit).b29 or piece.rebuilt == g.turn:
            continue
        if piece.box == "china" and china_box_supplied(g):
            found.append(unit)
        if piece.box == "map" and near_tokyo(g, unit) and g.board.hexes[piece.at].airfield and supplied(g, unit):
            found.append(unit)
    return found


def _bombing(g: State) -> Flow[None]:
    ready = bombers(g)
    if not ready:
        return
    chosen = yield _ask_bombing(g, ready)
    success, cards = False, g.deal_loss
    for unit in chosen:
        label = die_for("strategic bombing: {unit}", unit=g.counter(unit).name)
        die = yield from throw(label, "12.32", JAPAN)
        success = _bomb(g, label, unit, die) or success
    if success:
        emit(g, BombingSucceeded(not g.second and g.deal_loss == cards))


def _bomb(g: State, label: Message, unit: str, die: int) -> bool:
    """[12.32] Full strength succeeds on 0 to 8, reduced on 0 to 4; interceptors add one; a natural 9 may cost a step."""
    limit = 5 if g.second else 3
    base_near = any(g.friendly_airfield(ALLIES, h) for h in g.near_tokyo(limit))
    intercepted = g.has("interceptors") and not any(
        g.friendly_airfield(ALLIES, h) and h in fed_hexes(g, ALLIES) for h in g.near_tokyo(5)
    )
    shift = 1 if intercepted and g.second else 0
    success = die + shift <= (4 if g.weak(unit) else 8)
    emit(g, Bombed(label, unit, die, success, "12.32"))
    if success and not (intercepted and not g.second):
        emit(g, DealLossSet(g.deal_loss + 1, "12.32"))
    if die == 9 and not base_near:
        lose_step(g, unit, "12.32")
    return success


def _ask_bombing(g: State, ready: list[str]) -> Ask:
    def read(plain: Plain) -> list[str]:
        _, body = split_order(plain, ("bomb",))
        if body == NONE:
            return []
        units = list(ready) if body == "all" else read_units(g, body)
        for unit in units:
            if unit not in ready:
                raise illegal(msg("{unit} cannot bomb Japan", unit=g.counter(unit).name), "12.31", possible(names(g, ready)))
        return units

    return Ask(
        ALLIES,
        "bomb",
        "12.31",
        msg("the B-29s that bomb Japan"),
        read,
        ("bomb",),
        options=lambda: [{"bomb": "all"}, {"bomb": NONE}],
        policy=lambda word: {"bomb": word},
        form=lambda: bombings(g, ready, read),
    )


# -- the deal --------------------------------------------------------------------------------------------------------


def deal(g: State) -> Flow[None]:
    """[4.14] Cards and passes of both sides."""
    emit(g, PhaseBegan(g.turn, "Deal", "4.14"))
    japan, allies = japanese_cards(g), allied_cards(g)
    japan_passes = 0 if japan > 6 else 1 if japan == 6 else 2
    allied = allied_passes(g)
    for side, passes in ((JAPAN, japan_passes), (ALLIES, allied)):
        emit(g, PassesSet(side, passes))
    yield from draw_cards(g, JAPAN, japan, "12.11")
    yield from draw_cards(g, ALLIES, allies, "12.5")


def japanese_cards(g: State) -> int:
    """[12.11] One for two resource hexes, seven in 1942; less what submarines and bombers cost; four at least."""
    if g.board.edges != (10, 60):
        return small_map_cards(g, JAPAN)
    base = 7 if 2 <= g.turn <= 4 else min(7, -(-len(g.resources(JAPAN)) // 2))
    return max(LEAST_CARDS, base - g.deal_loss)


def _allied_losses(g: State) -> int:
    nations = sum(n in g.surrendered for n in ("china", "india", "australia"))
    return nations + (g.europe_at_start == 4)


def allied_cards(g: State) -> int:
    """[12.5] Five, six, seven cards; one less for each great loss; four at least."""
    if g.board.edges != (10, 60):
        return small_map_cards(g, ALLIES)
    base = {1: 0, 2: 5, 3: 6}.get(g.turn, 7)
    return max(LEAST_CARDS, base - _allied_losses(g)) if base else 0


def allied_passes(g: State) -> int:
    """[12.5] Passes of the first turns; one for each card lost, two at most."""
    base: int = {2: 2, 3: 1}.get(g.turn, 0)
    return base + min(2, _allied_losses(g))


def small_map_cards(g: State, side: str) -> int:
    """The two small scenarios deal the same number each turn."""
    return g.small_deal[side]


def first_deal(g: State, japan: int, allies: int, arcadia: bool) -> Flow[None]:
    """[2.0] The hands of a scenario that begins in the Offensives Phase; one Allied card may be chosen in 1942 [17.25]."""
    emit(g, PhaseBegan(g.turn, "Deal", "4.14"))
    if arcadia:
        chosen = yield from yes_or_no(ALLIES, "arcadia", "17.25", msg("take card A4, Arcadia Conference, as one of the five?"))
        if chosen:
            emit(g, CardsDrawn(ALLIES, ("A4",), "17.25"))
            allies -= 1
    yield from draw_cards(g, JAPAN, japan, "2.0")
    yield from draw_cards(g, ALLIES, allies, "2.0")
