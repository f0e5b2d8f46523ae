"""A forecast: a position played on by bots many times, from public knowledge alone, and the page of what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from pbem.batch import forecast, outlook
from pbem.batch.jobs import Kept, Lines
from pbem.batch.outlook import Outlook, Share
from pbem.batch.pools import pool
from pbem.batch.running import run
from pbem.batch.sequential import WHOLE
from pbem.cli import hinting, progress
from pbem.cli.speech import speak, text, tongue
from pbem.kernel.canon import Plain
from pbem.kernel.orders import unreadable
from pbem.kernel.wording import msg
from pbem.report import render
from pbem.report.curves import Curve, Line, Point
from pbem.store.disk import Disk
from pbem.store.session import Session

WORK = {forecast.FORECAST: forecast.play}
SHOWN_TURNS = 8  # lines of who has won by when; the page has them all


class Wanted(Struct, frozen=True):
    """What the command says. `to`: the page, `kept`: the file of results; None: not written. `mine`: with the own hand."""

    game: Path
    to: Path | None
    plan: forecast.Plan
    mine: bool = False
    kept: Path | None = None
    processes: int = 0
    cluster: str = ""


def make(wanted: Wanted) -> tuple[Plain, str]:
    """The forecast of the position of a folder, and its page. Raises Rejected, ProtocolError, NotWritten; what a run raises."""
    session = Session.open(wanted.game)
    hinting.check_agreed(session)
    jobs = forecast.jobs(session.table, wanted.plan, _known(session) if wanted.mine else {})
    kept = Lines(wanted.kept) if wanted.kept is not None else Kept()
    with progress.shown(speak("runs")) as tell:
        runs: list[Any] = [ended for _, ended in run(jobs, WORK, pool(wanted.processes, wanted.cluster), kept, tell)]
    if isinstance(kept, Lines):
        kept.put_in_order(jobs, jobs)
    told = outlook.outlook(_sides(session), runs)
    lines = _lines(session, wanted, told)
    if wanted.to is not None:
        Disk().replace(wanted.to, _page(session, wanted, told).encode())
        lines.append(speak("{to} written", to=str(wanted.to)))
    return _plain(session, wanted, told), "\n".join(lines)


def _sides(session: Session) -> list[str]:
    return list(dict.fromkeys(session.table.game.seats.values()))


def _known(session: Session) -> dict[str, Plain]:
    """What the folder's player holds and nobody else sees: handle -> item. Raises Rejected for a folder that is nobody's."""
    secrets = session.folder.secrets()
    if secrets is None or not session.sees_hidden:
        raise unreadable(msg("this folder sees no hand: leave out --mine"))
    knowledge, table = session.knowledge(), session.table
    seats = [seat for seat in table.game.seats if table.player_of(seat) == secrets.player]
    return {handle: item for seat in seats for item, handle in knowledge.hand(seat).items()}


def _plain(session: Session, wanted: Wanted, told: Outlook) -> Plain:
    table, plan = session.table, wanted.plan
    measures: list[Plain] = [text(name) for name, _ in table.game.measured(table.engine.state)]
    return {
        "game": session.charter.game_id,
        "file": table.last,
        "seeds": [plan.seed, plan.seed + plan.number - 1],
        "turns": plan.turns,
        "mine": wanted.mine,
        "measures": measures,
        **outlook.to_plain(told),
    }


# -- in words -----------------------------------------------------------------------------------------------------------------


def _lines(session: Session, wanted: Wanted, told: Outlook) -> list[str]:
    state, words = session.table.engine.state, session.game.words()
    lines = [
        speak(
            "{title}, {heading}: played on by bots {runs} times, seeds {first} to {last}",
            title=session.game.title,
            heading=words.heading(state),
            runs=told.runs,
            first=wanted.plan.seed,
            last=wanted.plan.seed + wanted.plan.number - 1,
        ),
        *(_won(text(words.SIDES[side]), one) for side, one in told.sides.items()),
    ]
    lines += [speak("drawn: {number}", number=told.drawn)] if told.drawn else []
    lines += [speak("left open: {number}", number=told.open)] if told.open else []
    for turn, sides in [*told.by.items()][:SHOWN_TURNS] if len(told.by) > 1 else []:
        each = ", ".join(f"{text(words.SIDES[side])} {percent(one.part)}" for side, one in sides.items())
        lines.append(speak("won by turn {turn}: {sides}", turn=turn, sides=each))
    return [*lines, *(_moves(session, told, mover) for mover in told.movers)]


def _won(name: str, one: Share) -> str:
    return speak(
        "{side}: {share} of the runs won (95 %: {low} to {high})",
        side=name,
        share=percent(one.part),
        low=percent(one.low),
        high=percent(one.high),
    )


def _moves(session: Session, told: Outlook, mover: outlook.Mover) -> str:
    return speak(
        "{side} wins {above} where {name} is {bound} or more as turn {turn} begins, else {below}",
        side=session.game.words().SIDES[_sides(session)[0]],
        above=percent(mover.above.part),
        name=_names(session).get(mover.name, mover.name),
        bound=mover.bound,
        turn=told.after,
        below=percent(mover.below.part),
    )


def _names(session: Session) -> dict[str, Any]:
    """Public numbers as the reader calls them; what comes into the tables later is called as it stands."""
    return {name: words for name, (words, _) in forecast.public_numbers(session.table.game, session.table.engine.state).items()}


def percent(part: int) -> str:
    """Parts of WHOLE as a percentage with one place."""
    tenths = (part * 2000 // WHOLE + 1) // 2
    return f"{tenths // 10}.{tenths % 10} %"


# -- the page -----------------------------------------------------------------------------------------------------------------


def _page(session: Session, wanted: Wanted, told: Outlook) -> str:
    words, state, plan = session.game.words(), session.table.engine.state, wanted.plan
    sides = _sides(session)
    return render.page(
        "forecast/page.html.j2",
        tongue(),
        title=session.game.title,
        heading=words.heading(state),
        scenario=session.charter.scenario,
        file=session.table.last,
        told=told,
        sides={side: words.SIDES[side] for side in sides},
        first=sides[0],
        names=_names(session),
        percent=percent,
        plan=plan,
        mine=wanted.mine,
        hands=session.game.hidden_hands,
        by=_by_when(session, told),
        courses=_courses(session, told),
    )


def _by_when(session: Session, told: Outlook) -> Curve | None:
    """Who has won by when, as a drawing; None where every run ends in the same turn."""
    words = session.game.words()
    lines = [
        Line(text(words.SIDES[side]), [Point(t, s[side].low, s[side].part, s[side].high) for t, s in told.by.items()])
        for side in _sides(session)
    ]
    return Curve.of(lines, 0, WHOLE, lambda part: f"{part * 100 // WHOLE} %") if len(told.by) > 1 else None


def _courses(session: Session, told: Outlook) -> Sequence[tuple[str, Curve]]:
    """The game's own measures, each as a drawing."""
    names = [text(name) for name, _ in session.table.game.measured(session.table.engine.state)]
    found = []
    for name, course in zip(names, told.courses, strict=True):
        if len(course) > 1:
            low, high = min(m.low for m in course), max(m.high for m in course)
            points = [Point(m.turn, m.low, m.middle, m.high) for m in course]
            found.append((name, Curve.of([Line("", points)], low, max(high, low + 1), str)))
    return found
