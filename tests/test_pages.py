"""What the pages name is there: links, functions, quoted code, commands with their options, modules to run."""

from __future__ import annotations

import ast
import re
import shlex
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from pbem.cli import app as command_line
from pbem.games.module import GameModule
from pbem.report.languages import LANGUAGES
from pbem.report.render import FORMATS
from pbem.runtime.paper import read_paper
from tests.case_driver import read_cases, stage_of
from tests.manual import FRONT, ROOT, TOPICS, blocks, order_files, told
from tests.tiny.test_another_package import ENTRY

LAYERS, GAMES, WORKING = ROOT / "pbem/README.md", ROOT / "pbem/games/README.md", ROOT / ".github/CONTRIBUTING.md"
PAGES = {path.relative_to(ROOT).as_posix(): path for path in (FRONT, LAYERS, GAMES, WORKING, *TOPICS.values())}
LINK = re.compile(r"\]\(([^()\s]+)\)")
NAMED = re.compile(r"\]\(([^()\s]+\.py)\)\s+`([\w.]+)`")
PLACE = re.compile(r"`((?:pbem|tests|scenarios|templates|\.ci)/[^`\s]+)`")
MODULE = re.compile(r"python -m ([\w.]+)")
CODE = re.compile(r"`(pbem [^`]+)`")
OPTION = re.compile(r"`(--[a-z-]+)")


def text_of(name: str) -> str:
    return PAGES[name].read_text("utf-8")


# -- files, functions, modules -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PAGES)
def test_every_link_leads_to_a_file(name: str) -> None:
    targets = [target for target in LINK.findall(text_of(name)) if "://" not in target]
    assert [t for t in targets if not (PAGES[name].parent / t).exists()] == []
    assert [place for place in PLACE.findall(text_of(name)) if not (ROOT / place).exists()] == []


@pytest.mark.parametrize("name", PAGES)
def test_every_function_that_a_link_names_is_in_its_file(name: str) -> None:
    named = [(PAGES[name].parent / target, what) for target, what in NAMED.findall(text_of(name))]
    assert [f"{path}: {what}" for path, what in named if what not in defined(path)] == []


@cache
def defined(path: Path) -> frozenset[str]:
    """Functions, classes and their methods, and constants of a file."""
    found: set[str] = set()
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            found.add(node.name)
        if isinstance(node, ast.ClassDef):
            found |= {f"{node.name}.{part.name}" for part in node.body if isinstance(part, ast.FunctionDef)}
        for target in [node.target] if isinstance(node, ast.AnnAssign) else getattr(node, "targets", []):
            found.add(ast.unparse(target))
    return frozenset(found)


@pytest.mark.parametrize("name", PAGES)
def test_every_module_to_run_can_be_run(name: str) -> None:
    for module in MODULE.findall(text_of(name)):
        if module == "venv":
            continue
        found = find_spec(module)
        assert found is not None and found.origin is not None, module
        origin = Path(found.origin)
        runs = origin.with_name("__main__.py").exists() if origin.name == "__init__.py" else '"__main__"' in origin.read_text()
        assert runs, f"python -m {module} does nothing"


def quoted() -> list[tuple[str, str]]:
    """Blocks that quote a file: its place, and a part of the block."""
    found = []
    for name in PAGES:
        for block in blocks(text_of(name), "(?:python|text)"):
            head, _, body = block.partition("\n")
            if head.startswith("# "):
                found += [(head[2:], part) for part in body.split("...\n")]
    return found


@pytest.mark.parametrize(("place", "part"), quoted())
def test_code_and_cases_stand_as_they_are_quoted(place: str, part: str) -> None:
    assert part.strip() and part in (ROOT / place).read_text("utf-8"), f"{place} has changed: so must the page that quotes it"


# -- the three pages for those who carry on ------------------------------------------------------------------------------------


def test_the_picture_of_the_layers_is_the_contract() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    (layers,) = (c["layers"] for c in contracts if c["name"] == "data flows one way")
    (picture,) = blocks(LAYERS.read_text("utf-8"), "text")
    assert [f"pbem.{name}" for name in re.findall(r"(?m)^  ([a-z]+) +[|v]  ", picture)] == layers


