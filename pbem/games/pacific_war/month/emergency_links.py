"""[PW-CMD-10] [PW-CMD-11] [PW-CMD-12] Emergency links: the Tokyo Express and air transport routes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from pbem.games.pacific_war.board import distance
from pbem.games.pacific_war.choices import proposals
from pbem.games.pacific_war.events import Remarked
from pbem.games.pacific_war.orders import misread, read_place
from pbem.games.pacific_war.picks import place_named
from pbem.games.pacific_war.secret.fleets import offer_show
from pbem.games.pacific_war.secret.forces import whole
from pbem.games.pacific_war.secret.points import pay, payer
from pbem.games.pacific_war.state import FOE, JAPAN, State
from pbem.games.pacific_war.tallies import LinkBuilt, LinkDropped
from pbem.games.pacific_war.terms import hex_term
from pbem.games.pacific_war.world.links import linked_hexes, water_hexes
from pbem.games.pacific_war.world.ways import bit
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Claim, Flow, Reveal
from pbem.kernel.forms import PLACES, Form, listed
from pbem.kernel.orders import illegal, split_order
from pbem.kernel.proposals import Found
from pbem.kernel.questions import DONE, accepted, orders_until_done
from pbem.kernel.wording import Message, msg, recorded_as, verbatim

LINK_PRICE, LINK_UPKEEP, LINK_HEXES = 5, 2, 8  # [PW-CMD-10] to [PW-CMD-12]
EXPRESS_STEPS = 6


def emergency_links(g: State, side: str) -> Flow[None]:
    """[PW-CMD-10] [PW-CMD-11] [PW-CMD-12] New links at five points, then the upkeep of those that are not dropped."""
    if side == JAPAN and any(h in linked_ports(g, side) for h in g.forces.get(side, ())):
        yield from offer_show(g, side, "PW-CMD-10")
    old = [n for n in g.express if n.startswith("express") == (side == JAPAN)]
    closed: list[list[int]] = []  # routes that hidden fighters close, as the enemy has stated
    broke = False  # the side has stated that it cannot pay

    def read(plain: Plain) -> tuple[str, list[int]] | None:
        return _read_link(g, side, old, closed, broke, plain)

    def ideas() -> Iterator[Plain]:
        able = not broke and _able(g, side, LINK_PRICE) and bool(_free_names(g, side))
        return _link_ideas(g, side) if able else iter(())

    def drops() -> list[Plain]:
        return [{"drop": n} for n in old]

    def options() -> Sequence[Plain]:
        return Found(chain(proposals(read, ideas()), drops()))

    def form() -> Form:
        orders = [*accepted(read, ideas()), *drops(), DONE]
        return listed(orders, read, (), name=named, whole=True)

    def named(slot: str, word: str) -> Message:
        return place_named(g, word) if slot in PLACES else verbatim(word)

    def act(order: tuple[str, list[int]]) -> Flow[None]:
        nonlocal broke
        dropped, ends = order
        if dropped:
            old.remove(dropped)
            _drop_link(g, dropped)
        elif side != JAPAN and (yield from _hidden_fighters(g, FOE[side], ends[1])):
            closed.append(ends)
        else:
            broke = not (yield from _pay_for(g, side, ends))

    prompt = msg("establish or drop an emergency link, or done")
    yield from orders_until_done(side, "links", "PW-CMD-10", prompt, ("link", "drop"), read, options, act, form)
    for name in old:
        yield from _keep_up(g, side, name)


def _read_link(
    g: State, side: str, old: list[str], closed: list[list[int]], broke: bool, plain: Plain
) -> tuple[str, list[int]] | None:
    """`link: {from: 1630, to: 1134}` or `drop: express`: the link that is dropped, or "" and both ends. Raises Rejected."""
    verb, body = split_order(plain, ("link", "drop", DONE))
    if verb == DONE:
        return None
    if verb == "drop":
        if body not in old:
            raise illegal(msg("there is no emergency link {given}", given=str(body)), "PW-CMD-12", verbatim(*old))
        return str(body), []
    if not isinstance(body, dict) or set(body) != {"from", "to"}:
        raise misread("link", body, "link: {from: 1630, to: 1134}")
    start, end = read_place(g, body["from"]), read_place(g, body["to"])
    if not _free_names(g, side):
        raise illegal(msg("no further emergency link is left"), "PW-CMD-10")
    if not _link_stands(g, side, start, end) or [start, end] in closed:
        raise illegal(
            msg("no emergency link can run from {origin} to {place}", origin=g.board.name(start), place=g.board.name(end)),
            "PW-CMD-10" if side == JAPAN else "PW-CMD-11",
        )
    if broke or not _able(g, side, LINK_PRICE):
        raise illegal(msg("no headquarters has five command points"), "PW-CMD-10")
    return "", [start, end]


def linked_ports(g: State, side: str) -> list[int]:
    """Friendly linked ports, interdicted or not."""
    return [h for h, base in g.ports.items() if base.side == side and h in linked_hexes(g, side)]


def _free_names(g: State, side: str) -> list[str]:
    """Links that the side does not have yet: one of Japan, two of the Allies."""
    return [n for n in (["express"] if side == JAPAN else ["route 1", "route 2"]) if n not in g.express]


def _pay_for(g: State, side: str, ends: list[int]) -> Flow[bool]:
    """A headquarters pays for a new link; False if the side states that none can."""
    hq = yield from payer(g, side, _paying(g, side), LINK_PRICE, "PW-CMD-10")
    if hq:
        pay(g, hq, LINK_PRICE, "PW-CMD-10")
        emit(g, LinkBuilt(_free_names(g, side)[0], tuple(ends)))
    return bool(hq)


def _keep_up(g: State, side: str, name: str) -> Flow[None]:
    """[PW-CMD-12] Upkeep, or the link is dropped."""
    hq = yield from payer(g, side, _paying(g, side), LINK_UPKEEP, "PW-CMD-12")
    if hq:
        pay(g, hq, LINK_UPKEEP, "PW-CMD-12")
    else:
        _drop_link(g, name)


def _hidden_fighters(g: State, foe: str, end: int) -> Flow[bool]:
    """[PW-CMD-11] The enemy must say whether hidden fighters are within two hexes of the end of an air transport route."""
    sealed = [m.at for m in g.markers.values() if m.side == foe and m.handle] + g.forces.get(foe, [])
    if not any(distance(place, end) <= 2 for place in sealed):
        return False

    def truth(reveal: Reveal) -> Plain:
        return whole(g, foe, reveal).near_air(foe, end, 2, "1E")

    words = msg("hidden fighters close the air route to {place}", place=hex_term(g, end))
    stated = yield Claim(foe, "fighters", recorded_as(f"{end:04d}", words), "PW-CMD-11", truth)
    if stated:
        emit(g, Remarked(msg("No air transport route to {place}", place=hex_term(g, end)), "PW-CMD-11"))
    return bool(stated)


def _drop_link(g: State, name: str) -> None:
    emit(g, LinkDropped(name))


def _link_ideas(g: State, side: str) -> Iterator[Plain]:
    """To troops that are cut off first, then to every other place where a link can end."""
    fields = [h for h, b in g.airfields.items() if b.side == side and not b.interdicted]
    starts = linked_ports(g, side) if side == JAPAN else fields
    cut_off = {g.units[u].at for u in g.on_map(side, "ground")} - linked_hexes(g, side)
    for start in starts:
        ends = g.board.within(start, LINK_HEXES) if side == JAPAN else fields
        for end in sorted(ends, key=lambda h: (h not in cut_off, h)):
            if _link_stands(g, side, start, end):
                yield {"link": {"from": start, "to": end}}


def _paying(g: State, side: str) -> list[str]:
    return [n for n, h in g.hqs.items() if h.side == side and h.box == "map"]


def _able(g: State, side: str, points: int) -> bool:
    """As far as everybody knows a headquarters has so many points."""
    return any(g.hqs[n].points >= points for n in _paying(g, side))


def _link_stands(g: State, side: str, start: int, end: int) -> bool:
    """Tokyo Express: a linked port with six steps of idle destroyers to a coast; air route: airfield to airfield."""
    if distance(start, end) > LINK_HEXES or start == end:
        return False
    if side == JAPAN:
        idle = [u for u in g.ships(side, start) if g.counter(u).type == "DD" and not g.units[u].active]
        linked = g.port(side, start) is not None and start in linked_hexes(g, side)
        ready = linked and sum(g.steps(u) for u in idle) >= EXPRESS_STEPS
        return ready and bool(water_hexes(g, start, LINK_HEXES) & bit(end))
    ends = [g.airfield(side, h) for h in (start, end)]
    working = all(b is not None and not b.interdicted for b in ends)
    taken = [e for e in g.express.values() if e != [start, end]]
    alone = all(start != e[0] and end != e[1] for e in taken)
    return working and alone and start in linked_hexes(g, side) and not g.near_air(FOE[side], end, 2, "1E")
