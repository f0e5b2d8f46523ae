"""[9.33] [9.4] The ground round, and who holds the hex after it."""

from __future__ import annotations

from pbem.games.empire_of_the_sun.battle.fire import fire_both
from pbem.games.empire_of_the_sun.battle.participants import ground_units, landed
from pbem.games.empire_of_the_sun.battle.retreats import attacker_retreats, defender_retreats
from pbem.games.empire_of_the_sun.battle.strengths import ground_strength
from pbem.games.empire_of_the_sun.battle.winners import ground_winner
from pbem.games.empire_of_the_sun.events.battles import BattleEnded, RoundBegan
from pbem.games.empire_of_the_sun.events.politics import CasualtiesCounted, WillChanged
from pbem.games.empire_of_the_sun.events.units import Controlled
from pbem.games.empire_of_the_sun.state import ALLIES, FOE, State, fighting, offensive
from pbem.kernel.events import emit
from pbem.kernel.flow import Flow
from pbem.kernel.wording import msg


def ground(g: State, place: int) -> Flow[str]:
    """[9.33] [9.4] Ground battle if both sides still have ground units that fight.

    Returns who holds the ground in the end; "" when the active side has nobody there who fights for it.
    """
    o = offensive(g)
    foe = FOE[o.side]
    attackers = ground_units(g, o.side, place)
    if attackers and ground_strength(g, foe, place):
        emit(g, RoundBegan(place, "ground", "9.4"))
        yield from fire_both(g, place, "ground")
        return (yield from _ground_result(g, place))
    take_if_overland(g, place)
    return o.side if attackers else ""


def _ground_result(g: State, place: int) -> Flow[str]:
    """[9.4] C: who is left; else more steps lost; a tie for the defender."""
    o = offensive(g)
    fight = fighting(g)
    foe = FOE[o.side]
    mine = bool(ground_units(g, o.side, place))
    theirs = bool(g.mine_at(foe, place, "ground")) or g.intrinsic(place) > fight.garrison
    winner = ground_winner(g, mine, theirs)
    emit(g, BattleEnded(place, "ground", winner, "9.4"))
    casualties(g, place)
    if winner == foe:
        if mine:
            attacker_retreats(g, place)
        return winner
    if theirs:
        yield from defender_retreats(g, place)
    take_if_overland(g, place)
    return winner


def casualties(g: State, place: int) -> None:
    """[16.45] Every attacking unit of an Allied ground battle eliminated, a replaceable US corps or division among them."""
    o = offensive(g)
    fight = fighting(g)
    if o.side != ALLIES or ground_units(g, ALLIES, place):
        return
    dead = [u for u in fight.losses if g.counter(u).side == ALLIES and g.pieces[u].box != "map"]
    large = [u for u in dead if g.counter(u).nation == "us" and g.counter(u).kind == "ground" and g.counter(u).size >= 2]
    if any(not g.counter(u).prewar for u in large) and g.casualties != g.turn:
        emit(g, CasualtiesCounted())
        emit(g, WillChanged(-1, msg("US casualties"), "16.45"))


def take_if_overland(g: State, place: int) -> None:
    """[9.33] Overland winners control the hex; those from the sea do so when all battles are over [6.5]."""
    o = offensive(g)
    if any(not landed(g, u) for u in ground_units(g, o.side, place)):
        emit(g, Controlled(place, o.side, "6.5"))
