"""What is hidden in a game, dealt anew from what everybody knows: cards drawn and not shown yet.

A draw takes so many items unseen from a public pool, less what its seat held then. All deals that agree with every item shown
since are equally likely, because the number of ways to draw never depended on what was drawn; one of them is picked by lot.
What its owner has chosen himself (a seal), or dice that he alone saw, is not dealt but judged by a plan that nobody knows:
a game with such things on the board is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from pbem.batch.dealing import Dealer
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Checkpoint
from pbem.kernel.flow import Handle
from pbem.kernel.orders import unreadable
from pbem.kernel.wording import counted, msg
from pbem.runtime.ledger import DrawMade, Ledger
from pbem.runtime.table import Table

TRIES = 100_000  # deals by lot until one agrees with what was shown; a hand of ten out of ten cards needs some 2,800


class Hidden(Struct, frozen=True):
    """Items that nobody has shown. `owners`: handle -> seat; `shown`: what is behind other handles of the position; `known`:
    what the asker knows of those that nobody has shown.

    `may_be`: everything that an item may be, by draws; `unlike`: handle -> those before it that differ from it.
    """

    owners: Mapping[Handle, str]
    shown: Mapping[Handle, Plain]
    known: Mapping[Handle, Plain]
    may_be: Mapping[Handle, tuple[str, ...]]
    unlike: Mapping[Handle, tuple[Handle, ...]]

    def deal(self, dealer: Dealer) -> dict[Handle, Plain]:
        """What is behind every handle, drawn by lot. Raises Rejected where no deal agrees with what was shown."""
        found: dict[Handle, Plain] = {**self.known}
        for group in self._groups():
            found.update(self._dealt(group, dealer))
        return found

    def _groups(self) -> list[list[Handle]]:
        """Handles that depend on each other."""
        groups: list[list[Handle]] = []
        for handle in self.may_be:
            joined = [group for group in groups if any(other in group for other in self.unlike[handle])]
            groups = [group for group in groups if group not in joined]
            groups.append([*(h for group in joined for h in group), handle])
        return groups

    def _dealt(self, group: Sequence[Handle], dealer: Dealer) -> dict[Handle, str]:
        """Every deal in which all differ that have to is equally likely: picked freely, again where two are alike."""
        for _ in range(TRIES if all(self.may_be[h] for h in group) else 0):
            found: dict[Handle, str] = {}
            for handle in group:
                item = self.may_be[handle][dealer.lot(len(self.may_be[handle]))]
                if any(found.get(other) == item for other in self.unlike[handle]):
                    break
                found[handle] = item
            if len(found) == len(group):
                return found
        raise unreadable(msg("no deal of the hidden cards was found that agrees with what was shown"))


def hidden_in(table: Table, known: Mapping[Handle, Plain]) -> Hidden:
    """What is hidden at a table; `known`: what the asker knows besides. Raises Rejected where something cannot be dealt."""
    position = _words_of(table.engine.checkpoint())
    _check_all_can_be_dealt(table.ledger, position)
    draws = [made for made in table.ledger.draws if not made.sides]
    source = {h: made for made in draws for h in made.handles() if h not in table.ledger.opened}
    shown, closed = {**table.ledger.opened, **known}, {h: made for h, made in source.items() if h not in known}
    state, may_hold = table.engine.state, table.game.may_hold
    may_be = {
        h: tuple(item for item in _may_be(h, made, draws, shown) if may_hold(state, made.seat, h, item))
        for h, made in closed.items()
    }
    unlike = {h: tuple(other for other in [*closed][:i] if _differ(h, other, closed)) for i, h in enumerate(closed)}
    opened = {h: item for h, item in table.ledger.opened.items() if h in position}
    mine = {h: item for h, item in known.items() if h in source}
    return Hidden({h: made.seat for h, made in source.items()}, opened, mine, may_be, unlike)


def _check_all_can_be_dealt(ledger: Ledger, position: set[str]) -> None:
    seals = [h for h in ledger.seals if h in position and h not in ledger.opened]
    if seals:
        raise unreadable(
            counted(
                "{n} sealed order is still closed here: what its owner has chosen cannot be drawn by lot, so this position has "
                "no forecast yet",
                "{n} sealed orders are still closed here: what their owners have chosen cannot be drawn by lot, so this "
                "position has no forecast yet",
                len(seals),
            )
        )
    if any(h in position and h not in ledger.opened for made in ledger.draws if made.sides for h in made.handles()):
        raise unreadable(msg("dice that one player alone has seen are still hidden here: this position has no forecast yet"))
    if any(len({*made.base}) < len(made.base) for made in ledger.draws):
        raise unreadable(msg("the draw pile holds items that are alike: games with such a pile have no forecast yet"))


def _words_of(checkpoint: Checkpoint) -> set[str]:
    """Every text in the position: a handle that stands nowhere is of no more use."""
    found: set[str] = set()
    _gather(checkpoint.state, found)
    for _, answer in checkpoint.journal:
        _gather(answer, found)
    return found


def _gather(plain: Plain, found: set[str]) -> None:
    if isinstance(plain, dict):
        for key, value in plain.items():
            found.update(key.split())
            _gather(value, found)
    elif isinstance(plain, list):
        for value in plain:
            _gather(value, found)
    elif isinstance(plain, str):
        found.update(plain.split())


def _may_be(handle: Handle, made: DrawMade, draws: Iterable[DrawMade], shown: Mapping[Handle, Plain]) -> tuple[str, ...]:
    """What can be behind a handle: what was in its pile, and was neither seen with it nor drawn while it was out."""
    out = {str(shown.get(item, item)) for item in [*made.less, *made.handles()]}
    for other in draws:
        if handle in other.less:
            out |= {str(shown[h]) for h in other.handles() if h in shown}
    return tuple(item for item in sorted(made.base) if item not in out)


def _differ(one: Handle, other: Handle, source: Mapping[Handle, DrawMade]) -> bool:
    """Drawn together, or one of them was held when the other was drawn."""
    return source[one] is source[other] or one in source[other].less or other in source[one].less
