"""Plans on the command line: what a file plans, what is in force and what did not apply, and lines to begin one with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.cli.speech import speak, text
from pbem.kernel.canon import Plain
from pbem.kernel.plans import later_of
from pbem.kernel.wording import Message
from pbem.report.planning import orders_told, steps_told, why_told
from pbem.report.quoting import Named
from pbem.runtime import planned
from pbem.runtime.asked import question_of
from pbem.runtime.ledger import PlanHeld
from pbem.runtime.table import Table
from pbem.store.seated import NOTHING
from pbem.store.session import Session

HANDLE = "handle"  # of what a step seals
EACH = 4  # kinds of questions that are spelled out in a draft


def told(session: Session, plan: Sequence[Plain]) -> list[str]:
    """A line for each step of a plan that an order file brings."""
    return [text(line) for line in steps_told([*plan], session.game.words(), naming(session))]


def ended(session: Session, plan: Sequence[Plain]) -> list[str]:
    """What is left of an older plan of one's own, which a new one takes the place of."""
    held = planned.in_force(session.table, session.me.player) if plan else None
    steps = left(session, held) if held is not None else []
    if held is None or not steps:
        return []
    mind = speak("Mind: this plan takes the place of that of file {seq}; what is left of it falls away:", seq=held.seq)
    return [mind, *(f"  {line}" for line in told(session, _as_known(session, held.player, steps)))]


def open_to_all(plan: Sequence[Plain]) -> list[str]:
    """What everybody reads of a plan as soon as it is sent, in a line; nothing where all its steps are sealed."""
    if all(planned.stays_shut(step) or (isinstance(step, dict) and step.get("sealed")) for step in plan):
        return []
    return [
        speak("Mind: what is planned openly everybody reads before it is due; `sealed: true` shows a step's question alone")
    ]


def never_asked(session: Session, plan: Sequence[Plain]) -> list[str]:
    """Steps for questions that this game, by its scenario and options, asks nobody, or not in the part that they are for."""
    game, state = session.game, session.table.engine.state
    named = [(n, str(step["at"]), later_of(step)) for n, step in enumerate(plan, 1) if isinstance(step, dict) and "at" in step]
    wanted = [(n, at, later) for n, at, later in named if at in game.plannable]
    never = ", ".join(dict.fromkeys(at for _, at, _ in wanted if game.never_asks(state, at)))
    lines = []
    if never:
        lines.append(
            speak("Mind: by its scenario and options this game never asks {kinds}; such steps answer nothing", kinds=never)
        )
    for n, at, later in wanted:
        if not game.never_asks(state, at) and not game.may_ask(state, at, later):
            lines.append(_too_early(n, at, next((m for m in _stretches(session) if game.may_ask(state, at, m)), None)))
    return lines


def doubted(
    session: Session, after: Table, plan: Sequence[Plain], sealed: Mapping[str, Mapping[str, Any]] = NOTHING
) -> list[str]:
    """Steps that cannot be carried out as they are written, by what everybody can see behind the orders of the same file; and
    the first sealed one that is not allowed as its owner sees the game."""
    if not plan:
        return []
    from pbem.runtime import foreseen

    state = after.engine.state
    rest = _rest(after, session.me.player, plan)
    found = [d for seat in session.charter.seats_of(session.me.player) for d in session.game.plan_doubts(state, seat, rest)]
    found += foreseen.doubts(after, session.me.player, session.knowledge_at(after, sealed), plan)
    told = [speak("Mind: step {n} of the plan: {why}", n=n, why=why) for n, why in found]
    return [*dict.fromkeys([*told, *_missed(session, after)])]


def _rest(after: Table, player: str, plan: Sequence[Plain]) -> list[Plain]:
    """The steps without what they have ordered within their own file; their numbers stay."""
    held = after.ledger.plans[-1] if plan and after.ledger.plans else None
    if held is None or held.player != player or len(held.used) != len(plan):
        return [*plan]
    rest: list[Plain] = []
    for step, used in zip(plan, held.used, strict=True):
        do = step.get("do") if isinstance(step, dict) else None
        rest.append({**step, "do": do[used:] if used >= 0 else []} if isinstance(step, dict) and isinstance(do, list) else step)
    return rest


def _too_early(n: int, at: str, later: int | None) -> str:
    """A step for a part of the game in which its question does not come up. `later`: the first in which it does."""
    if later is None:
        return speak(
            "Mind: step {n} of the plan is for {at}, which is not asked any more as long as the plan holds", n=n, at=at
        )
    if not later:
        return speak(
            "Mind: step {n} of the plan is for {at}, which is not asked in that part of the game; leave `later` out", n=n, at=at
        )
    return speak(
        "Mind: step {n} of the plan is for {at}, which is not asked in this part of the game; write `later: {later}`",
        n=n,
        at=at,
        later=later,
    )


