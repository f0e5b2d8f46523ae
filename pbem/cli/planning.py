"""Plans on the command line: what a file plans, what is in force and what did not apply, and lines to begin one with."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.cli.speech import speak, text
from pbem.kernel.canon import Plain
from pbem.kernel.wording import Message
from pbem.report.planning import orders_told, steps_told, why_told
from pbem.report.quoting import Named
from pbem.runtime import planned
from pbem.runtime.asked import question_of
from pbem.runtime.ledger import PlanHeld
from pbem.store.session import Session

EACH = 4  # kinds of questions that are spelled out in a draft


def told(session: Session, plan: Sequence[Plain]) -> list[str]:
    """A line for each step of a plan that an order file brings."""
    return [text(line) for line in steps_told([*plan], session.game.words(), _named(session))]


def ended(session: Session, plan: Sequence[Plain]) -> list[str]:
    """What is left of an older plan of one's own, which a new one takes the place of."""
    held = planned.in_force(session.table, session.me.player) if plan else None
    left = _left(session, held) if held is not None else []
    if held is None or not left:
        return []
    mind = speak("Mind: this plan takes the place of that of file {seq}; what is left of it falls away:", seq=held.seq)
    return [mind, *(f"  {line}" for line in told(session, left))]


def open_to_all(plan: Sequence[Plain]) -> list[str]:
    """What everybody reads of a plan as soon as it is sent, in a line; nothing where all its steps are sealed."""
    if all(planned.stays_shut(step) or (isinstance(step, dict) and step.get("sealed")) for step in plan):
        return []
    return [
        speak("Mind: what is planned openly everybody reads before it is due; `sealed: true` shows a step's question alone")
    ]


def never_asked(session: Session, plan: Sequence[Plain]) -> list[str]:
    """Steps for questions that this game, by its scenario and options, asks nobody: a line, or nothing."""
    game, state = session.game, session.table.engine.state
    wanted = [str(step["at"]) for step in plan if isinstance(step, dict) and "at" in step]
    never = [at for at in dict.fromkeys(wanted) if game.never_asks(state, at)]
    if not never:
        return []
    return [
        speak(
            "Mind: by its scenario and options this game never asks {kinds}; such steps answer nothing", kinds=", ".join(never)
        )
    ]


def status(session: Session) -> list[str]:
    """What is still planned, by whom and since which file; and what of the newest own plan did not apply."""
    table, lines = session.table, []
    for player in session.charter.players_in_order:
        held = planned.in_force(table, player)
        left = _left(session, held) if held is not None else []
        if held is not None and left:
            lines.append(speak("{player} has planned, in file {seq}:", player=player, seq=held.seq))
            lines += [f"  {line}" for line in told(session, left)]
    return [*lines, *_missed(session)]


def _left(session: Session, held: PlanHeld) -> list[Plain]:
    """The steps that may still answer, without the orders that they have given."""
    left: list[Plain] = []
    for at, (step, used) in enumerate(zip(held.steps, held.used, strict=True)):
        assert isinstance(step, dict)
        do = step.get("do")
        orders = do[used:] if isinstance(do, list) else None
        if planned.is_left(session.table, held, at):
            left.append(step if orders is None else {**step, "do": orders})
    return left


def _missed(session: Session) -> list[str]:
    """What of the newest own plan was left out, or where it stopped."""
    ledger = session.table.ledger
    own = [held.seq for held in ledger.plans if held.player == session.me.player]
    missed = [f for f in ledger.fired if own and f.file == own[-1] and f.by in ("passed", "stopped")]
    return [f"{text(why_told(f))}: {text(orders_told(f.order, _named(session)))}" for f in missed]


def _named(session: Session) -> Named:
    words, state = session.game.words(), session.table.engine.state

    def named(word: str) -> Message | None:
        return words.named(state, word)

    return named


def to_edit(session: Session) -> list[str]:
    """Lines to take the comment sign from: a plan for the questions of the turn behind the one that is asked."""
    asked, kinds = question_of(session.table, session.me.player), [*session.game.plannable]
    here = session.game.plannable_here(session.table.engine.state)
    at = planned.name_of(asked) if asked is not None else ""
    if asked is None or not {at, asked.kind} & {*kinds}:
        return []
    behind = [kind for kind in kinds[kinds.index(asked.kind if asked.kind in kinds else at) + 1 :] if kind in here]
    lines = ["# plan:  # " + speak("then, beyond the dice; a step may begin with `when:` and a condition")] if behind else []
    if len(behind) > EACH:
        return [*lines, f"#   - at: {' | '.join(behind)}", "#     do: [...]"]
    for kind in behind:
        lines += [f"#   - at: {kind}", "#     do:", f"#       - {here[kind][0]}: ..."]
    return lines
