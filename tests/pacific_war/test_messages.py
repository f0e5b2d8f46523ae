"""How many files a person writes for an air mission and for a naval combat; automatic files are counted apart."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping

from pbem.games.pacific_war.events import Fired
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask, Roll
from pbem.runtime.composing import Draft
from tests.pacific_war import table
from tests.pacific_war.hidden_play import two_people
from tests.toygame.party import Person, send

RAID: list[Plain] = ["done", {"mission": {"strike": 2860, "units": ["CAD1", "CAD2", "CAD3"]}}]
ATTACKER: dict[str, Plain] = {"targets": ["BB4 Arizona", "BB", "airfield"], "landing": "home", "escort": "any"}
GUNS: dict[str, Plain] = {"fire": ["CA", "CL", "DD", "APD"], "bid": "short", "line": "first", "leave": "none"}
LINE: Plain = {"line": ["CA1 Australia", "CA2 Chicago", "AA2 Transports", "CA7 Vincennes"]}


def exchange(party: list[Person], drafts: Mapping[str, list[Draft]], until: str) -> Counter[str]:
    """Sends these files, and what programs send by themselves, until this question; files by hand and by program."""
    counts: Counter[str] = Counter()
    while party[0].table.due.what != "nothing":
        due, request = party[0].table.due, party[0].table.engine.request
        if getattr(request, "kind", "") == until and counts:
            break
        if due.what in ("orders", "seal"):
            asked = f"{due.player}: {due.what} {due.detail} ({party[0].table.engine.fingerprint})"
            assert drafts[due.player], asked
            send(party, drafts[due.player].pop(0))
            counts[due.player] += 1
        else:
            send(party, Draft())
            counts[f"{due.player}'s program"] += 1
    return counts


def test_an_air_mission_is_one_file_of_the_attacker_and_none_of_the_defender() -> None:
    party = two_people("pearl-harbor")
    counts = exchange(party, {"yamada": [Draft(RAID, ATTACKER)], "nowak": []}, "mission")
    assert counts["yamada"] == 1 and counts["nowak"] == 0
    assert party[0].table.engine.state.mission is None, "the mission is over"


def test_without_standing_orders_a_mission_asks_for_its_targets() -> None:
    party = two_people("pearl-harbor")
    send(party, Draft(RAID))
    while party[0].table.due.what != "orders":
        send(party, Draft())
    assert (party[0].table.due.player, getattr(party[0].table.engine.request, "kind", "")) == ("yamada", "targets")


def test_a_naval_combat_is_one_file_each_way() -> None:
    party = two_people("savo-island")
    counts = exchange(party, {"yamada": [Draft(["pass"], GUNS)], "nowak": [Draft([LINE], GUNS)]}, "search")
    assert (counts["yamada"], counts["nowak"]) == (1, 1), counts
    assert any(e.rule == "PW-NAV-06" for e in party[0].table.engine.state.events), "ranges were bid"


def test_who_fires_alone_is_asked_for_his_targets() -> None:
    party = two_people("savo-island")
    send(party, Draft(["pass"], {"line": "first"}))
    while party[0].table.due.what not in ("orders", "seal"):
        send(party, Draft())
    send(party, Draft([LINE]))
    while party[0].table.due.what not in ("orders", "seal"):
        send(party, Draft())
    assert (party[0].table.due.player, getattr(party[0].table.engine.request, "kind", "")) == ("yamada", "fire")


def test_a_standing_order_fires_torpedoes_too() -> None:
    party = two_people("savo-island")
    both: dict[str, Plain] = {**GUNS, "fire": ["CA with both", "AA"]}
    exchange(party, {"yamada": [Draft(["pass"], both)], "nowak": [Draft([LINE], GUNS)]}, "search")
    fired = [event for event in party[0].table.engine.state.events if isinstance(event, Fired)]
    assert any(event.line == "torpedo" and str(event.label).startswith("CA5 Chokai torpedoes CA") for event in fired)


def test_ships_fire_in_the_order_of_their_line_whatever_the_order_of_the_keys() -> None:
    labels: list[list[str]] = []
    for ships in (["CA5", "CA1", "CL1"], ["CL1", "CA1", "CA5"]):
        engine = table.begin("savo-island")
        _until(engine, "search")
        engine.reply("pass")
        _until(engine, "line")
        engine.reply({"japan": {"line": ["CA5", "CA1", "CA2", "CL1"]}, "allies": LINE})
        engine.reply({"fire": dict.fromkeys(ships, "CA1 Australia")})
        dice = random.Random(1)
        while isinstance(engine.request, Roll):
            engine.reply(table.chance(engine.request, dice))
        labels.append([str(event.label) for event in engine.state.events if isinstance(event, Fired)])
    assert labels[0] == labels[1] and len(labels[0]) == 3


def _until(engine: Engine, kind: str) -> None:
    """Everything else is let be."""
    while kind not in {ask.kind for ask in getattr(engine.request, "asks", (engine.request,)) if isinstance(ask, Ask)}:
        request = engine.request
        assert request is not None
        engine.reply("done" if isinstance(request, Ask) else table.chance(request, random.Random(0)))
