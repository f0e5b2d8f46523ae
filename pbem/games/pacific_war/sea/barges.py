"""[PW-OPT-18] By option: barges move a Japanese division along the coast, Allied PT boats wait for them in secret."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.pacific_war.choices import proposals
from pbem.games.pacific_war.land.movement import ALLOWANCE, BATTALIONS, check_stack, clear_entries, has_room, march_in
from pbem.games.pacific_war.movements import MoveSpent
from pbem.games.pacific_war.orders import hexes_named, misread, read_place, read_unit
from pbem.games.pacific_war.picks import each, picker, place_word, some
from pbem.games.pacific_war.state import ALLIES, FOE, JAPAN, State
from pbem.games.pacific_war.terms import hex_term
from pbem.games.pacific_war.units.damage import hit_steps
from pbem.games.pacific_war.veils import BoatsStationed
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Claim, Commit, Flow, Reveal
from pbem.kernel.forms import Form, Pick, Read, verdict
from pbem.kernel.orders import Rejected, illegal, split_order
from pbem.kernel.picking import sole
from pbem.kernel.questions import DONE, orders_until_done
from pbem.kernel.wording import msg, recorded_as

DIVISION = 9  # battalions a month
JUNES = (38, 26, 14, 2)  # June 1942 to June 1945
IN_RESERVE: Plain = {"boats": []}


def used(g: State) -> bool:
    """The option is on."""
    return bool(g.options.get("barges") == "yes")


# -- barges ------------------------------------------------------------------------------------------------------------


def barges(g: State) -> Flow[None]:
    """Troops of a division cross from a coast to the next one; PT boats in the goal cost a step."""
    if not used(g):
        return
    carried = 0

    def read(plain: Plain) -> tuple[str, int] | None:
        verb, body = split_order(plain, ("barge", DONE))
        if verb == DONE:
            return None
        if not isinstance(body, dict) or len(body) != 1:
            raise misread("barge", body, "barge: {unit: hex}")
        who, where = next(iter(body.items()))
        unit, goal = read_unit(g, who, JAPAN), read_place(g, where)
        _check(g, unit, goal, carried)
        return unit, goal

    def options() -> Sequence[Plain]:
        able = [u for u in g.on_map(JAPAN, "ground") if g.board.coast(g.units[u].at) and u not in g.moved]
        return proposals(read, ({"barge": {unit: goal}} for unit in able for goal in g.board.near(g.units[unit].at)))

    def form() -> Form:
        return _form(g, read)

    def act(order: tuple[str, int]) -> Flow[None]:
        nonlocal carried
        carried += BATTALIONS.get(g.counter(order[0]).size, DIVISION)
        yield from _cross(g, *order)

    yield from orders_until_done(
        JAPAN, "barges", "PW-OPT-18", msg("move troops by barge, or done"), ("barge",), read, options, act, form
    )
    clear_entries(g)


def _form(g: State, read: Read) -> Form:
    def ends(unit: str) -> list[Pick]:
        return [picker(g).place("to", n) for n in g.board.near(g.units[unit].at)]

    def able() -> list[str]:
        goals = {u: g.board.near(g.units[u].at) for u in g.on_map(JAPAN, "ground")}
        return [u for u, near in goals.items() if any(not verdict(read, [{"barge": {u: n}}]) for n in near)]

    crossing = each(g, JAPAN, "barge", able, ends, read, word=lambda what: place_word(g, what))
    return sole("barge", crossing, read, ("barge", DONE))


def _check(g: State, unit: str, goal: int, carried: int) -> None:
    u, c = g.units[unit], g.counter(unit)
    if c.side != JAPAN or c.kind != "ground" or u.box != "map" or u.aboard or unit in g.moved:
        raise illegal(msg("{unit} cannot go by barge", unit=unit), "PW-OPT-18")
    if not g.board.coast(u.at) or not g.board.coast(goal) or goal not in g.board.near(u.at):
        raise illegal(
            msg("no barge goes from {origin} to {place}", origin=g.board.name(u.at), place=g.board.name(goal)),
            "PW-OPT-18",
            msg("barges go from a coast to the coast beside it"),
        )
    if goal in g.board.hex(u.at).routes:
        raise illegal(msg("a land route is no water hexside"), "PW-OPT-18")
    if g.ashore(FOE[JAPAN], u.at):
        raise illegal(msg("{unit} stands among enemies", unit=unit), "PW-MOV-14")
    if carried + BATTALIONS.get(c.size, DIVISION) > DIVISION:
        raise illegal(msg("barges carry no more than a division"), "PW-OPT-18")
    check_stack(g, unit, goal)


def _cross(g: State, unit: str, goal: int) -> Flow[None]:
    emit(g, MoveSpent(unit, ALLOWANCE, "PW-OPT-18"))
    if g.boats:
        about = recorded_as(f"{goal:04d}", msg("PT boats in {place}", place=hex_term(g, goal)))
        met = yield Claim(ALLIES, "boats", about, "PW-OPT-18", lambda reveal: _meets(g, goal, reveal))
        if met:
            hit_steps(g, unit, 1, "PW-OPT-18")
    if g.units[unit].box != "map":
        return
    if (yield from has_room(g, unit, goal)):
        yield from march_in(g, unit, goal, "PW-OPT-18")


# -- PT boats ----------------------------------------------------------------------------------------------------------


def hexes_of_boats(g: State) -> int:
    """One hex of PT boats for each June that has come."""
    return sum(g.month <= june for june in JUNES)


def station_boats(g: State) -> Flow[None]:
    """Each Reinforcement Phase the Allied player assigns his PT boats in secret; an order that is not legal sends none."""
    if not used(g) or not hexes_of_boats(g):
        return
    prompt = msg("station PT boats in secret; number of hexes: {n}", n=hexes_of_boats(g))
    handle = yield Commit(
        ALLIES,
        "PT boats",
        "PW-OPT-18",
        prompt,
        lambda plain: stations(g, plain),
        IN_RESERVE,
        lambda: _station_options(g),
        form=lambda may_seal, _: some(g, "boats", friendly_places(g), may_seal),
    )
    emit(g, BoatsStationed(handle, tuple(friendly_places(g))))


def friendly_places(g: State) -> list[int]:
    """Hexes with Allied units."""
    return sorted({g.units[u].at for u in g.on_map(ALLIES)} | {*g.forces.get(ALLIES, ())})


def stations(g: State, plain: Plain) -> list[int]:
    """`boats: [hexes]`: hexes with Allied units, at most one for each June. Raises Rejected."""
    _, body = split_order(plain, ("boats",))
    places = [read_place(g, p) for p in (body if isinstance(body, list) else [body])]
    if len(places) > hexes_of_boats(g) or any(p not in friendly_places(g) for p in places):
        raise illegal(
            msg("PT boats cannot be stationed here: {places}", places=hexes_named(g, places)),
            "PW-OPT-18",
            msg("hexes with Allied units, at most: {most}", most=hexes_of_boats(g)),
        )
    return places


def _station_options(g: State) -> list[Plain]:
    coasts = [p for p in friendly_places(g) if g.board.coast(p)]
    found: list[Plain] = [{"boats": [p]} for p in coasts[:4]]
    return found or [IN_RESERVE]


def _meets(g: State, goal: int, reveal: Reveal) -> bool:
    """Boats were stationed there, by an order that stood when it was given."""
    sealed = reveal(g.boats)
    body = sealed.get("boats", []) if isinstance(sealed, dict) else []
    try:
        places = [read_place(g, p) for p in (body if isinstance(body, list) else [body])]
    except Rejected:
        return False
    able = [p for p in places if p in g.boat_places]
    return goal in able and len(places) <= hexes_of_boats(g)
