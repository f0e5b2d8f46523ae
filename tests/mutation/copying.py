"""What is changed in a copy before its mutants are made: mutmut leaves decorated functions alone, so their decorators move.

@cache                          def parse(text): ...
def parse(text): ...    becomes
                                parse = cache(parse)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import libcst as cst

KEPT = {"staticmethod", "classmethod", "overload"}  # mutmut mutates the first two itself; the third has no body
Body = TypeVar("Body", cst.Module, cst.IndentedBlock)


def undecorated(source: str) -> str:
    """The module with every decorator of a function turned into a call behind the function."""
    return cst.parse_module(source).visit(_Undecorated()).code


class _Undecorated(cst.CSTTransformer):
    def leave_Module(self, original_node: cst.Module, updated_node: cst.Module) -> cst.Module:
        return _moved(updated_node)

    def leave_IndentedBlock(self, original_node: cst.IndentedBlock, updated_node: cst.IndentedBlock) -> cst.IndentedBlock:
        return _moved(updated_node)


def _moved(block: Body) -> Body:
    body: list[cst.BaseStatement] = []
    for statement in block.body:
        if isinstance(statement, cst.FunctionDef) and _movable(statement.decorators):
            body += [statement.with_changes(decorators=()), _applied(statement)]
        else:
            body.append(statement)
    return block.with_changes(body=body)


def _movable(decorators: Sequence[cst.Decorator]) -> bool:
    names = [d.decorator.value for d in decorators if isinstance(d.decorator, cst.Name)]
    accessors = [d for d in decorators if isinstance(d.decorator, cst.Attribute) and d.decorator.attr.value == "setter"]
    return bool(decorators) and not accessors and not (len(decorators) == 1 and KEPT.intersection(names))


def _applied(function: cst.FunctionDef) -> cst.SimpleStatementLine:
    call: cst.BaseExpression = function.name
    for decorator in reversed(function.decorators):
        call = cst.Call(decorator.decorator, [cst.Arg(call)])
    return cst.SimpleStatementLine([cst.Assign([cst.AssignTarget(function.name)], call)])
