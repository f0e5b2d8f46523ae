"""[6.5] Attack Helicopters: bases, rebasing, missions, loss of the base."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.next_war import combat_forms
from pbem.games.next_war.air import SAFE, check_escort, fire, fire_at, fires, flight, spend
from pbem.games.next_war.board import distance
from pbem.games.next_war.casualties import lose_step
from pbem.games.next_war.charts import Fire, pick
from pbem.games.next_war.choices import throw, told
from pbem.games.next_war.events.air import BaseCrowded, HelicopterFlew, HelicopterGrounded
from pbem.games.next_war.events.moves import Placed
from pbem.games.next_war.events.turns import UnitsDone
from pbem.games.next_war.orders import fields, read_own, read_place, read_places, read_unit, split_order
from pbem.games.next_war.state import FOE, State
from pbem.games.next_war.zoc import zone
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Ask, Flow
from pbem.kernel.naming import read_number
from pbem.kernel.orders import Rejected, illegal
from pbem.kernel.questions import NONE
from pbem.kernel.wording import die_for, msg


def basing_limit(g: State, side: str, place: int) -> int:
    """[6.5.1.1] Helicopters that a hex takes: Airbase 3, Airfield, City or Urban 1."""
    hex_ = g.board.hexes[place]
    if not g.holds(side, place) or g.ground(FOE[side], place):
        return 0
    if hex_.airbase:
        return 3
    beachhead = g.newer and place in g.beachheads and g.beachheads[place].side == side
    return int(hex_.airfield or hex_.city or hex_.terrain == "urban" or beachhead)


def room(g: State, side: str, place: int) -> int:
    """How many more helicopters the hex takes."""
    return basing_limit(g, side, place) - len(g.here(side, place, "helo"))


def missions_left(g: State, helo: str) -> int:
    """[6.5.2] Missions that the helicopter may still fly this turn: two, one in Overcast, none in Storm."""
    if helo in g.grounded or g.storm:
        return 0
    return (1 if g.weather == "overcast" else 2) - g.missions.get(helo, 0)


def reach(g: State, helo: str, target: int, most: int) -> tuple[int, ...] | None:
    """The path of a flight, or None when the target is out of range."""
    return flight(g, g.seat(helo), (g.pieces[helo].at, target), most)


def ready(g: State, side: str, target: int) -> list[str]:
    """[6.5.3, 6.5.5] Helicopters that can fly Combat Support against or for a hex: those with an AMPH in a sea area cannot."""
    return [
        u
        for u in g.on_map(side, "helo")
        if missions_left(g, u) > 0 and u not in g.flown and distance(g.pieces[u].at, target) <= g.counter(u).range
    ]


def fly(g: State, helo: str, rule: str) -> None:
    """A mission is flown."""
    emit(g, HelicopterFlew(helo, rule))


# -- rebasing ------------------------------------------------------------------------------------------------------------


def rebase(g: State, side: str, body: Plain) -> Flow[None]:
    """[6.5.1.2] `rebase: AH-1 2 to N2721 escort 1`, onto an AMPH `rebase: AH-1Z 1 on Amph 1`."""
    helo, spot, path, escort = read_rebase(g, side, body)
    spend(g, side, escort, "6.2.2")
    emit(g, HelicopterGrounded(helo, "6.5.1.2"))
    emit(g, UnitsDone((helo,), "6.5.1.2"))
    found = yield from fire_at_start(g, helo, escort)
    if g.pieces[helo].at and not found.abort:
        yield from _fly_over(g, helo, spot, path, escort, False)


def read_rebase(g: State, side: str, body: Plain) -> tuple[str, int | str, tuple[int, ...], int]:
    """Helicopter, new base (hex or AMPH), path, escort. Raises Rejected."""
    f = fields(body, ("to", "on", "via", "escort"), ("units",))
    (helo, *more) = read_own(g, f["units"], side, "6.5.1.2")
    counter = g.counter(helo)
    if more or counter.kind != "helo":
        raise illegal(msg("one helicopter rebases at a time"), "6.5.1.2")
    if helo in g.grounded or g.missions.get(helo, 0) or helo in g.moved:
        raise illegal(msg("{unit} has flown this turn", unit=counter.name), "6.5.1.2")
    escort = read_number(f.get("escort", 0), 0, 2, "6.2.2")
    check_escort(g, side, escort)
    spot: int | str
    if "on" in f:
        spot = read_unit(g, f["on"], side)
        ship = g.counter(spot)
        if ship.kind != "AMPH" or ship.seat != side or not counter.usmc:
            raise illegal(msg("only USMC helicopters base on an AMPH"), "6.5.5")
        target = g.pieces[spot].at
    else:
        spot = target = read_place(g, f.get("to"))
        if room(g, side, target) <= 0:
            raise illegal(msg("{place} has no room for a helicopter", place=g.board.name(target)), "6.5.1.1")
    if not g.pieces[helo].at or not target:
        raise illegal(msg("{unit} cannot fly from or to a sea area", unit=counter.name), "6.5.5")
    if g.pieces[helo].at == target:
        raise illegal(msg("the helicopter is based there already"), "6.5.1.2")
    stops = (g.pieces[helo].at, *read_places(g, f.get("via")), target) if "via" in f else (g.pieces[helo].at, target)
    path = flight(g, side, stops, 2 * counter.range)
    if path is None:
        raise illegal(
            msg("{place} is out of reach; hexes at most: {n}", place=g.board.name(target), n=2 * counter.range), "6.5.1.2"
        )
    if g.newer and any(g.board.hexes[h].terrain == "high_mountain" for h in path):
        raise illegal(msg("helicopters do not fly in high mountains"), "6.5.1.2")
    return helo, spot, path, escort


def fire_at_start(g: State, helo: str, escort: int = 0) -> Flow[Fire]:
    """[6.6] Newer rules: fire at a helicopter that starts in enemy country or in an enemy zone, before anything else."""
    side, start = g.seat(helo), g.pieces[helo].at
    if not _fired_at_start(g, side, start):
        return SAFE
    drm = escort * g.p["adf_drms"].get("escort", 1)
    found = yield from fire(g, side, fire_at(f"{g.counter(helo).name} at its base"), start, (start,), drm, False)
    if found.lost:
        lose_step(g, helo, "6.6.1.1")
    return found


def _fired_at_start(g: State, side: str, start: int) -> bool:
    return g.newer and (g.board.owner(start) == FOE[side] or start in zone(g, FOE[side]))


def fires_at_start(g: State, helo: str) -> list[Fire]:
    """[6.6] What each face of that fire would bring; no fire, one end."""
    side, start = g.seat(helo), g.pieces[helo].at
    return fires(g, side, start, (start,), 0, False) if _fired_at_start(g, side, start) else [SAFE]


def _fly_over(g: State, helo: str, spot: int | str, path: Sequence[int], escort: int, must: bool) -> Flow[None]:
    drm = escort * g.p["adf_drms"].get("escort", 1)
    found = yield from fire(g, g.seat(helo), fire_at(g.counter(helo).name), path[-1], path, drm, True)
    if found.lost:
        lose_step(g, helo, "6.6.1.1")
    if g.pieces[helo].at and (must or not found.abort):
        _land(g, helo, spot, "6.5.1.2")


def _land(g: State, helo: str, spot: int | str, rule: str) -> None:
    if isinstance(spot, str):
        ship = g.pieces[spot]
        emit(g, Placed(helo, ship.at, ship.box, rule, aboard=spot))
    else:
        emit(g, Placed(helo, spot, "", rule))


def flee(g: State, helo: str, must: bool) -> Flow[bool]:
    """[6.5.1.2, 6.2.2] A helicopter whose hex the enemy takes may rebase at once, even over the limit; Abort does not hold it.

    `flee: N2721 escort 1`. It is done for the turn.

    True when it has left (or died on the way); it stays when no base is in reach or, unless it `must`, when it likes.
    """
    side, start = g.seat(helo), g.pieces[helo].at
    most = 2 * g.counter(helo).range
    near = [
        h
        for h in g.board.hexes
        if h != start and distance(start, h) <= most and basing_limit(g, side, h) and g.board.hexes[h].land
    ]
    near.sort(key=lambda h: (room(g, side, h) <= 0, distance(start, h), h))
    if not near:
        return False
    to, escort = yield _flee_ask(g, side, helo, near, must)
    if not to:
        return False
    spend(g, side, escort, "6.2.2")
    emit(g, HelicopterGrounded(helo, "6.5.1.2"))
    crowded = room(g, side, to) <= 0
    path = flight(g, side, (start, to), most)
    assert path is not None
    yield from _fly_over(g, helo, to, path, escort, True)
    if crowded and g.pieces[helo].at:
        emit(g, BaseCrowded(helo, g.turn))
    return True


def _flee_ask(g: State, side: str, helo: str, near: Sequence[int], must: bool) -> Ask:
    def read(plain: Plain) -> tuple[int, int]:
        _, body = split_order(plain, ("flee",))
        if body == NONE and not must:
            return 0, 0
        f = fields(body, ("to", "escort")) if isinstance(body, str | dict) else {"to": body}
        escort = read_number(f.get("escort", 0), 0, 2, "6.2.2")
        check_escort(g, side, escort)
        to = read_place(g, f["to"] if "to" in f else f.get("units"))
        if to not in near:
            raise illegal(
                msg("{place} is no base in reach", place=g.board.name(to)),
                "6.5.1.2",
                msg("one of: {choices}", choices=tuple(g.board.name(h) for h in near[:5])),
            )
        return to, escort

    def policy(wanted: Plain) -> Plain:
        for item in wanted if isinstance(wanted, list) else [wanted]:
            order: Plain = {"flee": item}
            try:
                read(order)
            except Rejected:
                continue
            return order
        return None

    words: list[Plain] = [{"flee": g.board.hexes[h].label} for h in near[:4]]
    if not must:
        words.append({"flee": NONE})
    return Ask(
        side,
        "flee",
        "6.5.1.2",
        msg("{unit} leaves {place}: where does it fly?", unit=g.counter(helo).name, place=g.board.name(g.pieces[helo].at)),
        read,
        ("flee",),
        options=lambda: words,
        default=words[0],
        policy=policy,
        reaction=True,
        form=lambda: combat_forms.flees(g, near, not must, min(2, g.air[side]), read),
    )


def lose_base(g: State, place: int, side: str) -> Flow[None]:
    """[6.5.4] The enemy controls the hex now: each helicopter there may leave first, then a die for each that stayed."""
    for helo in g.here(FOE[side], place, "helo"):
        if (yield from flee(g, helo, False)):
            continue
        label = die_for("loss of base, {name}", name=g.counter(helo).name)
        die = yield from throw(label, "6.5.4", FOE[side])
        found = str(pick(g.p["helo_loss_table"], die))
        told(g, label, die, 0, found, "6.5.4")
        if found == "destroyed":
            lose_all(g, helo, "6.5.4")
        elif found == "step":
            lose_step(g, helo, "6.5.4")
        if g.pieces[helo].at and not (yield from flee(g, helo, True)):
            lose_all(g, helo, "6.5.4")


def lose_all(g: State, helo: str, rule: str) -> None:
    """The helicopter is destroyed."""
    while g.pieces[helo].at:
        lose_step(g, helo, rule)


def crowded_out(g: State) -> None:
    """[6.5.1.2] A helicopter that fled over the limit last turn and could not move on is eliminated."""
    for helo, turn in list(g.overrun.items()):
        gone = not g.pieces[helo].at
        if turn < g.turn and (gone or room(g, g.seat(helo), g.pieces[helo].at) >= 0 or helo in g.grounded):
            emit(g, BaseCrowded(helo, 0))
        elif turn < g.turn:
            lose_all(g, helo, "6.5.1.2")
            emit(g, BaseCrowded(helo, 0))


def support_of(g: State, helo: str) -> int:
    """[2.4.2] Combat support rating of the side that is up."""
    support = g.counter(helo).support
    return support[-1] if g.pieces[helo].reduced else support[0]
