"""How many files by hand the rest of a turn takes: the table is played on with drawn dice, as far as public facts go.

Files that nobody has written are laid behind the newest one, with links out of the air, so that dice come as in a real game.
A question that nothing answers costs its player a file, and gets an order that does nothing; more questions to the same player
with no die between them cost no other. What the player who asks has hidden himself is opened; at what only others know a sample
ends. The turn is over when the other side is asked for something that is no reaction.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from pbem.kernel.canon import Plain, digest
from pbem.kernel.flow import Ask, Request
from pbem.kernel.proposals import stands
from pbem.runtime.dues import Due
from pbem.runtime.hand import Hand, NoSupply, Supply
from pbem.runtime.knowledge import Knowledge
from pbem.runtime.ledger import Entry, StandingOrder
from pbem.runtime.table import Table

SAMPLES = 20
MOST = 400  # files of one sample
QUIET = ("done", "no", "none", "pass", "hold", "stay")

Wait = tuple[str, str]  # who has to write a file by hand, at what kind of question
Held = tuple[tuple[str, ...], int]
GoOn = Callable[[], bool]


@dataclass(frozen=True, slots=True)
class Foreseen:
    """What was counted. `files`: the median of the samples; `by`: player -> his median and the kinds of his questions.

    `whole`: every sample came to the end of the turn, none to something hidden. `held`: player -> for which of these questions
    usual standing orders of his would save files, and how many files there would be.
    """

    files: int
    most: int
    by: Mapping[str, tuple[int, tuple[str, ...]]]
    samples: int
    whole: bool
    held: Mapping[str, Held] = field(default_factory=dict)


def foresee(table: Table, own: Knowledge | None, go_on: GoOn, samples: int = SAMPLES) -> Foreseen | None:
    """The forecast from a table, with as many samples as `go_on` allows; None when not even one came to an end.

    `own`: what the player who asks knows of his own hidden things.
    """
    runs, whole = _runs(table, own, go_on, samples, {})
    if not runs:
        return None
    counted = Counter(wait for run in runs for wait in run)
    kinds = {player: tuple(k for (p, k), _ in counted.most_common() if p == player) for player, _ in counted}
    by = {player: (_median([sum(p == player for p, _ in run) for run in runs]), of) for player, of in kinds.items()}
    files, held = _median([len(run) for run in runs]), dict[str, Held]()
    for player, asked in kinds.items():
        usual = tuple(kind for kind in asked if kind in table.game.usual)
        again, _ = _runs(table, own, go_on, len(runs) if usual else 0, {(player, k): table.game.usual[k] for k in usual})
        if again and len(again) == len(runs) and (number := _median([len(run) for run in again])) < files:
            held[player] = (usual, number)
    return Foreseen(files, max(map(len, runs)), by, len(runs), whole, held)


def _median(numbers: Sequence[int]) -> int:
    return sorted(numbers)[len(numbers) // 2]


def _runs(
    table: Table, own: Knowledge | None, go_on: GoOn, samples: int, held: Mapping[Wait, Plain]
) -> tuple[list[list[Wait]], bool]:
    """The files by hand of each sample, and whether all came to the end of the turn; one cut short by `go_on` is left out."""
    runs, whole = list[list[Wait]](), True
    for sample in range(samples):
        ahead = _Ahead(table, own, sample, held)
        if not ahead.play(go_on):
            break
        runs.append(ahead.waits)
        whole = whole and ahead.whole
    return runs, whole


class _Ahead:
    """One sample."""

    def __init__(self, table: Table, own: Knowledge | None, sample: int, held: Mapping[Wait, Plain]) -> None:
        self.table, self.own, self.sample = table.fork(), own, sample
        self.waits: list[Wait] = []
        self.whole, self.last, self.side = True, "", _acting(table)
        for (player, kind), do in held.items():
            self.table.ledger.standing.append(StandingOrder(0, player, kind, do if isinstance(do, list) else [{"do": do}]))

    def play(self, go_on: GoOn) -> bool:
        """To the end of the turn, or to what only its owner knows; False when `go_on` stops it before."""
        words = self.table.game.words()
        turn = words.turn(self.table.engine.state)
        for _ in range(MOST):
            if not go_on():
                return False
            due, asked = self.table.due, self.table.engine.request
            if due.what == "nothing" or words.turn(self.table.engine.state) != turn:
                return True
            if due.what == "orders" and isinstance(asked, Ask) and self._other_side_acts(asked, due.player):
                return True
            self.whole = self._went_on(asked, due)
            if not self.whole:
                return True
        return False

    def _went_on(self, asked: Request | None, due: Due) -> bool:
        """The next file is there, whoever had to send it; False where nobody can know what it brings."""
        if due.what == "orders" and isinstance(asked, Ask):
            return self._answered(asked, due.player)
        if due.what in ("witness", "start"):
            self.last = ""
            return self._file(due.player, [])
        if due.what in ("open", "claim") and self.own is not None and due.player == self.own.player:
            return self._file(due.player, [], self.own) and self.table.due != due
        return False

    def _other_side_acts(self, asked: Ask, player: str) -> bool:
        if asked.reaction:
            return False
        before, self.side = self.side, self.table.side_of(player)
        return before not in ("", self.side)

    def _answered(self, asked: Ask, player: str) -> bool:
        """A file by hand whose order does nothing, where there is such an order."""
        order = _quiet(self.table, asked)
        if order is None:
            return False
        if player != self.last:
            self.waits.append((player, asked.kind))
        self.last = player
        return self._file(player, [order])

    def _file(self, player: str, orders: list[Plain], supply: Supply | None = None) -> bool:
        """A file that nobody has written is taken; False where its order is not."""
        seq = self.table.last + 1
        link = digest("pbem/1 foreseen", [self.table.charter.game_id, self.sample, seq])
        self.table.ledger.entries.append(Entry(digest("pbem/1 foreseen", link), player, "turn", link))
        hand = Hand(player, seq, orders, supply or NoSupply())
        self.table.advance(hand)
        return not hand.problems and not hand.has_orders


def _acting(table: Table) -> str:
    """The side whose turn it is, as far as the open question tells: it is asked, or the other one may react to it."""
    asked, due = table.engine.request, table.due
    if not due.player or table.side_of(due.player) not in table.game.seats.values():
        return ""
    if due.what == "orders" and isinstance(asked, Ask) and not asked.reaction:
        return table.side_of(due.player)
    return table.side_of(table.opponents(due.player)[0])


def _quiet(table: Table, asked: Ask) -> Plain:
    """An order that does nothing, else the first that is proposed; None without any."""
    given: list[Plain] = [o for o in (asked.default, asked.idle) if o is not None]
    said: list[Plain] = [{verb: word} for verb in asked.verbs for word in QUIET]
    for order in (*given, *QUIET, *said):
        if stands(asked.read, order):
            return order
    return next(iter(table.game.proposals(table.engine.state, asked, {})), None)
