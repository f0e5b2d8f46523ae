"""[PW-ACT-02] [PW-FOG-01] [PW-OPT-04] Activation in secret: who stirs behind Force markers, decoys among task forces.

The order is sealed. Its owner states what everybody sees of it: the headquarters, the level, the price, where task force
markers appear, and whether anything behind Force markers is activated; that it was legal the audit finds out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from pbem.games.pacific_war.command.activation import (
    MULTIPLE,
    Activation,
    level_of,
    new_name,
    price_of,
    read_activation,
)
from pbem.games.pacific_war.command.callable import activation_form, activation_options
from pbem.games.pacific_war.events import MarkerPlaced, Remarked
from pbem.games.pacific_war.operation_forms import Purse
from pbem.games.pacific_war.records import Secret
from pbem.games.pacific_war.secret.forces import holds, presumed, restate_forces, whole
from pbem.games.pacific_war.secret.orders import Fleet, read_fleets
from pbem.games.pacific_war.state import State
from pbem.games.pacific_war.units.fleets import MOST_CAPITAL, MOST_OTHER, Composition, check_composition
from pbem.games.pacific_war.veils import OrderedInSecret
from pbem.games.pacific_war.world.links import linked_hexes
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Claim, Commit, Flow, Reveal
from pbem.kernel.forms import Form, Read
from pbem.kernel.orders import Rejected, illegal, split_order
from pbem.kernel.questions import DONE
from pbem.kernel.wording import counted, msg, recorded_as

DECOYS = (2, 4, 6, 8)  # [PW-OPT-04] by the level of the activation


def muster(g: State, side: str, rule: str, most: int, top: int, days: bool) -> Flow[Activation | None]:
    """A sealed activation; None if its owner states that it does not stand. Its task forces appear with `take_muster`."""

    def judge(plain: Plain, reveal: Reveal) -> None:
        read_muster(g, whole(g, side, reveal), side, plain, most, top, days)

    def form(plain: Plain) -> object:
        return split_order(plain, ("activate", DONE))

    def picked(may_seal: Read, reveal: Reveal) -> Form:
        seen = whole(g, side, reveal)

        def price(hq: str, units: Sequence[str], length: int) -> tuple[int, int]:
            return price_of(seen, side, hq, units, length)

        purse = Purse(price, lambda hq: min(most, g.hqs[hq].points), tuple(MULTIPLE) if days else ())
        return activation_form(seen, side, ("activate", DONE), purse, may_seal)

    def options() -> list[Plain]:
        return muster_options(g, side, most, top, days)

    prompt = msg("activate sealed units in secret")
    handle = yield Commit(side, "muster", rule, prompt, form, default=DONE, options=options, judge=judge, form=picked)

    def truth(reveal: Reveal) -> Plain:
        if not holds(judge, handle, reveal):
            return {}
        found = read_muster(g, whole(g, side, reveal), side, reveal(handle), most, top, days)
        return {} if found is None else outline(whole(g, side, reveal), side, *found)

    about = recorded_as("in secret", msg("what is activated in secret, as far as it is seen"))
    stated = yield Claim(side, "muster", about, rule, truth)
    a = _sound(g, side, stated, handle, most, top)
    if a is None:
        emit(g, Remarked(msg("Nothing is activated in secret"), rule))
    return a


def read_muster(
    g: State, seen: State, side: str, plain: Plain, most: int, top: int, days: bool
) -> tuple[Activation, list[tuple[Fleet, int]], bool] | None:
    """`activate: {hq, units, days, fleets}` as its owner sees the game. Raises Rejected.

    The activation, its task forces and decoys with their hexes, and whether anything activated stays behind Force markers.
    """
    verb, body = split_order(plain, ("activate", DONE))
    if verb == DONE:
        return None
    a = read_activation(seen, side, plain, most, top, days, frozenset({"fleets"}))
    assert a is not None and isinstance(body, dict)
    for unit in a.units:
        if unit in g.units and g.units[unit].box != "sealed":
            raise illegal(msg("{unit} is in sight", unit=unit), "PW-FOG-01", msg("activate it openly"))
        if f"converting {unit}" in g.ledger:
            raise illegal(msg("{unit} is being converted", unit=unit), "PW-OPT-21")
    ships = [u for u in a.units if g.counter(u).kind == "naval"]
    fleets = read_fleets(g, side, body)
    check_fleets(seen, fleets, ships)
    check_decoys(seen, side, fleets, level_of(a.points))
    ashore = [u for u in a.units if u not in ships and seen.units[u].aboard not in ships]
    return a, [(f, f.decoy or seen.units[f.core[0]].at) for f in fleets], bool(ashore)


def check_fleets(g: State, fleets: Sequence[Fleet], ships: Sequence[str]) -> None:
    """[PW-FOG-02] Each activated ship in one task force, which forms in one hex. Raises Rejected."""
    named = [s for f in fleets for s in (*f.core, *f.screen)]
    if sorted(named) != sorted(ships):
        wanted = (
            msg("{order}, with these ships: {ships}", order="fleets: [{core: [...], screen: [...]}]", ships=", ".join(ships))
            if ships
            else msg("no ship is activated")
        )
        raise illegal(msg("the task forces name each activated ship once"), "PW-FOG-02", wanted)
    for fleet in [f for f in fleets if not f.decoy]:
        check_composition(g, Composition("", fleet.core, fleet.screen))
        if len({g.units[s].at for s in (*fleet.core, *fleet.screen)}) > 1:
            raise illegal(msg("a task force forms in a single hex"), "PW-FOG-02")


def check_decoys(g: State, side: str, fleets: Sequence[Fleet], level: int) -> None:
    """[PW-OPT-04] As many decoys as the level allows, with activated ships, in linked ports that work. Raises Rejected."""
    decoys = [f.decoy for f in fleets if f.decoy]
    if not decoys:
        return
    if g.options.get("decoys") != "yes":
        raise illegal(msg("a task force has at least one ship"), "PW-FOG-02")
    if len(decoys) == len(fleets):
        raise illegal(msg("decoys come with activated ships"), "PW-OPT-04")
    if len(decoys) > DECOYS[level]:
        raise illegal(
            counted("{n} decoy is too many", "{n} decoys are too many", len(decoys)),
            "PW-OPT-04",
            msg("at level {level} at most {most}", level=level, most=DECOYS[level]),
        )
    linked = linked_hexes(g, side)
    for place in decoys:
        port = g.port(side, place)
        if port is None or port.interdicted or place not in linked:
            raise illegal(msg("{place} is no linked port that works", place=g.board.name(place)), "PW-OPT-04")


def outline(seen: State, side: str, a: Activation, fleets: Sequence[tuple[Fleet, int]], ashore: bool) -> dict[str, Plain]:
    """What everybody sees of a secret activation."""
    week = price_of(seen, side, a.hq, a.units, 21)[1] - price_of(seen, side, a.hq, a.units, 14)[1]
    places: list[Plain] = [place for _, place in fleets]
    shown: dict[str, Plain] = {
        "hq": a.hq,
        "points": a.points,
        "price": a.price,
        "week": week,
        "fleets": places,
        "ashore": ashore,
    }
    return {**shown, "days": a.days} if a.named else shown


def _sound(g: State, side: str, stated: Any, handle: str, most: int, top: int) -> Activation | None:
    """A statement that can be true; the audit finds the lies among these."""
    if not isinstance(stated, dict) or stated.get("hq") not in [n for n, h in g.hqs.items() if h.side == side]:
        return None
    numbers = [stated.get(k) for k in ("points", "price", "week")]
    places = stated.get("fleets")
    if (
        not all(type(n) is int and n >= 0 for n in numbers)
        or not isinstance(places, list)
        or stated.get("days", 14) not in [*MULTIPLE]
    ):
        return None
    if not all(isinstance(h, int) and g.board.on_map(h) for h in places):
        return None
    points, price, week = (int(n) for n in numbers if n is not None)
    if level_of(points) > top or price > min(most, g.hqs[stated["hq"]].points):
        return None
    a = Activation(stated["hq"], (), stated.get("days", 14), points, price, "days" in stated, week)
    return replace(a, handle=handle, fleets=tuple(places), ashore=stated.get("ashore") is True)


def take_muster(g: State, side: str, a: Activation, rule: str) -> Flow[None]:
    """The sealed task forces appear, decoys among them; Force markers go where nothing is left."""
    names: list[str] = []
    for place in a.fleets:
        names.append(new_name(g, side, names))
        emit(g, MarkerPlaced(names[-1], side, place, rule, handle=a.handle))
    stirring = a.ashore or g.stirring.get(side, False)
    emit(g, OrderedInSecret(side, Secret("activate", a.handle, {"markers": names}), rule, stirring))
    yield from restate_forces(g, side, rule)


def muster_options(g: State, side: str, most: int, top: int, days: bool) -> list[Plain]:
    """Proposals from where sealed units were last seen; where decoys may be, one of them comes with the first fleet."""
    seen = presumed(g, side)
    found: list[Plain] = [DONE]
    for order in activation_options(seen, side, most, top, days):
        for decoys in (0, 1):
            idea = _with_fleets(g, seen, order, decoys)
            try:
                if idea != DONE and read_muster(g, seen, side, idea, most, top, days):
                    found.append(idea)
            except Rejected:
                continue
    return found


def _with_fleets(g: State, seen: State, order: Plain, decoys: int) -> Plain:
    """The same activation with its ships in task forces as large as they may be, after decoys in the first one's port."""
    a = order.get("activate") if isinstance(order, dict) else None
    if not isinstance(a, dict) or not isinstance(a["units"], list):
        return DONE
    ships = [str(u) for u in a["units"] if g.counter(str(u)).kind == "naval"]
    if decoys and not ships:
        return DONE
    rows: list[Plain] = [{"decoy": seen.units[ships[0]].at} for _ in range(decoys)]
    for place in dict.fromkeys(seen.units[s].at for s in ships):
        here = sorted((s for s in ships if seen.units[s].at == place), key=lambda s: not g.counter(s).capital)
        while here:
            group = [s for s in here if g.counter(s).capital][:MOST_CAPITAL]
            group += [s for s in here if not g.counter(s).capital][:MOST_OTHER]
            half = -(-len(group) // 2)
            rows.append({"core": [*group[:half]], "screen": [*group[half:]]})
            here = [s for s in here if s not in group]
    return {"activate": {**a, **({"fleets": rows} if rows else {})}}
