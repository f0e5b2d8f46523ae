"""[GC-08] [GC-13..15] [MULT-05] Who is hit: what may be chosen, by whom, and priority lists."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise

from msgspec import Struct

from pbem.games.axis_and_allies_pacific.counting import Losses
from pbem.games.axis_and_allies_pacific.events.combat import Damaged, Destroyed, Fought
from pbem.games.axis_and_allies_pacific.orders import Group, read_groups, read_type, split_order
from pbem.games.axis_and_allies_pacific.politics import read_powers
from pbem.games.axis_and_allies_pacific.state import AIR, CAPITAL_SHIPS, LAND, POWERS, State, Unit, reacts
from pbem.games.axis_and_allies_pacific.terms import OWNERS, example, one_of, some
from pbem.games.axis_and_allies_pacific.terms import place as place_of
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Ask, Facts, Flow
from pbem.kernel.orders import Rejected, illegal, unreadable
from pbem.kernel.wording import msg, quoted, verbatim


class Hits(Struct, frozen=True):
    """Hits by who made them: submarines cannot hit aircraft, aircraft hit submarines only beside a destroyer [GC-14]."""

    by_ships: int = 0
    by_air: int = 0
    by_submarines: int = 0
    destroyer: bool = False
    spare: bool = False  # by the option: those that no fighting unit can take fall on transports [AMB-TRN-LAST]

    @property
    def total(self) -> int:
        return self.by_ships + self.by_air + self.by_submarines


def _counts(chosen: Sequence[Unit], hits: Hits) -> tuple[int, int]:
    hidden = 0 if hits.destroyer else sum(u.type == "submarine" for u in chosen)
    return hidden, sum(u.type in AIR for u in chosen)


def feasible(chosen: Sequence[Unit], hits: Hits) -> bool:
    """Whether these units (a capital ship may stand twice) can take hits of these kinds, one each."""
    hidden, flying = _counts(chosen, hits)
    spare = hits.by_ships
    need = max(0, hidden - hits.by_submarines) + max(0, flying - hits.by_air)
    return need <= spare and len(chosen) <= hits.total


def hit_points(units: Sequence[Unit]) -> list[Unit]:
    """Every hit that these units can take, first hits on capital ships first."""
    whole = [u for u in units if u.type in CAPITAL_SHIPS and not u.damaged]
    return [*whole, *(u for u in units if u.type != "aa-gun")]


def spares(g: State) -> bool:
    """[AMB-TRN-LAST] The option that lets spare hits fall on transports."""
    return g.options.get("spare-hits-on-transports") == "yes"


def most_hits(units: Sequence[Unit], hits: Hits) -> int:
    """How many of the hits must be taken. Transports only when no fighting unit is left [GC-15] [AMB-TRN-LAST]."""
    fighting = hit_points([u for u in units if u.type != "transport"])
    count = len(_fill(fighting, hits, hits.total))
    if count < len(fighting) and not hits.spare:
        return count
    transports = sum(u.type == "transport" for u in units)
    return min(count + transports, hits.total)


def apply_hits(g: State, chosen: Sequence[Unit], rule: str) -> list[Unit]:
    """Mark first hits at once; return the units that are to leave."""
    leaving: list[Unit] = []
    for unit in chosen:
        if unit.type in CAPITAL_SHIPS and not unit.damaged:
            emit(g, Damaged(unit.id))
        else:
            leaving.append(unit)
    return leaving


def remove(g: State, units: Sequence[Unit], rule: str, attacker: str) -> None:
    """[GC-12] Units leave; land cargo goes down with its transport, an attacker's guests with his carrier [CVM-02]."""
    for unit in units:
        for cargo in g.cargo(unit):
            if cargo.type in LAND or (unit.owner == attacker and cargo.owner != attacker):
                emit(g, Destroyed(cargo.id, cargo.type, cargo.owner, cargo.at, "GC-03"))
        emit(g, Destroyed(unit.id, unit.type, unit.owner, unit.at, rule))


