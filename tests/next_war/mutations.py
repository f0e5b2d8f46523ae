"""Orders made illegal by construction; none may be accepted."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from pbem.games.next_war.board import distance
from pbem.games.next_war.state import FOE, State
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask
from tests.next_war.random_play import MOVES, play
from tests.next_war.table import SCENARIOS
from tests.spoiling import Spoiler, Spoilt

FAR = 26  # hexes: more than a road march (8 points at a third) or a flight (24 hexes) covers
ALONE = ("done", "none")


def spoil(g: State, ask: Ask, dice: random.Random) -> Iterator[Spoilt]:
    """Illegal orders for a question."""
    yield "another phase", {"recover": "nothing"} if ask.kind != "replacements" else {"attack": "nothing"}
    yield "no verb of this game", {"surrender": "now"}
    nonsense: list[Plain] = [17, None, [], {}, {"a": 1, "b": 2}, True]
    yield "nonsense", dice.choice(nonsense)
    for verb in ask.verbs:
        if verb in ALONE:
            yield "a body too many", {verb: "now"}
        else:
            yield "no sense in the body", {verb: "xyzzy plugh"}
    more = _BY_KIND.get(ask.kind, _choice)
    yield from more(g, ask, dice)


def _name(g: State, place: int) -> str:
    return g.board.hexes[place].label


def _army(g: State, side: str) -> list[str]:
    return [u for u in g.on_map(side, "ground") if not g.pieces[u].aboard]


def _away(g: State, side: str) -> list[str]:
    return [u for u, p in g.pieces.items() if g.seat(u) == side and p.box in ("due", "eliminated", "removed")]


def _some(items: Sequence[Any], dice: random.Random, number: int = 2) -> list[Any]:
    return dice.sample(list(items), min(number, len(items)))


def _movement(g: State, ask: Ask, dice: random.Random) -> Iterator[Spoilt]:
    side = ask.seat
    own, theirs = _army(g, side), _army(g, FOE[side])
    waiting = [u for u in own if u not in g.moved]
    land = [h for h, x in g.board.hexes.items() if x.land]
    waters = [h for h, x in g.board.hexes.items() if not x.land]
    for unit in _some(waiting, dice):
        yield from _march(g, side, unit, waiting, land, waters, dice)
        yield from _flight(g, ask, unit, dice)
    for unit in _some(theirs, dice):
        near = dice.choice(g.board.near[g.pieces[unit].at])
        yield "a unit of the enemy", {"move": f"{unit} to {_name(g, near)}"}
    for unit in _some([u for u in own if u in g.moved], dice):
        near = dice.choice(g.board.near[g.pieces[unit].at])
        yield "moved before", {"move": {"units": [unit], "to": _name(g, near)}}
    for unit in _some(_away(g, side), dice, 1):
        yield "a unit that is away", {"move": {"units": [unit], "to": _name(g, dice.choice(land))}}
    yield from _ships(g, ask, dice)


def _march(
    g: State, side: str, unit: str, waiting: Sequence[str], land: Sequence[int], waters: Sequence[int], dice: random.Random
) -> Iterator[Spoilt]:
    at = g.pieces[unit].at
    near = dice.choice(g.board.near[at])
    yield "a unit twice", {"move": {"units": [unit, unit], "to": _name(g, near)}}
    yield "no such hex", {"move": {"units": [unit], "to": "9999"}}
    yield "it stands there", {"move": {"units": [unit], "to": _name(g, at)}}
    yield "an extra key", {"move": {"units": [unit], "to": _name(g, near), "speed": 3}}
    elsewhere = _name(g, dice.choice([h for h in land if h != at]))
    yield "not from there", {"move": {"units": [unit], "from": elsewhere, "to": _name(g, near)}}
    for place in _some([h for h in land if distance(h, at) >= FAR], dice, 1):
        yield "too far", {"move": {"units": [unit], "to": _name(g, place)}}
    for place in _some(waters, dice, 1):
        yield "into the sea", {"move": {"units": [unit], "to": _name(g, place)}}
    for place in _some(list(g.occupied(FOE[side])), dice, 1):
        yield "into a hex of the enemy", {"move": {"units": [unit], "to": _name(g, place)}}
        yield "through a hex of the enemy", {"move": {"units": [unit], "to": _name(g, near), "via": [_name(g, place)]}}
    other = [u for u in waiting if g.pieces[u].at != at]
    for mate in _some(other, dice, 1):
        yield "they did not start together", {"move": {"units": [unit, mate], "to": _name(g, near)}}


def _flight(g: State, ask: Ask, unit: str, dice: random.Random) -> Iterator[Spoilt]:
    if "lift" not in ask.verbs:
        return
    side, counter, at = ask.seat, g.counter(unit), g.pieces[unit].at
    hex_ = g.board.hexes[at]
    land = [h for h, x in g.board.hexes.items() if x.land and h != at]
    to = _name(g, dice.choice(land))
    if not counter.yellow:
        yield "not airmobile", {"lift": {"units": [unit], "to": to}}
    if not counter.airborne:
        yield "not airborne", {"drop": {"units": [unit], "to": to}}
    if not (hex_.airbase or hex_.airfield):
        yield "not from a base", {"fly": {"units": [unit], "to": to}}
        yield "not from a base", {"drop": {"units": [unit], "to": to}}
    if not (hex_.port or at in g.beachheads):
        yield "not from a harbour", {"ship": {"units": [unit], "to": to}}
    if g.storm:
        yield "in a storm", {"lift": {"units": [unit], "to": to}}
    for place in _some(list(g.occupied(FOE[side])), dice, 1):
        for verb in ("lift", "drop", "fly", "ship"):
            yield "landing on the enemy", {verb: {"units": [unit], "to": _name(g, place)}}
    for verb in ("lift", "drop", "fly"):
        yield "more escorts than two", {verb: {"units": [unit], "to": to, "escort": 3}}
    yield "no ship", {"sail": {"units": unit, "to": to}}
    for place in _some([h for h in land if not g.board.hexes[h].port and h not in g.beachheads], dice, 1):
        yield "no harbour there", {"ship": {"units": [unit], "to": _name(g, place)}}


def _ships(g: State, ask: Ask, dice: random.Random) -> Iterator[Spoilt]:
    if "sail" not in ask.verbs:
        return
    ships = [u for u, c in g.board.counters.items() if c.naval and g.area_of(u)]
    inland = [h for h, x in g.board.hexes.items() if x.land and not x.port]
    for ship in _some(ships, dice):
        yield "a ship on land", {"sail": {"units": ship, "to": _name(g, dice.choice(inland))}}
        yield "a ship marches", {"move": {"units": [ship], "to": _name(g, dice.choice(inland))}}
        if g.seat(ship) != ask.seat:
            yield "a ship of the enemy", {"sail": {"units": ship, "to": dice.choice(sorted(g.board.areas))}}
        if g.seat(ship) != ask.seat or g.counter(ship).kind != "AMPH":
            yield "no own AMPH", {"poise": {"units": ship, "to": _name(g, dice.choice(inland))}}
    for helo in _some(list(g.on_map(FOE[ask.seat], "helo")), dice, 1):
        yield "a helicopter of the enemy", {"rebase": {"units": helo, "to": _name(g, dice.choice(inland))}}
    bare = [h for h in inland if not _basing(g, h)]
    for helo in _some(list(g.on_map(ask.seat, "helo")), dice, 1):
        yield "no base there", {"rebase": {"units": helo, "to": _name(g, dice.choice(bare))}}
    yield "a mine inland", {"submine": _name(g, dice.choice(inland))}
    plain = [h for h in inland if h not in g.beachheads]
    yield "no Beachhead there", {"remove-beachhead": _name(g, dice.choice(plain))}


def _basing(g: State, place: int) -> bool:
    hex_ = g.board.hexes[place]
    return hex_.airbase or hex_.airfield or hex_.city or hex_.terrain == "urban" or place in g.beachheads


def _combat(g: State, ask: Ask, dice: random.Random) -> Iterator[Spoilt]:
    side = ask.seat
    own, foes = _army(g, side), list(g.occupied(FOE[side]))
    empty = [h for h, x in g.board.hexes.items() if x.land and not g.ground(FOE[side], h)]
    for unit in _some(own, dice, 3):
        at = g.pieces[unit].at
        yield "nobody to fight", {"attack": {"units": [unit], "at": _name(g, dice.choice(empty))}}
        for place in _some([h for h in foes if distance(h, at) > 1], dice, 1):
            yield "not adjacent", {"attack": {"units": [unit], "at": _name(g, place)}}
        for place in _some([h for h in foes if distance(h, at) == 1], dice, 1):
            yield "a unit twice", {"attack": {"units": [unit, unit], "at": _name(g, place)}}
            for other in _some(_army(g, FOE[side]), dice, 1):
                yield "a unit of the enemy", {"attack": {"units": [unit, other], "at": _name(g, place)}}
            for away in _some(_away(g, side), dice, 1):
                yield "a unit that is away", {"attack": {"units": [unit, away], "at": _name(g, place)}}
        yield "no landing without ships", {"land": [unit]}
    for unit in _some(g.fought, dice):
        for place in foes:
            if distance(place, g.pieces[unit].at) == 1:
                yield "fought before", {"attack": {"units": [unit], "at": _name(g, place)}}
    inland = [h for h in empty if not g.board.hexes[h].beach]
    yield "a Beachhead away from a beach", {"beachhead": _name(g, dice.choice(inland))}


def _support(g: State, ask: Ask, dice: random.Random) -> Iterator[Spoilt]:
    side, most = ask.seat, 4 if ask.facts["attack"] else 2
    yield "more air points than a combat takes", {"support": {"air": most + 1}}
    yield "more air points than there are", {"support": {"air": g.air[side] + 1}}
    yield "less than no points", {"support": {"air": -1}}
    for helo in _some(list(g.on_map(FOE[side], "helo")), dice, 1):
        yield "a helicopter of the enemy", {"support": {"helos": [helo]}}
    own = list(g.on_map(side, "helo"))
    if len(own) > most // 2:
        yield "too many helicopters", {"support": {"helos": [*own[: most // 2 + 1]]}}
    for unit in _some(_army(g, side), dice, 1):
        yield "no helicopter", {"support": {"helos": [unit]}}
        yield "no ship", {"support": {"ships": [unit]}}
    yield "an extra key", {"support": {"air": 0, "artillery": 1}}


def _retreat(g: State, ask: Ask, dice: random.Random) -> Iterator[Spoilt]:
    fight = g.fight
    assert fight is not None
    far = [h for h, x in g.board.hexes.items() if x.land and distance(h, fight.target) > 5]
    if far:
        yield "too far", {"retreat": {"to": _name(g, dice.choice(far))}}
    for place in _some(list(g.occupied(FOE[ask.seat])), dice):
        yield "into a hex of the enemy", {"retreat": {"to": _name(g, place)}}
    yield "no retreat at all", {"retreat": {"to": _name(g, fight.target)}}


def _advance(g: State, ask: Ask, dice: random.Random) -> Iterator[Spoilt]:
    fight = g.fight
    assert fight is not None
    idle = [u for u in _army(g, ask.seat) if u not in fight.units and u not in fight.amphibious]
    for unit in _some(idle, dice):
        yield "it did not fight", {"advance": {"units": [unit]}}
    for unit in _some(_army(g, FOE[ask.seat]), dice, 1):
        yield "a unit of the enemy", {"advance": {"units": [unit]}}
    for unit in fight.units[:1]:
        yield "a unit twice", {"advance": {"units": [unit, unit]}}
        far = [h for h in g.board.hexes if distance(h, fight.target) > 3]
        place = _name(g, dice.choice(far))
        yield "a second hex for nobody", {"advance": {"units": [unit], "to": place}}
        yield "too far", {"advance": {"units": [unit], "then": [unit], "to": place}}


def _replacements(g: State, ask: Ask, dice: random.Random) -> Iterator[Spoilt]:
    side = ask.seat
    own = _army(g, side)
    for unit in _some([u for u in own if not g.pieces[u].reduced], dice):
        yield "not reduced", {"recover": unit}
        yield "on the map already", {"rebuild": {"units": unit, "at": _name(g, g.pieces[unit].at)}}
    for unit in _some(_army(g, FOE[side]), dice, 1):
        yield "a unit of the enemy", {"recover": unit}
    lost = [u for u in _away(g, side) if g.pieces[u].box == "eliminated" and g.counter(u).ground]
    for unit in _some(lost, dice):
        yield "lost, not reduced", {"recover": unit}
        for place in _some(list(g.occupied(FOE[side])), dice, 1):
            yield "with the enemy", {"rebuild": {"units": unit, "at": _name(g, place)}}
    for unit in _some([u for u in lost if g.counter(u).marine or g.counter(u).airborne or g.counter(u).airmobile], dice):
        own_land = [h for h, x in g.board.hexes.items() if x.land and g.holds(side, h)]
        yield "never comes back", {"rebuild": {"units": unit, "at": _name(g, dice.choice(own_land))}}


def _sweep(g: State, ask: Ask, dice: random.Random) -> Iterator[Spoilt]:
    clear = [h for h in g.board.hexes if h not in g.mines]
    yield "no mines there", {"sweep": [_name(g, dice.choice(clear))]}
    if g.mines:
        place = _name(g, next(iter(g.mines)))
        yield "three markers", {"sweep": [place, place, place]}


def _choice(g: State, ask: Ask, dice: random.Random) -> Iterator[Spoilt]:
    """A choice among things named: a unit or a hex that is none of them."""
    verb = ask.verbs[0]
    offered = {str(o[verb]) for o in ask.options() if isinstance(o, dict) and verb in o}
    names = [*_army(g, FOE[ask.seat]), *_away(g, ask.seat), *(_name(g, h) for h in g.board.hexes)]
    for name in _some([n for n in names if n not in offered], dice, 3):
        if not any(name in o or o in name for o in offered):
            yield "none of the choices", {verb: name}
    yield "a list", {verb: ["yes", "no", "maybe"]}


_BY_KIND: dict[str, Callable[[State, Ask, random.Random], Iterator[Spoilt]]] = {
    "movement": _movement,
    "combat": _combat,
    "support": _support,
    "retreat": _retreat,
    "advance": _advance,
    "replacements": _replacements,
    "sweep": _sweep,
}


def run(seed: int, wanted: int) -> Counter[str]:
    """Spoil orders along random games until `wanted` were refused; how many of each kind."""

    def one(game: int, spoiler: Spoiler) -> None:
        name = SCENARIOS[game % len(SCENARIOS)]
        play(name, game, spoiler, moves=MOVES[name], edition=("source", "newer")[game % 2])

    return Spoiler(spoil, seed, wanted, every=0.5, most=8).along(one)
