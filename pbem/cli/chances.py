"""Chances: odds of battles on the board, of a draft and of imagined ones; luck over the log."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from pbem import games
from pbem.cli.session import Session
from pbem.kernel.canon import Plain
from pbem.kernel.orders import unreadable
from pbem.kernel.standing import Clause, read_clauses
from pbem.odds import luck
from pbem.odds.forecast import Forecast, in_words, to_plain
from pbem.odds.luck import Luck, Throw
from pbem.runtime.table import Table

Plans = Callable[[str, str], Sequence[Clause]]
CHECKED = 100_000  # transitions that `check` has patience for, about half a second a battle; beyond that it samples


def _module(system: str) -> Any:
    """What a game says of chances. Raises Rejected when it says nothing."""
    if not is_known(system):
        raise unreadable(f"no odds are known for {system}")
    return import_module(f"pbem.games.{games.folder_of(system)}.chances")


def is_known(system: str) -> bool:
    """Whether a game says anything of chances."""
    return find_spec(f"pbem.games.{games.folder_of(system)}.chances") is not None


# -- odds ----------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Imagined:
    """A battle in words. Orders of loss and the condition of retreat as in standing orders; empty: the usual ones."""

    system: str
    attack: str
    defence: str
    place: str = "land"
    losses: str = ""
    defence_losses: str = ""
    retreat: str = ""


def imagined(asked: Imagined) -> tuple[Plain, str]:
    """Odds of a battle in words. Raises Rejected."""
    from pbem.store import library

    system = asked.system.replace("_", "-")
    games.load(system)
    folder = games.folder_of(system)
    scenario = library.load_scenario(folder, library.scenario_names(folder)[0])
    given: dict[tuple[str, str], Plain] = {
        ("attack", "casualties"): _listed(asked.losses),
        ("defence", "casualties"): _listed(asked.defence_losses),
    }
    retreat: list[Plain] = [{"when": asked.retreat, "do": "retreat"}, {"do": "press"}]
    given["attack", "retreat"] = retreat if asked.retreat else "press"
    given["attack", "submarines"] = given["defence", "submarines"] = "strike"

    def plans(side: str, kind: str) -> Sequence[Clause]:
        return read_clauses(kind, given[side, kind]) if (side, kind) in given else ()

    told = _module(system).imagine(scenario, asked.attack, asked.defence, asked.place, plans)
    return to_plain(told), in_words(told)


def _listed(losses: str) -> Plain:
    """`cheapest first`, or types by commas."""
    words = [w.strip() for w in losses.split(",") if w.strip()]
    return [*words] if words and losses != "cheapest first" else "cheapest first"


def odds(path: Path, file: Path | None) -> tuple[Plain, str]:
    """Odds of the battles on the board, or of those that a draft would start. Raises Refused, ProtocolError, Rejected."""
    session = Session.open(path)
    if file is None:
        table = session.table
    else:
        from pbem.cli.play import read_orders

        table = session.try_out(read_orders(file)).table
    told = _module(session.charter.system).forecasts(table.engine.state, plans_of(table))
    return _all_told(told)


def _all_told(told: Sequence[Forecast]) -> tuple[Plain, str]:
    return [to_plain(t) for t in told], "\n".join(map(in_words, told)) or "No battles."


def ahead(session: Session, table: Table) -> tuple[Plain, str]:
    """Odds of the battles at whose beginning a draft leaves the table; nothing for a game that knows none."""
    if not is_known(session.charter.system):
        return [], ""
    told = _module(session.charter.system).forecasts(table.engine.state, plans_of(table), CHECKED)
    return [to_plain(t) for t in told], "\n".join(map(in_words, told))


def plans_of(table: Table) -> Plans:
    """The public standing orders of every seat's player, and what has been opened of the sealed ones."""

    def of(seat: str, kind: str) -> Sequence[Clause]:
        if seat not in table.game.seats:
            return ()
        player = table.player_of(seat)
        held = [s for s in table.ledger.standing if s.player == player and s.kind == kind]
        if not held:
            return ()
        left = [c for i, c in enumerate(held[-1].clauses) if i not in held[-1].spent]
        return read_clauses(kind, left) if left else ()

    return of


# -- luck ----------------------------------------------------------------------------------------------------------------


def told_luck(path: Path, to: Path | None) -> tuple[Plain, str]:
    """The luck of every player over the whole log; `to`: a file for the picture."""
    session = Session.open(path)
    found = luck_of(session)
    if to is not None:
        session.folder.disk.replace(to, luck.svg(found).encode())
    plain: Plain = [_plain(one, len(found)) for one in found.values()]
    written = f"\n{to} written" if to else ""
    return plain, luck.in_words(found, _module(session.charter.system).UNIT) + written


def luck_of(session: Session) -> dict[str, Luck]:
    """The luck of every player over the rolls that the log holds."""
    table = session.table
    seats = {seat: table.charter.player_of(seat) for seat in table.game.seats}
    return luck.lucks(throws(session), seats)


def throws(session: Session) -> list[Throw]:
    """What every roll of the log was worth, in order."""
    from pbem.kernel.events import emit
    from pbem.report.story import events_of, history

    module = _module(session.charter.system)
    start, fetch = Table.start(session.charter, session.game, session.scenario), session.folder.fetch
    found: list[Throw] = []
    voided = session.table.ledger.voided
    for step in history(start, session.folder.log.files()[1:], fetch):
        state, events = events_of(step, voided, fetch)
        for event in events:
            thrown = module.throw(state, event)
            found += [thrown] if thrown else []
            emit(state, event)
    return found


def _plain(one: Luck, players: int) -> Plain:
    v, s = one.path[-1]
    numbers: dict[str, Any] = {
        "player": one.player, "value": one.value, "dice": one.dice, "score": one.score, "expected": one.mean,
        "against_dice": one.against_dice, "against_score": one.against_score, "against_expected": one.against_mean,
        "surplus": s, "band": luck.band(v), "p_value": one.p_value, "suspect": luck.is_suspect(one, players),
    }  # fmt: skip
    return numbers