def mark_fought(g: State, units: Sequence[Unit]) -> None:
    """[NCM-01] They fought."""
    for unit in units:
        if unit.id in g.units and not unit.fought:
            emit(g, Fought(unit.id))


# -- choosing ----------------------------------------------------------------------------------------------------------


def choose(
    g: State, chooser: str, units: Sequence[Unit], hits: Hits, scope: str, facts: Facts, attacker: str
) -> Flow[list[Unit]]:
    """[GC-10] [GC-11] The side that is hit names its losses; without agreement among owners the attacker does [MULT-05]."""
    number = most_hits(units, hits)
    if number == 0:
        return []
    picked: list[Unit] = yield _ask(g, chooser, units, hits, number, scope, facts)
    others = [p for p in POWERS if p != chooser and any(u.owner == p for u in picked)]
    for other in others if any(u.owner == chooser for u in units) and chooser != attacker else []:
        if (yield _consent(other, picked, scope, facts)) == "no":
            picked = yield _ask(g, attacker, units, hits, number, scope, facts)
            break
    return picked


def _ask(g: State, chooser: str, units: Sequence[Unit], hits: Hits, number: int, scope: str, facts: Facts) -> Ask:
    first = cheapest(g, units, hits, number)
    only = _leaves_no_choice(units, hits, number)
    place = place_of(g, scope.partition(":")[2])
    return Ask(
        chooser,
        "casualties",
        "GC-10",
        msg("{power}: choose casualties in {place}; hits: {n}", power=OWNERS[chooser], place=place, n=number),
        lambda plain: read(g, units, hits, number, plain),
        ("casualties",),
        scope=scope,
        facts=facts,
        forced={"casualties": spell_hits(first, units)} if only else None,
        options=lambda: [{"casualties": spell_hits(c, units)} for c in _samples(g, units, hits, number)],
        form=lambda: Losses(
            units, number, sum(u.type == "transport" for u in first), lambda plain: read(g, units, hits, number, plain)
        ),
        policy=lambda wanted: by_priority(g, units, hits, number, wanted),
        reaction=reacts(g, chooser),
    )


def _leaves_no_choice(units: Sequence[Unit], hits: Hits, number: int) -> bool:
    """One legal choice: all that can be hit is lost, or it is all alike. Transports count only when they must go."""
    fighting = [u for u in units if u.type not in ("transport", "aa-gun") and feasible([u], hits)]
    others = len(_fill(hit_points(fighting), hits, hits.total))
    if number <= others:
        return number == len(hit_points(fighting)) or _are_alike(fighting, number)
    transports = [u for u in units if u.type == "transport"]
    rest = number - others
    return others == len(hit_points(fighting)) and (rest == len(transports) or _are_alike(transports, rest))


def _are_alike(units: Sequence[Unit], number: int) -> bool:
    """Nothing to choose: one class of units, and no capital ships among which first and second hits could be divided."""
    classes = {(u.type, u.owner, u.damaged) for u in units if u.type != "aa-gun"}
    return len(classes) == 1 and (number == 1 or not any(c[0] in CAPITAL_SHIPS and not c[2] for c in classes))


def _consent(owner: str, picked: Sequence[Unit], scope: str, facts: Facts) -> Ask:
    def answer(plain: Plain) -> str:
        if plain not in ("yes", "no"):
            raise unreadable(verbatim(repr(plain)), one_of("yes, no"))
        return str(plain)

    losses = tuple(msg("{things} ({power})", things=some(u.type), power=OWNERS[u.owner]) for u in picked)
    prompt = msg("{power}: agree to these losses? {losses}", power=OWNERS[owner], losses=losses)
    return Ask(
        owner,
        "consent-losses",
        "MULT-05",
        prompt,
        answer,
        ("yes", "no"),
        scope,
        facts,
        default="yes",
        options=lambda: ["yes", "no"],
    )