def test_the_page_names_all_that_a_game_can_offer() -> None:
    page = GAMES.read_text("utf-8")
    offers = {n for n in (*dir(GameModule), *GameModule.__annotations__) if not n.startswith("_")} - {"folder", "proposals"}
    assert sorted(offers - set(re.findall(r"`(\w+)`", page))) == []
    table = page.split("| to offer | define |\n")[1].split("\n\n")[0]
    column = " ".join(row.split(" | ")[1] for row in table.splitlines() if " | " in row)
    assert sorted(set(re.findall(r"`([a-z_]+)`", column)) - offers) == []


def test_the_entry_point_of_the_page_is_the_one_that_is_installed() -> None:
    (block,) = blocks(GAMES.read_text("utf-8"), "toml")
    points = tomllib.loads(block)["project"]["entry-points"]
    assert {f"{name} = {place}" for name, place in points["pbem.games"].items()} <= set(ENTRY.splitlines())
    assert ENTRY.startswith("[pbem.games]\n")


def test_the_cases_that_the_pages_name_are_there() -> None:
    cases = "".join(path.read_text("utf-8") for path in sorted((ROOT / "tests/cases").rglob("*.cases")))
    named = re.findall(r"-k (\S+)", WORKING.read_text("utf-8"))
    assert named and all(f"CASE {case} " in cases for case in named)


def test_the_case_of_the_page_is_played_with_its_refused_order(tmp_path: Path) -> None:
    page = GAMES.read_text("utf-8")
    (block,) = (b for b in blocks(page, "text") if "\nCASE " in b)
    (refused,) = re.findall(r"`(\w+: [^`]* !! [^`]*)`", page)
    (tmp_path / "page.cases").write_text(block.replace("PLAY\n", f"PLAY\n  {refused}\n"))
    (case,) = read_cases(tmp_path / "page.cases")
    assert len(case.play) == 3
    stage_of("next_war")(case).run()


def test_the_shell_offers_the_formats_and_languages_that_there_are() -> None:
    offered = {p.name: p.shell_complete(None, "") for c in COMMANDS.commands.values() for p in c.params}
    assert {item.value for item in offered["form"]} == {*FORMATS}
    assert {item.value for item in offered["lang"]} == {*LANGUAGES}


# -- commands ------------------------------------------------------------------------------------------------------------------

COMMANDS: Any = get_command(command_line.app)


def all_commands(group: Any = COMMANDS) -> Iterator[Any]:
    for command in group.commands.values():
        yield command
        yield from all_commands(command) if hasattr(command, "commands") else ()


def options(command: Any) -> set[str]:
    return {"--help", *(option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts))}


def wrong_with(words: list[str]) -> str:
    """What a command line, without `pbem`, has that pbem has not; "" for a good one. Words in capitals stand for others."""
    command = COMMANDS
    for at, word in enumerate(words):
        if hasattr(command, "commands"):
            if word.isupper():
                return ""
            if word not in command.commands:
                return f"no command {word}"
            command = command.commands[word]
        else:
            unknown = [w for w in words[at:] if re.match(r"--?[a-z]", w) and w not in options(command)]
            return f"no option {', '.join(unknown)}" if unknown else ""
    return ""


def command_lines(text: str) -> Iterator[list[str]]:
    """Those to type and those in running text."""
    yield from told(text)
    for code in CODE.findall(text):
        yield shlex.split(" ".join(code.split()))[1:]


@pytest.mark.parametrize("name", PAGES)
def test_every_order_file_of_the_pages_can_be_read(name: str, tmp_path: Path) -> None:
    for number, written in enumerate(order_files(text_of(name))):
        file = tmp_path / f"{number}.yaml"
        file.write_text(written, "utf-8")
        assert read_paper(file.read_bytes()).orders


@pytest.mark.parametrize("name", PAGES)
def test_every_command_of_the_pages_is_one_with_its_options(name: str) -> None:
    found = {" ".join(words): wrong_with(words) for words in command_lines(text_of(name))}
    assert {line: wrong for line, wrong in found.items() if wrong} == {}


def test_every_option_of_the_manual_is_one_of_some_command() -> None:
    known = {option for command in all_commands() for option in options(command)}
    for name, path in TOPICS.items():
        assert set(OPTION.findall(path.read_text("utf-8"))) <= known, name


def test_a_wrong_command_line_would_be_noticed() -> None:
    assert wrong_with(["repport"]) == "no command repport" and wrong_with(["mail", "sent"]) == "no command sent"
    assert wrong_with(["send", "orders.yaml", "--game", "x", "--loud"]) == "no option --loud"
    assert wrong_with(["mail", "run", "-g", "pacific"]) == "" and wrong_with(["COMMAND", "--help"]) == ""
