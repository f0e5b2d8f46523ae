"""Small questions: hits, targets, where units come in. Everything else takes its default or its first proposal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pbem.games.empire_of_the_sun.bot.basing import coming_in
from pbem.games.empire_of_the_sun.bot.judgement import points, worth
from pbem.games.empire_of_the_sun.orders import read_place, read_unit
from pbem.games.empire_of_the_sun.state import FOE, State
from pbem.games.empire_of_the_sun.supply import supplied
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask
from pbem.kernel.proposals import stands


def answer(g: State, ask: Ask) -> Plain:
    """A sensible one of the question's own proposals."""
    if ask.forced is not None:
        return ask.forced
    if ask.kind in ("return", "sail") and ask.default is None and stands(ask.read, HOME.get(ask.kind, "done")):
        return HOME[ask.kind]
    judge = _JUDGES.get(ask.kind)
    options = list(ask.options())
    if ask.kind == "hits":
        options += _concentrated(g, ask, options)
    if judge is None or not options:
        return ask.default if ask.default is not None and ask.kind != "hits" else options[0]
    return max(options, key=lambda o: judge(g, ask, o))


HOME: Mapping[str, Plain] = {"return": {"return": "home"}, "sail": "done"}


def _body(option: Plain) -> Any:
    return next(iter(option.values())) if isinstance(option, dict) else None


def _hits(g: State, ask: Ask, option: Plain) -> int:
    """Strength destroyed, sunk and eliminated units counted a second time."""
    losses = _body(option)
    if not isinstance(losses, dict):
        return 0
    value = 0
    for name, steps in losses.items():
        if name not in g.pieces:
            value += 10 * int(steps)
            continue
        counter, gone = g.counter(name), int(steps) >= g.steps(name)
        lost = g.attack(name) if gone else g.attack(name) - counter.reduced
        value += 4 * int(steps) + lost + (6 if gone else 0)
    return value


def _concentrated(g: State, ask: Ask, options: list[Plain]) -> list[Plain]:
    """Everything on one unit first, then what is left on the others: worth trying after a critical hit."""
    proposed = [_body(o) for o in options if isinstance(_body(o), dict)]
    targets = sorted({u for losses in proposed for u in losses if u in g.pieces}, key=lambda u: (-g.attack(u), u))
    found: list[Plain] = []
    for first in targets:
        losses = {first: g.steps(first)}
        if not stands(ask.read, {"hits": dict(losses)}):
            continue
        for unit in targets:
            more = {**losses, unit: 1}
            if unit != first and stands(ask.read, {"hits": dict(more)}):
                losses = more
        found.append({"hits": dict(losses)})
    return found


def _target(g: State, ask: Ask, option: Plain) -> int:
    """The enemy's strongest unit, the own weakest."""
    if _body(option) == "none":
        return -100
    unit = read_unit(g, _body(option))
    value = g.attack(unit) + 8 * g.weak(unit)
    return value if g.counter(unit).side != ask.seat else -value


def _place(g: State, ask: Ask, option: Plain) -> int:
    """See `basing`; the China box when it is as good as any base."""
    name, _, at = str(_body(option)).rpartition(" at ")
    if not name or "china" in at:
        return 0
    return coming_in(g, ask.seat, read_unit(g, name), read_place(g, at))


def _replacement(g: State, ask: Ask, option: Plain) -> int:
    """The strongest units first; divisions leave China only for armies that have something to do."""
    if not isinstance(option, dict):
        return 0
    verb, body = next(iter(option.items()))
    name = str(body).partition(" at ")[0]
    unit = read_unit(g, name)
    if verb == "replace":
        return 20 + g.counter(unit).attack - g.attack(unit)
    return 6 + g.counter(unit).reduced


def _disengage(g: State, ask: Ask, option: Plain) -> int:
    """Leave only far too strong an enemy."""
    if _body(option) == "none":
        return 1
    return 0


def _retrieve(g: State, ask: Ask, option: Plain) -> int:
    """A larger card for a smaller one."""
    take, _, give = str(_body(option)).partition(" for ")
    if take not in g.board.cards or give.split()[0] not in g.board.cards:
        return 0
    return g.board.cards[take].ops - g.board.cards[give.split()[0]].ops


def _taken(g: State, ask: Ask, option: Plain) -> int:
    """The hex worth most to this side."""
    if _body(option) in ("none", None):
        return 0
    place = read_place(g, _body(option))
    return worth(g, ask.seat, place) if g.holds(FOE[ask.seat], place) else 1 + len(g.mine_at(ask.seat, place))


def _hungry(g: State, ask: Ask, option: Plain) -> int:
    """Where the strongest units are out of supply."""
    at = _body(option)
    return 0 if at == "none" else 1 + points(g, [u for u in g.mine_at(ask.seat, read_place(g, at)) if not supplied(g, u)])


def _bomb(g: State, ask: Ask, option: Plain) -> int:
    return {"all": 2, "none": 0}.get(str(_body(option)), 1)


def _order_of_battles(g: State, ask: Ask, option: Plain) -> int:
    """The largest fight first."""
    return points(g, g.units_at(read_place(g, _body(option))))


_JUDGES: Mapping[str, Callable[[State, Ask, Plain], int]] = {
    "hits": _hits,
    "target": _target,
    "critical hit": _target,
    "wing": _target,
    "last step": _target,
    "reinforcements": _place,
    "replacements": _replacement,
    "disengage": _disengage,
    "retrieve": _retrieve,
    "airborne": _taken,
    "arrives": _taken,
    "airfield": _taken,
    "tokyo express": _hungry,
    "bomb": _bomb,
    "fight": _order_of_battles,
}