def read(g: State, units: Sequence[Unit], hits: Hits, number: int, plain: Plain) -> list[Unit]:
    """[GC-08] [GC-15] A choice of exactly the hits that must be taken. Raises Rejected."""
    _, body = split_order(plain, ("casualties",))
    chosen: list[Unit] = []
    for group, owners in _read_losses(body):
        for _ in range(group.count):
            chosen += _pick([u for u in units if u.owner in owners], chosen, group)
    if len(chosen) != number:
        raise illegal(msg("hits in this choice: {n}", n=len(chosen)), "GC-10", msg("to be chosen: {n}", n=number))
    if not feasible(chosen, hits):
        raise illegal(msg("submarines cannot hit aircraft, nor aircraft submarines without a destroyer"), "GC-14")
    _check_transports(units, chosen, hits)
    return chosen


def _read_losses(body: Plain) -> list[tuple[Group, Sequence[str]]]:
    """[MULT-05] Groups of units, each with whose they are when the order says so: `1 infantry of anzac`."""
    if isinstance(body, list):
        return [loss for part in body for loss in _read_losses(part)]
    if isinstance(body, dict):
        return [loss for name, count in body.items() for loss in _of_owner(name, count)]
    if isinstance(body, str):
        return [loss for part in re.split(r",|\band\b|\+", body.lower()) if part.strip() for loss in _of_owner(part, None)]
    raise unreadable(msg("{given} names no units", given=quoted(body)), example("`1 infantry, 1 artillery`"))


def _of_owner(text: str, count: Plain) -> list[tuple[Group, Sequence[str]]]:
    what, found, owner = text.partition(" of ")
    owners = read_powers(owner) if found else (*POWERS, "neutral")
    return [(group, owners) for group in read_groups(what if count is None else {what: count})]


def _pick(units: Sequence[Unit], chosen: Sequence[Unit], group: Group) -> list[Unit]:
    """One more loss of a group: `hit` is a first hit, a whole capital ship lost costs two."""
    able = [u for u in units if u.type == group.type and u.type != "aa-gun"]
    if group.mark == "hit":
        found = [u for u in able if u.type in CAPITAL_SHIPS and not u.damaged and u not in chosen]
        if not found:
            raise illegal(msg("nothing undamaged to hit: {things}", things=some(group.type)), "GC-13")
        return found[:1]
    able.sort(key=lambda u: (not u.damaged and u not in chosen, u.id))
    for unit in able:
        taken = sum(u is unit for u in chosen)
        points = 2 if unit.type in CAPITAL_SHIPS and not unit.damaged else 1
        if taken < points and not (group.mark == "damaged" and not unit.damaged):
            return [unit] * (points - taken)
    raise illegal(msg("none is left to lose: {given}", given=f"{group.mark} {group.type}".strip()), "GC-10")


def _check_transports(units: Sequence[Unit], chosen: Sequence[Unit], hits: Hits) -> None:
    """[GC-15] Every hit that another unit can take goes there first."""
    lost = sum(u.type == "transport" for u in chosen)
    others = _fill(hit_points([u for u in units if u.type != "transport"]), hits, hits.total)
    if lost and len(chosen) - lost < len(others):
        raise illegal(msg("transports are lost last"), "GC-15", msg("hits that other units can take: {n}", n=len(others)))


def spell_hits(chosen: Sequence[Unit], among: Sequence[Unit]) -> list[Plain]:
    """A choice in words that reads back to the same, the owner where several have the type; beside the loss of a damaged
    capital ship first hits come last, or a ship that is hit would be read as the one that is lost.
    """
    words: list[Plain] = []
    seen: list[Unit] = []
    for unit in chosen:
        owner = f" of {unit.owner}" if any(u.type == unit.type and u.owner != unit.owner for u in among) else ""
        first = unit.type in CAPITAL_SHIPS and not unit.damaged and unit not in seen
        if first and sum(u is unit for u in chosen) == 1:
            words.append(f"1 hit {unit.type}{owner}")
        elif first or unit.type not in CAPITAL_SHIPS or unit.damaged:
            words.append(f"1 {unit.type}{owner}")
        seen.append(unit)
    if any(u.type in CAPITAL_SHIPS and u.damaged for u in chosen):
        words.sort(key=lambda w: str(w).startswith("1 hit "))
    return words


