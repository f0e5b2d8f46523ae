"""Sets of standing orders: `pbem orders --set`, `set:` in an order file, sets of one's own; each line of a set answers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem import games
from pbem.games import BUILT_IN
from pbem.kernel.plans import HIDDEN
from pbem.kernel.standing import read_clauses
from pbem.protocol.outcomes import ProtocolError
from pbem.store import sets
from pbem.store.session import Session
from tests.commands import inside, must, prepare, run

SYSTEMS = [*BUILT_IN]


@pytest.fixture
def game(tmp_path: Path) -> Iterator[Path]:
    """A running game of Pacific 1940, in the folder of him who is due."""
    moments = prepare(tmp_path)
    with inside(moments["running"]):
        yield Path("axis")


def test_a_draft_holds_the_set_that_is_named(game: Path) -> None:
    must("orders", "-g", "axis")
    assert "own-strength < enemy-strength" in Path("orders.yaml").read_text()
    must("orders", "-g", "axis", "--set", "careful")
    draft = Path("orders.yaml").read_text()
    assert "own-strength <= enemy-strength" in draft and "  casualties: cheapest first\n" in draft
    assert (
        "no set of standing orders 'timid'; there are usual, careful, bold" in run("orders", "-g", "axis", "--set", "timid").err
    )


def test_a_set_in_a_file_is_spelled_out_before_it_is_signed(game: Path) -> None:
    Path("o.yaml").write_text("orders:\n  - buy: 2 infantry\nstanding:\n  set: careful\n  battle: ask me\n")
    must("check", "o.yaml", "-g", "axis")
    must("send", "o.yaml", "-g", "axis", "--yes")
    session = Session.open(game)
    signed = session.folder.fetch(session.table.last)["standing"]
    assert signed == {**session.game.sets()["careful"], "battle": "ask me"} and "set" not in signed


def test_a_set_of_ones_own_goes_before_the_games(game: Path) -> None:
    (game / "sets").mkdir()
    (game / "sets" / "bold.yaml").write_text("retreat: press\n")
    (game / "sets" / "mine.yaml").write_text("casualties: [infantry, artillery]\n")
    session = Session.open(game)
    assert sets.spelled(session, {"set": "bold"}) == {"retreat": "press"}
    assert sets.spelled(session, {"set": "mine", "retreat": "press"})["casualties"] == ["infantry", "artillery"]
    assert sets.spelled(session, {"retreat": "press"}) == {"retreat": "press"}
    with pytest.raises(
        ProtocolError, match=r"there is no set of standing orders 'other'; there are bold, mine, usual, careful"
    ):
        sets.spelled(session, {"set": "other"})
    with pytest.raises(ProtocolError, match=r"there is no set of standing orders \['bold'\]"):
        sets.spelled(session, {"set": ["bold"]})


def test_a_set_of_ones_own_that_cannot_be_read(game: Path) -> None:
    (game / "sets").mkdir()
    (game / "sets" / "mine.yaml").write_text("retreat: press\nretreat: press\n")
    session = Session.open(game)
    with pytest.raises(ProtocolError, match=r"mine\.yaml: ") as wrong:
        sets.spelled(session, {"set": "mine"})
    assert wrong.value.line == 2
    (game / "sets" / "mine.yaml").write_text("set: bold\n")
    with pytest.raises(ProtocolError, match=r"mine\.yaml: a set names no other set"):
        sets.spelled(session, {"set": "mine"})


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_question_that_can_be_planned_has_words(system: str) -> None:
    """Else a standing order for it is told to answer nothing, and a plan names it by its bare word."""
    module = games.load(system)
    assert {kind.removeprefix(HIDDEN) for kind in module.plannable} <= module.words().ASKED.keys()


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_line_of_a_set_is_about_a_question(system: str) -> None:
    module = games.load(system)
    words = module.words()
    assert [*module.sets()] == ["usual", "careful", "bold"]
    for name, lines in module.sets().items():
        for kind, order in lines.items():
            assert kind in words.ASKED and kind != sets.SET, (name, kind)
            assert read_clauses(kind, order)
