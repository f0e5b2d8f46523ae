"""What a report says: secrets, ranges, standing orders, proofs, files that were taken back, every space for screen readers."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any

import pytest

from pbem import games
from pbem.kernel.wording import msg
from pbem.protocol import dice
from pbem.report import render, story
from pbem.report.due import due_message
from pbem.report.languages import language
from pbem.report.steps import history, of_turn
from pbem.runtime.dues import Due
from pbem.runtime.ledger import DrawMade, Ledger
from tests.report import recorded

ENGLISH = language("en", ("axis_and_allies_pacific",))


def shown(form: str, **wanted: object) -> str:
    return render.report(recorded.view(**wanted), form, ENGLISH)  # type: ignore[arg-type]


@pytest.mark.parametrize("form", list(render.FORMATS))
def test_a_player_reads_his_secrets_and_a_spectator_does_not(form: str) -> None:
    ((where, what),) = recorded.view(reader="yamada").private
    assert (ENGLISH.text(where), ENGLISH.text(what)) == ("what was sealed in file 1", "none")
    told = ENGLISH.text(where)
    assert told in shown(form, reader="yamada")
    assert told not in shown(form) and told not in shown(form, reader="nowak")


def test_the_opponents_secrets_are_nowhere_in_a_players_report() -> None:
    mine, theirs = (
        {tuple(map(ENGLISH.text, one)) for one in recorded.view(reader=name).private} for name in ("yamada", "nowak")
    )
    assert mine and theirs and not mine & theirs


def test_a_range_brings_only_its_files() -> None:
    view = recorded.view(3, 5)
    assert [f.seq for f in view.files] == [3, 4, 5]
    assert "turns the dice" not in render.report(view, "txt", ENGLISH)


def test_the_files_of_a_turn() -> None:
    words = games.load("axis-and-allies-pacific").words()
    steps = [*history(recorded.start(), recorded.documents()[1:], recorded.fetch)]
    assert [s.taken.seq for s in of_turn(words, steps, 1)] == list(range(1, len(recorded.documents())))
    assert [s.taken.seq for s in of_turn(words, steps, 2)] == [len(recorded.documents()) - 1]
    assert [*of_turn(words, steps, 9)] == []


def test_every_roll_of_the_log_is_explained_and_its_seed_gives_its_dice() -> None:
    view = recorded.view()
    told = {line.roll.number for chapter in view.chapters for block in chapter.blocks for line in block.lines if line.roll}
    assert told == {roll.number for roll in view.rolls} and len(told) == sum(
        len(d.get("dice", [])) for d in recorded.documents()
    )
    for roll in view.rolls:
        seed = dice.seed(bytes.fromhex(roll.link), view.game_id, roll.source, roll.file_id)
        assert dice.roll(seed, roll.index, roll.label, len(roll.dice), roll.sides) == roll.dice


def test_standing_orders_name_their_file_and_clause() -> None:
    fired = recorded.view(1, 2).fired
    assert (
        ENGLISH.text(fired[0].why) == "standing order of file 1, clause 2"
        and ENGLISH.text(fired[0].condition) == "retreat: press"
    )


def test_what_is_asked_next_stands_near_the_top_of_every_format() -> None:
    for form in render.FORMATS:
        text = shown(form)
        body = text[text.index("<body>") :] if form == "html" else text
        assert "has to send orders: buy units" in body[:700], form


def test_screen_readers_get_every_space_on_request() -> None:
    board = [line for line in shown("spoken", whole=True).splitlines() if line.startswith("From ")]
    assert len(board) == len(recorded.start().engine.state.board.neighbours)
    zone = next(line for line in board if line.startswith("From sea zone 6,"))
    assert re.search(r"adjacent: .*Japan.*\. Here: Japan has \d", zone)


def test_spoken_text_has_no_signs_to_stumble_over() -> None:
    text = shown("spoken", whole=True)
    words = text.split("Proof of the dice")[0]
    assert not re.search(r"[*#|_=\[\]<>`]{2}|^\s*[-*]", words, re.MULTILINE)


def test_what_is_due_to_be_opened_is_told_by_its_file() -> None:
    words: Any = SimpleNamespace(SEATS={"japan": "Japan"})

    def told(detail: str, code: str = "en") -> str:
        table: Any = SimpleNamespace(result=None, due=Due("yamada", "open", "japan", msg(detail)), ledger=drawn())
        return language(code).text(due_message(words, table))

    assert told("yamada:seal12:0") == "yamada (Japan) has to show what was sealed in file 12."
    assert told("the third card") == "yamada (Japan) has to show the third card."
    assert all("seal12" not in told("yamada:seal12:0", code) for code in ("cs", "fr", "pl", "ru"))
    assert told("japan:draw0:2") == "yamada (Japan) has to show what was drawn unseen in file 7."
    assert told("japan:draw1:0") == "yamada (Japan) has to show strategic intelligence, rolled in secret in file 9."
    assert told("japan:draw3:0") == "yamada (Japan) has to show japan:draw3:0.", "nobody's"


def drawn() -> Ledger:
    """Japan has drawn three cards and rolled a die in secret."""
    dice = DrawMade(1, "yamada", "japan", "", 9, 1, label="strategic intelligence, japan", sides=10)
    return Ledger(draws=[DrawMade(0, "yamada", "japan", "", 7, 3), dice])


def test_what_was_drawn_or_rolled_in_secret_is_told_by_its_file() -> None:
    table: Any = SimpleNamespace(ledger=drawn())

    def told(handle: str, *, alone: bool = False) -> str:
        return language("en").text(story.handle_told(table, handle, alone=alone))

    for alone in (True, False):
        assert told("japan:draw0:2", alone=alone) == "what was drawn unseen in file 7"
        assert told("japan:draw1:0", alone=alone) == "strategic intelligence, rolled in secret in file 9"
    assert (told("a:seal3:0"), told("a:seal3:0", alone=True)) == ("sealed in file 3", "what was sealed in file 3")


def test_what_was_drawn_is_shown_by_its_name_alone() -> None:
    table: Any = SimpleNamespace(ledger=drawn())

    def told(handle: str) -> str:
        return ENGLISH.text(story._shown(table, "japan", "J36", handle))

    assert told("japan:draw0:1") == "japan shows J36."
    assert told("japan:seal4:1") == "japan shows J36 (sealed in file 4)."
    assert told("japan:draw1:0") == "japan shows J36 (strategic intelligence, rolled in secret in file 9)."
