"""How many files by hand a turn still takes, told by `status` and `check`, and what a standing order would save."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pbem.cli.speech import speak, speak_counted, text
from pbem.games.parts import USUAL
from pbem.kernel.canon import Plain
from pbem.runtime.ahead import part_of
from pbem.runtime.counting import Counted, counted
from pbem.runtime.table import Table
from pbem.store.session import Session

SAMPLES = 20
SECONDS = 0.5  # of processor time for one forecast; fewer samples where they take longer
SAVERS = 3  # standing orders that are tried
Standing = tuple[str, str, Plain]


@dataclass(frozen=True, slots=True)
class Outlook:
    """What the samples say: files by hand, the middle one and the most; by player and kind, those of the middle sample."""

    usual: int
    most: int
    middle: Counted
    whole: bool


def outlook(table: Table, since: Plain, supposed: Sequence[Standing] = ()) -> Outlook:
    """The turn `since` played on with so many different dice as the time allows."""
    found, begun = list[Counted](), time.process_time()
    for number in range(SAMPLES):
        found.append(counted(table, since, number, supposed))
        if time.process_time() - begun > SECONDS:
            break
    found.sort(key=lambda one: len(one.files))
    middle = found[len(found) // 2]
    return Outlook(len(middle.files), len(found[-1].files), middle, all(one.whole for one in found))


def told(session: Session, table: Table) -> tuple[Plain, str]:
    """How many files by hand this turn takes behind `table`; then with each kind of answer held by the set `usual`."""
    since = part_of(session.table)
    first = outlook(table, since)
    savers = [(one, outlook(table, since, [one])) for one in _savers(session, table, first)]
    savers = [(one, then) for one, then in savers if (then.usual, then.most) < (first.usual, first.most)]
    plain: Plain = {
        "files": first.usual,
        "most": first.most,
        "whole": first.whole,
        "by": [{"player": player, "kind": kind} for player, kind in first.middle.files],
        "with": [{"player": one[0], "kind": one[1], "files": then.usual} for one, then in savers],
    }
    return plain, "\n".join([_line(session, first), *(_saved(one, then) for one, then in savers)])


def _savers(session: Session, table: Table, first: Outlook) -> Iterator[Standing]:
    """Standing orders that nobody has given yet, for what forces most files."""
    known = session.game.sets().get(USUAL, {})
    held = {(s.player, s.kind) for s in table.ledger.standing}
    forced = Counter(pair for pair in first.middle.files if pair[1] in known and pair not in held)
    for (player, kind), _ in forced.most_common(SAVERS):
        yield player, kind, known[kind]


def _line(session: Session, first: Outlook) -> str:
    if not first.usual and not first.most:
        return speak("This turn takes no more file by hand.")
    words, by = session.game.words(), dict[str, list[str]]()
    for player, kind in first.middle.files:
        by.setdefault(player, []).append(text(words.ASKED.get(kind) or kind))
    each = "; ".join(f"{player} {len(kinds)} ({', '.join(dict.fromkeys(kinds))})" for player, kinds in by.items())
    line = speak_counted(
        "This turn: {n} more file by hand: {each}", "This turn: {n} more files by hand: {each}", first.usual, each=each
    )
    if first.most > first.usual:
        line += speak("; up to {most} by other dice", most=first.most)
    return line if first.whole else line + speak("; more where what is hidden has to be shown")


def _saved(one: Standing, then: Outlook) -> str:
    player, kind, _ = one
    return speak_counted(
        "with `{kind}` in the standing orders of {player}: {n} file",
        "with `{kind}` in the standing orders of {player}: {n} files",
        then.usual,
        kind=kind,
        player=player,
    )