def _stretches(session: Session) -> range:
    return range(session.game.plans_ahead + 1)


def status(session: Session) -> list[str]:
    """What is still planned, by whom and since which file; and what of the newest own plan did not apply."""
    table, lines = session.table, []
    for player in session.charter.players_in_order:
        held = planned.in_force(table, player)
        steps = left(session, held) if held is not None else []
        if held is not None and steps:
            lines.append(speak("{player} has planned, in file {seq}:", player=player, seq=held.seq))
            lines += [f"  {line}" for line in told(session, _as_known(session, player, steps))]
    return [*lines, *_missed(session, table)]


def left(session: Session, held: PlanHeld) -> list[Plain]:
    """The steps that may still answer, without the orders that they have given, each with how far it is from now."""
    found, now = list[Plain](), planned.since(session.table, held) or 0
    for at, (step, used) in enumerate(zip(held.steps, held.used, strict=True)):
        assert isinstance(step, dict)
        do = step.get("do")
        orders = do[used:] if isinstance(do, list) else None
        if planned.is_left(session.table, held, at):
            away: dict[str, Plain] = {"later": later_of(step) - now} if now else {}
            away |= {HANDLE: held.seals[at]} if "sealed" in step else {}
            found.append({**step, **away} if orders is None else {**step, **away, "do": orders})
    return found


def _as_known(session: Session, player: str, steps: Sequence[Plain]) -> list[Plain]:
    """Steps of a player's plan; his own sealed ones with what is in them, which nobody else reads."""
    secrets = session.folder.secrets()
    sealed = secrets.sealed if secrets is not None and secrets.player == player else {}
    return [_opened(step, sealed.get(str(step.get(HANDLE)), {}).get("order")) for step in steps if isinstance(step, dict)]


def _opened(step: dict[str, Plain], content: Plain) -> Plain:
    if content is None:
        return step
    shut = planned.stays_shut(step)
    return {**step, "sealed": True, **({"do": [content]} if shut or not isinstance(content, dict) else content)}


def _missed(session: Session, table: Table) -> list[str]:
    """What of the newest own plan was left out, or where it stopped."""
    ledger, secrets = table.ledger, session.folder.secrets()
    own = [held.seq for held in ledger.plans if secrets is not None and held.player == secrets.player]
    missed = [f for f in ledger.fired if own and f.file == own[-1] and f.by in ("passed", "stopped")]
    named = naming(session)
    return [f"{text(why_told(f, named))}: {text(orders_told(f.order, named))}" for f in missed]


def naming(session: Session) -> Named:
    """How this game calls what orders name, as it stands."""
    words, state = session.game.words(), session.table.engine.state

    def named(word: str) -> Message | None:
        return words.named(state, word)

    return named


def to_edit(session: Session) -> list[str]:
    """Lines to take the comment sign from: a plan for the questions of the turn behind the one that is asked, and, where plans
    reach further, for those of later parts of the game, each part from the first on in which it may be asked."""
    asked, kinds = question_of(session.table, session.me.player), [*session.game.plannable]
    game, state = session.game, session.table.engine.state
    here = game.plannable_here(state)
    at = planned.name_of(asked) if asked is not None else ""
    if asked is None or not {at, asked.kind} & {*kinds}:
        return []
    now = kinds.index(asked.kind if asked.kind in kinds else at) + 1
    parts: dict[int, list[str]] = {}
    for kind in (k for k in [*kinds[now:], *(kinds[:now] if game.plans_ahead else ())] if k in here):
        later = next((n for n in _stretches(session) if game.may_ask(state, kind, n)), None)
        if later is not None:
            parts.setdefault(later, []).append(kind)
    lines = ["# plan:  # " + speak("then, beyond the dice; a step may begin with `when:` and a condition")] if parts else []
    for later, behind in sorted(parts.items()):
        lines += _part_to_edit(here, later, behind)
    return lines


def _part_to_edit(here: Mapping[str, Sequence[str]], later: int, behind: Sequence[str]) -> list[str]:
    then = [f"#     later: {later}"] if later else []
    if len(behind) > EACH:
        return [f"#   - at: {' | '.join(behind)}", *then, "#     do: [...]"]
    return [line for kind in behind for line in (f"#   - at: {kind}", *then, "#     do:", f"#       - {here[kind][0]}: ...")]
