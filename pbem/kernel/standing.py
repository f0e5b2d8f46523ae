"""Standing orders: what is to hold when a question comes up later. Conditions, scope, life and priority; no code.

A standing order of one kind is a list of clauses; the first that applies answers:

    casualties:
      - {when: "space = sz-19 and round > 1", do: [submarine, destroyer]}
      - {do: cheapest first}
    retreat:
      - {when: "own-value < enemy-value", do: {retreat: [SZ 20]}, scope: "battle:sz-19", life: once}
      - {do: ask me}
"""

from __future__ import annotations

import re
from collections import ChainMap
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Literal

from msgspec import Struct

from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask, Facts
from pbem.kernel.orders import Rejected, judged, unreadable
from pbem.kernel.wording import Message, msg

ASK_ME = "ask me"
LONGEST, DEEPEST = 1000, 32  # a condition's characters, its brackets and `not` together
Value = int | str | bool | tuple["Value", ...]
_TOKEN = re.compile(r"\s*(?:(!=|<=|>=|[=<>()\[\],])|(-?[0-9]+)(?![\w-])|([^\W\d][\w:-]*))")
_COMPARE = ("=", "!=", "<", "<=", ">", ">=")


class Clause(Struct, frozen=True):
    """One line of a standing order. `life`: `standing`, or `once` (used up by its first answer)."""

    do: Plain
    when: str = ""
    scope: str = ""
    life: str = "standing"


def read_clauses(kind: str, plain: Plain) -> tuple[Clause, ...]:
    """The clauses of one kind as they stand in a file. Raises Rejected naming kind and clause."""
    lines = plain if isinstance(plain, list) and _all_clauses(plain) else [{"do": plain}]
    return tuple(_read_clause(f"standing order {kind!r}, clause {i + 1}", line) for i, line in enumerate(lines))


def listed(plain: Plain) -> Plain:
    """Clauses as their writer means them: one that stands in no list is one too, and no order that nothing would ask for."""
    return [plain] if isinstance(plain, dict) and "do" in plain else plain


def _all_clauses(lines: Sequence[Plain]) -> bool:
    return bool(lines) and all(isinstance(line, dict) and "do" in line for line in lines)


def _read_clause(where: str, line: Plain) -> Clause:
    assert isinstance(line, dict)
    unknown = sorted(line.keys() - {"do", "when", "scope", "life"})
    if unknown:
        raise unreadable(
            msg("{where}: unknown key {unknown!r}", where=where, unknown=unknown[0]), msg("keys are do, when, scope, life")
        )
    when, scope, life = (line.get(k, d) for k, d in (("when", ""), ("scope", ""), ("life", "standing")))
    if not (isinstance(when, str) and isinstance(scope, str) and life in ("standing", "once")):
        raise unreadable(msg("{where}: when and scope are text, life is standing or once", where=where))
    if when:
        parse(when)
    return Clause(line["do"], when, scope, str(life))


class Answered(Struct, frozen=True):
    """A clause fired: which one (index) and the plain order it gives here."""

    clause: int
    order: Plain


Reason = Literal["used", "scope", "condition", "silent", "illegal", "asks"]


class WhyNot(Struct, frozen=True):
    """Why a clause, counted from 1, gives no answer. `detail`: its scope, its condition, or the refusal of its answer; of one
    that wants its owner asked (`asks`) the condition that holds."""

    clause: int
    reason: Reason
    detail: Message | str = ""


def answer(
    ask: Ask, clauses: Sequence[Clause], spent: Sequence[int] = (), facts: Facts | None = None
) -> Answered | tuple[WhyNot, ...] | None:
    """The order that these clauses give to this question; None: its owner is to be asked; else why there is none.

    A clause whose answer is illegal here does not apply; `spent` are the clauses of life `once` that are used up; `facts` are
    those of the game, which conditions may name beside the question's.
    """
    reasons: list[WhyNot] = []
    known: Facts = ask.facts if facts is None else beside(ask.facts, facts)
    for i, clause in enumerate(clauses):
        given = _given(ask, clause, i, known) if i not in spent else WhyNot(i + 1, "used")
        if not isinstance(given, WhyNot):
            return given
        reasons.append(given)
    return tuple(reasons)


def why_asked(ask: Ask, clauses: Sequence[Clause], spent: Sequence[int] = (), facts: Facts | None = None) -> list[WhyNot]:
    """Why these clauses leave a question to its owner: each up to the one that wants him asked; nothing where one answers."""
    reasons: list[WhyNot] = []
    known: Facts = ask.facts if facts is None else beside(ask.facts, facts)
    for i, clause in enumerate(clauses):
        given = _given(ask, clause, i, known) if i not in spent else WhyNot(i + 1, "used")
        if isinstance(given, Answered):
            return []
        reasons.append(given or WhyNot(i + 1, "asks", clause.when))
        if given is None:
            break
    return reasons


def beside(first: Facts, other: Facts) -> Facts:
    """The facts of a question, and beside them those of its game."""
    return ChainMap(first, other)  # type: ignore[arg-type]  # they are only read


def _given(ask: Ask, clause: Clause, i: int, facts: Facts) -> Answered | WhyNot | None:
    if clause.scope and clause.scope != ask.scope:
        return WhyNot(i + 1, "scope", clause.scope)
    if clause.when and not holds(clause.when, facts):
        return WhyNot(i + 1, "condition", clause.when)
    if clause.do == ASK_ME:
        return None
    try:
        order: Plain = judged(ask.policy, clause.do)
        if order is None:
            return WhyNot(i + 1, "silent")
        judged(ask.read, order)
    except Rejected as problem:
        return WhyNot(i + 1, "illegal", problem.told)
    return Answered(i, order)


