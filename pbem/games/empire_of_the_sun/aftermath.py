"""[7.2] Steps 12 to 15 of an offensive: control, post-battle movement, emergency moves, stacks, the cards."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.empire_of_the_sun.activation import in_command
from pbem.games.empire_of_the_sun.battle.attacks import after_battles
from pbem.games.empire_of_the_sun.board import AIR_FERRY, OAHU
from pbem.games.empire_of_the_sun.cards import draw_extra, file_card
from pbem.games.empire_of_the_sun.deployment import check_stacks, displace_hqs, emergency, fed_hexes, havens
from pbem.games.empire_of_the_sun.events.offensives import OffensiveEnded
from pbem.games.empire_of_the_sun.events.politics import WillChanged
from pbem.games.empire_of_the_sun.events.strategy import ShippingUsed
from pbem.games.empire_of_the_sun.events.turns import ActiveSet
from pbem.games.empire_of_the_sun.events.units import Controlled, Placed, Returned
from pbem.games.empire_of_the_sun.fields import Field
from pbem.games.empire_of_the_sun.labels import ASKED, places, unread, written
from pbem.games.empire_of_the_sun.lines import sea_field, sea_reach
from pbem.games.empire_of_the_sun.losses import eliminate, lose_step
from pbem.games.empire_of_the_sun.movement.air import air_ends
from pbem.games.empire_of_the_sun.movement.limits import naval_allowance
from pbem.games.empire_of_the_sun.orders import only_done, read_place, read_unit, read_units, split_order
from pbem.games.empire_of_the_sun.phase_forms import returns, sailings
from pbem.games.empire_of_the_sun.state import ALLIES, FOE, JAPAN, State, nearest_first, offensive
from pbem.games.empire_of_the_sun.suggestions import return_options
from pbem.games.empire_of_the_sun.supply import hostile, own_ports
from pbem.kernel.canon import Plain
from pbem.kernel.events import Unmarked, emit
from pbem.kernel.flow import Ask, Flow
from pbem.kernel.orders import illegal, possible, unreadable
from pbem.kernel.questions import DONE, choose_unit
from pbem.kernel.wording import NO_WORDS, Message, msg

HOME = "home"


def return_segment(g: State) -> Flow[None]:
    """[9.6] Landings take control; then the reacting player's units move, then the active player's."""
    o = offensive(g)
    yield from after_battles(g)
    take_landings(g)
    yield from _returns(g, FOE[o.side])
    yield from _returns(g, o.side)


def take_landings(g: State) -> None:
    """[6.5] Landing units that were neither eliminated nor beaten control their hexes before post-battle movement."""
    o = offensive(g)
    for mine, side in ((o.units, o.side), (o.reactors, FOE[o.side])):
        for unit, entry in mine.items():
            at = g.pieces[unit].at
            if g.counter(unit).kind != "ground" or g.pieces[unit].box != "map" or entry.beaten or entry.out:
                continue
            if g.holds(FOE[side], at):
                emit(g, Controlled(at, side, "6.5"))


# -- post-battle movement --------------------------------------------------------------------------------------------


def _movers(g: State, side: str) -> list[str]:
    """[9.6] Active air and naval units and beaten landing units, without those that moved strategically."""
    o = offensive(g)
    mine = o.units if side == o.side else o.reactors
    return [
        u
        for u, a in mine.items()
        if g.pieces[u].box == "map" and a.mode != "strategic" and (g.counter(u).kind in ("air", "naval") or a.beaten)
    ]


def _returns(g: State, side: str) -> Flow[None]:
    waiting = _movers(g, side)
    while waiting:
        units, to = yield _ask_return(g, side, waiting)
        if not units:
            break
        for unit in units:
            emit(g, Returned(unit, (g.pieces[unit].at, to), "9.6"))
            waiting.remove(unit)
    for unit in waiting:
        _go_home(g, unit)


def _go_home(g: State, unit: str) -> None:
    """Back to where it began if that is legal, else to the nearest legal base; without one it is lost."""
    o = offensive(g)
    at, ends = g.pieces[unit].at, return_ends(g, unit)
    start = (o.units.get(unit) or o.reactors[unit]).start
    if not ends:
        eliminate(g, unit, "9.6")
        return
    to = start if start in ends else nearest_first(at, ends)[0]
    if to != at:
        emit(g, Returned(unit, (at, to), "9.6"))


def return_ends(g: State, unit: str) -> list[int]:
    """[9.61] [9.62] Where a unit may end post-battle movement; the reacting side prefers supply and command range."""
    return g.memo.cached(("ends", unit, len(offensive(g).fought)), lambda: _ends(g, unit))


def _ends(g: State, unit: str) -> list[int]:
    o = offensive(g)
    counter = g.counter(unit)
    if counter.kind == "ground":
        return _beaten_ends(g, unit)
    if counter.kind == "naval":
        ports = own_ports(g, counter.side) & ~_troops(g, FOE[counter.side])
        ends = g.board.fields.hexes(sea_field(g, g.pieces[unit].at, naval_allowance(g)) & ports)
    else:
        foes, one = _troops(g, FOE[counter.side]), g.board.fields.one
        ends = [f for f in air_ends(g, unit, o.ops) if f != AIR_FERRY and not foes & one[f]]
    if counter.side != o.side:
        fed = [p for p in ends if _base_fed(g, counter.side, p) and in_command(g, counter.side, p)]
        return fed or ends
    return ends


def _troops(g: State, side: str) -> Field:
    """Hexes with ground units of a side; those who were turned back at sea wait there to sail and are not ashore."""
    afloat = tuple(u for u, a in offensive(g).units.items() if a.beaten)
    return g.standing.of("watched", ("troops", side, afloat), lambda: _troops_ashore(g, side, afloat))


def _troops_ashore(g: State, side: str, afloat: Sequence[str]) -> Field:
    return g.board.fields.of(g.pieces[u].at for u in g.on_map(side) if g.counter(u).kind == "ground" and u not in afloat)


def _base_fed(g: State, side: str, place: int) -> bool:
    """A line from a supplied HQ leads to the base."""
    return place in fed_hexes(g, side)


def _beaten_ends(g: State, unit: str) -> list[int]:
    """[8.45] C, [9.62]: by sea to a friendly coast, around enemy units and hostile zones, out of a zone that it is in."""
    o = offensive(g)
    entry = o.units.get(unit) or o.reactors[unit]
    side, at = g.counter(unit).side, g.pieces[unit].at
    if entry.mode == "barge":
        return [entry.start]
    foes = {g.pieces[u].at for u in g.on_map(FOE[side])}
    closed = hostile(g, side)
    free = {at} if at not in closed or not g.second else _inside(g, at, closed, foes)
    reach = sea_reach(g, free, frozenset((closed | foes) - free), naval_allowance(g))
    coasts = [h for h in reach if g.board.hexes[h].coastal and g.holds(side, h) and h not in foes and h != at]
    return sorted(coasts)


def _inside(g: State, at: int, closed: frozenset[int], foes: set[int]) -> set[int]:
    """The hexes of the zone that the unit may leave through."""
    found, frontier = {at}, [at]
    while frontier:
        here = frontier.pop()
        for n in g.board.by_sea[here]:
            if n in closed and n not in found and n not in foes:
                found.add(n)
                frontier.append(n)
    return found


def _ask_return(g: State, side: str, waiting: Sequence[str]) -> Ask:
    o = offensive(g)

    def read(plain: Plain) -> tuple[list[str], int]:
        verb, body = split_order(plain, ("return", DONE))
        if verb == DONE or body == HOME:
            only_done(body if verb == DONE else None)
            return [], 0
        if not isinstance(body, str) or " to " not in body:
            raise unreadable(unread("return", body), written("return: home", "return: UNITS to HEX"))
        names, _, place = body.rpartition(" to ")
        units, to = read_units(g, names), read_place(g, place)
        for unit in units:
            if unit not in waiting:
                raise illegal(msg("{unit} makes no post-battle movement", unit=g.counter(unit).name), "9.6")
            if to not in return_ends(g, unit):
                legal = possible(places(g, nearest_first(g.pieces[unit].at, return_ends(g, unit))))
                raise illegal(
                    msg("{unit} cannot end in {place}", unit=g.counter(unit).name, place=g.board.name(to)), "9.6", legal
                )
        return units, to

    return Ask(
        side,
        "return",
        "9.6",
        ASKED["return"],
        read,
        ("return", DONE),
        facts={"units": len(waiting), "won": len(o.fought)},
        forced={"return": HOME} if not _has_choice(g, waiting) else None,
        default={"return": HOME} if side != o.side else None,
        options=lambda: return_options(g, waiting, read),
        policy=lambda word: {"return": word},
        form=lambda: returns(g, ("return", DONE), HOME, waiting, lambda u: return_ends(g, u), read),
    )


def _has_choice(g: State, waiting: Sequence[str]) -> bool:
    return any(len(return_ends(g, u)) > 1 for u in waiting)


# -- the end ---------------------------------------------------------------------------------------------------------


def offensive_end(g: State) -> Flow[None]:
    """[7.2] O-14, O-15: emergency moves, HQs, stacks; cards to their piles, draws; the other player's impulse."""
    o = offensive(g)
    card = g.board.cards[o.card]
    yield from _last_effects(g)
    if card.data.get("special") == "operation-z":
        if g.victory == "campaign" and g.options["bid"]:
            emit(g, WillChanged(g.options["bid"], msg("tournament bid"), "16.49"))
        for unit in [u for u in g.on_map(ALLIES) if g.counter(u).carrier and not g.board.hexes[g.pieces[u].at].is_land]:
            emit(g, Placed(unit, OAHU, "map", "17.11"))
    yield from emergency(g)
    displace_hqs(g)
    played, as_event = [*o.reaction_cards], o.event
    _return_shipping(g)
    emit(g, OffensiveEnded(o.side))
    emit(g, Unmarked("card", "7.28"))
    if card.data.get("special") == "operation-1":
        yield from fleets_sail(g)
    file_card(g, card, as_event)
    for other in played:
        file_card(g, g.board.cards[other], True)
    for drawn in ([card] if as_event else []) + [g.board.cards[c] for c in played]:
        if drawn.draw:
            yield from draw_extra(g, drawn.side)
    yield from check_stacks(g)
    emit(g, ActiveSet(FOE[o.side], "4.22"))


