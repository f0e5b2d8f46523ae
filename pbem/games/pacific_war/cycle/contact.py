"""[PW-MOV-08] to [PW-MOV-13] The contact phases of the operations player and the reaction player."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import Any

from pbem.games.pacific_war.air.landings import bases_for
from pbem.games.pacific_war.board import distance, straight
from pbem.games.pacific_war.clock import DayCame, PhaseBegan
from pbem.games.pacific_war.cycle import solitaire
from pbem.games.pacific_war.cycle.calendar import advance, after_days, in_operation, next_claim
from pbem.games.pacific_war.cycle.common_phase import rest
from pbem.games.pacific_war.events import Moved, Remarked
from pbem.games.pacific_war.land.movement import land_phase, march_way, may_move
from pbem.games.pacific_war.movements import (
    ApproachBegan,
    ApproachStopped,
    IncrementBegan,
    IncrementMade,
    MovesAgain,
    MovesBegan,
    MoveSpent,
)
from pbem.games.pacific_war.orders import (
    any_of,
    base_named,
    check_in_play,
    example,
    misread,
    read_place,
    read_places,
    read_unit,
)
from pbem.games.pacific_war.picks import base_picks, base_value, base_word, each
from pbem.games.pacific_war.sea.movement import move_options, movers, read_moves, sail, sail_form
from pbem.games.pacific_war.sea.searching import search_round
from pbem.games.pacific_war.secret.fleets import aircraft_near, offer_seal, offer_show, unveil_side
from pbem.games.pacific_war.secret.forces import concealed, rest_hidden, stirring
from pbem.games.pacific_war.secret.marches import land_in_secret, move_in_secret
from pbem.games.pacific_war.secret.orders import FLY, MARCH
from pbem.games.pacific_war.state import BATTLE, CAMPAIGN, FOE, STRATEGIC, State
from pbem.games.pacific_war.units.changes import board
from pbem.games.pacific_war.units.damage import drop_empty_markers
from pbem.games.pacific_war.world.intelligence import reveal_condition, true_condition
from pbem.kernel.canon import Plain
from pbem.kernel.events import Scheduled, emit
from pbem.kernel.flow import Ask, Claim, Flow, Reveal
from pbem.kernel.forms import Form, Pick, listed
from pbem.kernel.naming import parts_of
from pbem.kernel.orders import Rejected, illegal, split_order
from pbem.kernel.picking import sole
from pbem.kernel.questions import DONE, accepted, yes_or_no
from pbem.kernel.wording import msg, recorded_as

KINDS = ("air", "ground", "naval")
END, ABANDON = "end", "abandon"
AMBUSHES = ("ambush", "cv-ambush")


def contact(g: State, reacting: bool) -> Flow[None]:
    """[PW-MOV-08] A side chooses the order of kinds; the reaction player does nothing under a surprise attack."""
    side = g.reactor if reacting else g.operator
    if g.phase != "contact":
        emit(g, PhaseBegan("contact", "PW-MOV-08"))
    if reacting and g.condition == "surprise":
        emit(g, Remarked(msg("Surprise Attack: no reaction movement"), "PW-MOV-11"))
        return
    if g.operation is not None:
        yield from offer_seal(g, side)
    emit(g, MovesBegan("PW-MOV-08"))
    emit(g, ApproachBegan())
    kinds = [k for k in KINDS if _has(g, side, k)]
    if len(kinds) > 1:
        kinds = yield _kinds_ask(side, kinds, solitaire.on(g) and not reacting)
    names = {"air": "contact-air", "ground": "contact-land", "naval": "contact-sea"}
    phases: list[tuple[str, tuple[bool | int, ...]]] = [
        (names[k], (reacting, 0) if k == "naval" else (reacting,)) for k in kinds
    ]
    if "naval" in kinds and g.condition == "secret":  # [PW-MOV-09] it is shown when the ships have moved
        phases.insert(kinds.index("naval") + 1, ("condition", ()))
    emit(g, Scheduled(tuple(phases), "PW-MOV-08"))


def _has(g: State, side: str, kind: str) -> bool:
    if kind == "naval":
        return any(m.side == side for m in g.markers.values()) or any(g.units[u].active for u in g.on_map(side, "submarine"))
    return any(g.units[u].active for u in g.on_map(side, kind)) or stirring(g, side)


def _kinds_ask(side: str, kinds: list[str], written: bool) -> Ask:
    """`written` [PW-SOL-01]: a player alone lays down all his moves before the first search, so the ships come last."""

    def read(plain: Plain) -> list[str]:
        _, body = split_order(plain, ("kinds",))
        wanted = [str(k) for k in parts_of(body, kinds.__contains__)]
        if sorted(wanted) != sorted(kinds):
            raise misread("kinds", body, f"kinds: [{', '.join(kinds)}]")
        if written and "naval" in wanted[:-1]:
            raise illegal(msg("alone, a player moves his ships last"), "PW-SOL-01", example(f"kinds: [{', '.join(kinds)}]"))
        return wanted

    def form() -> Form:
        orders: list[Plain] = [{"kinds": [*order]} for order in permutations(kinds)]
        return listed([*accepted(read, orders)], read, ("kinds",), whole=True)

    ideas: list[Plain] = [{"kinds": [*kinds]}, {"kinds": [*reversed(kinds)]}]
    options = [*accepted(read, ideas)] if written else ideas
    prompt = msg("in which order the kinds of units move")
    return Ask(side, "kinds", "PW-MOV-08", prompt, read, ("kinds",), options=lambda: options, form=form)


def _side(g: State, reacting: bool) -> str:
    return g.reactor if reacting else g.operator


# -- air and ground --------------------------------------------------------------------------------------------------


def moves_allowed(g: State, reacting: bool) -> int:
    """[PW-MOV-12] Base-to-base moves of an air unit: two, one for the reaction player under intercept."""
    return 1 if reacting and g.condition == "intercept" else 2


def contact_air(g: State, reacting: bool) -> Flow[None]:
    """[PW-MOV-08] Air units fly from base to base."""
    side = _side(g, reacting)
    if concealed(g, side):
        yield from offer_show(g, side, "PW-MOV-08")
    yield from move_in_secret(g, side, FLY, lambda seen, who, plain: _route(read_rebase(seen, who, reacting, plain)))
    while any(_may_fly(g, u, reacting) for u in g.on_map(side, "air")):
        order: tuple[str, str, list[int]] | None = yield Ask(
            side,
            "rebase",
            "PW-MOV-08",
            msg("move an air unit to another base, or done"),
            lambda plain: read_rebase(g, side, reacting, plain),
            ("rebase", DONE),
            options=lambda: rebase_options(g, side, reacting),
            form=lambda: _rebase_form(g, side, reacting),
        )
        if order is None:
            return
        unit, base, path = order
        emit(g, MoveSpent(unit, g.moved.get(unit, 0) + 1, "PW-MOV-08"))
        hidden = yield from aircraft_near(g, side, path)
        if hidden or any(g.near_air(FOE[side], h, 2) for h in path):  # [PW-MOV-06]
            emit(g, Remarked(msg("{unit} meets enemy aircraft and turns back", unit=unit), "PW-MOV-06"))
            continue
        emit(g, Moved(unit, path[-1] if path else g.units[unit].at, "PW-MOV-06"))
        board(g, unit, "" if base[0].isdigit() else base, "PW-MOV-06")


def _route(order: tuple[str, str, list[int]] | None) -> list[int]:
    return order[2] if order is not None else []


def _may_fly(g: State, unit: str, reacting: bool) -> bool:
    return g.units[unit].active and g.moved.get(unit, 0) < moves_allowed(g, reacting)


def read_rebase(g: State, side: str, reacting: bool, plain: Plain) -> tuple[str, str, list[int]] | None:
    """`rebase: {unit: base}` or `rebase: {unit: {to: base, via: [hexes]}}`, or done (None). Raises Rejected."""
    verb, body = split_order(plain, ("rebase", DONE))
    if verb == DONE:
        return None
    if not isinstance(body, dict) or len(body) != 1:
        raise misread("rebase", body, "rebase: {unit: base}")
    who, what = next(iter(body.items()))
    unit = read_unit(g, who, side)
    check_in_play(g, [unit], "PW-MOV-06")
    if g.side(unit) != side or g.counter(unit).kind != "air" or not g.units[unit].active:
        raise illegal(msg("{unit} is not one of your activated air units", unit=unit), "PW-MOV-06")
    if not _may_fly(g, unit, reacting):
        raise illegal(msg("{unit} has made its moves already", unit=unit), "PW-MOV-08")
    given: dict[str, Any] = what if isinstance(what, dict) else {"to": what}
    base = _read_base(g, side, given.get("to"))
    goal = int(base) if base[0].isdigit() else g.units[base].at
    path, at = [], g.units[unit].at
    for stop in [*(read_places(g, given["via"]) if "via" in given else []), goal]:
        path += straight(at, stop)
        at = stop
    if len(path) > g.counter(unit).range:
        raise illegal(
            msg("the way is {n} hexes long", n=len(path)),
            "PW-MOV-06",
            msg("{unit} flies {most} hexes", unit=unit, most=g.counter(unit).range),
        )
    if base not in bases_for(g, unit, goal, 0):
        raise illegal(msg("{unit} cannot land on {base}", unit=unit, base=base_named(g, base)), "PW-BAS-01")
    return unit, base, path


def _read_base(g: State, side: str, where: Plain) -> str:
    try:
        return f"{read_place(g, where):04d}"
    except Rejected:
        return read_unit(g, where, side)


def _other_bases(g: State, unit: str) -> list[str]:
    at = g.units[unit].at
    return [b for b in bases_for(g, unit, at, g.counter(unit).range) if b != (g.units[unit].aboard or f"{at:04d}")]


def _rebase_form(g: State, side: str, reacting: bool) -> Form:
    def read(plain: Plain) -> object:
        return read_rebase(g, side, reacting, plain)

    def able() -> list[str]:
        return [u for u in g.on_map(side, "air") if _may_fly(g, u, reacting) and _other_bases(g, u)]

    def ends(unit: str) -> list[Pick]:
        return base_picks(g, _other_bases(g, unit))

    flight = each(g, side, "rebase", able, ends, read, base_value, lambda what: base_word(g, side, what))
    return sole("rebase", flight, read, ("rebase", DONE))


def rebase_options(g: State, side: str, reacting: bool) -> list[Plain]:
    """Done, and for a few units their nearest other bases."""
    found: list[Plain] = [DONE]
    for unit in [u for u in g.on_map(side, "air") if _may_fly(g, u, reacting)][:4]:
        at = g.units[unit].at
        bases = _other_bases(g, unit)
        bases.sort(key=lambda b: (distance(at, int(b) if b[0].isdigit() else g.units[b].at), b))
        found += [{"rebase": {unit: b}} for b in bases[:2]]
    return found


def contact_land(g: State, reacting: bool, boarding: bool = True) -> Flow[None]:
    """[PW-MOV-08] [PW-MOV-12] Ground units move or embark; one hex only for the reaction player under intercept. Whether they
    go aboard in secret too (`boarding`) is a matter of the rules version."""
    side = _side(g, reacting)
    yield from offer_show(g, side, "PW-AMP-01")
    one_hex = reacting and g.condition == "intercept"

    def way(seen: State, who: str, plain: Plain) -> Sequence[int]:
        return march_way(seen, who, plain, True, one_hex)

    yield from land_in_secret(g, side, way, True) if boarding else move_in_secret(g, side, MARCH, way)
    if any(may_move(g, u) for u in g.on_map(side, "ground")):
        yield from land_phase(g, side, contact=True, one_hex=one_hex)


# -- naval movement --------------------------------------------------------------------------------------------------


def contact_sea(g: State, reacting: bool, increment: int) -> Flow[None]:
    """[PW-MOV-09] [PW-MOV-12] One increment: searches, the other side's right to stop, a hex for everybody."""
    side = _side(g, reacting)
    foe = FOE[side]
    emit(g, IncrementBegan())
    seen = yield from search_round(g, foe, msg("hex {n} of the approach", n=increment))
    yield from search_round(g, side, msg("hex {n} of the approach", n=increment))
    if increment and reacting and increment >= limit(g):
        return
    written = solitaire.on(g) and not reacting
    if written and seen:
        yield from reveal_condition(g)
    if (g.condition == "secret" and not written) or may_stop(g, reacting, increment, seen):
        prompt = msg("stop the enemy; hexes made so far: {n}", n=increment)
        stop = yield from yes_or_no(foe, "stop", "PW-MOV-10", prompt, reaction=True)
        if stop and (yield from _stands(g, increment, seen)):
            yield from reveal_condition(g)
        if stop and g.condition != "secret" and may_stop(g, reacting, increment, seen):
            emit(g, ApproachStopped())
            return
    again = tuple(u for u in g.moved if u in g.markers or u in _boats(g, side))
    if again:
        emit(g, MovesAgain(again))
    able = movers(g, side, 1)
    if not able or (reacting and limit(g) == 0):
        return
    if written:
        yield from _follow_plan(g, side, able, increment)
        return
    moves: dict[str, int] | str = yield Ask(
        side,
        "contact",
        "PW-MOV-09",
        msg("hex {n} of the approach, or end", n=increment + 1),
        lambda plain: read_approach(g, side, able, reacting, plain),
        ("sail", "stay", END, ABANDON),
        facts={"increment": increment},
        options=lambda: [END, *move_options(g, side, able)[1:]],
        form=lambda: sail_form(
            g, side, ("sail", "stay", END, ABANDON), able, lambda plain: read_approach(g, side, able, reacting, plain)
        ),
    )
    if moves == END:
        return
    if moves == ABANDON:
        yield from _abandon(g, side)
        return
    assert isinstance(moves, dict)
    yield from _advance(g, side, moves, reacting, increment)


