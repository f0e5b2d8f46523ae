"""[7.24] O-3: battle hexes are declared, units in range commit themselves, carriers cover landings."""

from __future__ import annotations

from pbem.games.empire_of_the_sun.board import distance
from pbem.games.empire_of_the_sun.events.offensives import BattleDeclared, Committed, Garrisoned
from pbem.games.empire_of_the_sun.labels import unread, written
from pbem.games.empire_of_the_sun.operations import forms
from pbem.games.empire_of_the_sun.operations.battle_hexes import Declaration, in_range, may_cover, must_fight
from pbem.games.empire_of_the_sun.operations.conditions import check_declaration
from pbem.games.empire_of_the_sun.operations.first_turn import check_open_sea, coast_guns
from pbem.games.empire_of_the_sun.orders import only_done, read_place, read_units, split_order
from pbem.games.empire_of_the_sun.state import ALLIES, FOE, LANDINGS, State, nearest_first, offensive
from pbem.games.empire_of_the_sun.suggestions import declaration_options
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Ask
from pbem.kernel.orders import illegal, unreadable
from pbem.kernel.questions import AGAIN, DONE
from pbem.kernel.wording import msg

BATTLE_VERBS = ("battle", "cover", AGAIN, DONE)


def ask_battle(g: State, so_far: Declaration) -> Ask:
    """[7.24] The question for one battle hex or one covered landing more, until all are declared."""
    o = offensive(g)

    def read(plain: Plain) -> tuple[str, int, list[str]]:
        verb, body = split_order(plain, BATTLE_VERBS)
        if verb == AGAIN:
            only_done(body)
            return AGAIN, 0, []
        if verb == DONE:
            only_done(body)
            check_declaration(g, so_far)
            return DONE, 0, []
        place, units = _place_and_units(g, body)
        if verb == "cover":
            _check_cover(g, so_far, place, units)
        else:
            _check_battle(g, so_far, place, units)
        return verb, place, units

    return Ask(
        o.side,
        "battle",
        "7.24",
        msg("declare battle hexes and who fights from outside"),
        read,
        BATTLE_VERBS,
        facts={"battles": len(so_far.battles)},
        options=lambda: declaration_options(g, must_fight(g), read),
        form=lambda: forms.declarations(
            g, BATTLE_VERBS, must_fight(g), so_far.assigned(), lambda body: _place_and_units(g, body), read
        ),
    )


def _place_and_units(g: State, body: Plain) -> tuple[int, list[str]]:
    """`4021 with CV Akagi, CV Soryu` or `{hex: 4021, units: [...]}`."""
    if isinstance(body, dict):
        if body.keys() - {"hex", "units"} or "hex" not in body:
            raise unreadable(unread("", body), msg("its keys are {keys}", keys=("hex", "units")))
        listed = body.get("units")
        return read_place(g, body["hex"]), read_units(g, listed) if listed else []
    text = str(body) if body is not None else ""
    name, _, rest = text.partition(" with ")
    return read_place(g, name.strip()), read_units(g, rest.strip()) if rest.strip() else []


def _check_battle(g: State, so_far: Declaration, place: int, units: list[str]) -> None:
    o = offensive(g)
    here = g.board.hexes[place]
    foes = g.mine_at(FOE[o.side], place)
    check_open_sea(g, place)
    if not foes and not (o.side == ALLIES and g.intrinsic(place)):
        raise illegal(msg("there is no enemy in {place}", place=g.board.name(place)), "7.24")
    if here.region == "IChina":
        raise illegal(msg("no battle in the interior of China"), "7.24")
    if place not in must_fight(g) and not units and not so_far.battles.get(place):
        why = msg("nobody attacks {place}", place=g.board.name(place))
        raise illegal(why, "7.24", msg("name air units or carriers in range"))
    _check_units(g, so_far, place, units, set(must_fight(g)))
    if not o.event and not _only_hex(g, so_far, place):
        raise illegal(msg("an operations card allows one battle hex"), "7.24")


def _only_hex(g: State, so_far: Declaration, place: int) -> bool:
    return {*so_far.battles, *must_fight(g)} <= {place}


def _check_units(g: State, so_far: Declaration, place: int, units: list[str], mandatory: set[int]) -> None:
    o = offensive(g)
    for unit in units:
        name = g.counter(unit).name
        if unit not in o.units:
            raise illegal(msg("{unit} is not activated", unit=name), "7.24")
        if unit in so_far.assigned():
            raise illegal(msg("{unit} has a battle already", unit=name), "9.1")
        if g.pieces[unit].at in mandatory and g.pieces[unit].at != place:
            raise illegal(msg("{unit} fights in the battle hex in which it stands", unit=name), "9.1")
        if g.pieces[unit].at != place and not in_range(g, unit, place):
            far = msg("hexes away: {n}", n=distance(g.pieces[unit].at, place))
            raise illegal(msg("{unit} cannot fight in {place}", unit=name, place=g.board.name(place)), "9.11", far)


def _check_cover(g: State, so_far: Declaration, place: int, units: list[str]) -> None:
    """[7.24] Cover: an own landing into an empty hex of the enemy."""
    o = offensive(g)
    if not g.second:
        raise illegal(msg("the first edition has no covering units"), "7.24")
    landed = [u for u, a in o.units.items() if a.mode in LANDINGS and g.pieces[u].at == place]
    if not landed or not may_cover(g, place):
        raise illegal(msg("{place} is no landing in an empty enemy hex", place=g.board.name(place)), "7.24")
    if not units:
        raise unreadable(msg("name the carriers and air units that cover"), written("cover: HEX with UNITS"))
    _check_units(g, so_far, place, units, set(must_fight(g)))


# -- the events ----------------------------------------------------------------------------------------------------


def declare(g: State, declaration: Declaration) -> None:
    """[7.24] The battle hexes as declared, those where both sides stand, and who fights in them."""
    o = offensive(g)
    for place in sorted({*declaration.battles, *must_fight(g)}):
        emit(g, BattleDeclared(place, False, "7.24"))
        for unit in declaration.battles.get(place, ()):
            emit(g, Committed(unit, place, False, "7.24"))
    _stand_by(g, declaration)
    for place, units in sorted(declaration.covers.items()):
        for unit in units:
            emit(g, Committed(unit, place, True, "7.24"))
    guarded = [h for h in o.battles if g.mine_at(FOE[o.side], h, "ground", "hq" if g.second else "ground") or g.intrinsic(h)]
    emit(g, Garrisoned(tuple(guarded)))
    if g.board.cards[o.card].data.get("special") == "operation-1":
        coast_guns(g)


def _stand_by(g: State, declaration: Declaration) -> None:
    """[7.24] Second edition: a carrier at sea that neither fights nor covers by order covers the nearest landing in range."""
    o = offensive(g)
    landings = {g.pieces[u].at for u, a in o.units.items() if a.mode in LANDINGS and g.pieces[u].box == "map"}
    for unit in [u for u in o.units if g.second and g.counter(u).carrier and g.pieces[u].box == "map"]:
        at = g.pieces[unit].at
        if g.friendly_port(o.side, at) or at in must_fight(g) or unit in declaration.assigned():
            continue
        near = [h for h in landings if may_cover(g, h) and distance(at, h) <= g.counter(unit).range]
        if near:
            declaration.covers.setdefault(nearest_first(at, near)[0], []).append(unit)
