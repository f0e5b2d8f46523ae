"""Overdue files: who claims one, what an umpire rules on it, and what holds then (SPEC 9).

What holds follows from the log and the slips alone, whatever came first: a claim stands while its place is empty, and ends
nothing by itself; a ruling holds until it is lifted. No date in a slip decides anything.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pbem.kernel.engine import Result
from pbem.kernel.wording import Argument, msg
from pbem.protocol import slips
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.runtime.ledger import Claimed, Ruled

if TYPE_CHECKING:
    from pbem.runtime.table import Table

Slip = Mapping[str, Any]
KINDS = ("overdue", "ruling")


# -- judging slips ----------------------------------------------------------------------------------------------------------


def check_claim(table: Table, slip: Slip) -> None:
    """A claim comes from another side, and names the newest file and whose turn it is. The signature is good.

    Raises ProtocolError: refused by rule; bad chain; waiting for files that this log lacks.
    """
    place, due = int(slip["place"]), str(slip["due"])
    if table.charter.overdue is None:
        raise ProtocolError(Outcome.REFUSED, msg("the charter of this game names no deadline"))
    if due not in table.ledger.keys or table.side_of(due) == table.side_of(str(slip["player"])):
        raise ProtocolError(Outcome.REFUSED, msg("only a player of another side claims a file of {due}", due=due))
    if place > table.last + 1:
        raise ProtocolError(
            Outcome.WAITING,
            msg(
                "{player} claims file {place}; file {last} is missing here",
                player=slip["player"],
                place=place,
                last=table.last + 1,
            ),
        )
    if table.ledger.entries[place - 1].id != slip["head"]:
        raise ProtocolError(
            Outcome.BAD_CHAIN,
            msg("{player} claims a file behind another file {place} than the log's", player=slip["player"], place=place - 1),
        )
    if place == table.last + 1 and table.due.player != due:
        whose = table.due.player or "nobody: the game is over"
        raise ProtocolError(
            Outcome.REFUSED, msg("file {place} is due from {whose}, not from {due}", place=place, whose=whose, due=due)
        )


def check_ruling(table: Table, slip: Slip) -> None:
    """A ruling is what the charter says and by whom it says, on a claim that was judged. Raises ProtocolError (refused)."""
    claim, by, then = slip["claim"], str(slip["player"]), str(slip["then"])
    due, umpire, agreed = str(claim["due"]), table.charter.umpire_name, table.charter.overdue
    if claim["place"] != slip["place"] or agreed is None or then not in (agreed.then, "nothing"):
        agreed_on = agreed.then if agreed else "nothing"
        raise ProtocolError(
            Outcome.REFUSED,
            msg("on a file that is overdue follows {agreed_on}, by the charter, not {then}", agreed_on=agreed_on, then=then),
        )
    if umpire and (by != umpire or due == umpire or (then != "nothing" and claim["player"] != umpire)):
        raise ProtocolError(Outcome.REFUSED, msg("the umpire {umpire} rules, after a question of his own", umpire=umpire))
    if not umpire and (table.side_of(by) != table.side_of(due) or then == "nothing"):
        raise ProtocolError(Outcome.REFUSED, msg("without an umpire only {due}, or his side, confirms what follows", due=due))


def note(table: Table, slip: Slip) -> None:
    """A claim or a ruling is remembered."""
    if slip["slip"] == "ruling":
        table.ledger.rulings.append(_ruled(slip))
        return
    by, since = str(slip["player"]), str(slip["since"])
    table.ledger.overdue.append(Claimed(int(slip["place"]), str(slip["head"]), str(slip["due"]), by, since))


def _ruled(slip: Slip) -> Ruled:
    claim = slip["claim"]
    return Ruled(int(slip["place"]), str(claim["head"]), str(claim["due"]), str(slip["player"]), str(slip["then"]))


def rulings_in(document: Mapping[str, Any]) -> list[Ruled]:
    """The rulings that a file brings; they are judged when it is taken."""
    found = [slip for slip in document.get("slips") or [] if slip.get("slip") == "ruling"]
    return [_ruled(slips.read_slip(slip)) for slip in found]


# -- what holds -------------------------------------------------------------------------------------------------------------


def standing(table: Table) -> list[Claimed]:
    """The claims on the file that is due now, one of each player; none where they are lifted, or the game is over."""
    place, head = table.last + 1, table.ledger.entries[-1].id
    if table.result is not None or lifted(table, place, head):
        return []
    found: dict[str, Claimed] = {}
    for claim in table.ledger.overdue:
        if (claim.place, claim.head, claim.due) == (place, head, table.due.player):
            found.setdefault(claim.by, claim)
    return list(found.values())


def lifted(table: Table, place: int, head: str) -> bool:
    """The umpire has said that nothing follows."""
    return any((r.place, r.head, r.then) == (place, head, "nothing") for r in table.ledger.rulings)


def holding(table: Table, rulings: Sequence[Ruled]) -> list[Ruled]:
    """The rulings that hold, one for each place: not lifted; without an umpire confirmed by those who have to."""
    found: dict[int, Ruled] = {}
    for ruled in rulings:
        known = ruled.place <= table.last + 1 and table.ledger.entries[ruled.place - 1].id == ruled.head
        if known and not lifted(table, ruled.place, ruled.head) and _is_confirmed(table, ruled, rulings):
            found.setdefault(ruled.place, ruled)
    return list(found.values())


def _is_confirmed(table: Table, ruled: Ruled, rulings: Sequence[Ruled]) -> bool:
    """By the umpire where there is one; else by the player himself, or by all others of his side."""
    if table.charter.umpire_name:
        return True
    signers = {r.by for r in rulings if (r.place, r.head) == (ruled.place, ruled.head)}
    allies = {p for p in table.charter.players_in_order if table.side_of(p) == table.side_of(ruled.due)} - {ruled.due}
    return ruled.due in signers or bool(allies and allies <= signers)


def lost(table: Table) -> Result | None:
    """The game as a ruling ends it."""
    for ruled in holding(table, table.ledger.rulings):
        if ruled.then == "loss":
            side = table.side_of(ruled.due)
            winner = next(s.side for s in table.charter.seats if s.side != side)
            return Result(winner, msg("file {place} of {player} never came", place=ruled.place, player=ruled.due), "protocol")
    return None


def substitute(table: Table, player: str, seq: int, rulings: Sequence[Ruled]) -> str:
    """Who may sign a `seat` file for a player at this place, as `lost_keys` names them: where a substitute was ruled."""
    if any((r.then, r.due, r.place) == ("substitute", player, seq) for r in holding(table, rulings)):
        return "umpire" if table.charter.umpire_name else "others"
    return ""


def check_open(table: Table) -> None:
    """Raises ProtocolError (waiting) where a ruling has ended the game: nothing more is signed unless it is lifted."""
    for ruled in holding(table, table.ledger.rulings):
        if ruled.then == "loss":
            about: dict[str, Argument] = {"by": ruled.by, "file": ruled.place, "player": ruled.due}
            lost = msg("{by} has confirmed that file {file} of {player} never came: he has lost", **about)
            if table.charter.umpire_name:
                lost = msg(
                    "the umpire {by} has ruled that file {file} of {player} never came: he has lost; `pbem rule nothing` of "
                    "{by} lifts it",
                    **about,
                )
            raise ProtocolError(Outcome.WAITING, lost)
