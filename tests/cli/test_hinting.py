"""Hints and reviews: legal alternatives in players' notation, off where the charter says so, losses of what was played."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pbem.cli import hinting, local
from pbem.cli.hinting import _rolled
from pbem.cli.playing import Wanted, begin
from pbem.kernel.wording import msg
from pbem.odds.luck import Throw
from pbem.protocol.charter import FORBIDDEN, read_charter
from pbem.protocol.outcomes import ProtocolError
from pbem.report.languages import language
from pbem.runtime.advising import hints
from pbem.runtime.asked import question_of
from pbem.store.session import Session
from tests.commands import inside, must, run
from tests.two_players.folders import Pair, Side

ALLIES = "united-states,china,united-kingdom,anzac"
BOUGHT = "orders:\n  - buy: 2 transport, 4 infantry\n  - done\n"
IDLE = BOUGHT + "  - done\n  - done\n"


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same game begun in two ways: `axis` and `allies` with hints, `strict` and `others` without."""
    root = tmp_path_factory.mktemp("hinting")
    with inside(root):
        for mine, theirs, word in (("axis", "allies", "--hints"), ("strict", "others", "--no-hints")):
            must("new", mine, word)
            must("join", "--as", "yamada", "--seats", "japan", "-g", mine)
            must("join", f"{mine}/charter.yaml", "--as", "nowak", "--seats", ALLIES, "-g", theirs)
            must("accept", "-g", theirs)
            must("accept", f"{theirs}/charter.yaml", "-g", mine)
            must("accept", f"{mine}/charter.yaml", "-g", theirs)
        (root / "bought.yaml").write_text(BOUGHT)
        (root / "idle.yaml").write_text(IDLE)
    return root


def test_a_hint_has_three_alternatives_that_are_legal(games: Path) -> None:
    with inside(games):
        told = json.loads(must("hint", "bought.yaml", "-g", "axis", "--json"))
        assert (told["question"], told["unit"], len(told["alternatives"])) == ("combat-move", "IPC", 3)
        assert len({one["goal"] for one in told["alternatives"]}) == 3
        values = [one["value"] for one in told["alternatives"]]
        assert values == sorted(values, reverse=True)
        for one in told["alternatives"]:
            words = [w for order in one["orders"] for w in ("--order", json.dumps(order))]
            before = ["--order", "buy: 2 transport, 4 infantry", "--order", "done"]
            assert run("check", *before, *words, "-g", "axis").code == 0, one
        spoken = must("hint", "bought.yaml", "-g", "axis")
        assert "(exact odds)" in spoken


def test_a_hint_speaks_the_players_language(games: Path) -> None:
    with inside(games):
        polish = must("hint", "bought.yaml", "-g", "axis", "--language", "pl")
    assert "dokładne szanse" in polish
    assert "exact odds" not in polish


def test_where_nothing_is_weighed_the_bots_own_ideas_are_told(games: Path) -> None:
    with inside(games):
        told = json.loads(must("hint", "-g", "axis", "--json"))
    assert told["question"] == "purchase"
    assert 1 <= len(told["alternatives"]) <= 3
    assert all(one["value"] is None and "buy" in str(one["orders"]) for one in told["alternatives"])


def test_a_decision_that_both_make_at_once_has_the_bots_idea(tmp_path: Path) -> None:
    with inside(tmp_path):
        Pair.begun("pacific-war", "guadalcanal", Side("east", "yamada", ["japan"]), Side("west", "nowak", ["allies"]))
        for giver, taker in (("east", "west"), ("west", "east")) * 2:  # dice of the beginning
            run("receive", f"{giver}/outbox", "-g", taker)
        told = json.loads(must("hint", "-g", "east", "--json"))
        assert told["question"] == "allocate" and told["alternatives"]
        for one in told["alternatives"]:
            Path("o.yaml").write_text(json.dumps({"orders": one["orders"]}))
            must("send", "o.yaml", "--yes", "-g", "east")


