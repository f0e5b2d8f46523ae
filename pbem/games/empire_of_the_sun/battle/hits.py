"""[9.2] F: the question which units take the hits of a salvo, and the losses that follow."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pbem.games.empire_of_the_sun.battle.participants import defender
from pbem.games.empire_of_the_sun.battle.salvoes import (
    LEFT_OVER,
    RULE,
    Salvo,
    best,
    cheapest_targets,
    filled_up,
    minimum_critical,
    only_assignment,
    problem,
)
from pbem.games.empire_of_the_sun.battle.strengths import GARRISON
from pbem.games.empire_of_the_sun.events.battles import GarrisonLost
from pbem.games.empire_of_the_sun.labels import ASKED, unread, written
from pbem.games.empire_of_the_sun.losses import lose_step
from pbem.games.empire_of_the_sun.orders import read_unit, split_order
from pbem.games.empire_of_the_sun.phase_forms import hits
from pbem.games.empire_of_the_sun.state import State
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Ask, Flow, Simultaneous
from pbem.kernel.orders import Rejected, illegal, possible, unreadable
from pbem.kernel.questions import NONE, choose_unit
from pbem.kernel.wording import msg, quoted

# -- the question --------------------------------------------------------------------------------------------------


def assign(g: State, salvo: Salvo) -> Flow[dict[str, int]]:
    """What the firing side hits: unit -> steps; nothing is asked where nothing can be hit."""
    if not best(g, salvo, ()):
        return {}
    losses: dict[str, int] = yield _ask_hits(g, salvo)
    return losses


def assign_sealed(g: State, salvoes: Sequence[Salvo]) -> Flow[list[dict[str, int]]]:
    """[HITS] Both sides assign at once, neither knowing what the other hits."""
    able = [s for s in salvoes if best(g, s, ())]
    if len(able) < 2:
        found: list[dict[str, int]] = []
        for salvo in salvoes:
            losses = yield from assign(g, salvo)
            found.append(losses)
        return found
    answers = yield Simultaneous(tuple(_ask_hits(g, s) for s in salvoes), "9.2")  # of both rounds: games begun have it so
    return [answers[s.firer] for s in salvoes]


def _ask_hits(g: State, salvo: Salvo) -> Ask:
    def read(plain: Plain) -> dict[str, int]:
        _, body = split_order(plain, ("hits",))
        if isinstance(body, list) and body:
            return dict(best(g, salvo, _ranking(g, salvo, _known(g, body))))
        losses = _read_losses(g, salvo, body)
        reason, rule = problem(g, salvo, losses)
        if not reason and (example := filled_up(g, salvo, losses)) == losses:
            return losses
        if reason:
            example = best(g, salvo, cheapest_targets(g, salvo))
        else:
            reason, rule = msg("hits that are enough for one more step may not be left over"), LEFT_OVER[salvo.kind]
        raise illegal(reason, rule, msg("for example {example}", example=f"`hits: {losses_in_words(g, example)}`"))

    def by_order(order: Sequence[str]) -> Plain:
        return {"hits": dict(best(g, salvo, order)) or NONE}

    def policy(wanted: Plain) -> Plain:
        return by_order(_ranking(g, salvo, wanted))

    cheapest = by_order(cheapest_targets(g, salvo))
    only = only_assignment(g, salvo)
    return Ask(
        salvo.firer,
        "hits",
        RULE[salvo.kind],
        msg("hits to be assigned in {place}: {n}", place=g.board.name(salvo.place), n=salvo.hits),
        read,
        ("hits",),
        scope=f"hex:{salvo.place}",
        facts={"hex": salvo.place, "hits": salvo.hits, "round": salvo.kind, "critical": salvo.critical},
        forced={"hits": dict(only)} if only is not None else None,
        default=cheapest if g.options.get("simultaneous-hits") == "sealed" else None,
        options=lambda: _hit_options(g, salvo, by_order),
        policy=policy,
        form=lambda: hits(g, salvo, lambda body: _read_losses(g, salvo, body), read),
    )


def _hit_options(g: State, salvo: Salvo, by_order: Callable[[Sequence[str]], Plain]) -> list[Plain]:
    found: list[Plain] = []
    cheap = cheapest_targets(g, salvo)
    for order in (cheap, list(reversed(cheap)), sorted(salvo.targets, key=lambda u: (-g.attack(u), u))):
        plain = by_order(order)
        if plain not in found:
            found.append(plain)
    return found


def _ranking(g: State, salvo: Salvo, wanted: Plain) -> list[str]:
    """A policy: `cheapest`, `strongest`, unit names and kinds (`cv`, `air`), first things first."""
    ranked: list[str] = []
    for item in wanted if isinstance(wanted, list) else [wanted]:
        word = str(item).lower()
        if word == "cheapest":
            ranked += cheapest_targets(g, salvo)
        elif word == "strongest":
            ranked += sorted(salvo.targets, key=lambda u: (-g.attack(u), u))
        else:
            same = [u for u in salvo.targets if word in (g.counter(u).type, g.counter(u).kind, g.counter(u).nation)]
            ranked += same or [u for u in (_unit_or_none(g, item),) if u in salvo.targets]
    return list(dict.fromkeys([*ranked, *cheapest_targets(g, salvo)]))


def _known(g: State, wanted: list[Plain]) -> list[Plain]:
    """A list of things in an order, as they come. Raises Rejected for one that is no unit and none of the words."""
    words = {"cheapest", "strongest", *(w for c in g.board.counters.values() for w in (c.type, c.kind, c.nation) if w)}
    for item in wanted:
        if not isinstance(item, str) or item.lower() not in words:
            read_unit(g, item)
    return wanted


def _unit_or_none(g: State, item: Plain) -> str:
    try:
        return read_unit(g, item)
    except Rejected:
        return ""


def _read_losses(g: State, salvo: Salvo, body: Plain) -> dict[str, int]:
    """`{CV Akagi: 1, 7 AF: 2}`, `CV Akagi, 7 AF 2`, or `none`."""
    if body == NONE:
        return {}
    if isinstance(body, str):
        body = dict(_one_loss(part.strip()) for part in body.split(","))
    if not isinstance(body, dict):
        raise unreadable(unread("hits", body), written("hits: UNIT, UNIT x2", "hits: [UNIT, cheapest]", "hits: none"))
    found: dict[str, int] = {}
    for name, steps in body.items():
        if not isinstance(steps, int) or isinstance(steps, bool):
            raise unreadable(msg("{given} is no number of steps", given=quoted(steps)), possible(("1", "2")))
        unit = GARRISON if name == GARRISON else read_unit(g, name)
        if unit in found:
            raise illegal(msg("{name} is named twice", name=name), RULE[salvo.kind])
        found[unit] = steps
    return found


def _one_loss(part: str) -> tuple[str, int]:
    name, _, number = part.rpartition(" x")
    return (name.strip(), int(number)) if name and number.isdigit() else (part, 1)


def losses_in_words(g: State, losses: dict[str, int]) -> str:
    """An assignment as an order would write it."""
    names = [f"{u if u == GARRISON else g.counter(u).name}" + (f" x{n}" if n > 1 else "") for u, n in losses.items()]
    return ", ".join(names) or NONE


# -- losses --------------------------------------------------------------------------------------------------------


def suffer(g: State, salvo: Salvo, losses: dict[str, int]) -> Flow[None]:
    """The losses of a salvo, and the step that a critical hit costs at least."""
    rule = RULE[salvo.kind]
    for unit, steps in losses.items():
        if unit == GARRISON:
            emit(g, GarrisonLost(steps, rule))
        else:
            for _ in range(steps):
                lose_step(g, unit, rule)
    if salvo.critical and not losses and not salvo.targets and salvo.garrison:
        emit(g, GarrisonLost(1, rule))
    weakest = minimum_critical(g, salvo, losses)
    unit = yield from choose_unit(
        g.board.unit_index,
        defender(g),
        "critical hit",
        "9.2",
        ASKED["critical hit"],
        weakest,
    )
    if unit:
        lose_step(g, unit, rule)
