"""Chances: odds of battles on the board, of a draft and of imagined ones; luck over the log."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import asdict

from pbem import games
from pbem.cli.spans import steps_from
from pbem.cli.speech import speak, text
from pbem.games.parts import Chances, Plans
from pbem.kernel.canon import Plain
from pbem.kernel.orders import Rejected, unreadable
from pbem.kernel.standing import Clause, read_clauses
from pbem.kernel.wording import NO_WORDS, Message, linked, msg, verbatim
from pbem.odds import luck
from pbem.odds.forecast import Forecast, Imagined, in_words, to_plain
from pbem.odds.luck import Luck, Throw
from pbem.report.quoting import things_told
from pbem.runtime.ledger import StandingOrder
from pbem.runtime.table import Table
from pbem.store import shelf
from pbem.store.session import Session

if TYPE_CHECKING:
    from pbem.report.steps import Step

Sealed = Mapping[str, Mapping[str, Any]]


def chances_of(game: games.Module) -> Chances:
    """What a game knows of odds. Raises Rejected for one that knows nothing."""
    found = game.chances()
    if found is None:
        raise unreadable(msg("{title} has no odds yet", title=game.title))
    return found


# -- odds ----------------------------------------------------------------------------------------------------------------


def imagined(system: str, asked: Imagined) -> tuple[Plain, str]:
    """Odds of a battle in words. Raises Rejected."""
    from pbem.store import library

    game = games.load(system.replace("_", "-"))
    told = chances_of(game).imagine(library.load_scenario(game, library.scenario_names(game)[0]), asked)
    return to_plain(told), in_words(told, text)


def odds(path: Path, file: Path | None) -> tuple[Plain, str]:
    """Odds of the battles on the board, or of those that a draft would start. Raises Refused, ProtocolError, Rejected."""
    session = Session.open(path)
    if file is None:
        return _all_told(session, _forecasts(session, session.table, {}))
    from pbem.cli.sending import read_orders

    composed = session.try_out(read_orders(session, file.read_bytes()).draft)
    return _all_told(session, _forecasts(session, composed.table, composed.sealed))


def ahead(session: Session, table: Table, sealed: Sealed) -> tuple[Plain, str]:
    """Odds of the battles at whose beginning a draft leaves the table; nothing for a game that knows none."""
    if session.game.chances() is None:
        return [], ""
    told = _forecasts(session, table, sealed, hurry=True)
    return [to_plain(t) for t in told], "\n".join(in_words(one, text, _things(session)) for one in told)


def _forecasts(session: Session, table: Table, sealed: Sealed, *, hurry: bool = False) -> list[Forecast]:
    """`sealed`: contents of a draft's seals, to be added to those that the folder keeps."""
    secrets = session.folder.secrets()
    plans = plans_of(table, {**(secrets.sealed if secrets and session.sees_hidden else {}), **sealed})
    return [*chances_of(session.game).forecasts(table.engine.state, plans, hurry=hurry)]


def _all_told(session: Session, told: Sequence[Forecast]) -> tuple[Plain, str]:
    lines = "\n".join(in_words(one, text, _things(session)) for one in told)
    return [to_plain(t) for t in told], lines or speak("No battles.")


def _things(session: Session) -> Callable[[str], Message]:
    """Units as the reader calls them."""
    words, state = session.game.words(), session.table.engine.state
    return lambda things: things_told(things, lambda word: words.named(state, word))


def plans_of(table: Table, sealed: Sealed) -> Plans:
    """The standing orders of every seat's player: public, opened, and those whose sealed contents are known here."""

    def of(seat: str, kind: str) -> Sequence[Clause]:
        if seat not in table.game.seats:
            return ()
        player = table.player_of(seat)
        held = [s for s in table.ledger.standing if s.player == player and s.kind == kind]
        return _clauses(held[-1], sealed) if held else ()

    return of


def _clauses(held: StandingOrder, sealed: Sealed) -> Sequence[Clause]:
    """What is left of a standing order, as far as it can be read."""
    hidden = held.seals[len(held.clauses) :]
    clauses = [*held.clauses, *(sealed[handle]["order"] if handle in sealed else None for handle in hidden)]
    found: list[Clause] = []
    for i, clause in enumerate(clauses):
        if i not in held.spent and isinstance(clause, dict) and "do" in clause:
            with suppress(Rejected):
                found += read_clauses(held.kind, [clause])
    return found


