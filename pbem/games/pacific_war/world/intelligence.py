"""[PW-INT-01] [PW-OIN-01] Strategic and operational intelligence: dice that one side alone sees."""

from __future__ import annotations

from pbem.games.pacific_war.clock import ConditionSet
from pbem.games.pacific_war.dice import die
from pbem.games.pacific_war.state import SIDES, State
from pbem.games.pacific_war.terms import side_term
from pbem.games.pacific_war.veils import SecretKept
from pbem.kernel.events import emit
from pbem.kernel.flow import Claim, Flow, PrivateRoll, Reveal
from pbem.kernel.wording import Message, msg

OPENLY = "die "
STRATEGIC = msg("strategic intelligence")  # what a report calls the secret die: whose it is, it says apart


def secret_die(g: State, seat: str, label: Message, rule: str) -> Flow[str]:
    """A die that `seat` alone sees: a handle. Under the option `secrets: open` everybody sees it."""
    if g.options["secrets"] == "open":
        rolled = yield from die(g, label, rule)
        return f"{OPENLY}{rolled}"
    handle: str = yield PrivateRoll(seat, label, 1, 10, rule)
    return handle


def shown(handle: str, reveal: Reveal) -> int:
    """The number behind a handle."""
    if handle.startswith(OPENLY):
        return int(handle[len(OPENLY) :])
    item = reveal(handle)
    number = item[0] if isinstance(item, list) else item
    assert isinstance(number, int)
    return number % 10


def strategic_intelligence(g: State) -> Flow[None]:
    """[PW-INT-01] Each side rolls in secret for its level of the month."""
    found = {}
    for side in SIDES:
        found[side] = yield from secret_die(g, side, _strategic(side), "PW-INT-01")
    for side, handle in found.items():
        emit(g, SecretKept(f"strategic {side}", handle, "PW-INT-01"))


def _strategic(side: str) -> Message:
    return msg("strategic intelligence, {side}", side=side_term(side))


def level(g: State, side: str, rolled: int, month: int = 0) -> int:
    """The level that a die gives in a month, the present one if none is named."""
    rows = g.board.charts.plain["strategic_intelligence"][side]
    row = next(r for r in reversed(rows) if (month or g.month) <= r[0])
    return int(row[1][rolled])


def operational_intelligence(g: State) -> Flow[None]:
    """[PW-OIN-01] The reaction player rolls in secret for the condition of the operation."""
    handle = yield from secret_die(g, g.reactor, msg("operational intelligence"), "PW-OIN-01")
    emit(g, SecretKept("operational", handle, "PW-OIN-01"))
    if g.condition != "secret":
        emit(g, ConditionSet("secret"))


def condition_phase(g: State) -> Flow[None]:
    """[PW-SOL-01] Alone, a player rolls for the condition only when he was found: an operation that was not is a surprise."""
    if g.options.get("solitaire") == "yes" and g.condition == "secret":
        emit(g, ConditionSet("surprise", "PW-SOL-01"))
    yield from reveal_condition(g)


def true_condition(g: State, reveal: Reveal) -> str:
    """The condition of the operation, for the reaction player and the audit: from his level of the month in which it began."""
    side, o = g.reactor, g.operation
    handle = o.intelligence if o is not None and o.intelligence else g.secrets[f"strategic {side}"]
    strategic = level(g, side, shown(handle, reveal), o.month if o is not None else 0)
    table = g.board.charts.plain["operational"]
    row = table.get(strategic) or table[str(strategic)]
    return str(row[shown(g.secrets["operational"], reveal)])


def reveal_condition(g: State) -> Flow[None]:
    """[PW-MOV-09] The reaction player states the condition; the audit compares it with his dice."""
    if g.condition != "secret":
        return
    side = g.reactor

    about = Message("day {day} of month {month}", {"day": g.day, "month": g.month})
    stated = yield Claim(side, "condition", about, "PW-OIN-01", lambda reveal: true_condition(g, reveal))
    possible = [word for row in g.board.charts.plain["operational"].values() for word in row]
    emit(g, ConditionSet(stated if stated in possible else "surprise"))
