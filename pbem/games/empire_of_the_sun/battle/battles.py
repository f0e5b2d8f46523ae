"""[9.0] Every battle of an offensive, from the attack cards to its end."""

from __future__ import annotations

from pbem.games.empire_of_the_sun.battle.attacks import before_battles
from pbem.games.empire_of_the_sun.battle.carriers import carrier_transfer, drowned_brigades
from pbem.games.empire_of_the_sun.battle.fire import fire_both, fire_one
from pbem.games.empire_of_the_sun.battle.ground import ground
from pbem.games.empire_of_the_sun.battle.participants import firing_units, ground_units, landed
from pbem.games.empire_of_the_sun.battle.retreats import attacker_retreats
from pbem.games.empire_of_the_sun.battle.winners import air_naval_winner
from pbem.games.empire_of_the_sun.events.battles import BattleBegan, BattleEnded, RoundBegan
from pbem.games.empire_of_the_sun.events.offensives import TurnedBack
from pbem.games.empire_of_the_sun.labels import ASKED
from pbem.games.empire_of_the_sun.losses import lose_step
from pbem.games.empire_of_the_sun.state import FOE, State, offensive
from pbem.kernel.events import emit
from pbem.kernel.flow import Flow
from pbem.kernel.questions import choose_place


def battles(g: State) -> Flow[None]:
    """[9.0] Attack cards first; then every battle, in the order that the active player chooses [A-14]."""
    yield from before_battles(g)
    o = offensive(g)
    while True:
        left = [h for h in o.battles if h not in o.fought]
        if not left:
            return
        place = yield from choose_place(g.board.place_index, o.side, "fight", "9.0", ASKED["fight"], left)
        yield from battle(g, place)


def battle(g: State, place: int) -> Flow[None]:
    """One battle hex."""
    o = offensive(g)
    emit(g, BattleBegan(place))
    if turn_back(g, place):
        attacker_retreats(g, place)  # first edition: those who came by land lose the battle with the landing
        emit(g, BattleEnded(place, "battle", FOE[o.side], "8.45"))
        return
    if o.card == "J1":  # [17.11] an event only
        yield from fire_one(g, o.side, place, "air-naval")
        emit(g, BattleEnded(place, "battle", o.side, "17.11"))
        return
    at_sea = yield from air_naval(g, place)
    if at_sea != o.side:
        for unit in ground_units(g, o.side, place):
            if landed(g, unit):
                emit(g, TurnedBack(unit, True, "9.32"))
    ashore = yield from ground(g, place)
    drowned_brigades(g)
    emit(g, BattleEnded(place, "battle", ashore or at_sea, "9.4" if ashore else "9.3"))


def turn_back(g: State, place: int) -> bool:
    """[8.45] B: a landing without escort meets ships that reacted: each unit loses a step and takes no part.

    True when the battle is lost and not fought: second edition, when nobody else is left to fight it.
    """
    o = offensive(g)
    foe = FOE[o.side]
    came = [u for u in g.mine_at(foe, place, "naval") if u in o.reactors]
    landing = [u for u in ground_units(g, o.side, place) if landed(g, u)]
    if not came or not landing or g.mine_at(o.side, place, "naval"):
        return False
    for unit in landing:
        lose_step(g, unit, "8.45")
        if g.pieces[unit].box == "map":
            emit(g, TurnedBack(unit, False, "8.45"))
    return not g.second or not (firing_units(g, o.side, place) or ground_units(g, o.side, place))


def air_naval(g: State, place: int) -> Flow[str]:
    """[9.2] Who fires when depends on the intelligence condition; returns the winner [9.3]."""
    o = offensive(g)
    foe = FOE[o.side]
    if not firing_units(g, o.side, place) and not firing_units(g, foe, place):
        return o.side  # [9.34]
    emit(g, RoundBegan(place, "air-naval", "9.2"))
    if o.condition == "intercept":
        yield from fire_both(g, place, "air-naval")
    else:
        first = o.side if o.condition == "surprise" else foe
        yield from fire_one(g, first, place, "air-naval")
        yield from fire_one(g, FOE[first], place, "air-naval")
    yield from carrier_transfer(g, place)
    winner = air_naval_winner(g, place)
    emit(g, BattleEnded(place, "air-naval", winner, "9.3"))
    return winner
