"""[8.1] [8.41] [10.3] What bounds a move: allowances, shipping points, lands that are closed to a unit."""

from __future__ import annotations

from pbem.games.empire_of_the_sun.board import KUNMING, MALDIVES
from pbem.games.empire_of_the_sun.state import JAPAN, State, offensive
from pbem.kernel.wording import NO_WORDS, Message, msg

MANCHURIA = msg("no unit enters Manchuria")
CHINESE = msg("Chinese armies stay in Burma, Northern India and Yunnan")
INTERIOR = msg("only Chinese armies enter the interior of China")
PENINSULA = msg("Japanese ground units do not enter peninsular India")


def naval_allowance(g: State) -> int:
    """[8.1] 5 x operations value; some events give their own figure."""
    o = offensive(g)
    if o.card == "J1":
        return 18
    for effect in g.board.cards[o.card].data.get("effects", ()) if o.event else ():
        if "naval_move" in effect:
            return int(effect["naval_move"])
    return 5 * o.ops


def asp_left(g: State, side: str) -> int:
    """[10.3] Shipping points that are still free this turn; half of them under Japanese rivalry [14.2] B."""
    o = g.offensive
    bonus = o.asp_bonus if o is not None and o.side == side else 0
    total = g.asp[side] + bonus
    if side == JAPAN and JAPAN in g.rivalry:
        total = -(-total // 2)
    return max(0, total - g.asp_used[side])


def may_stand(g: State, unit: str, place: int) -> Message:
    """[8.41] Why a ground unit may not enter a land hex, or nothing."""
    counter = g.counter(unit)
    return barred(g, counter.side, counter.nation, place)


def barred(g: State, side: str, nation: str, place: int) -> Message:
    """[8.41] The same of every ground unit of a nation."""
    here = g.board.hexes[place]
    if here.region == "Manchuria":
        return MANCHURIA
    if nation == "chinese":
        near = {KUNMING, *g.board.near.get(KUNMING, ())}
        return NO_WORDS if here.region in ("Burma", "NIndia") or place in near else CHINESE
    if here.region == "IChina":
        return INTERIOR
    if side == JAPAN and (here.region == "India" or (here.region == "Ceylon" and not g.second and place != MALDIVES)):
        return PENINSULA
    return NO_WORDS