def test_who_is_not_asked_gets_no_hint(games: Path) -> None:
    with inside(games):
        session = Session.open(Path("allies"))
        assert hints(session.table, "nowak", session.knowledge()) is None


def test_the_charter_may_forbid_hints(games: Path) -> None:
    with inside(games):
        document = Session.open(Path("strict")).charter.document
        assert document["hints"] == FORBIDDEN
        assert "hints" not in Session.open(Path("axis")).charter.document
        for command in ("hint", "review"):
            done = run(command, "-g", "strict")
            assert done.code == 1
            assert "do without hints" in done.out + done.err
        forecast = run("forecast", "-g", "strict")
        assert forecast.code == 1 and "do without hints" in forecast.out + forecast.err
        must("resign", "--yes", "-g", "strict")
        assert run("review", "-g", "strict").code == 0
    with pytest.raises(ProtocolError):
        read_charter({**document, "hints": "allowed"})


def test_a_review_names_what_was_left_undone(games: Path) -> None:
    with inside(games):
        must("send", "idle.yaml", "-g", "axis", "--yes")
        told = json.loads(must("review", "-g", "axis", "--json"))
        assert 1 <= len(told["losses"]) <= 3
        lost = [one["value"] for one in told["losses"]]
        assert lost == sorted(lost, reverse=True)
        assert lost[-1] > 0
        assert all(one["seat"] == "japan" and one["better"] and one["file"] == 1 for one in told["losses"])
        assert json.loads(must("review", "-g", "allies", "--json"))["losses"] == []
        assert json.loads(must("review", "--turn", "7", "-g", "axis", "--json"))["losses"] == []
        assert "Largest losses" in must("review", "-g", "axis")


def test_the_level_of_a_local_game_is_kept(tmp_path: Path) -> None:
    folder = tmp_path / "g"
    run("play", str(folder), "--bot", "--side", "axis", "--level", "easy", stdin="")
    assert local.level_of(folder) == "easy"
    with local.at_work(folder) as party:
        assert party.level == "easy"
    (folder / "play.json").write_text('{"bots": ["allies"]}')
    assert local.level_of(folder) == "normal"
    done = run("play", str(tmp_path / "h"), "--bot", "--level", "godlike", stdin="")
    assert done.code != 0
    assert not (tmp_path / "h").exists()


def test_dice_of_a_review_are_told_in_words_and_not_by_their_label() -> None:
    told = _rolled(Throw("battle for Yunnan: china at 2", "", "", 1, 1.0, 0.3, 1.0, 1.0, 0.33), msg("Battle"))
    assert language("cs").text(told) == "Bitva = 1, očekáváno 0,3; tak daleko od průměru v 33,0 % hodů"


@pytest.mark.in_turn(2)
@pytest.mark.parametrize(
    ("system", "scenario", "files"),
    [
        ("axis-and-allies-pacific", "spring-1940", 3),
        ("empire-of-the-sun", "burma", 12),
        ("next-war", "wonsan", 8),
        ("pacific-war", "savo-island", 8),
    ],
)
def test_every_alternative_of_every_hint_can_be_ordered(system: str, scenario: str, files: int, tmp_path: Path) -> None:
    """A person who follows the program all along: each question, each alternative, until the files are written."""
    root, written = tmp_path / "game", 0
    begin(root, Wanted(system, scenario))
    with local.at_work(root) as party:
        while party.one.table.result is None and written < files:
            if local.go_on(party, []):
                continue
            session = party.writer
            work = session.desk()
            while question_of(work.table, session.me.player) is not None:
                found = hinting.orders_of(hinting.told(session, work)[0])
                for alternative in found:
                    stood = len(work.sheet.orders)
                    work.put([*alternative])
                    while len(work.sheet.orders) > stood:
                        work.undo()
                work.put([*found[written % len(found)]])
            party.send(work.draft)
            written += 1
    assert written == files
