"""Orders that come behind a die or somebody else's answer, offered as steps of a plan; nothing is moved unless it is said."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pbem.cli.play import of_game
from pbem.cli.speech import speak, text
from pbem.kernel.canon import Plain
from pbem.kernel.orders import Problem
from pbem.kernel.wording import msg
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.report.planning import behind_told
from pbem.runtime.ahead import ahead
from pbem.runtime.behind import Behind, behind, moved
from pbem.runtime.desk import Desk
from pbem.runtime.paper import lines_of, read_paper
from pbem.runtime.taking import Refused
from pbem.store import sets
from pbem.store.session import Session


class CouldBePlanned(Refused):
    """Refused orders that a plan could hold. `plan`: the whole plan of the file then; `lines`: what its writer is told."""

    def __init__(self, problems: list[Problem], plan: Sequence[Plain], lines: list[str]) -> None:
        super().__init__(problems)
        self.plan, self.lines = [*plan], lines


def offered(session: Session, desk: Desk, problems: list[Problem], file: Path | None) -> Refused:
    """The same refusal, with the plan that could hold the orders, where there is one."""
    found = behind(desk)
    if found is None:
        return Refused(problems)
    plan = [*desk.wanted.plan, *found.steps]
    option = of_game(session.folder.path)
    told, *rest = map(text, behind_told(found))
    how = [_how(file, option)] if file is not None and found.is_whole else []
    return CouldBePlanned(problems, plan, [told, *how, *rest, *_clause(plan)])


def _how(file: Path, option: str) -> str:
    return speak("`pbem check {file} --to-plan{option}` writes the file so:", file=str(file), option=option)


def _clause(plan: Sequence[Plain]) -> list[str]:
    """The plan as a file has it."""
    return lines_of({"plan": [*plan]})


def to_come(session: Session, desk: Desk) -> list[str]:
    """The next question that a plan of this file could answer, as far as it can be foreseen."""
    found = ahead(desk)
    if found is None:
        return []
    question = session.game.words().ASKED.get(found.ask.kind) or found.ask.prompt
    line = speak(
        "Behind the dice may come: {question}. A plan in this file can answer it, `at: {at}`", question=question, at=found.at
    )
    return [line]


def check_not_behind(desk: Desk, file: Path, option: str) -> None:
    """Raises ProtocolError where a plan could hold what cannot be given yet."""
    found = behind(desk)
    if found is not None and found.is_whole:
        told = msg(
            "{name}: some orders come behind a die or another's answer: `pbem check {file} --to-plan{option}` moves them into "
            "the plan",
            name=file.name,
            file=str(file),
            option=option,
        )
        raise ProtocolError(Outcome.REFUSED, told)


def to_plan(path: Path, file: Path) -> str:
    """The file with all its orders that come behind a die or another's answer in its plan. Raises ProtocolError, Refused."""
    session = Session.open(path)
    paper = read_paper(file.read_bytes())
    desk = session.desk(sets.written_out(session, paper.text))
    if desk.sheet.trouble is None:
        return speak("No order of {name} has to go into a plan.", name=file.name)
    found = behind(desk)
    if found is None or not found.is_whole:
        return ""  # what is wrong is told when the file is checked
    changed = moved(paper, found)
    tried = session.desk(sets.written_out(session, changed.text)).sheet.trouble
    if tried is not None:
        raise Refused([*tried.problems]) if tried.problems else ProtocolError(Outcome.REFUSED, tried.unread)
    session.folder.disk.replace(file, changed.text.encode())
    return _where(found, file)


def _where(found: Behind, file: Path) -> str:
    if found.parted is not None:
        return speak(
            "What follows the first part of order {n} stands in the plan of {name} now.", n=found.parted[0] + 1, name=file.name
        )
    first, last = found.first + 1, found.first + found.count
    if first == last:
        return speak("Order {first} stands in the plan of {name} now.", first=first, name=file.name)
    return speak("Orders {first} to {last} stand in the plan of {name} now.", first=first, last=last, name=file.name)