def _abandon(g: State, side: str) -> Flow[None]:
    """[PW-ACT-14] The whole operation is over: whoever is active rests, but for submarines."""
    yield from unveil_side(g, side, "PW-ACT-14")
    rest_hidden(g, side, "PW-ACT-14")
    for u in [u for u in g.on_map(side) if g.units[u].active and g.counter(u).kind != "submarine"]:
        rest(g, u, "PW-ACT-14")
    drop_empty_markers(g)
    next_claim(g, g.reactor)


def _stands(g: State, increment: int, seen: bool) -> Flow[bool]:
    """[PW-MOV-10] A call to stop under a condition that only the reaction player knows: he says whether it is allowed. One that
    is not shows nothing more."""
    if g.condition != "secret":
        return True
    about = recorded_as(f"hex {increment}", msg("the enemy may be stopped now"))

    def truth(reveal: Reveal) -> Plain:
        return may_stop_under(true_condition(g, reveal), increment, seen)

    stated = yield Claim(g.reactor, "stops", about, "PW-MOV-10", truth)
    return stated is True


def _follow_plan(g: State, side: str, able: list[str], increment: int) -> Flow[None]:
    """[PW-SOL-01] The routes are written before the first hex; only a search that finds somebody can stop them."""
    if increment == 0:
        yield from solitaire.plan_routes(g, side, able)
    moves = solitaire.planned(g, able, increment)
    if moves:
        yield from _advance(g, side, moves, False, increment)


