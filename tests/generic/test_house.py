"""What a game offers is declared: nothing is looked for by name, and no upper layer knows a single game."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
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
    "kernel/records.py",
    "kernel/happened.py",
    "runtime/replaying.py",
    "report/maps/themes.py",
}  # copies of records, a theme
CALLED_FROM_ELSEWHERE = {"do_GET", "do_POST", "log_message", "handle_error", "write_heading", "list_commands"}  # by a library
CALLED_FROM_ELSEWHERE |= {"register", "from_armored", "knows", "glow", "end_of"}  # by tests only
LINES_OF_A_MODULE, LINES_OF_A_FUNCTION = 400, 50
LONG_MODULES: dict[str, int] = {}  # those still to be divided, with the size that each has now: it may only fall
LONG_FUNCTIONS: dict[str, int] = {}


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


def test_modules_and_functions_are_short() -> None:
    modules = {p.relative_to(PACKAGE).as_posix(): p.read_text("utf-8") for p in sorted(PACKAGE.rglob("*.py"))}
    sizes = {name: len(text.splitlines()) for name, text in modules.items()}
    assert too_long(sizes, LINES_OF_A_MODULE, LONG_MODULES) == []
    functions = dict(function for name, text in modules.items() for function in functions_of(name, text))
    assert too_long(functions, LINES_OF_A_FUNCTION, LONG_FUNCTIONS) == []


def test_a_list_of_long_ones_can_only_become_shorter() -> None:
    sizes = {"grown": 60, "same": 55, "shorter": 52, "fresh": 51, "divided": 50, "fine": 50}
    listed = {"grown": 59, "same": 55, "shorter": 58, "divided": 70, "gone": 80}
    assert too_long(sizes, 50, listed) == [
        "fresh: 51 lines, at most 50",
        "grown: 60 lines, at most 59",
        "no longer too long, to be taken off the list: divided",
        "no longer too long, to be taken off the list: gone",
    ]
    text = "class A:\n    def f(self):\n        def g():\n            pass\n        return g\n\nasync def h():\n    pass\n"
    assert dict(functions_of("m.py", text)) == {"m.py:f": 4, "m.py:g": 2, "m.py:h": 2}


def too_long(sizes: dict[str, int], most: int, listed: dict[str, int]) -> list[str]:
    """What is longer than it may be; what is listed and need not be any more."""
    limits = {name: listed.get(name, most) for name in sorted(sizes)}
    long = [f"{name}: {sizes[name]} lines, at most {limit}" for name, limit in limits.items() if sizes[name] > limit]
    done = [name for name in sorted(listed) if sizes.get(name, 0) <= most]
    return long + [f"no longer too long, to be taken off the list: {name}" for name in done]


def functions_of(module: str, text: str) -> Iterator[tuple[str, int]]:
    """Every function of a module with its number of lines, without its decorators; of two with one name the longer counts."""
    found: dict[str, int] = {}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            name = f"{module}:{node.name}"
            found[name] = max(found.get(name, 0), (node.end_lineno or 0) - node.lineno + 1)
    yield from found.items()
