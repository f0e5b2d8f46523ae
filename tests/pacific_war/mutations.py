"""Orders made illegal by construction; none may be accepted."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator

from pbem.games.pacific_war.state import FOE, State
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask
from tests.pacific_war.random_play import play
from tests.spoiling import Spoiler, Spoilt

SCENARIOS = ("coral-sea", "pearl-harbor", "savo-island", "guadalcanal", "midway", "santa-cruz")
NONSENSE: tuple[Plain, ...] = (17, None, [], {}, {"a": 1, "b": 2}, True)
WORDS = ("done", "pass", "stay", "hold", "end", "abandon")  # verbs that have no body


def spoil(g: State, ask: Ask, dice: random.Random) -> Iterator[Spoilt]:
    """Illegal orders for a question."""
    yield "no verb of this game", {"surrender": "now"}
    yield "another phase", {"doolittle": "tomorrow"}
    yield "nonsense", dice.choice(NONSENSE)
    for verb in ask.verbs:
        if verb not in WORDS:
            yield "no sense in the body", {verb: "xyzzy plugh"}
    more = _BY_KIND.get(ask.kind)
    if more is not None:
        yield from more(g, ask, dice)


def _some(g: State, side: str, dice: random.Random, *kinds: str) -> list[str]:
    found = list(g.on_map(side, *kinds))
    return dice.sample(found, min(3, len(found)))


def _gone(g: State, side: str) -> list[str]:
    return [u for u, x in g.units.items() if g.side(u) == side and x.box in ("sunk", "eliminated")][:2]


def _far(g: State, at: int, dice: random.Random) -> int:
    """A hex of the map that is not next to another."""
    return dice.choice([h for h in sorted(g.board.listed) if h != at and h not in g.board.near(at)])


def _sail(g: State, ask: Ask, dice: random.Random) -> Iterator[Spoilt]:
    side = ask.seat
    for marker, m in g.markers.items():
        if m.side != side:
            yield "a task force of the enemy", {"sail": {marker: dice.choice(g.board.near(m.at))}}
            continue
        yield "further than a hex", {"sail": {marker: _far(g, m.at, dice)}}
        yield "to where it is", {"sail": {marker: m.at}}
        for land in [h for h in g.board.near(m.at) if not g.board.sea(h)][:2]:
            yield "onto land", {"sail": {marker: land}}
    for unit in _some(g, side, dice, "air", "ground"):
        yield "a unit that does not sail", {"sail": {unit: dice.choice(g.board.near(g.units[unit].at))}}


def _search(g: State, ask: Ask, dice: random.Random) -> Iterator[Spoilt]:
    side = ask.seat
    theirs = [m for m, x in g.markers.items() if x.side != side]
    for marker in theirs[:2]:
        for unit in (*_some(g, FOE[side], dice), *_gone(g, side), *g.on_map(side, "submarine")):
            if not (g.counter(unit).kind == "submarine" and g.phase != "contact" and g.side(unit) == side):
                yield "a searcher that cannot", {"search": {marker: unit}}
        for unit in [u for u in g.searched if u in g.units]:
            yield "a searcher for the second time", {"search": {marker: unit}}
    for marker in [m for m, x in g.markers.items() if x.side == side][:2]:
        yield "an own task force is looked for", {"search": {marker: dice.choice(list(g.on_map(side)))}}


def _mission(g: State, ask: Ask, dice: random.Random) -> Iterator[Spoilt]:
    side = ask.seat
    targets = [h for h, b in g.airfields.items() if b.side != side] + [m.at for m in g.markers.values() if m.side != side]
    if not targets:
        return
    target = f"{dice.choice(targets):04d}"
    for unit in (*_some(g, FOE[side], dice, "air"), *_gone(g, side), *_some(g, side, dice, "naval", "ground")):
        yield "not an own air unit", {"mission": {"strike": target, "units": [unit]}}
    for unit in _some(g, side, dice, "air"):
        yield "flies twice", {"mission": {"strike": target, "units": [unit, unit]}}
        yield "off the map", {"mission": {"strike": 9999, "units": [unit]}}
        if g.counter(unit).type == "LRA":
            yield "a search unit strikes", {"mission": {"strike": target, "units": [unit]}}
        if g.counter(unit).type != "1E":
            yield "no fighter on superiority", {"mission": {"superiority": target, "units": [unit]}}
    for place in g.targeted:
        for unit in _some(g, side, dice, "air"):
            if unit not in g.waves:
                yield "a hex for the second time", {"mission": {"strike": f"{place:04d}", "units": [unit]}}


def _targets(g: State, ask: Ask, dice: random.Random) -> Iterator[Spoilt]:
    side = ask.seat
    for unit in _some(g, side, dice):
        yield "an own unit as target", {"targets": [unit]}
    for unit in (
        *_gone(g, FOE[side]),
        *[u for u in _some(g, FOE[side], dice) if g.mission and g.units[u].at != g.mission.target],
    ):
        yield "a target that is elsewhere", {"targets": [unit]}
    yield "no target", {"targets": []}


def _fire(g: State, ask: Ask, dice: random.Random) -> Iterator[Spoilt]:
    placed = g.sea.placed if g.sea is not None else {}
    mine, theirs = placed.get(ask.seat, []), placed.get(FOE[ask.seat], [])
    for ship in mine[:2]:
        yield "fire at a friend", {"fire": {ship: mine[0]}}
        yield "fire with what it has not", {"fire": {ship: {"at": theirs[0] if theirs else ship, "with": "rockets"}}}
        outside = [s for s in g.on_map(FOE[ask.seat], "naval") if s not in theirs][:2]
        for other in outside:
            yield "fire at a ship that is not there", {"fire": {ship: other}}
    for ship in [*theirs[:2], *[s for s in g.on_map(ask.seat, "naval") if s not in mine][:2]]:
        yield "a ship fires that is not in the combat", {"fire": {ship: theirs[0] if theirs else ship}}


def _activate(g: State, ask: Ask, dice: random.Random) -> Iterator[Spoilt]:
    mine = next((n for n, h in g.hqs.items() if h.side == ask.seat), "")
    theirs = next((n for n, h in g.hqs.items() if h.side != ask.seat), "")
    for unit in (*_some(g, FOE[ask.seat], dice), *_gone(g, ask.seat)):
        yield "not an own unit on the map", {"activate": {"hq": mine, "units": [unit]}}
    for unit in _some(g, ask.seat, dice):
        yield "a headquarters of the enemy", {"activate": {"hq": theirs, "units": [unit]}}
        if ask.kind == "activate":
            yield "a length that is none", {"activate": {"hq": mine, "units": [unit], "days": 15}}
    everybody: list[Plain] = [u for u in g.on_map(ask.seat) if not g.units[u].aboard]
    yield "more than it can pay for", {"activate": {"hq": mine, "units": everybody}}


def _organize(g: State, ask: Ask, dice: random.Random) -> Iterator[Spoilt]:
    mine = [s for s in g.on_map(ask.seat, "naval") if g.units[s].tf]
    for unit in _some(g, FOE[ask.seat], dice, "naval"):
        yield "a ship of the enemy", {"organize": {"J9": {"core": [unit], "screen": []}}}
    for ship in mine[:2]:
        yield "a ship in two parts", {"organize": {g.units[ship].tf: {"core": [ship], "screen": [ship]}}}
        yield "a screen without a core", {"organize": {g.units[ship].tf: {"core": [], "screen": [ship]}}}


_BY_KIND: dict[str, Callable[[State, Ask, random.Random], Iterator[Spoilt]]] = {
    "sail": _sail,
    "contact": _sail,
    "search": _search,
    "mission": _mission,
    "targets": _targets,
    "fire": _fire,
    "activate": _activate,
    "react": _activate,
    "join": _activate,
    "organize": _organize,
}


def run(seed: int, wanted: int, every: float = 0.5) -> Counter[str]:
    """Spoil orders along random games until `wanted` were refused; how many of each kind."""

    def game(number: int, watch: Spoiler) -> None:
        play(SCENARIOS[number % len(SCENARIOS)], number, watch, forces=("open", "sealed")[number % 2])

    return Spoiler(spoil, seed, wanted, every=every, most=6).along(game)
