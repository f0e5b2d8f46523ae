"""[PW-MOV-14] [PW-BOM-01] Ships pick by pick: several markers sail in one order, each gun has its target."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from pbem.games.pacific_war.nouns import range_named, target_named
from pbem.games.pacific_war.orders import misread, read_unit
from pbem.games.pacific_war.picks import place_pick, place_word, unit_picks
from pbem.games.pacific_war.state import State
from pbem.games.pacific_war.world.off_map import OFF
from pbem.kernel.canon import Plain
from pbem.kernel.forms import Form, Pick, Read
from pbem.kernel.gathering import Pairs
from pbem.kernel.picking import Field, Fields, Said, Taken, Verbs, Worded, worded
from pbem.kernel.wording import Message, msg

Named = Sequence[tuple[str, str]]
SHOTS = {
    "both": msg("with guns and torpedoes"),
    "guns": msg("with guns"),
    "torpedoes": msg("with torpedoes"),
}
BY = " with "


def sailings(g: State, side: str, verbs: Sequence[str], able: Sequence[str], at: Callable[[str], int], read: Read) -> Form:
    """Task forces and submarines, each with a hex beside it; who is not named stays."""

    def ends(mover: str, done: Named) -> list[Pick]:
        return [*(place_pick(g, "to", n) for n in g.board.near(at(mover))), Pick("to", OFF, msg("off the map"))]

    def make(pairs: Named) -> Plain:
        return {"sail": {mover: goal if goal == OFF else int(goal) for mover, goal in pairs}}

    def said(body: Plain) -> Named:
        if not isinstance(body, dict):
            raise misread("sail", body, "sail: {TF1: 1531}")
        names = {who: who if who in g.markers else read_unit(g, who, side) for who in body}
        return [(names[who], OFF if goal == OFF else place_word(g, goal)) for who, goal in body.items()]

    pairs = Pairs(("unit", "to"), lambda _: unit_picks(g, "unit", able), ends, make, said, read)
    return Verbs(read, verbs, {"sail": pairs}, bare=("sail",))


def searches(
    g: State,
    verbs: Sequence[str],
    goals: Sequence[str],
    able: Callable[[int], Sequence[str]],
    hidden: Sequence[int],
    dice: Callable[[str, int], tuple[int, int, int]],
    read: Read,
) -> Form:
    """[PW-SRC-03] A task force and who searches for it, with the dice that find it; hidden aircraft to be shown.

    `able`: who may search a hex; `dice`: the highest die for level 3, 2 and 1, -1 for never.
    """

    def searchers(taken: Taken) -> list[Pick]:
        place = g.markers[taken.one("target")].at
        return [_searcher(g, u, dice(u, place)) for u in able(place)]

    def make(taken: Taken) -> Plain:
        return {"search": {taken.one("target"): taken.one("by")}}

    def said(body: Plain) -> Said:
        unit, marker = read({"search": body})
        return {"target": [marker], "by": [unit]}

    def shown(taken: Taken) -> Plain:
        return {verbs[1]: int(taken.one("to"))}

    fields = (Field("target", lambda _: unit_picks(g, "target", goals)), Field("by", searchers))
    hexes = Field("to", lambda _: [place_pick(g, "to", h) for h in hidden])
    reveal = Fields((hexes,), shown, lambda body: {"to": [place_word(g, body)]}, read)
    return Verbs(read, verbs, {"search": Fields(fields, make, said, read), verbs[1]: reveal}, bare=("search",))


def _searcher(g: State, unit: str, dice: tuple[int, int, int]) -> Pick:
    told = msg("die for level 3, 2, 1: {dice}", dice=", ".join(str(n) if n >= 0 else "-" for n in dice))
    (pick,) = unit_picks(g, "by", [unit])
    return Pick("by", unit, pick.name, pick.at, cost=told)


def bombardments(g: State, side: str, verbs: Sequence[str], ships: Sequence[str], targets: Sequence[str], read: Read) -> Form:
    """Ships, each with what it fires at."""

    def ends(ship: str, done: Named) -> list[Pick]:
        return [Pick("target", t, target_named(t)) for t in targets]

    def said(body: Plain) -> Named:
        aims: dict[str, str] = read({"bombard": body})
        return [*aims.items()]

    pairs = Pairs(("unit", "target"), lambda _: unit_picks(g, "unit", ships), ends, lambda p: {"bombard": dict(p)}, said, read)
    return Verbs(read, verbs, {"bombard": pairs}, bare=("bombard",))


def broadsides(
    g: State,
    verbs: Sequence[str],
    shooters: Sequence[str],
    prey: Sequence[str],
    able: Callable[[str, str], Sequence[str]],
    aims: Callable[[Plain], Named],
    read: Read,
) -> Form:
    """[PW-NAV-03] Ships, each with its target and what it fires with; or all that can at one target.

    `able`: what a ship can fire with at a target, most first; `aims`: the pairs of an order.
    """

    def ends(ship: str, done: Named) -> list[Pick]:
        ways = {how: [t for t in prey if how in able(ship, t)] for how in SHOTS}
        return [
            Pick("target", f"{t}{BY}{how}", target_named(t), cost=SHOTS[how], leads=("attack",))
            for how, targets in ways.items()
            for t in targets
        ]

    def make(pairs: Named) -> Plain:
        return {verbs[0]: {ship: _aim(aim) for ship, aim in pairs}}

    whole = {f"at {t}": {s: _aim(f"{t}{BY}{able(s, t)[0]}") for s in shooters if able(s, t)} for t in prey}
    words = {f"at {t}": msg("all that can fire at {target}", target=target_named(t)) for t in prey if whole[f"at {t}"]}
    firing = [s for s in shooters if any(able(s, t) for t in prey)]
    pairs = Pairs(("unit", "target"), lambda _: unit_picks(g, "unit", firing), ends, make, aims, read, trusted=True)
    return Verbs(read, verbs, {verbs[0]: Worded(verbs[0], words, pairs, read, whole)}, bare=verbs[:1])


def _aim(word: str) -> Plain:
    target, _, how = word.rpartition(BY)
    return {"at": target, "with": how}


def ranges(g: State, bands: Sequence[str], withdraw: str, ways: Sequence[int], read: Read) -> Form:
    """[PW-NAV-06] [PW-NAV-07] A range, or the hex to which all ships withdraw."""

    def said(body: Plain) -> Said:
        if not isinstance(body, dict) or [*body] != [withdraw]:
            raise misread("bid", body, "bid: short", "bid: {withdraw: hex}")
        return {"to": [place_word(g, body[withdraw])]}

    told: Mapping[str, Message] = {band: range_named(band) for band in bands}
    field = Field("to", lambda _: [place_pick(g, "to", w, leads=("retreat",)) for w in ways])
    leave = Fields((field,), lambda taken: {"bid": {withdraw: int(taken.one("to"))}}, said, read)
    return worded("bid", told, leave, read)