def _return_shipping(g: State) -> None:
    """[5.31] Shipping points that an event brings serve before the side's own, and only in its offensive."""
    o = offensive(g)
    given = min(o.asp_bonus, sum(a.asp for a in o.units.values()))
    if given:
        emit(g, ShippingUsed(o.side, g.asp_used[o.side] - given, "5.31"))


def _last_effects(g: State) -> Flow[None]:
    """[J65] The Yamato pays; [A55] an air unit that fought loses a step."""
    o = offensive(g)
    if any("yamato" in g.board.cards[c].data for c in o.reaction_cards) and g.pieces["bb-yamato"].box == "map":
        lose_step(g, "bb-yamato", "5.32")
    if o.event and g.board.cards[o.card].data.get("end_air_loss"):
        wings = [u for u in g.on_map(JAPAN) if g.counter(u).kind == "air" and (u in o.reactors or g.pieces[u].at in o.battles)]
        unit = yield from choose_unit(
            g.board.unit_index, ALLIES, "target", "5.31", msg("the air unit that loses a step"), wings
        )
        if unit:
            lose_step(g, unit, "5.31")


def fleets_sail(g: State) -> Flow[None]:
    """[17.11] [17.25] Once, any Allied fleets may make an emergency naval move."""
    waiting = [u for u in g.on_map(ALLIES) if g.counter(u).kind == "naval" and havens(g, u)]
    while waiting:
        unit, to = yield _ask_sail(g, waiting)
        if not unit:
            return
        emit(g, Placed(unit, to, "map", "17.11"))
        waiting.remove(unit)


def _ask_sail(g: State, waiting: Sequence[str]) -> Ask:
    def read(plain: Plain) -> tuple[str, int]:
        verb, body = split_order(plain, ("sail", DONE))
        if verb == DONE:
            only_done(body)
            return "", 0
        name, _, place = str(body).rpartition(" to ")
        unit, to = read_unit(g, name.strip()), read_place(g, place)
        if unit not in waiting or to not in havens(g, unit):
            legal: Message = possible(places(g, havens(g, unit))) if unit in waiting else NO_WORDS
            why = msg("{unit} cannot go to {place}", unit=g.counter(unit).name, place=g.board.name(to))
            raise illegal(why, "17.11", legal)
        return unit, to

    def options() -> list[Plain]:
        found: list[Plain] = [{"sail": f"{u} to {havens(g, u)[0]:04}"} for u in waiting]
        return [DONE, *found]

    return Ask(
        ALLIES,
        "sail",
        "17.11",
        msg("emergency naval movement of Allied fleets"),
        read,
        ("sail", DONE),
        options=options,
        policy=lambda word: word if word == DONE else None,
        form=lambda: sailings(g, ("sail", DONE), waiting, lambda u: havens(g, u), read),
    )
