"""[NCM-03] [SCR-04] [SCR-05] Before the phasing power moves: scrambled aircraft return, stranded ones find a home."""

from __future__ import annotations

from pbem.games.axis_and_allies_pacific.events.combat import Destroyed, Relocated, RoleTaken
from pbem.games.axis_and_allies_pacific.landing import CARRIER_AIRCRAFT, decks
from pbem.games.axis_and_allies_pacific.orders import read_space, split_order
from pbem.games.axis_and_allies_pacific.politics import why_not_enter
from pbem.games.axis_and_allies_pacific.state import AIR, POWERS, State, Unit, friends, is_friendly, reacts
from pbem.games.axis_and_allies_pacific.terms import OWNERS, one_of, place, places, some
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Ask, Flow
from pbem.kernel.orders import illegal
from pbem.kernel.wording import msg


def return_and_strand(g: State, power: str) -> Flow[None]:
    """[NCM-03] In seat order, by id: each defending aircraft without a home goes one space, or is lost."""
    for owner in POWERS:
        if owner == power:
            continue  # his own land in the phase itself; a friend's may have lost their carrier to a kamikaze
        for plane in [u for u in g.of(owner) if u.type in AIR]:
            if plane.role == "scramble" and is_friendly(g, owner, plane.came_from):
                emit(g, Relocated(plane.id, plane.came_from, None, "SCR-04"))
                emit(g, RoleTaken(plane.id, "", "SCR-04"))
            elif _is_homeless(g, plane):
                yield from _find_home(g, plane)


def _is_homeless(g: State, plane: Unit) -> bool:
    if plane.at in g.board.territories:
        return not is_friendly(g, plane.owner, plane.at)
    ship = g.units.get(plane.aboard or 0)
    return ship is None or (ship.damaged and plane.fought)  # cargo of an old wreck never took off [E-04]


def _find_home(g: State, plane: Unit) -> Flow[None]:
    homes = homes_of(g, plane)
    if not homes:
        emit(g, Destroyed(plane.id, plane.type, plane.owner, plane.at, "NCM-03"))
        return
    text = msg(
        "{power}: in {place} these need a home: {things}",
        power=OWNERS[plane.owner],
        place=place(g, plane.at),
        things=some(plane.type),
    )
    space = yield Ask(
        plane.owner,
        "land-stranded",
        "NCM-03",
        text,
        lambda plain: _read(g, homes, plain),
        ("land",),
        scope=f"space:{plane.at}",
        forced={"land": homes[0]} if len(homes) == 1 else None,
        facts={"type": plane.type, "space": plane.at},
        options=lambda: [{"land": h} for h in homes],
        policy=lambda p: _policy(g, homes, p),
        reaction=reacts(g, plane.owner),
    )
    deck = next(iter(decks(g, plane.owner, space)), None) if space in g.board.zones else None
    emit(g, Relocated(plane.id, space, deck.id if deck else None, "NCM-03"))
    emit(g, RoleTaken(plane.id, "", "NCM-03"))


def homes_of(g: State, plane: Unit) -> list[str]:
    """Friendly land or a friendly carrier with room, within one space."""
    near = [plane.at, *g.board.neighbours[plane.at]]
    return [s for s in near if _is_home(g, plane, s)]


def _is_home(g: State, plane: Unit, space: str) -> bool:
    if space in g.board.zones:
        return plane.owner != "china" and plane.type in CARRIER_AIRCRAFT and bool(decks(g, plane.owner, space))
    return is_friendly(g, plane.owner, space) and why_not_enter(g, plane.owner, space) is None


def _read(g: State, homes: list[str], plain: Plain) -> str:
    _, body = split_order(plain, ("land",))
    space = read_space(g.board, body)
    if space not in homes:
        raise illegal(msg("no home in {place}", place=place(g, space)), "NCM-03", one_of(places(g, homes)))
    return space


def _policy(g: State, homes: list[str], wanted: Plain) -> Plain:
    """A list of spaces in order: the first that is a home."""
    listed = [read_space(g.board, w) for w in (wanted if isinstance(wanted, list) else [wanted])]
    found = next((w for w in listed if w in homes), None)
    return {"land": found} if found else None


__all__ = ["friends", "homes_of", "return_and_strand"]
