"""How many files a person has to write for an offensive; what programs answer by themselves is counted apart."""

from __future__ import annotations

from typing import Any

from pbem.kernel.canon import Plain
from pbem.runtime.composing import Draft
from tests.empire_of_the_sun.hidden_play import two_people
from tests.toygame.party import Person, send

DECKS = {
    "japan": ["J52", "J53", "J54", "J55", "J56", "J57", "J51"],
    "allies": ["A81", "A82", "A83", "A77", "A49"],
}
BATTLES_BY_THEMSELVES: dict[str, Plain] = {
    "hits": "cheapest",
    "critical hit": "any",
    "transfer": "never",
    "return": "home",
    "retreat": "first",
}


def opening(party: list[Person]) -> None:
    """1942, up to Japan's first card."""
    script: list[list[Plain]] = [[{"arcadia": "no"}], ["done"]]
    while not (party[0].table.due.what == "orders" and party[0].table.due.seat == "japan"):
        writer = party[0].table.due
        send(party, Draft(script.pop(0)) if writer.what == "orders" else Draft())


def hand_written(party: list[Person], drafts: dict[str, list[Draft]]) -> dict[str, int]:
    """Sends these files and whatever programs send by themselves, up to the next card; counts the former by player."""
    counts = dict.fromkeys(drafts, 0)
    side = party[0].table.engine.state.active
    while party[0].table.engine.state.active == side:
        due = party[0].table.due
        if due.what != "orders":
            send(party, Draft())
            continue
        send(party, drafts[due.player].pop(0))
        counts[due.player] += 1
    assert not any(drafts.values())
    return counts


def offensive_at_singapore() -> list[Plain]:
    return [
        "play: J52",
        "operations: South HQ",
        "activate: 22nd Air Flotilla, CA Mogami",
        "move: CA Mogami to 2015",
        "done",
        "battle: 2015 with 22nd Air Flotilla",
        "done",
    ]


def test_an_offensive_with_reaction_and_battle_takes_one_file_of_each_side() -> None:
    """The reacting side prepares its branch on the intelligence roll; standing orders assign hits and send units home."""
    party = two_people("year-1942", {"sub_deck": DECKS})
    opening(party)
    counter: Any = {"hq": "Malaya HQ", "activate": ["Malayan Air Force (RAF)"]}
    reacting: dict[str, Plain] = {
        **BATTLES_BY_THEMSELVES,
        "counter": [{"when": "condition = intercept", "do": counter}],
    }
    counts = hand_written(
        party,
        {
            "yamada": [Draft(offensive_at_singapore(), BATTLES_BY_THEMSELVES)],
            "nowak": [Draft(["react", {"intelligence": "roll"}], reacting)],
        },
    )
    assert counts == {"yamada": 1, "nowak": 1}


def test_without_standing_orders_the_same_offensive_asks_more() -> None:
    party = two_people("year-1942", {"sub_deck": DECKS})
    opening(party)
    send(party, Draft(offensive_at_singapore()))
    while party[0].table.due.what != "orders":
        send(party, Draft())
    assert (party[0].table.due.player, party[0].table.engine.fingerprint.split(" | ")[2]) == ("nowak", "reaction")
