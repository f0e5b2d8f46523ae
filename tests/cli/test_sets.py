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


def test_a_set_that_is_chosen_on_joining_comes_with_the_first_file_that_the_program_writes(tmp_path: Path) -> None:
    """Empire of the Sun: nobody has been asked anything when the cards are drawn; later files bring it no more."""
    with inside(tmp_path):
        must("new", "j", "--system", "empire-of-the-sun", "--scenario", "burma")
        must("join", "--as", "yamada", "--seats", "japan", "--set", "usual", "-g", "j")
        done = run("join", "j/charter.yaml", "--as", "nowak", "--seats", "allies", "--set", "unusual", "-g", "a")
        assert done.code != 0 and "there is no set of standing orders 'unusual'" in done.err
        must("join", "j/charter.yaml", "--as", "nowak", "--seats", "allies", "-g", "a")
        must("accept", "-g", "a")
        must("accept", "a/charter.yaml", "-g", "j")
        must("accept", "j/charter.yaml", "-g", "a")
        for giver, taker in (("j", "a"), ("a", "j")) * 2:
            must("receive", f"{giver}/outbox", "-g", taker)
        session = Session.open(Path("j"))
        files = session.folder.log.files()[1:]
        mine = [f for f in files if f["player"] == "yamada"]
        assert mine[0]["standing"] == games.load("empire-of-the-sun").sets()["usual"] and not mine[0].get("orders")
        assert not any(f.get("standing") for f in [*mine[1:], *(f for f in files if f["player"] == "nowak")])
        assert {s.kind for s in session.table.ledger.standing if s.player == "yamada"} == {*mine[0]["standing"]}
