"""Orders that stand behind a die: `check`, `send` and a draft say that a plan could hold them; `check --to-plan` writes it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.cli.behind import _where
from pbem.kernel.canon import Plain
from pbem.kernel.wording import english
from pbem.protocol import strict_yaml
from pbem.report.planning import behind_told
from pbem.runtime.behind import Behind, moved
from pbem.runtime.paper import read_paper
from pbem.store.session import Session
from tests.commands import inside, must, prepare, run

FILE = """\
orders:  # Japan's whole turn
  - buy: 4 infantry, 1 transport
  - done
  - move: 3 infantry, 1 artillery from Kwangsi to Yunnan  # the battle
  - done
  - move: 1 infantry from Manchuria to Jehol
  - done: noncombat-move
  # new units
  - place: 4 infantry in Japan
  - place 1 transport SZ 6
note: Good luck.
"""
PLAN = [
    {"at": "noncombat-move", "do": [{"move": "1 infantry from Manchuria to Jehol"}, "done"]},
    {"at": "mobilize", "do": [{"place": "4 infantry in Japan"}, {"place": "1 transport in SZ 6"}]},
]


@pytest.fixture
def game(tmp_path: Path) -> Iterator[Path]:
    """A running game of Pacific 1940, in the folder of him who is due, and his file."""
    moments = prepare(tmp_path)
    with inside(moments["running"]):
        Path("o.yaml").write_text(FILE)
        yield Path("axis")


def test_what_cannot_be_given_yet_is_named_with_the_plan_that_could_hold_it(game: Path) -> None:
    done = run("check", "o.yaml", "-g", "axis")
    assert done.code and done.err.startswith("refused: order 5: not allowed: o.yaml:6: ")
    assert "Orders 5 to 8 come behind a die or another's answer. A plan in the same file could hold them.\n" in done.err
    assert "`pbem check o.yaml --to-plan -g axis` writes the file so:\nplan:\n" in done.err
    (clause,) = (done.err[done.err.index("plan:") :],)
    assert strict_yaml.read_document(clause)[0] == {"plan": PLAN}
    assert Path("o.yaml").read_text() == FILE, "nothing is moved without his word"
    assert run("send", "o.yaml", "-g", "axis", "--yes").err == done.err
    told = json.loads(run("check", "o.yaml", "-g", "axis", "--json").out)
    assert told["plan"] == PLAN and told["outcome"] == "refused by rule" and len(told["problems"]) == 1
    assert "Rozkazy 5 až 8" in run("check", "o.yaml", "-g", "axis", "--language", "cs").err


def test_a_flag_writes_the_plan_and_checks_the_file(game: Path) -> None:
    told = must("check", "o.yaml", "-g", "axis", "--to-plan")
    assert told.startswith("Orders 5 to 8 stand in the plan of o.yaml now.\n4 orders are legal.\n")
    assert "then, noncombat moves: move: 1 infantry" in told
    paper = read_paper(Path("o.yaml").read_bytes())
    assert [*paper.draft.plan] == PLAN and len(paper.orders) == 4 and [*paper.draft.note] == ["Good luck."]
    for remark in ("# Japan's whole turn", "# the battle", "# new units"):
        assert remark in paper.text
    again = Path("o.yaml").read_bytes()
    assert must("check", "o.yaml", "-g", "axis", "--to-plan").startswith("No order of o.yaml has to go into a plan.\n4 orders")
    assert Path("o.yaml").read_bytes() == again
    must("send", "o.yaml", "-g", "axis", "--yes")
    session = Session.open(game)
    assert session.folder.fetch(session.table.last)["plan"] == PLAN


def test_a_plan_that_stands_there_goes_on(game: Path) -> None:
    Path("o.yaml").write_text(FILE + "plan:\n  - at: noncombat-move\n    when: yunnan fell and round = 9\n    do: [done]\n")
    must("check", "o.yaml", "-g", "axis", "--to-plan")
    first, *rest = read_paper(Path("o.yaml").read_bytes()).draft.plan
    assert first == {"at": "noncombat-move", "when": "yunnan fell and round = 9", "do": ["done"]} and rest == PLAN


def test_what_nothing_foreseen_takes_stays_where_it_is(game: Path) -> None:
    Path("o.yaml").write_text(FILE.replace("4 infantry in Japan", "4 infantry in Yunnan"))
    done = run("check", "o.yaml", "-g", "axis")
    assert "Orders 5 to 6 come behind" in done.err and "place: 4" not in done.err[done.err.index("plan:") :]
    assert (
        "Mind: order 7 and what follows it cannot be planned so: " in done.err and "Yunnan" in done.err.split("planned so")[1]
    )
    Path("o.yaml").write_text(FILE.replace("done: noncombat-move", "done: scramble"))
    assert "for order 6 and what follows it no question is foreseen" in run("check", "o.yaml", "-g", "axis").err
    Path("o.yaml").write_text(FILE.replace("4 infantry in Japan", "4 infantry in Yunnan"))
    must_fail = run("check", "o.yaml", "-g", "axis", "--to-plan")
    assert must_fail.code and Path("o.yaml").read_text() == FILE.replace("4 infantry in Japan", "4 infantry in Yunnan")


def test_other_mistakes_offer_nothing(game: Path) -> None:
    for wrong in (
        FILE.replace("from Kwangsi to Yunnan", "from Kwangsi to Hawaii"),
        FILE.replace("  - done\n  - move: 3", "  - move: 3"),
        "orders:\n  - place: 4 infantry in Japan\n",
    ):
        Path("o.yaml").write_text(wrong)
        done = run("check", "o.yaml", "-g", "axis")
        assert done.code and "--to-plan" not in done.err, wrong
        assert run("check", "o.yaml", "-g", "axis", "--to-plan").code and Path("o.yaml").read_text() == wrong


def test_a_draft_that_goes_on_says_so_too(game: Path) -> None:
    done = run("orders", "--continue", "o.yaml", "-g", "axis")
    assert done.code and "pbem check o.yaml --to-plan -g axis" in done.err


def test_a_file_that_ends_before_a_die_is_told_what_comes_behind(game: Path) -> None:
    ended = FILE.split("  - move: 1 infantry")[0]
    Path("o.yaml").write_text(ended)
    told = must("orders", "--continue", "o.yaml", "-g", "axis")
    assert told.startswith("Nothing more is asked: pbem send o.yaml -g axis\n")
    assert "Behind the dice may come: noncombat moves. A plan in this file can answer it, `at: noncombat-move`" in told
    Path("o.yaml").write_text(ended + "".join(f"plan:\n  - {{at: {kind}, do: [done]}}\n" for kind in ["noncombat-move"]))
    assert "Behind the dice may come: where new units are placed." in must("orders", "--continue", "o.yaml", "-g", "axis")
    Path("o.yaml").write_text(ended + "plan: [{at: noncombat-move, do: [done]}, {at: mobilize, do: [done]}]\n")
    assert "Behind the dice" not in must("orders", "--continue", "o.yaml", "-g", "axis")


def test_orders_from_the_command_line_are_told_and_have_no_file(game: Path) -> None:
    orders = [part for line in FILE.splitlines() if line.startswith("  - ") for part in ("--order", line[4:].split("  #")[0])]
    done = run("check", *orders, "-g", "axis")
    assert "Orders 5 to 8 come behind" in done.err and "--to-plan" not in done.err
    assert run("check", *orders, "--to-plan", "-g", "axis").code == 2


def test_an_entry_that_is_several_orders_is_cut_behind_its_first() -> None:
    """As an approach of Pacific War is, which is typed by its last hex."""
    paper = read_paper("orders:\n  - first: naval\n  - sail: {J1: 1634}  # west\n  - end\nnote: Good luck.\n")
    legs: tuple[Plain, ...] = ({"sail": {"J1": 1632}}, {"sail": {"J1": 1633}}, {"sail": {"J1": 1634}})
    step: dict[str, Plain] = {"at": "contact", "do": [*legs[1:], "end"]}
    found = Behind(2, 3, 3, (step,), parted=(1, legs))
    after = moved(paper, found)
    assert [*after.orders] == [{"first": "naval"}, legs[0]] and [*after.draft.plan] == [step]
    assert [*after.draft.note] == ["Good luck."]
    (told,) = behind_told(found)
    assert english(told).startswith("Order 2 is several, and only the first")
    assert _where(found, Path("x/o.yaml")) == "What follows the first part of order 2 stands in the plan of o.yaml now."
