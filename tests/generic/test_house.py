"""What a game offers is declared: nothing is looked for by name, and no upper layer knows a single game."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from vulture import Vulture

from pbem import games
from pbem.games.module import GameModule
from pbem.kernel.flow import Ask, Commit
from pbem.kernel.orders import illegal
from tests.toygame.skirmish import Skirmish

PACKAGE = Path(games.__file__).parent.parent
BY_NAME = re.compile(r"\b(getattr|hasattr|import_module|find_spec)\(")
RECORDS = {
    "kernel/events.py",
    "kernel/happened.py",
    "runtime/replaying.py",
    "report/maps/themes.py",
}  # copies of records, a theme
CALLED_FROM_ELSEWHERE = {"do_GET", "do_POST", "log_message", "handle_error"}  # by a library
CALLED_FROM_ELSEWHERE |= {"register", "end_spaces", "from_armored", "knows", "glow", "end_of"}  # by tests only


def test_nothing_of_a_game_is_looked_for_by_name() -> None:
    found = []
    for path in sorted(p for part in ("kernel", "runtime", "report", "cli", "store") for p in (PACKAGE / part).rglob("*.py")):
        name = path.relative_to(PACKAGE).as_posix()
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            if BY_NAME.search(line) and name not in RECORDS and "__getattr__" not in line:
                found.append(f"{name}:{number}: {line.strip()}")
    own = ("store/compiling.py", "store/folder.py", "store/own.py")  # a faster reader, lazy secrets, errors of the system
    assert [line for line in found if not line.startswith(own)] == []


def test_no_module_names_are_glued_together() -> None:
    text = {p: p.read_text("utf-8") for p in PACKAGE.rglob("*.py")}
    assert not [p for p, t in text.items() if re.search(r"import_module|find_spec|__import__\(", t)]


@pytest.mark.parametrize("name", games.BUILT_IN)
def test_a_game_has_no_hook_that_is_not_declared(name: str) -> None:
    game = games.load(name)
    assert isinstance(game, GameModule) and game.name == name
    assert {n for n in vars(type(game)) if not n.startswith("_")} <= {*dir(GameModule), *GameModule.__annotations__}


def test_a_built_in_name_cannot_be_taken_over() -> None:
    with pytest.raises(AssertionError), games.register(games.load("next-war")):
        pass


def test_a_question_proposes_its_options_and_the_hand() -> None:
    class Cards(Skirmish):
        def hand_options(self, state: object, ask: Ask, own: object) -> list[object]:  # type: ignore[override]
            return [{"play": handle, "kind": ask.kind} for handle in own.values()]  # type: ignore[attr-defined]

    ask = Ask("red", "card", "3", "play", lambda order: order, options=lambda: [1, 2])
    assert Skirmish().proposals(None, ask, {"J14": "h"}) == [1, 2]  # type: ignore[arg-type]
    assert Cards().proposals(None, ask, {"J14": "h"}) == [1, 2, {"play": "h", "kind": "card"}]  # type: ignore[arg-type]


def test_hidden_contents_are_proposed_as_far_as_they_may_be_sealed() -> None:
    def judge(order: object, reveal: object) -> None:
        if order != reveal("h"):  # type: ignore[operator]
            raise illegal("no", "3")

    commit = Commit("red", "garrison", "3", "hide", lambda order: order, options=lambda: [1, 2, 3, 9], judge=judge)
    game = Skirmish()
    assert game.proposals(None, commit, {"J14": "h"}) == [1, 2, 3, 9]  # type: ignore[arg-type]
    assert game.proposals(None, commit, {}, lambda handle: 2) == [2]  # type: ignore[arg-type]
    assert game.proposals(None, commit, {}, lambda handle: 8) == []  # type: ignore[arg-type]


def test_no_function_is_called_by_nobody() -> None:
    seen = Vulture()
    seen.scavenge([str(PACKAGE)], exclude=["*/cli/app.py", "*/cli/commands/*", "*/mapmaking/*"])
    for path in (PACKAGE / "cli" / "app.py", *(PACKAGE / "cli" / "commands").glob("*.py")):
        seen.scan(path.read_text("utf-8"), "app.py")
    dead = [f"{item.filename}:{item.first_lineno} {item.name}" for item in seen.get_unused_code() if _is_dead(item)]
    assert not dead


def _is_dead(item: Any) -> bool:
    """A function, method or class that nothing in the package names; commands are called by the shell."""
    kinds = ("function", "method", "class", "property")
    return item.typ in kinds and str(item.filename) != "app.py" and item.name not in CALLED_FROM_ELSEWHERE
