"""A bot that plays either side legally and with simple sense. It reads the open position only, never what is sealed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from pbem.bots.advice import Advice
from pbem.bots.levels import slip
from pbem.games.pacific_war.bot import air, command, land, sea, war
from pbem.games.pacific_war.secret.forces import concealed, presumed
from pbem.games.pacific_war.state import State
from pbem.games.parts import EASY, NORMAL, NOTHING, Own
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask
from pbem.kernel.orders import Rejected

Thought = Callable[[State, Ask], Sequence[Plain]]


def choose(g: State, ask: Ask, own: Own = NOTHING, seed: int = 0, level: str = NORMAL) -> Plain:
    """One legal order for the question at hand: the first good idea that stands, the usual answer, a proposal.

    An easy bot draws from `seed` which of its ideas it follows; a normal one plays one way.
    """
    if level == EASY:
        idea = _easy_idea(g, ask, own, seed)
        if idea is not None:
            return idea.orders[0]
    thought = THOUGHTS.get(ask.kind)
    seen = presumed(g, ask.seat) if concealed(g, ask.seat) else g  # it moves nobody in secret: they are where they were seen
    for order in thought(seen, ask) if thought else ():
        if legal(ask, order):
            return order
    if ask.default is not None:
        return ask.default
    proposals = list(ask.options())
    return next((o for o in proposals if _quiet(o)), proposals[0])


def _easy_idea(g: State, ask: Ask, own: Own, seed: int) -> Advice | None:
    """What an easy bot makes of its ideas; None where it weighs none."""
    from pbem.games.pacific_war.bot import hints

    return slip(hints.advise(g, ask, own), g, f"{ask.seat} {ask.kind}", seed)


def _quiet(order: Plain) -> bool:
    """The order does nothing."""
    return order in command.QUIET or (isinstance(order, dict) and next(iter(order.values())) in ("no", "none"))


def legal(ask: Ask, order: Plain) -> bool:
    """The order stands."""
    try:
        ask.read(order)
    except Rejected:
        return False
    return True


THOUGHTS: Mapping[str, Thought] = {**air.THOUGHTS, **sea.THOUGHTS, **land.THOUGHTS, **command.THOUGHTS, **war.THOUGHTS}
