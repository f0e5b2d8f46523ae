"""What one's own program did not answer is told to its player, in `status`, `receive` and the report, and to nobody else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.kernel.canon import Plain
from pbem.runtime.composing import Draft
from pbem.runtime.dues import AUTOMATIC
from pbem.store.session import Session
from tests.commands import inside, must, prepare
from tests.mails.counting import bot_orders, kind_of
from tests.pacific_war.test_planned_seals import NOBODY, SHIPS, activation, steps
from tests.two_players.folders import Side, two_sessions

SECRET = ["forces=sealed", "land=sealed", "points=sealed"]


class _Writer:
    """A folder's player as the bots of the counts know one."""

    def __init__(self, session: Session) -> None:
        self.table, self.seats = session.table, session.charter.seats_of(session.me.player)
        self.knowledge = session.knowledge


def orders_of(session: Session) -> list[Plain]:
    writer: Any = _Writer(session)
    return bot_orders(writer, session.table)


def hand_over(giver: Session, taker: Session) -> None:
    newest = Session.open(giver.folder.path).folder.log.files()
    for document in newest[taker.table.last + 1 :]:
        taker.take(document)


def bidding(root: Path, plan: list[Plain]) -> None:
    """August with everything sealed, in two folders: the Allies have sent a bid with a plan, what follows is still to come."""
    parties = two_sessions(
        root, "pacific-war", "guadalcanal", SECRET, Side("j", "yamada", ["japan"]), Side("a", "nowak", ["allies"])
    )
    hand_over(*parties)
    for _ in range(40):
        due = parties[0].table.due
        writer, other = sorted(parties, key=lambda s: s.me.player != due.player)
        asked = "" if due.what in AUTOMATIC else kind_of(writer.table.engine.request)
        bids = asked == "operation-bid" and due.player == "nowak"
        draft = Draft() if not asked else Draft([{"bid": 30}], plan=plan) if bids else Draft(orders_of(writer))
        writer.write(draft)
        hand_over(writer, other)
        if bids:
            return
    raise AssertionError("nobody bids")


def programs_go_on(folder: Path) -> dict[str, str]:
    """Both programs take what lies in the other's outbox until nothing more comes; what each has told."""
    told = {"j": "", "a": ""}
    with inside(folder):
        for giver, taker in (("a", "j"), ("j", "a")) * 3:
            told[taker] += must("receive", f"{giver}/outbox", "-g", taker)
    return told


@pytest.fixture
def lapsed(tmp_path: Path) -> dict[str, str]:
    with inside(tmp_path):
        bidding(tmp_path, steps(NOBODY))
    return programs_go_on(tmp_path)


def test_a_sealed_step_that_lapsed_is_told_to_its_owner_alone(tmp_path: Path, lapsed: dict[str, str]) -> None:
    assert "step 2: lapsed in file" in lapsed["a"] and "South Dakota" in lapsed["a"]
    assert "lapsed" not in lapsed["j"] and "South Dakota" not in lapsed["j"]
    with inside(tmp_path):
        for command in (["status"], ["report", "--format", "md"], ["report", "--format", "txt"]):
            own, other = (must(*command, "-g", g) for g in ("a", "j"))
            assert "step 2: lapsed in file" in own and "South Dakota" in own, command
            assert "lapsed in" not in other, command
        assert "lapsed in" not in must("report", "--spectator", "-g", "a")
        assert [line for line in json.loads(must("status", "-g", "a", "--json"))["lapsed"] if "step 2" in line]
        assert json.loads(must("status", "-g", "j", "--json"))["lapsed"] == []
        for path in Path("a/outbox").iterdir():
            assert "lapsed" not in path.read_text()


def test_what_stood_is_not_told(tmp_path: Path) -> None:
    with inside(tmp_path):
        bidding(tmp_path, steps(activation(*SHIPS)))
    told = programs_go_on(tmp_path)
    with inside(tmp_path):
        assert "lapsed" not in told["a"] + told["j"] + must("status", "-g", "a")


@pytest.fixture
def pacific(tmp_path: Path) -> Iterator[Path]:
    """A running game of Pacific 1940, in the folder of him who is due."""
    with inside(prepare(tmp_path)["running"]):
        yield Path("axis")


def held(text: str) -> str:
    Path("holds.yaml").write_text(text)
    return must("hold", "holds.yaml", "-g", "axis")


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ("purchase:\n  - {when: round > 9, do: done}\n", "clause 1: not so, round > 9"),
        ("purchase:\n  - {when: round > 9, do: done}\n  - {do: ask me}\n", "clause 1: not so, round > 9; clause 2: asks you"),
        ("purchase:\n  - {when: round = 1, do: ask me}\n  - {do: done}\n", "clause 1: asks you, round = 1"),
        ("purchase: {buy: 400 infantry}\n", "clause 1: not allowed here ("),
    ],
)
def test_why_a_hold_leaves_a_question_to_its_owner(pacific: Path, lines: str, why: str) -> None:
    told = f"your holds do not answer `purchase`: {why}"
    assert told in held(lines) and told in must("status", "-g", "axis")
    assert told in "".join(json.loads(must("status", "-g", "axis", "--json"))["unanswered"])
    assert "holds" not in must("status", "-g", "allies")


def test_a_hold_that_answers_no_more_than_a_part_of_a_file_says_so(pacific: Path) -> None:
    assert "your holds answer `purchase`, but not what is asked behind it in the same file: `combat-move`" in held(
        "purchase: done\n"
    )


def test_a_hold_for_what_is_not_asked_says_nothing(pacific: Path) -> None:
    assert "your holds" not in held("scramble: ask me\n") + must("status", "-g", "axis")


def test_why_a_standing_order_does_not_answer(pacific: Path) -> None:
    Path("o.yaml").write_text("orders: [done]\nstanding:\n  combat-move:\n    - {when: round > 7, do: done}\n")
    must("send", "o.yaml", "-g", "axis", "--yes")
    told = "your standing order of file 1 does not answer `combat-move`: clause 1: not so, round > 7"
    status = must("status", "-g", "axis")
    assert "Japan: combat moves" in status and told in status
    must("receive", "axis/outbox", "-g", "allies")
    assert "your standing order" not in must("status", "-g", "allies")


def test_who_watches_a_game_with_plans_sees_its_status(pacific: Path) -> None:
    Path("o.yaml").write_text("orders: [done]\nplan:\n  - {at: mobilize, do: [done]}\n")
    must("send", "o.yaml", "-g", "axis", "--yes")
    must("accept", "axis/files/0000-charter.yaml", "-g", "watch")
    must("receive", "axis/files", "-g", "watch")
    told = must("status", "-g", "watch")
    assert "has planned, in file" in told and "this folder watches the game" in told


def test_status_says_where_the_game_stands(pacific: Path) -> None:
    assert must("status", "-g", "axis").splitlines()[1] == "Round 1, Japan: Purchase and Repair Units"
    assert json.loads(must("status", "-g", "axis", "--json"))["where"] == "Round 1, Japan: Purchase and Repair Units"
