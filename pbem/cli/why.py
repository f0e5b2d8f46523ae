"""`why?` in `pbem play`: what was wrong with an order, with each rule by its title and what it says."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from pbem.cli.guiding import Asked, corrected, read_line
from pbem.games.index import RuleIndex
from pbem.kernel.canon import Plain
from pbem.kernel.wording import msg
from pbem.protocol.outcomes import ProtocolError
from pbem.report.languages import Language
from pbem.runtime.desk import Desk
from pbem.runtime.taking import Refused

Wrong: TypeAlias = Refused | ProtocolError


def wrong_with(desk: Desk, readings: Iterable[Callable[[], Plain]]) -> Wrong | None:
    """What is wrong with an order in the first of its readings; nothing where one of them would stand."""
    found: list[Wrong] = []
    for reading in readings:
        try:
            problems = desk.wrong_with([reading()])
        except ProtocolError as error:
            found.append(error)
            continue
        if not problems:
            return None
        found.append(Refused([*problems]))
    return found[0]


def near_miss(desk: Desk, asked: Asked, line: str) -> str:
    """A refused line with its misspelt words corrected, where it then stands; else nothing."""
    meant = corrected(line, asked.vocabulary())
    stands = meant != line and wrong_with(desk, [lambda: asked.order(read_line(meant))]) is None
    return meant if stands else ""


def lines(language: Language, rules: RuleIndex, edition: str, wrong: Wrong) -> list[str]:
    """Every problem in a line, then each of their rules. `rules`: in that language; `edition`: of the charter."""
    if isinstance(wrong, ProtocolError):
        return [language.text(wrong.told)]
    told = [language.text(problem.told) for problem in wrong.problems]
    for rule in dict.fromkeys(problem.rule for problem in wrong.problems):
        entry = rules.entry(rule, edition)
        if entry is not None:
            told.append(language.text(msg("{rule} {title}: {says}", rule=rule, title=entry.title, says=entry.says)))
    return told
