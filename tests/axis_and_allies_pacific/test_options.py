"""Each option of the game changes some legal order, what is asked, or how it ends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pbem.games.axis_and_allies_pacific.amphibious import guns
from pbem.games.axis_and_allies_pacific.game import GAME, OPTIONS
from pbem.games.axis_and_allies_pacific.ownership import capture
from pbem.games.axis_and_allies_pacific.politics import may_declare_as_united_states
from pbem.games.axis_and_allies_pacific.sequence import round_end
from pbem.kernel.flow import Roll
from tests.axis_and_allies_pacific import table
from tests.axis_and_allies_pacific.test_movement import COMBAT, at_war

Answer = Any


def kamikazes(value: Any) -> Answer:
    """The ships that may bombard Iwo Jima from a zone in which a kamikaze was announced."""
    g = at_war(table.empty(**{"kamikaze-blocks-bombardment": value}), "japan united-states")
    table.put(g, "united-states", "sz-17", "battleship")
    table.put(g, "united-states", "sz-17", "transport")
    table.put(g, "united-states", "sz-17", "infantry")
    ship, cargo = (next(u for u in g.units.values() if u.type == kind) for kind in ("transport", "infantry"))
    cargo.aboard, cargo.target = ship.id, "iwo-jima"
    g.kamikaze_zones = ["sz-17"]
    return [u.type for u in guns(g, "united-states", "iwo-jima")]


def lone_transports(value: Any) -> Answer:
    """What a transport meets that sails alone into the zone of a submarine."""
    g = at_war(table.empty(**{"submarines-shoot-transports": value}), "japan united-states")
    table.put(g, "united-states", "sz-16", "submarine")
    table.put(g, "japan", "sz-6", "transport")
    engine = table.engine_at(g, "japan", COMBAT)
    engine.reply({"move": "1 transport from SZ 6 to SZ 16"})
    return isinstance(engine.request, Roll)


def spare_hits(value: Any) -> Answer:
    """Whether aircraft and a submarine beside a transport roll dice at each other."""
    g = at_war(table.empty(**{"spare-hits-on-transports": value}), "japan united-states")
    table.put(g, "united-states", "sz-16", "submarine")
    table.put(g, "united-states", "sz-16", "transport")
    table.put(g, "japan", "japan", "fighter", 2)
    engine = table.engine_at(g, "japan", COMBAT)
    engine.reply({"move": "2 fighters from Japan to SZ 16"})
    engine.reply({"engage": "submarines and transports in SZ 16"})
    engine.reply("done")
    engine.reply({"battle": "SZ 16"})
    engine.reply({"submarines": "strike"})
    return isinstance(engine.request, Roll)


def captured_complex(value: Any) -> Answer:
    """The complex of India in Japanese hands."""
    g = at_war(table.empty(**{"captured-major-complex": value}), "japan united-kingdom")
    table.build(g, "india", "major-ic", 8)
    capture(g, "india", "japan")
    return [(f.type, f.damage) for f in g.facilities["india"]]


def late_entry(value: Any) -> Answer:
    """Whether the United States may declare war unprovoked in its fourth turn."""
    g = table.empty(**{"late-american-entry": value})
    g.turns_taken["united-states"] = 3
    return may_declare_as_united_states(g)


def captor(value: Any) -> Answer:
    """Whether the fall of Tokyo to the United Kingdom counts."""
    g = at_war(table.empty(**{"captor-of-japan": value}), "japan united-kingdom")
    capture(g, "japan", "united-kingdom")
    return g.japan_fell


def tokyo(value: Any) -> Answer:
    """Who has won when Japan holds all cities but its own."""
    g = table.empty(**{"axis-needs-tokyo": value})
    for territory in g.board.victory_cities.values():
        g.control[territory] = "united-states" if territory == "japan" else "japan"
    round_end(g, 3)
    return g.winner


def bid(value: Any) -> Answer:
    """Japan's money at the start."""
    return table.start(bid=value).cash["japan"]


def rounds(value: Any) -> Answer:
    """Who has won at the end of the first round."""
    g = table.start(**{"round-limit": value})
    round_end(g, 1)
    return g.winner


CHANGES: dict[str, tuple[Callable[[Any], Answer], dict[Any, Answer]]] = {
    "kamikaze-blocks-bombardment": (kamikazes, {"yes": [], "no": ["battleship"]}),
    "submarines-shoot-transports": (lone_transports, {"yes": True, "no": False}),
    "spare-hits-on-transports": (spare_hits, {"no": False, "yes": True}),
    "captured-major-complex": (captured_complex, {"becomes-minor": [("minor-ic", 6)], "stays-major": [("major-ic", 8)]}),
    "late-american-entry": (late_entry, {"from-third-turn": True, "third-turn-only": False}),
    "captor-of-japan": (captor, {"any-ally": 1, "as-printed": 0}),
    "axis-needs-tokyo": (tokyo, {"no": "axis", "yes": ""}),
    "bid": (bid, {0: 26, 12: 38, 60: 86}),
    "round-limit": (rounds, {0: "", 1: "allies", 2: ""}),
}


@pytest.mark.parametrize("name", [*CHANGES])
def test_an_option_changes_the_game(name: str) -> None:
    play, expected = CHANGES[name]
    assert {value: play(value) for value in expected} == expected


def test_every_option_is_tried() -> None:
    assert [o.name for o in OPTIONS] == [*CHANGES]
    assert all(o.choices[0] == next(iter(CHANGES[o.name][1])) for o in OPTIONS), "the first choice is the usual one"
    assert all(GAME.index().knows(o.rule) for o in OPTIONS)
