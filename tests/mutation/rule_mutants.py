"""Random mutants of a game's rules, as syntax trees: a comparison turned, arithmetic turned, and/or, a statement dropped.

Which of them are tried is chance with a fixed seed, but decided for each by itself: a change of one function leaves the choice
in all others as it was.
"""

from __future__ import annotations

import ast
import copy
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.breaks.edits import ROOT

SHOWN_ONLY = {  # modules that show, suggest, complete or forecast; what they do wrong, other tests notice
    *("chances", "clashes", "consequences", "holdings", "labels", "lesson", "nouns", "odds", "picks", "picture"),
    *("rolls", "suggestions", "summaries", "telling", "terms", "typed", "wording", "checking", "charts", "plain_words"),
    *("move_options", "planning", "counting", "dice", "numbering", "notation", "crossing"),
}
SHOWN_FOLDERS = {"bot", "odds", "words"}
TURNED: dict[type[ast.AST], type[ast.AST]] = {
    **{ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq},
    **{ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is},
    **{ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv},
    **{ast.And: ast.Or, ast.Or: ast.And},
}
DROPPED = (ast.Expr, ast.AugAssign, ast.Raise, ast.Continue, ast.Break, ast.Delete, ast.Return, ast.Assign)
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change in one function. `number`: the place among the changeable places of the function."""

    game: str
    path: str
    function: str
    number: int
    was: str
    now: str

    @property
    def module(self) -> str:
        return self.path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")

    def order(self, seed: int) -> str:
        """Chance that never changes while the function's line and its neighbours of the same text do not."""
        key = "|".join((self.path, self.function, self.was, self.now, str(self.number)))
        return hashlib.sha256(f"seed {seed}|{key}".encode()).hexdigest()

    def tree(self) -> ast.Module:
        """The module with the change in it."""
        tree = ast.parse((ROOT / self.path).read_text("utf-8"))
        function = next(node for name, node in functions(tree) if name == self.function)
        list(places(function))[self.number].apply()
        return ast.fix_missing_locations(tree)


@dataclass(slots=True)
class Place:
    """Where a function can be changed: a node with an operator, or a statement in its block."""

    node: ast.AST
    block: list[ast.stmt] | None = None

    def apply(self) -> None:
        node = self.node
        if self.block is not None:
            self.block[self.block.index(node)] = ast.Pass()  # type: ignore[arg-type]
        elif isinstance(node, ast.Compare):
            node.ops[0] = TURNED[type(node.ops[0])]()  # type: ignore[assignment]
        else:
            node.op = TURNED[type(node.op)]()  # type: ignore[attr-defined]

    def shown(self) -> tuple[str, str]:
        """The text before and after."""
        was = ast.unparse(self.node)
        if self.block is not None:
            return was, "pass"
        changed = copy.deepcopy(self.node)
        Place(changed).apply()
        return was, ast.unparse(changed)


def functions(tree: ast.AST, outer: str = "") -> Iterator[tuple[str, Function]]:
    """Functions and methods by the names under which they run; those inside functions belong to these."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, Function):
            yield outer + node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from functions(node, f"{outer}{node.name}.")


def places(function: Function) -> Iterator[Place]:
    """All places of a function in the order of its text. Annotations, assertions and texts stay as they are."""
    for statement in function.body:
        yield from _in(statement, function.body, statement is function.body[-1])


def _in(node: ast.AST, block: list[ast.stmt] | None, last: bool = False) -> Iterator[Place]:
    if isinstance(node, ast.Assert | ast.JoinedStr | ast.Import | ast.ImportFrom):
        return
    if isinstance(node, Function) and _is_form(node.name):
        return
    if block is not None and isinstance(node, DROPPED) and not _keeps(node, last):
        yield Place(node, block)
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in TURNED:
        yield Place(node)
    if isinstance(node, ast.BinOp | ast.AugAssign | ast.BoolOp) and type(node.op) in TURNED and not _of_text(node):
        yield Place(node)
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "args") and isinstance(value, ast.AST | None):
            continue
        for inner in value if isinstance(value, list) else [value]:
            if isinstance(inner, ast.stmt):
                yield from _in(inner, value)
            elif isinstance(inner, ast.AST):
                yield from _in(inner, None)


def _is_form(name: str) -> bool:
    """What a program shows to fill in; tests of forms hold it against what the question reads."""
    return name.rpartition(".")[2].removeprefix("_") == "form" or name.endswith("_form")


def _keeps(node: ast.AST, last: bool) -> bool:
    """A text, the end of a function, or a name that would be missing later: no rule is dropped there."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    if isinstance(node, ast.Assign):
        return any(not isinstance(t, ast.Attribute | ast.Subscript) for t in node.targets)
    return isinstance(node, ast.Return) and (last or node.value is None)


def _of_text(node: ast.AST) -> bool:
    return isinstance(node, ast.BinOp) and any(
        isinstance(side, ast.JoinedStr) or (isinstance(side, ast.Constant) and isinstance(side.value, str))
        for side in (node.left, node.right)
    )


def modules(game: str) -> list[Path]:
    """The modules of a game that decide something."""
    home = ROOT / "pbem" / "games" / game
    return [
        path
        for path in sorted(home.rglob("*.py"))
        if path.stem not in SHOWN_ONLY
        and not path.stem.endswith("forms")
        and "telling" not in path.stem
        and not SHOWN_FOLDERS & {*path.relative_to(home).parts[:-1]}
    ]


def mutants(game: str, seed: int = 1) -> list[Mutant]:
    """All mutants of a game, in the order of chance with this seed."""
    found = []
    for path in modules(game):
        name = path.relative_to(ROOT).as_posix()
        for function, node in functions(ast.parse(path.read_text("utf-8"))):
            if _is_form(function):
                continue
            for number, place in enumerate(places(node)):
                found.append(Mutant(game, name, function, number, *place.shown()))
    return sorted(found, key=lambda m: m.order(seed))
