"""Pictures that follow each other are drawn only where they differ: each is the one that it would be alone."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from pbem.games import Module
from pbem.games.axis_and_allies_pacific.game import GAME as PACIFIC
from pbem.games.next_war.game import GAME as KOREA
from pbem.kernel.hex_picture import HexPicture
from pbem.kernel.picture import Picture
from pbem.kernel.records import to_plain
from pbem.protocol import charter
from pbem.report import svg_map, view
from pbem.report.maps.look import Look
from pbem.report.maps.themes import DARK
from pbem.report.steps import history, played_along
from pbem.report.story import report
from pbem.runtime.table import Table
from tests.next_war import party
from tests.report import recorded, test_hex_map
from tests.signed_games import FOLDER, Recorded


def after_each_file(start: Table, log: Any) -> list[Picture | HexPicture]:
    """What is shown after each file, alternately with what happened in it and without."""
    steps = history(start, log[1:], lambda seq: log[seq])
    shown = [(s.taken.table.engine.state, [(s.state, s.taken.events)]) for s in steps]
    return [view.picture_of(start.game, g, files, "file" if n % 2 else "none") for n, (g, files) in enumerate(shown)]


def of_pacific() -> tuple[Module, list[Picture | HexPicture]]:
    return PACIFIC, after_each_file(recorded.start(), recorded.documents())


def of_korea() -> tuple[Module, list[Picture | HexPicture]]:
    person = party.played()[0]
    return KOREA, after_each_file(Table.start(person.table.charter, KOREA, person.table.engine.scenario), person.log)


def of_small_board() -> tuple[Module, list[Picture | HexPicture]]:
    whole = test_hex_map.picture()
    bare = replace(whole, spaces=tuple(replace(p, pieces=(), zones=(), fought=False, taken_from="") for p in whole.spaces))
    other = replace(whole, spaces=tuple(replace(p, owner="allies" if p.owner == "japan" else "japan") for p in whole.spaces))
    return test_hex_map.GAME, [whole, replace(bare, journeys=(), tracks=(), boxes=()), other, whole]


@pytest.mark.parametrize(
    "look", [Look(), Look(theme=DARK, changes=True), Look(width=390, prefix="n")], ids=["", "dark", "narrow"]
)
@pytest.mark.parametrize("made", [of_pacific, of_korea, of_small_board])
def test_each_picture_of_a_series_is_the_one_that_is_drawn_alone(made: Any, look: Look) -> None:
    game, pictures = made()
    assert len({str(picture) for picture in pictures}) > 2
    series = svg_map.Series(game, "A map", look)
    for number, picture in enumerate([*pictures, *reversed(pictures)]):
        assert "".join(series.pieces(picture)) == svg_map.draw(game, picture, "A map", look), number


def test_what_stays_is_the_same_text_and_not_drawn_again() -> None:
    game, (first, second, *_) = of_pacific()
    series = svg_map.Series(game, "A map", Look())
    before = {id(piece): piece for piece in series.pieces(first)}
    after = series.pieces(second)
    assert sum(id(piece) in before for piece in after) > 0.8 * len(after)


def log_of(name: str) -> tuple[Table, list[Any]]:
    """A recorded game before its first file, and its log."""
    if not name:
        return recorded.start(), [*recorded.documents()]
    game = Recorded.read(FOLDER / f"{name}.json.gz")
    return Table.start(charter.verify(game.charter), game.module(), game.scenario), [game.charter, *game.files]


@pytest.mark.parametrize("reads", [True, False], ids=["played on by the reader", "left as they are"])
@pytest.mark.parametrize("name", ["", "empire-of-the-sun-2", "pacific-war-2", "umpire-2", "healed-2", "escrow-2"])
def test_a_state_that_is_played_along_is_that_of_the_table(name: str, reads: bool) -> None:
    start, log = log_of(name)
    words, along = start.game.words(), 0
    other = history(start, log[1:], lambda seq: log[seq])
    for step, alone in zip(played_along(start, log[1:], lambda seq: log[seq]), other, strict=True):
        assert to_plain(step.state) == to_plain(alone.state)
        assert step.taken.events == alone.taken.events and step.taken.turned == alone.taken.turned
        along += step.begun is not None
        if reads:
            one, two = (report(words, [s], s.taken.table, lambda seq: log[seq], whole=None) for s in (step, alone))
            assert one == two
    assert len(log) / 2 < along
