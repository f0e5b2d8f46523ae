"""The rules index: every rule says what it is, its code is called, its cases cite it; whatever is cited is in it."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
import yaml

from pbem import games
from pbem.games.empire_of_the_sun.numbering import first_number
from pbem.games.index import RuleIndex
from tests.case_driver import Case, read_cases

ROOT = Path(__file__).parent.parent
CODE = ROOT / "pbem" / "games"
GAMES = sorted(games.BUILT_IN)
REQUESTS = {"Ask", "Commit", "Roll", "PrivateRoll", "Claim", "Draw", "Open", "Simultaneous"}
SAYING = {*REQUESTS, "illegal", "Result", "Problem", "Option"}
WEAPON = "P-51"  # looks like an id and is none
ID = r"(?:1e-)?(?:[A-Z]+(?:-[A-Z0-9]+)+|\d+\.\d+(?:\.\d+)*)"
CITED = re.compile(rf"\[({ID}(?:\.\.[A-Z0-9-]+)?|[A-Z]{{2,}}|[A-Z]\d+)(?=\]|, )|(?<=, )({ID})(?=\]|, )")
SENTENCE = re.compile(r"(?<!No)[.!?](?= |$)")


def index(game: str) -> RuleIndex:
    return games.load(game).index()


def folder(game: str) -> Path:
    return CODE / games.load(game).folder


@cache
def cases(game: str) -> dict[str, Case]:
    paths = (ROOT / "tests" / "cases" / games.load(game).folder).rglob("*.cases")
    return {c.id: c for path in paths for c in read_cases(path)}


def places(folder: Path) -> set[str]:
    """module.function and module.Class of a game; a module in a folder is folder.module."""
    found = set()
    for path in folder.rglob("*.py"):
        module = ".".join(path.relative_to(folder).with_suffix("").parts)
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                found.add(f"{module}.{node.name}")
    return found


@cache
def words(folder: Path) -> Counter[str]:
    """How often each name stands in the code of a game."""
    return Counter(w for path in folder.rglob("*.py") for w in re.findall(r"\w+", path.read_text("utf-8")))


# -- rows ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_sections_point_at_code_and_cases(game: str) -> None:
    known = places(folder(game))
    for rule, entry in index(game).entries.items():
        if entry.status == "not applicable":
            assert entry.why
            continue
        assert entry.status == "implemented", f"{rule} is still open"
        assert entry.where and set(entry.where) <= known, f"{rule}: {set(entry.where) - known}"
        for case in entry.cases:
            assert rule in cases(game)[case].cites, f"{case} does not cite {rule}"


@pytest.mark.parametrize("game", GAMES)
def test_no_row_names_code_that_nothing_calls(game: str) -> None:
    used = words(folder(game))
    named = {w.rpartition(".")[2] for entry in index(game).entries.values() for w in entry.where}
    defined = Counter(place.rpartition(".")[2] for place in places(folder(game)))
    assert [name for name in sorted(named) if used[name] <= defined[name]] == []


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_says_what_it_is(game: str) -> None:
    for rule, entry in index(game).entries.items():
        assert 1 <= len(entry.title.split()) <= 6 and entry.title[-1] != ".", rule
        assert entry.at["chapter"] and set(entry.at) <= {"chapter", "step", "page"}, rule
        assert 1 <= len(SENTENCE.findall(entry.says)) <= 3 and len(entry.says) <= 400, rule


@pytest.mark.parametrize("game", GAMES)
def test_an_index_is_read_once(game: str) -> None:
    assert index(game) is index(game)


# -- what is cited ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_rulings_and_cases_cite_what_there_is(game: str) -> None:
    rules = index(game)
    lost = [(r.id, id) for r in rules.rulings.values() for id in (*r.rules, *re.findall(ID, r.decision)) if not rules.knows(id)]
    lost += [(case.id, id) for case in cases(game).values() for id in case.cites if not rules.knows(id)]
    refused = [(case.id, id) for case in cases(game).values() for line in case.play for id in re.findall(rf" !! ({ID})$", line)]
    lost += [(case, id) for case, id in refused if not rules.knows(id) and not rules.knows(id, "1st-2005")]
    assert lost == []


@pytest.mark.parametrize("game", GAMES)
def test_what_the_code_cites_can_be_looked_up(game: str) -> None:
    found = list(cited(game))
    assert len(found) > 300
    assert [(place, id) for place, id in found if not index(game).knows(id)] == []


def test_what_the_code_cites_can_be_looked_up_in_the_first_edition() -> None:
    rules = index("empire-of-the-sun")
    found = [(place, first_number(id)) for place, id in said(folder("empire-of-the-sun"))]
    assert len(found) > 300
    assert [(place, id) for place, id in found if not rules.knows(id, "1st-2005")] == []


def cited(game: str) -> Iterator[tuple[str, str]]:
    """Every id that the code gives a request, refusal, result or event, and every one in a docstring, with its place."""
    yield from said(folder(game))
    for path in sorted(folder(game).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef):
                for match in CITED.finditer(ast.get_docstring(node) or ""):
                    yield f"{path.name}: {match[0]}", match[1] or match[2]


def said(folder: Path) -> Iterator[tuple[str, str]]:
    """Every id among the arguments of requests, refusals, results and events, and among the defaults of events."""
    trees = {path: ast.parse(path.read_text("utf-8")) for path in sorted(folder.rglob("*.py"))}
    defined = [node for path, tree in trees.items() if of_events(path) for node in tree.body]
    saying = SAYING | {node.name for node in defined if isinstance(node, ast.ClassDef)}
    for path, tree in trees.items():
        for node in ast.walk(tree):
            values: list[ast.expr] = []
            if isinstance(node, ast.Call) and name_of(node.func) in saying:
                values = [*node.args, *(k.value for k in node.keywords)]
            elif isinstance(node, ast.AnnAssign) and of_events(path) and node.value is not None:
                values = [node.value]
            for value in values:
                text = str(value.value) if isinstance(value, ast.Constant) else ""
                if re.fullmatch(rf"{ID}( F\d)?", text) and text != WEAPON:
                    yield f"{path.name}:{value.lineno}", text


def of_events(path: Path) -> bool:
    """A game's events stand in one module or in a folder of them."""
    return "events" in (path.stem, path.parent.name)


def name_of(called: ast.expr) -> str:
    return called.attr if isinstance(called, ast.Attribute) else called.id if isinstance(called, ast.Name) else ""


# -- cards -----------------------------------------------------------------------------------------------------------------


def test_every_card_says_what_it_does() -> None:
    rules = index("empire-of-the-sun")
    printed = yaml.safe_load((ROOT / "scenarios" / "empire_of_the_sun" / "cards.yaml").read_text("utf-8"))["cards"]
    assert [c["id"] for c in printed] == [*rules.cards]
    for printing in printed:
        card = rules.cards[printing["id"]]
        assert (card.name, card.type, card.kind) == (printing["name"], printing["type"], printing.get("kind", ""))
        assert card.values.startswith(f"operations {printing['ops']}"), card.id
        assert ("removed after the event" in card.values) == bool(printing.get("remove")), card.id
        for key in ("oc", "ec"):
            assert printing.get(key) is None or f"{key.upper()} {printing[key]}" in card.values, card.id
        assert SENTENCE.search(card.says) and len(card.says) <= 400 and card.when, card.id
        assert rules.entry(card.section) and rules.entry(card.section, "1st-2005"), card.id
