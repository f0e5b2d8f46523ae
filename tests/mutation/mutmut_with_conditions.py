"""Starts mutmut with one operator more: every condition once always true and once always false.

mutmut turns `in` into `not in` and `and` into `or`; a check that is left out altogether (`if x in seen: raise`) it does
not try, and that is the mutant which matters most in a program that refuses things.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable

import libcst as cst
from mutmut.__main__ import cli
from mutmut.mutation import mutators


def fixed_condition(node: cst.If | cst.While | cst.CompIf) -> Iterable[cst.CSTNode]:
    """`if a:` becomes `if (a) and False:` and `if (a) or True:`; a loop only the former."""
    inside = node.test.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
    ways = [(cst.And(), "False")] if isinstance(node, cst.While) else [(cst.And(), "False"), (cst.Or(), "True")]
    for operator, literal in ways:
        yield node.with_changes(test=cst.BooleanOperation(left=inside, operator=operator, right=cst.Name(literal)))


if __name__ == "__main__":
    mutators.mutation_operators += [(kind, fixed_condition) for kind in (cst.If, cst.While, cst.CompIf)]  # type: ignore
    sys.exit(cli())
