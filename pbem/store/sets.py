"""Sets of standing orders by name, those of the game and a player's own in `<folder>/sets/NAME.yaml`; and holds.

    standing:
      set: usual
      hold:
        - {kinds: [join, common], answer: done, until: enemy within 5 of noumea > 0}

A hold is spelled out as clauses: ask me when the condition holds, else the answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pbem.kernel import standing
from pbem.kernel.canon import Plain
from pbem.kernel.orders import Rejected
from pbem.kernel.plans import check_names
from pbem.kernel.questions import DONE
from pbem.kernel.wording import linked, msg, quoted, verbatim
from pbem.protocol import strict_yaml
from pbem.protocol.outcomes import ProtocolError, unreadable
from pbem.runtime.paper import Paper, read_paper

if TYPE_CHECKING:
    from pbem.store.session import Session

SET = "set"  # the key in `standing` that names one
HOLD = "hold"  # the key for questions that are answered alike until something happens
KEYS = ("kinds", "answer", "until")  # of an entry of a hold
FOLDER = "sets"


def named(session: Session, name: Plain) -> dict[str, Plain]:
    """The standing orders of a set; an own one goes before the game's of the same name. Raises ProtocolError."""
    own = own_sets(session.folder.path)
    if isinstance(name, str) and name in own:
        return _read(own[name])
    known = session.game.sets()
    if not isinstance(name, str) or name not in known:
        raise no_such(name, [*own, *known])
    return known[name]


def no_such(name: Plain, every: Sequence[str]) -> ProtocolError:
    """No set is called that."""
    known = ", ".join(every)
    return unreadable(msg("there is no set of standing orders {name}; there are {known}", name=quoted(name), known=known))


def own_sets(folder: Path) -> dict[str, Path]:
    """A player's own sets, by name."""
    return {path.stem: path for path in sorted((folder / FOLDER).glob("*.yaml"))}


def _read(path: Path) -> dict[str, Plain]:
    """Kinds of questions and what answers them, as `standing` has them. Raises ProtocolError with the file's name."""
    try:
        document, _ = strict_yaml.read_document(path.read_bytes())
    except ProtocolError as wrong:
        told = msg("{name}: {wrong}", name=path.name, wrong=wrong.message)
        raise ProtocolError(wrong.outcome, told, wrong.line, wrong.column) from None
    if SET in document:
        raise unreadable(msg("{name}: a set names no other set", name=path.name))
    return dict(document)


def legs(session: Session, plan: Sequence[Plain]) -> list[Plain]:
    """A plan whose steps name each order by itself, where they have one that stands for several. Raises ProtocolError."""

    def whole(step: Plain) -> Plain:
        do = step.get("do") if isinstance(step, dict) else None
        if not isinstance(step, dict) or not isinstance(do, list):
            return step
        try:
            return {**step, "do": [leg for order in do for leg in session.game.legs(session.table.engine.state, order)]}
        except Rejected as wrong:
            raise unreadable(wrong.told) from None

    return [whole(step) for step in plan]


def spelled(session: Session, standing_orders: Mapping[str, Plain]) -> dict[str, Plain]:
    """Standing orders with set and holds spelled out; a hold goes before the set, what stands beside them before both.

    Raises ProtocolError.
    """
    chosen = spelled(session, named(session, standing_orders[SET])) if SET in standing_orders else {}
    held = _held(session, standing_orders[HOLD]) if HOLD in standing_orders else {}
    own = {kind: standing.listed(order) for kind, order in standing_orders.items() if kind not in (SET, HOLD)}
    return {**chosen, **held, **own}


def _held(session: Session, entries: Plain) -> dict[str, Plain]:
    """Clauses by kind of question, in the order of the entries."""
    found: dict[str, list[Plain]] = {}
    for entry in entries if isinstance(entries, list) else [entries]:
        held: dict[str, Plain] = dict(entry) if isinstance(entry, dict) else {}
        until, kinds = held.get("until", ""), held.get("kinds")
        listed = kinds if isinstance(kinds, list) else [kinds]
        if not listed or not all(isinstance(word, str) for word in (until, *listed)) or held.keys() - {*KEYS}:
            raise unreadable(msg("hold: an entry is {keys}", keys=", ".join(KEYS)))
        wakes = [_waking(session, str(until))] if until else []
        for kind in map(str, listed):
            found.setdefault(kind, []).extend([*wakes, {"do": held.get("answer", DONE)}])
    return {kind: [*clauses] for kind, clauses in found.items()}


def _waking(session: Session, until: str) -> Plain:
    """The clause that leaves the question to its owner. Raises ProtocolError for a fact that the game has not."""
    seat = session.charter.seats_of(session.me.player)[0]
    try:
        check_names(verbatim("until"), standing.parse(until), session.game.facts(session.table.engine.state, seat))
    except Rejected as wrong:
        problem = wrong.problems[0]
        why = linked("; ", problem.reason, problem.legal) if problem.legal else problem.reason
        raise unreadable(msg("{name}: {wrong}", name=HOLD, wrong=why)) from None
    return {"when": until, "do": standing.ASK_ME}


def names_any(standing_orders: Mapping[str, Plain]) -> bool:
    """A set or a hold stands there that is still to be spelled out."""
    return SET in standing_orders or HOLD in standing_orders


def written_out(session: Session, text: str) -> str:
    """An order file that names no set, holds nothing and plans no order for several any more. Raises ProtocolError."""
    paper: Paper = read_paper(text)
    if names_any(paper.draft.standing):
        paper = paper.saying("standing", spelled(session, paper.draft.standing))
    plan = legs(session, paper.draft.plan)
    return paper.text if plan == [*paper.draft.plan] else paper.saying("plan", plan).text
