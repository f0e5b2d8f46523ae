"""What stands on a map beside its hexes and areas, the facts, tracks and boxes, is said in the reader's language."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from pbem import games
from pbem.games.next_war.parameters import PARAMETERS
from pbem.kernel.hex_picture import HexPicture
from pbem.kernel.wording import Argument, Message, english
from pbem.report.languages import language
from pbem.report.maps import hex_text
from pbem.store.library import load_scenario

SMALL = {
    "axis-and-allies-pacific": "spring-1940",
    "empire-of-the-sun": "south-pacific",
    "next-war": "training",
    "pacific-war": "guadalcanal",
}
SAME = ("Initiative", "Stable", "The Hump")  # words that one of the languages spells as English does
PRINTED = ("Gulf Inshore", "Strait Inshore")  # names of the scenario


def picture(name: str) -> Any:
    game = games.load(name)
    state = game.start(load_scenario(game, SMALL[name]), {option.name: option.choices[0] for option in game.options})
    return game.picture().picture(state, ())


def said(drawn: Any) -> Iterator[Argument]:
    """Every text beside the map."""
    yield from (party.facts for party in drawn.parties)
    yield drawn.facts
    if isinstance(drawn, HexPicture):
        for track in drawn.tracks:
            yield from (track.title, *track.cells)
        yield from (box.title for box in drawn.boxes)


@pytest.mark.parametrize("code", ["cs", "fr", "pl", "ru"])
@pytest.mark.parametrize("name", SMALL)
def test_whatever_has_letters_is_a_message_and_translated(name: str, code: str) -> None:
    texts = [text for text in said(picture(name)) if any(map(str.isalpha, english(text)))]
    assert texts and [text for text in texts if not isinstance(text, Message) and text not in PRINTED] == []
    same = [
        english(text)
        for text in texts
        if text not in PRINTED and language(code, (games.load(name).folder,)).text(text) == english(text)
    ]
    assert [text for text in same if text not in SAME] == []


def test_a_map_as_text_names_terrain_and_signs_in_words() -> None:
    drawn = picture("next-war")
    shown = hex_text.text(games.load("next-war"), drawn, "Orno", speak=language("pl", ("next_war",)).text)
    assert "Kesk: Równina, Miasto, Port" in shown and "flat" not in shown and "Clear" not in shown


def test_what_a_scenario_lacks_is_told_in_the_readers_language() -> None:
    assert [
        p.name
        for p in PARAMETERS
        if language("pl", ("next_war",)).text(p.text) == english(p.text) and p.name != "all_weather_capability"
    ] == []