def _advance(g: State, side: str, moves: dict[str, int], reacting: bool, increment: int) -> Flow[None]:
    yield from sail(g, side, moves, free=True)
    emit(g, IncrementMade(reacting, increment + 1))
    emit(g, Scheduled((("contact-sea", (reacting, increment + 1)),), "PW-MOV-09"))
    if not reacting and increment + 1 in g.board.charts.plain["naval_track"]:
        if g.level == BATTLE:
            emit(g, DayCame(g.day + 1))
        else:
            ends = advance(g, 1)
            yield from after_days(g)
            if ends and not in_operation(g, side):  # [PW-SEQ-06] the operation is over as if it had been abandoned
                next_claim(g, FOE[side])
            if ends:
                emit(g, Scheduled((("month-end", (True,)),), "PW-SEQ-06"))


def _boats(g: State, side: str) -> list[str]:
    return list(g.on_map(side, "submarine"))


def limit(g: State) -> int:
    """[PW-MOV-12] [PW-MOV-13] Hexes of the reaction player: as many as the operations player made, or twice that."""
    return g.steps_made * (2 if g.condition in AMBUSHES else 1)


def may_stop(g: State, reacting: bool, increment: int, seen: bool) -> bool:
    """[PW-MOV-10] The right to stop: on detection, from space 2 on, or at any time."""
    if reacting or solitaire.on(g):
        return seen
    return may_stop_under(g.condition, increment, seen)


def may_stop_under(condition: str, increment: int, seen: bool) -> bool:
    """[PW-MOV-10] The reaction player's right to stop under a condition."""
    if condition == "surprise":
        return seen
    return increment >= 2 if condition == "intercept" else condition in AMBUSHES


def read_approach(g: State, side: str, able: list[str], reacting: bool, plain: Plain) -> dict[str, int] | str:
    """Moves, end, or (campaigns, operations player) abandon. Raises Rejected."""
    verb, _ = split_order(plain, ("sail", "stay", END, ABANDON))
    if verb == END:
        return END
    if verb == ABANDON:
        if reacting or g.level not in (CAMPAIGN, STRATEGIC):
            raise illegal(msg("the operation cannot be abandoned"), "PW-ACT-14", any_of("sail", "stay", "end"))
        return ABANDON
    return read_moves(g, side, able, plain)
