"""How many files by hand a turn still takes, told by `status` and `check`, and what a standing order would save."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from pbem.cli.speech import speak, speak_counted, text
from pbem.games.parts import USUAL
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask, Reveal
from pbem.runtime import holds
from pbem.runtime.ahead import part_of
from pbem.runtime.counting import Counted, counted, nothing_given, nothing_held, nothing_known
from pbem.runtime.table import Table
from pbem.store.seated import NOTHING
from pbem.store.session import Session

SAMPLES = 20
SECONDS = 0.5  # of processor time for one forecast; fewer samples where they take longer
SAVERS = 3  # standing orders that are tried
Standing: TypeAlias = tuple[str, str, Plain]
Part: TypeAlias = Callable[[Table], Plain]


class Outlook(Struct, frozen=True):
    """What the samples say: files by hand, the middle one and the most; by player and kind, those of the middle sample."""

    usual: int
    most: int
    middle: Counted
    whole: bool
    guessed: bool


class Mine(Struct, frozen=True):
    """What he knows of hidden things who looks ahead, and what his program orders by itself."""

    known: Reveal
    own: Callable[[Table], Plain]
    decides: Callable[[Table, Ask], Plain]


NOBODY_S = Mine(nothing_known, nothing_held, nothing_given)


def outlook(
    table: Table, since: Plain, supposed: Sequence[Standing] = (), mine: Mine = NOBODY_S, part: Part = part_of
) -> Outlook:
    """The turn `since` played on with so many different dice as the time allows."""
    found, begun = list[Counted](), time.process_time()
    for number in range(SAMPLES):
        found.append(counted(table, since, number, supposed, mine.known, part, mine.own, mine.decides))
        if time.process_time() - begun > SECONDS:
            break
    found.sort(key=lambda one: len(one.files))
    middle, whole = found[len(found) // 2], all(one.whole for one in found)
    return Outlook(len(middle.files), len(found[-1].files), middle, whole, any(one.guessed for one in found))


def told(session: Session, table: Table, sealed: Mapping[str, Mapping[str, Any]] = NOTHING) -> tuple[dict[str, Plain], str]:
    """How many files by hand this turn takes behind `table`; then with each kind of answer held by the set `usual`; and how
    many the turn of the game takes, where that is more. `sealed`: what is sealed on the way to the table."""
    since, mine = part_of(session.table), _mine(session, table, sealed)
    first = outlook(table, since, mine=mine)
    offered = [*_savers(session, table, first)]
    tried = [(one, outlook(table, since, [one], mine)) for one in offered[:SAVERS]]
    savers = [(one, then) for one, then in tried if (then.usual, then.most) < (first.usual, first.most)]
    at_best = outlook(table, since, offered, mine) if len(offered) > 1 else None
    whole = outlook(table, _turn(session.table), mine=mine, part=_turn)
    plain: dict[str, Plain] = {
        **_plain(first),
        "with": [{"player": p, "kind": kind, "do": do, "files": then.usual} for (p, kind, do), then in savers],
        "at_best": None if at_best is None else at_best.usual,
        "turn": _plain(whole),
    }
    words, state = session.game.words(), session.table.engine.state
    lines = [_line(session, first, text(words.part(state))), *(_saved(one, then) for one, then in savers)]
    if at_best is not None and at_best.usual < min((then.usual for _, then in savers), default=first.usual):
        lines.append(_all_saved(at_best))
    if whole.usual > first.usual:
        lines.append(_line(session, whole, text(words.part(state, whole=True))))
    return plain, "\n".join(lines)


def _mine(session: Session, table: Table, sealed: Mapping[str, Mapping[str, Any]]) -> Mine:
    """What the player of this folder knows, and what his program answers by itself."""
    if not session.sees_hidden:
        return NOBODY_S
    known, held, player = session.knowledge_at(table, sealed), session.me.local_standing, session.me.player
    seats = session.charter.seats_of(player)

    def own(at: Table) -> Plain:
        return holds.answer(at, player, held, replace(known, ledger=at.ledger))

    def decides(at: Table, ask: Ask) -> Plain:
        return holds.answer_to(at, ask, held, replace(known, ledger=at.ledger)) if ask.seat in seats else None

    if not held or not session.folder.private.opens_unasked():
        return replace(NOBODY_S, known=known.reveal)
    return Mine(known.reveal, own, decides)


def _turn(table: Table) -> Plain:
    return table.game.words().turn(table.engine.state)


def _plain(one: Outlook) -> dict[str, Plain]:
    return {
        "files": one.usual,
        "most": one.most,
        "whole": one.whole,
        "guessed": one.guessed,
        "by": [{"player": player, "kind": kind} for player, kind in one.middle.files],
    }


def _savers(session: Session, table: Table, first: Outlook) -> Iterator[Standing]:
    """Standing orders that nobody has given yet, for what forces most files."""
    known = session.game.sets().get(USUAL, {})
    held = {(s.player, s.kind) for s in table.ledger.standing}
    forced = Counter(pair for pair in first.middle.files if pair[1] in known and pair not in held)
    for (player, kind), _ in forced.most_common():
        yield player, kind, known[kind]


def _line(session: Session, first: Outlook, part: str) -> str:
    """`part`: what is counted, at the head of the line."""
    words, by = session.game.words(), dict[str, list[str]]()
    for player, kind in first.middle.files:
        by.setdefault(player, []).append(text(words.ASKED.get(kind) or kind))
    each = "; ".join(f"{player} {len(kinds)} ({', '.join(dict.fromkeys(kinds))})" for player, kinds in by.items())
    line = speak("{part}: no more file by hand", part=part)
    if first.usual:
        line = speak_counted(
            "{part}: {n} more file by hand: {each}", "{part}: {n} more files by hand: {each}", first.usual, each=each, part=part
        )
    if first.most > first.usual:
        line += speak("; up to {most} by other dice", most=first.most)
    if not first.whole:
        return line + speak("; more where what is hidden has to be shown")
    return line + speak("; more by what is hidden") if first.guessed else line


def _saved(one: Standing, then: Outlook) -> str:
    player, kind, _ = one
    return speak_counted(
        "with `{kind}` of the set `usual` in the standing orders of {player}: {n} file",
        "with `{kind}` of the set `usual` in the standing orders of {player}: {n} files",
        then.usual,
        kind=kind,
        player=player,
    )


def _all_saved(then: Outlook) -> str:
    return speak_counted(
        "with all of them that the set `usual` has, of every player: {n} file",
        "with all of them that the set `usual` has, of every player: {n} files",
        then.usual,
    )