def cheapest(g: State, units: Sequence[Unit], hits: Hits, number: int) -> list[Unit]:
    """First hits on capital ships, then the cheapest units; transports last."""
    return _fill(_cheapest_order(g, units), hits, number)


def _cheapest_order(g: State, units: Sequence[Unit]) -> list[Unit]:
    cost = {kind: t.cost for kind, t in g.board.types.items()}
    every = sorted(hit_points(units), key=lambda u: (u.type == "transport", cost[u.type], not u.damaged, u.id))
    first = _first_hits(every)
    return [*first, *_without(every, first)]


def loss_order(g: State, units: Sequence[Unit], wanted: Plain) -> list[Unit]:
    """Every hit that these units can take in the order that a standing order gives: `cheapest first`, or a list of types.

    In a list `hit battleship` is a first hit, `battleship` a ship from its first hit to its loss, a damaged one before a
    whole one; what the list leaves out follows cheapest first, transports come last [GC-15]. Raises Rejected.
    """
    left = _cheapest_order(g, units)
    ranked: list[Unit] = []
    for word in [str(w) for w in (wanted if isinstance(wanted, list) else [wanted])] if wanted != "cheapest first" else ():
        mark, _, name = word.partition(" ")
        kind = read_type(name if mark == "hit" else word)
        able = sorted((u for u in left if u.type == kind), key=lambda u: (not u.damaged, u.id))
        taken = _first_hits(able) if mark == "hit" else able
        ranked, left = [*ranked, *taken], _without(left, taken)
    return sorted([*ranked, *left], key=lambda u: u.type == "transport")


def _first_hits(ordered: Sequence[Unit]) -> list[Unit]:
    """The units that stand twice in a row: whole capital ships."""
    return [one for one, other in pairwise(ordered) if one is other]


def _without(units: Sequence[Unit], taken: Sequence[Unit]) -> list[Unit]:
    """These hits less those."""
    times = Counter(u.id for u in taken)
    left: list[Unit] = []
    for unit in units:
        if times[unit.id]:
            times[unit.id] -= 1
        else:
            left.append(unit)
    return left


def _fill(ranked: Sequence[Unit], hits: Hits, number: int) -> list[Unit]:
    """Take in order what can be taken. In whatever order, as many of the hits find a place."""
    chosen: list[Unit] = []
    for unit in ranked:
        if len(chosen) < number and feasible([*chosen, unit], hits):
            chosen.append(unit)
    return chosen


def by_priority(g: State, units: Sequence[Unit], hits: Hits, number: int, wanted: Plain) -> Plain:
    """A standing order's answer here: `cheapest first`, or a list of types in order of loss (see `loss_order`)."""
    return {"casualties": spell_hits(_fill(loss_order(g, units, wanted), hits, number), units)}


def _samples(g: State, units: Sequence[Unit], hits: Hits, number: int) -> list[list[Unit]]:
    """The cheapest choice and, where it is legal, the dearest one."""
    found = [cheapest(g, units, hits, number)]
    dear = _fill(
        sorted(hit_points(units), key=lambda u: (u.type == "transport", -g.board.types[u.type].cost, u.id)),
        hits,
        number,
    )
    try:
        read(g, units, hits, number, {"casualties": spell_hits(dear, units)})
    except Rejected:
        return found
    return [*found, dear]


def chooser_of(g: State, units: Sequence[Unit], otherwise: str) -> str:
    """[MULT-05] The power with most units there, ties in turn order; the other side's for a garrison of nobody's."""
    counts: Mapping[str, int] = {p: sum(u.owner == p for u in units) for p in POWERS}
    best = max(POWERS, key=lambda p: counts[p])
    return best if counts[best] else otherwise
