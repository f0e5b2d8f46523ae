"""Losses of an attack: the last man who can take land that is worth it lives, and an aircraft is lost for him."""

from __future__ import annotations

from typing import Any

from pbem.games.axis_and_allies_pacific import bot
from pbem.kernel.flow import Ask, Roll
from tests.axis_and_allies_pacific.table import engine_at, kinds, put
from tests.axis_and_allies_pacific.test_bot import COMBAT, NONCOMBAT, at_war

AFTER = ("retreat", NONCOMBAT)


def attacked(place: str, men: int, enemies: int, hits: int, back: int, behind: int = 0) -> dict[str, int]:
    """Japan attacks from Kwangsi with some men and four fighters; so many dice of each side hit; who is left after a round."""
    g = at_war()
    g.control |= {t: "japan" for t, owner in g.control.items() if owner != "soviet-union"} | {place: "united-kingdom"}
    g.control["kweichow"] = "china"
    put(g, "japan", "kwangsi", "infantry", men)
    put(g, "japan", "kwangsi", "fighter", 4)
    put(g, "united-kingdom", place, "infantry", enemies)
    put(g, "china", "kweichow", "infantry", behind)
    engine = engine_at(g, "japan", COMBAT)
    moves: list[Any] = [
        {"move": {"units": {k: n}, "from": "kwangsi", "to": place}} for k, n in (("infantry", men), ("fighter", 4))
    ]
    for order in (*moves, "done"):
        engine.reply(order)
    left = {"GC-10": hits, "GC-11": back}
    while isinstance(engine.request, Roll) or (isinstance(engine.request, Ask) and engine.request.kind not in AFTER):
        asked = engine.request
        if isinstance(asked, Roll):
            hit = min(left[asked.rule], asked.dice)
            left[asked.rule] -= hit
            engine.reply([*[1] * hit, *[6] * (asked.dice - hit)])
        else:
            engine.reply(asked.forced or bot.choose(engine.state, asked))
    return kinds(u for u in engine.state.at(place) if u.owner == "japan")


def test_an_aircraft_is_lost_for_the_last_man_who_takes_land_that_is_worth_it() -> None:
    assert attacked("kwangtung", 1, 1, 1, 1) == {"infantry": 1, "fighter": 3}
    assert attacked("kwangtung", 2, 2, 2, 2) == {"infantry": 1, "fighter": 3}


def test_men_are_lost_first_where_one_is_left_or_the_land_is_worth_less_than_an_aircraft() -> None:
    assert attacked("kwangtung", 2, 1, 1, 1) == {"infantry": 1, "fighter": 4}
    assert attacked("hunan", 1, 1, 1, 1, behind=6) == {"fighter": 4}


def test_what_is_left_of_the_enemy_after_the_dice_that_were_thrown_decides() -> None:
    assert attacked("kwangtung", 1, 5, 5, 1) == {"infantry": 1, "fighter": 3}
    assert attacked("kwangtung", 1, 9, 1, 1) == {"fighter": 4}
