"""Who chooses among the versions of a log that has parted, and which of them may be kept (SPEC 9c)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from pbem.kernel.wording import msg
from pbem.protocol import heal
from pbem.protocol.ids import document_id
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.runtime import slips
from pbem.runtime.contents import Document
from pbem.runtime.table import Table


class NothingToHeal(ProtocolError):
    """The versions begin with files that prove nothing against anybody."""


class Choice(Struct, frozen=True):
    """Which sides have forked, who chooses among the versions, and which of them may be kept, by the id of their newest file.

    `chooser`: a side, `all`, or `umpire` (the player's own file against another's for him: nobody has signed twice).
    """

    forked: tuple[str, ...]
    chooser: str
    allowed: tuple[str, ...]
    may_go_back: bool = True  # to the last file that all versions have, if all agree


def choice(table: Table, document: Document) -> Choice:
    """What the versions themselves say of who may choose. The table holds the log at least up to the parting.

    Raises NothingToHeal where nobody has signed two files for a place.
    """
    versions, place = document["versions"], document["forked"]
    forked = _sides_that_forked(table, document)
    if not forked and is_crossed(document):
        return _of_crossed(table, document)
    if not forked:
        raise NothingToHeal(
            Outcome.REFUSED, msg("nobody has signed two files for place {seq}: there is nothing to heal", seq=place["seq"])
        )
    sides = sorted({seat.side for seat in table.charter.seats})
    others = [side for side in sides if side not in forked]
    theirs = [document_id(dict(f)) for f in heal.files_of(document) if table.side_of(signer_of(f)) not in forked]
    whole = [version for version in versions if _holds(version, theirs)]
    chooser = others[0] if len(others) == 1 else heal.ALL
    return Choice(tuple(forked), chooser, tuple(_last(version) for version in whole or versions))


def _holds(version: Sequence[Document], names: Sequence[str]) -> bool:
    held = [document_id(dict(file)) for file in version]
    return all(name in held for name in names)


def _last(version: Sequence[Document]) -> str:
    return document_id(dict(version[-1]))


def signer_of(file: Document) -> str:
    """Whose signature a file has."""
    return str(file.get("signed_by") or file["player"])


def _sides_that_forked(table: Table, document: Document) -> list[str]:
    """The sides of those who signed two files behind the same one; an umpire is a side of his own."""
    places: dict[tuple[str, int, str, str], list[Document]] = {}
    for file in heal.files_of(document):
        places.setdefault((file["prev"], file["seq"], file["player"], signer_of(file)), []).append(file)
    pairs = [(one, two) for files in places.values() for n, one in enumerate(files) for two in files[n + 1 :]]
    return sorted({table.side_of(signer_of(one)) for one, two in pairs if _is_fork(table, one, two)})


def _is_fork(table: Table, first: Document, second: Document) -> bool:
    """Whether two files part a version; where the log before them is not that of the table they count as a fork too."""
    try:
        slips.check_fork(table, first, second)
    except ProtocolError as error:
        return error.outcome is Outcome.WAITING
    return True


def is_crossed(document: Document) -> bool:
    """The versions begin with a player's own file and one that another has signed for him: nobody has signed twice."""
    firsts = [*{document_id(dict(version[0])): version[0] for version in document["versions"]}.values()]
    return len(firsts) == 2 and heal.crossed(*firsts) == document["forked"]["player"]


def _of_crossed(table: Table, document: Document) -> Choice:
    versions, player = document["versions"], str(document["forked"]["player"])
    found = [version for version in versions if stands_crossed(table, version, [v for v in versions if v[0] != version[0]])]
    chooser = heal.UMPIRE if table.charter.umpire_name else heal.ALL
    return Choice((table.side_of(player),), chooser, tuple(_last(version) for version in found), may_go_back=False)


def stands_crossed(table: Table, version: Sequence[Document], others: Sequence[Sequence[Document]]) -> bool:
    """Whether a version that begins with one of two honest files for a place may stand against those with the other one.

    With one link: the one that somebody else has followed, else the own one; where both are followed, either. With a `seat`
    file it need not be the same dice, so nobody chooses: the own file where the other side has followed that alone, else that.
    """
    player, is_own = _crossing(version[0], others[0][0])
    seat = version[0]["player"] != others[0][0]["player"]
    here, there = _is_followed(table, player, [version], seat), _is_followed(table, player, others, seat)
    if seat:
        return here and not there if is_own else not (there and not here)
    return here or (is_own and not there)


def _crossing(first: Document, other: Document) -> tuple[str, bool]:
    """Whose place it is, and whether the first of the two files is his own."""
    player = heal.crossed(first, other)
    return player, first["player"] == player and not first.get("signed_by")


def _is_followed(table: Table, player: str, versions: Sequence[Sequence[Document]], seat: bool) -> bool:
    """By a file of another player than the one whose place it is, the umpire not counted; of the other side, for a `seat`."""
    out = (player, table.charter.umpire_name)
    behind = [signer_of(file) for version in versions for file in version[1:]]
    return any(by not in out and not (seat and table.side_of(by) == table.side_of(player)) for by in behind)


def check_choice(table: Table, document: Document) -> Choice:
    """Raises ProtocolError (refused by rule) unless who chooses may choose this version."""
    found, by = choice(table, document), str(document["chosen_by"])
    back = not heal.kept(document)
    if back and (by != heal.ALL or not found.may_go_back):
        reason = msg("back to the last file that all versions have: that takes files back for those who have seen more")
        raise ProtocolError(Outcome.REFUSED, msg("{reason}, so all must choose it, not {by}", reason=reason, by=by))
    if not back and by != found.chooser:
        raise ProtocolError(
            Outcome.REFUSED, msg("{chooser} chooses between these versions, not {by}", chooser=found.chooser, by=by)
        )
    if not back and document["prev"] not in found.allowed:
        reason = msg("the version that holds every file of those who did not fork is the only one that may be kept")
        if not found.may_go_back:
            reason = msg("of a player's own file and one that was signed for him the protocol says which one stands")
        raise ProtocolError(
            Outcome.REFUSED,
            msg("{reason}: {allowed}, not {prev}", reason=reason, allowed=found.allowed[0][:12], prev=document["prev"][:12]),
        )
    return found
