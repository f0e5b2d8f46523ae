"""[PW-LUM] [PW-ADV] Light and advantage of a battle cycle."""

from __future__ import annotations

from pbem.games.pacific_war.clock import AdvantageSet, LightChosen, LightSet
from pbem.games.pacific_war.dice import die
from pbem.games.pacific_war.nouns import LIGHT
from pbem.games.pacific_war.state import ALLIES, JAPAN, LIGHTS, State
from pbem.games.pacific_war.terms import side_term
from pbem.kernel.events import emit
from pbem.kernel.flow import Flow
from pbem.kernel.questions import choose_term, yes_or_no
from pbem.kernel.wording import msg


def light_phase(g: State) -> Flow[None]:
    """[PW-LUM-01] [PW-LUM-02] The light of the cycle."""
    fixed = g.script.get("light", [])
    if g.cycle <= len(fixed):
        _shine(g, fixed[g.cycle - 1], "PW-LUM-01")
        return
    if g.cycle == 1:
        yield from _first(g)
        return
    steps = 1
    if not g.light_used:
        prompt = msg("move the light on two sections, from: {light}", light=LIGHT[g.light])
        use = yield from yes_or_no(g.operator, "light", "PW-LUM-02", prompt)
        if use:
            steps = 2
            emit(g, LightChosen("PW-LUM-02"))
    yield from put(g, LIGHTS[(LIGHTS.index(g.light) + steps) % len(LIGHTS)])


def _first(g: State) -> Flow[None]:
    """The first cycle of an operation: a privilege of one side, or the die."""
    ambush = g.condition in ("ambush", "cv-ambush")
    seat = g.reactor if ambush else g.operator
    choice = yield from choose_term(seat, "light", "PW-LUM-01", msg("light of the first cycle"), LIGHT, none=True)
    if choice and not ambush:
        emit(g, LightChosen("PW-LUM-01"))
    yield from put(g, choice or "random")


def put(g: State, section: str) -> Flow[None]:
    """The marker comes to a section; on random a die moves it on."""
    if section == "random":
        rolled = yield from die(g, msg("light"), "PW-LUM-02")
        section = g.board.charts.random_light[rolled]
    _shine(g, section, "PW-LUM-02")


def _shine(g: State, light: str, rule: str) -> None:
    if light != g.light:
        emit(g, LightSet(light, rule))


def advantage_phase(g: State) -> Flow[None]:
    """[PW-ADV-01] [PW-ADV-02] Who moves and flies first in this cycle."""
    fixed = g.script.get("advantage", [])
    if g.cycle <= len(fixed):
        _give(g, fixed[g.cycle - 1], "PW-ADV-01")
        return
    ambush, surprise = g.condition in ("ambush", "cv-ambush"), g.condition == "surprise"
    if g.cycle == 1 and (ambush or surprise):
        _give(g, g.reactor if ambush else g.operator, "PW-ADV-01")
        return
    rolls = {}
    for side in (JAPAN, ALLIES):
        rolls[side] = yield from die(g, msg("advantage, {side}", side=side_term(side)), "PW-ADV-02")
    if g.cycle > 1 and ambush:
        rolls[g.reactor] += 2
    if g.cycle > 1 and surprise:
        rolls[g.operator] += 2
    winner = g.reactor if rolls[g.reactor] > rolls[g.operator] else g.operator
    _give(g, winner, "PW-ADV-02")


def _give(g: State, side: str, rule: str) -> None:
    if side != g.advantage:
        emit(g, AdvantageSet(side, rule))
