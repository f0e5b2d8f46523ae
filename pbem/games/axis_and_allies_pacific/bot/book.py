"""Openings: purchases of a first turn as players write them and the round of Japan's war, how often each is played, and why."""

from __future__ import annotations

from msgspec import Struct

from pbem.bots.lines import by_weight, weight_of
from pbem.games.axis_and_allies_pacific.bot.judgement import draw
from pbem.games.axis_and_allies_pacific.orders import read_some
from pbem.games.axis_and_allies_pacific.purchase import price
from pbem.games.axis_and_allies_pacific.state import State


class Line(Struct, frozen=True):
    """What a power buys in a round, how often it does so among the lines of that round, and what it is for."""

    power: str
    round: int
    weight: int
    purchase: str
    why: str


BOOK = (
    Line("japan", 1, 4, "1 minor-ic, 2 transport", "a complex beside China, and lift for the southern islands"),
    Line("japan", 1, 4, "3 transport, 1 infantry", "every island of the south in the second round"),
    Line("japan", 1, 3, "2 transport, 4 infantry", "lift, and men to fill it"),
    Line("japan", 1, 3, "2 transport, 1 artillery, 2 infantry", "lift, and guns for the landings"),
    Line("japan", 1, 2, "1 minor-ic, 1 transport, 1 artillery, 1 infantry", "China first, the islands one after the other"),
    Line("japan", 1, 2, "2 transport, 1 fighter", "lift, and one more aircraft over the sea"),
    Line("japan", 1, 2, "1 transport, 1 destroyer, 1 artillery, 2 infantry", "an escort more, some men for China"),
    Line("japan", 1, 2, "3 transport, 1 artillery", "lift, and a gun for the next landing"),
    Line("united-kingdom", 1, 1, "4 infantry, 1 artillery", "India holds"),
    Line("united-kingdom", 1, 1, "2 infantry, 1 fighter", "India holds, and its wing grows"),
    Line("united-kingdom", 1, 4, "3 infantry, 1 transport", "India holds, and an island may be taken"),
    Line("united-states", 1, 2, "1 aircraft-carrier", "a deck for the aircraft of Hawaii"),
    Line("united-states", 1, 2, "2 destroyer", "escorts for what is to come"),
    Line("united-states", 1, 1, "1 submarine, 1 fighter", "a wing that meets what lands"),
)


class War(Struct, frozen=True):
    """The round in which Japan opens war, how often it does so, and what it is for."""

    round: int
    weight: int
    why: str


WARS = (
    War(1, 1, "Hong Kong, Manila and the ships in them before they are warned"),
    War(2, 1, "China first; the United States collect forty once less"),
    War(3, 6, "the United States collect their war economy two turns later, and the whole fleet strikes at once"),
)


def war_round(seed: int) -> int:
    """The round from which on Japan opens war in the game of a seed."""
    return by_weight(WARS, draw(seed, "japan war", 1, weight_of(WARS)) - 1).round


def opening(g: State, power: str, seed: int) -> dict[str, int]:
    """The purchase of the line that the seed draws for this round, type by type; empty where no line fits the purse."""
    spent = sum(n * price(g, kind) for kind, n in g.purchased[power].items())
    lines = [x for x in BOOK if x.power == power and x.round == g.round and _cost(g, x) <= g.cash[power] + spent]
    if not lines:
        return {}
    line = by_weight(lines, draw(seed, f"{power} opening {g.round}", 1, weight_of(lines)) - 1)
    return {group.type: group.count for group in read_some(line.purchase)}


def _cost(g: State, line: Line) -> int:
    return sum(group.count * price(g, group.type) for group in read_some(line.purchase))