# -- conditions --------------------------------------------------------------------------------------------------


def holds(condition: str, facts: Facts) -> bool:
    """Whether a condition is true of these facts. A fact that the question does not offer makes a comparison false."""
    return bool(_evaluate(parse(condition), facts))


@cache
def parse(condition: str) -> tuple[object, ...]:
    """The tree of a condition. Grammar: or < and < not < comparison | `in [..]` | (..). Raises Rejected."""
    if len(condition) > LONGEST:
        raise unreadable(
            msg("condition {condition!r}... has more than {most} characters", condition=condition[:40], most=LONGEST)
        )
    tokens = _tokens(condition)
    if tokens.count("(") + tokens.count("not") > DEEPEST:
        raise unreadable(
            msg(
                "condition {condition!r}... has more than {most} brackets and `not`",
                condition=condition[:40],
                most=DEEPEST,
            )
        )
    tree, rest = _disjunction(tokens, condition)
    if rest:
        raise unreadable(msg("condition {condition!r}: {rest!r} is one word too many", condition=condition, rest=rest[0]))
    return tree


def _tokens(condition: str) -> tuple[str, ...]:
    found, at = [], 0
    while at < len(condition.rstrip()):
        match = _TOKEN.match(condition, at)
        if match is None:
            raise unreadable(
                msg("condition {condition!r}: cannot read {rest!r}", condition=condition, rest=condition[at:].strip())
            )
        found.append(match.group().strip())
        at = match.end()
    return tuple(found)


_Parsed = tuple[tuple[object, ...], tuple[str, ...]]


def _disjunction(tokens: tuple[str, ...], text: str) -> _Parsed:
    left, rest = _conjunction(tokens, text)
    while rest and rest[0] == "or":
        right, rest = _conjunction(rest[1:], text)
        left = ("or", left, right)
    return left, rest


def _conjunction(tokens: tuple[str, ...], text: str) -> _Parsed:
    left, rest = _negation(tokens, text)
    while rest and rest[0] == "and":
        right, rest = _negation(rest[1:], text)
        left = ("and", left, right)
    return left, rest


def _negation(tokens: tuple[str, ...], text: str) -> _Parsed:
    if tokens and tokens[0] == "not":
        inner, rest = _negation(tokens[1:], text)
        return ("not", inner), rest
    if tokens and tokens[0] == "(":
        inner, rest = _disjunction(tokens[1:], text)
        if not rest or rest[0] != ")":
            raise unreadable(msg("condition {text!r}: a bracket is not closed", text=text))
        return inner, rest[1:]
    return _comparison(tokens, text)


def _comparison(tokens: tuple[str, ...], text: str) -> _Parsed:
    left, rest = _term(tokens, text)
    if rest and rest[0] == "in":
        return _membership(left, rest[1:], text)
    if not rest or rest[0] not in _COMPARE:
        return ("is", left), rest
    right, after = _term(rest[1:], text)
    return (rest[0], left, right), after


def _membership(left: str, tokens: tuple[str, ...], text: str) -> _Parsed:
    if not tokens or tokens[0] != "[" or "]" not in tokens:
        raise unreadable(msg("condition {text!r}: after 'in' comes a list in square brackets", text=text))
    end = tokens.index("]")
    return ("in", left, *(t for t in tokens[1:end] if t != ",")), tokens[end + 1 :]


def _term(tokens: tuple[str, ...], text: str) -> tuple[str, tuple[str, ...]]:
    words: list[str] = []
    reserved = {*_COMPARE, "and", "or", "not", "in", "(", ")", "[", "]", ","}
    while tokens and tokens[0] not in reserved:
        words.append(tokens[0])
        tokens = tokens[1:]
    if not words:
        raise unreadable(msg("condition {text!r}: a fact, a number or a word is missing", text=text))
    return "-".join(words), tokens


def _evaluate(tree: tuple[object, ...], facts: Facts) -> bool:
    match tree:
        case ("or", tuple(left), tuple(right)):
            return _evaluate(left, facts) or _evaluate(right, facts)
        case ("and", tuple(left), tuple(right)):
            return _evaluate(left, facts) and _evaluate(right, facts)
        case ("not", tuple(inner)):
            return not _evaluate(inner, facts)
        case ("is", str(name)):
            return bool(facts.get(name, False))
        case ("in", str(name), *words):
            return name in facts and any(_value(str(w), facts) == facts[name] for w in words)
        case (str(operator), str(left), str(right)):
            return _compare(operator, left, right, facts)
    raise AssertionError(tree)


def _compare(operator: str, left: str, right: str, facts: Facts) -> bool:
    if left not in facts and right not in facts:
        return False
    a, b = _value(left, facts), _value(right, facts)
    if operator in ("=", "!="):
        return (a == b) == (operator == "=")
    if not (isinstance(a, int) and isinstance(b, int)):
        return False
    return {"<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[operator]


def _value(word: str, facts: Mapping[str, int | str | bool]) -> int | str | bool:
    if word in facts:
        return facts[word]
    return int(word) if re.fullmatch(r"-?[0-9]+", word) else word