# -- luck ----------------------------------------------------------------------------------------------------------------


def told_luck(path: Path, to: Path | None) -> tuple[Plain, str]:
    """The luck of every player over the whole log; `to`: a file for the picture."""
    session = Session.open(path)
    found = luck_of(session)
    plain: Plain = [_plain(one, len(found)) for one in found.values()]
    written = "\n" + _draw(session, found, to) if to else ""
    return plain, luck.in_words(found, chances_of(session.game).UNIT, text) + written


def plot(session: Session, found: dict[str, Luck], paper: str = "") -> str:
    """The picture of luck in the language in use, with the game's title; empty without rolls."""
    return luck.svg(found, speak("{title}: luck of the dice", title=session.game.title), text, paper)


def _draw(session: Session, found: dict[str, Luck], to: Path) -> str:
    from pbem.cli.look import put

    drawn = plot(session, found, "#ffffff")
    return put(session, to, drawn) if drawn else speak("no dice were thrown yet: no picture written")


def luck_of(session: Session) -> dict[str, Luck]:
    """The luck of every player over the rolls that the log holds."""
    return luck_in(session, throws(session))


def luck_in(session: Session, rolled: Sequence[Throw]) -> dict[str, Luck]:
    """The luck of every player in some rolls of the log."""
    table = session.table
    return luck.lucks(rolled, {seat: table.charter.player_of(seat) for seat in table.game.seats})


def throws(session: Session) -> list[Throw]:
    """What every roll of the log was worth, in order. Of files that were weighed before it is read from the shelf."""
    voided = session.table.ledger.voided
    last, found = _weighed(session, voided)
    for step in steps_from(session, last + 1):
        found += throws_of(session, step)
    if session.table.last > last:
        shelf.put_note(session, "throws", {"voided": [*voided], "throws": [asdict(throw) for throw in found]})
    return found


def throws_of(session: Session, step: Step) -> list[Throw]:
    """What every roll of a file was worth. Uses up the state of the step."""
    return [throw for throw, _ in _weighed_in(session, step, lambda state, event: NO_WORDS)]


def told_throws_of(session: Session, step: Step) -> list[tuple[Throw, Message]]:
    """The same, each with the words that a report has for it."""
    tell = session.game.words().tell

    def told(state: Any, event: Any) -> Message:
        found = tell(state, event)
        if found is None:
            return verbatim(str(event.label))
        dice = " ".join(str(die % 10 if found.ten_is_zero else die) for die in found.dice)
        shown = linked(": ", found.text, dice) if dice else found.text
        return shown if found.block is None else linked(" – ", found.block, shown)

    return [*_weighed_in(session, step, told)]


def _weighed_in(session: Session, step: Step, told: Callable[[Any, Any], Message]) -> Iterator[tuple[Throw, Message]]:
    from pbem.kernel.events import emit
    from pbem.report.steps import events_of

    module = chances_of(session.game)
    state, events = events_of(step, session.table.ledger.voided, session.folder.fetch)
    for event in events:
        thrown = module.throw(state, event)
        if thrown:
            yield thrown, told(state, event)
        emit(state, event)


def _weighed(session: Session, voided: Sequence[int]) -> tuple[int, list[Throw]]:
    """The newest file whose throws are on the shelf, and those up to it. Orders taken back since make them void."""
    last, note = shelf.note(session, "throws")
    try:
        if note["voided"] == [seq for seq in voided if seq <= last]:
            return last, [Throw(**throw) for throw in note["throws"]]
    except (LookupError, TypeError):
        pass
    return 0, []


def _plain(one: Luck, players: int) -> Plain:
    v, s = one.path[-1]
    numbers: dict[str, Any] = {
        "player": one.player, "value": one.value, "dice": one.dice, "score": one.score, "expected": one.mean,
        "against_dice": one.against_dice, "against_score": one.against_score, "against_expected": one.against_mean,
        "surplus": s, "band": luck.band(v), "p_value": one.p_value, "suspect": luck.is_suspect(one, players),
    }  # fmt: skip
    return numbers
