"""Slips taken into the log or lying beside it: who signed them, what they change, and the refusal behind a replacement."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pbem.kernel.wording import msg
from pbem.protocol import slips, sshsig, turnfile
from pbem.protocol.ids import document_id, signed_bytes
from pbem.protocol.outcomes import Outcome, ProtocolError, unreadable
from pbem.runtime import overdue
from pbem.runtime.contents import Document
from pbem.runtime.ledger import Entry
from pbem.runtime.table import Table

REPLACED = msg("one file replaces the other, which was refused: programs disagree")


def check(table: Table, slip: Mapping[str, Any], seq: int = 0) -> None:
    """Judge a slip: shape, game, signature, and what an equivocation slip must show.

    `seq`: of the file that holds it; a slip by itself is signed with the key that signs the next file. An audit slip may
    be signed with any key that the player has had, so may a proof by itself: its files prove. Raises ProtocolError.
    """
    slips.read_slip(slip)
    player = str(slip["player"])
    if slip["game"] != table.charter.game_id:
        raise ProtocolError(Outcome.FOREIGN_GAME, msg("a slip of game {game}", game=slip["game"][:8]))
    if slip["pbem"] != table.charter.version:
        raise unreadable(
            msg(
                "this game is played under version {version} of the protocol, the slip under another",
                version=table.charter.version,
            )
        )
    if player not in table.ledger.keys:
        raise ProtocolError(Outcome.WRONG_KEY, msg("{player} does not play in this game", player=player))
    signed = signing_keys(table, slip)
    if not signed:
        raise ProtocolError(
            Outcome.BAD_SIGNATURE, msg("the {slip} slip is not signed by {player}", slip=slip["slip"], player=player)
        )
    place = int(slip["place"]) if slip["slip"] in overdue.KINDS else seq or table.last + 1
    any_key = slip["slip"] == "audit" or (slip["slip"] == "equivocation" and not seq)
    if not any_key and table.ledger.key_at(player, place) not in signed:
        raise ProtocolError(
            Outcome.WRONG_KEY,
            msg("the {slip} slip is signed with a key that {player} gave up", slip=slip["slip"], player=player),
        )
    match slip["slip"]:
        case "equivocation":
            check_fork(table, *slip["files"])
        case "resignation":
            _check_seats(table, slip)
        case "overdue":
            overdue.check_claim(table, slip)
        case "ruling":
            if slip["claim"].get("slip") != "overdue":
                raise unreadable(msg("a ruling holds the claim that it is about"))
            check(table, slip["claim"])
            overdue.check_ruling(table, slip)


def counts(table: Table, slip: Document, seq: int = 0) -> bool:
    """Whether the next file, or that of place `seq`, may carry a slip: not one by a key that its author has given up."""
    try:
        check(table, slip, seq)
    except ProtocolError:
        return False
    return True


def _check_seats(table: Table, slip: Mapping[str, Any]) -> None:
    """A player resigns all his seats and nobody else's. Raises ProtocolError (wrong key)."""
    held = table.charter.seats_of(str(slip["player"]))
    if not held or sorted(slip["seats"]) != sorted(held):
        whose = f"{slip['player']} holds {', '.join(held) or 'no seat'}"
        raise ProtocolError(Outcome.WRONG_KEY, msg("the resignation is of other seats than its author's: {whose}", whose=whose))


def signing_keys(table: Table, slip: Mapping[str, Any]) -> list[str]:
    """Those of its player's keys that a slip is signed with, oldest first; the ledger may hold one of them twice."""
    keys = [held.key for held in table.ledger.held if held.player == slip["player"]]
    return [key for key in keys if _is_signed(slip, key)]


def _is_signed(slip: Mapping[str, Any], key: str) -> bool:
    try:
        sshsig.verify(key, signed_bytes(slip), slip["signature"])
    except ProtocolError:
        return False
    return True


def check_fork(table: Table, first: Document, second: Document) -> None:
    """Two different files by one key at one place. Raises ProtocolError when they are no proof of cheating.

    A file in the place of refused ones, with the refusals signed by other players, is no proof with any of them. Where it takes
    the log to tell, and the table has not the file before them (waiting), nobody can say whether they prove anything.
    """
    turnfile.read_turn(first)
    if first["game"] != table.charter.game_id:
        raise ProtocolError(Outcome.FOREIGN_GAME, msg("these files are not of this game"))
    signer = str(first.get("signed_by") or first["player"])
    if signer not in table.ledger.keys:
        raise ProtocolError(Outcome.WRONG_KEY, msg("{signer} does not play in this game", signer=signer))
    slips.check_equivocation(first, second, table.ledger.key_at(signer, int(first["seq"])))
    pairs = ((first, second), (second, first))
    if any(refusal_in(table, one, document_id(other)) for one, other in pairs):
        raise ProtocolError(Outcome.DIVERGED, REPLACED)
    if takes_the_log(first, second) and not _has_before(table, first):
        reason = msg(
            "one of them may stand against the other: file {seq}, which both follow, is not here", seq=first["seq"] - 1
        )
        raise ProtocolError(Outcome.WAITING, reason)
    if any(stands(table, one, other) for one, other in pairs):
        reason = msg("one file stands against the other: after a restore everybody has signed that he did not hold that")
        raise ProtocolError(Outcome.DIVERGED, reason)


def takes_the_log(first: Document, second: Document) -> bool:
    """Whether two files may be no proof by what one of them brings: a refusal of the other, or a question after a loss."""
    asked, others_asked = ({document_id(question) for question in questions(file)} for file in (first, second))
    return bool(first.get("replaces") or second.get("replaces")) or asked != others_asked


def _has_before(table: Table, document: Document) -> bool:
    entries, seq = table.ledger.entries, int(document["seq"])
    return seq <= len(entries) and entries[seq - 1].id == document["prev"]


def note(table: Table, slip: Mapping[str, Any]) -> None:
    """What a slip changes: a resignation counts. A slip that the log has is not taken twice."""
    name = document_id(dict(slip))
    if name in table.ledger.slips:
        return
    table.ledger.slips.append(name)
    if slip["slip"] == "resignation" and slip["player"] not in table.ledger.resigned and slip["head"] not in table.ledger.gone:
        table.ledger.resigned.append(slip["player"])
        table.advance_nothing()
    if slip["slip"] in overdue.KINDS:
        overdue.note(table, slip)


def resignations(known: Iterable[Document]) -> list[Document]:
    """Those of these slips beside the log: they keep no file out of it, whoever signed that without having heard of them."""
    return [slip for slip in known if slip["slip"] == "resignation"]


def note_beside(table: Table, known: Iterable[Document]) -> None:
    """What slips beside the log change. A resignation counts while its key is the one that signs its author's next file."""
    for slip in known:
        if slip["slip"] != "resignation" or counts(table, slip):
            note(table, slip)


def take_rulings(table: Table, document: Document) -> None:
    """The rulings that a file brings count before it: a substitute's `seat` file rests on one. Raises ProtocolError."""
    for slip in document.get("slips") or []:
        if slip.get("slip") == "ruling":
            check(table, slip)
            note(table, slip)


def take_slips(table: Table, document: Document) -> None:
    """The slips that a file takes into the log, each judged. Raises ProtocolError."""
    heads = {e.id for e in table.ledger.entries}
    for slip in document.get("slips") or []:
        check(table, slip, int(document["seq"]))
        if slip["head"] not in heads:
            raise ProtocolError(
                Outcome.BAD_CHAIN,
                msg("the {slip} slip of {player} names a head not in the log", slip=slip["slip"], player=slip["player"]),
            )
        note(table, slip)


def check_replacement(table: Table, document: Document) -> None:
    """A file that replaces a refused one carries the refusal (rule 2). Raises ProtocolError (refused by rule)."""
    if document.get("replaces") and not refusal_in(table, document, str(document["replaces"])):
        reason = msg("replaces a file without the refusal of another player under slips")
        raise ProtocolError(Outcome.REFUSED, reason)


def refusal_in(table: Table, document: Document, refused: str) -> Document | None:
    """The signed refusal of a file of this place by somebody else, in one that replaces it, or one that had replaced it."""
    for slip in document.get("slips") or [] if document.get("replaces") else []:
        wanted = {"slip": "refusal", "file": refused, "head": document["prev"]}
        fits = all(slip.get(k) == v for k, v in wanted.items()) and slip.get("player") != document["player"]
        if fits and counts(table, slip, int(document["seq"])):
            return dict(slip)
    return None


# -- after a loss -----------------------------------------------------------------------------------------------------------
#
# A player who has restored a backup asks all others which newest file they hold. His first file then carries the question and
# every answer: each one who could have acted on a lost file of his has signed that he does not hold it.


def restored_by(document: Document) -> Document | None:
    """The slip under which a file stands whose author has restored a backup."""
    for slip in document.get("slips") or []:
        if slip.get("slip") == "restored" and slip.get("player") == document["player"]:
            return dict(slip)
    return None


def others(table: Table, player: str) -> list[str]:
    """Who has to answer a player's question: all players, the umpire too, who have not resigned."""
    return [p.name for p in table.charter.all_players if p.name != player and p.name not in table.ledger.resigned]


def answers(table: Table, question: Document, known: Iterable[Document], seq: int = 0) -> dict[str, Document]:
    """player -> his answer to a question, of those whose signature holds. `seq`: of the file that holds them."""
    asked, found = document_id(dict(question)), dict[str, Document]()
    for slip in known:
        fits = slip.get("slip") == "head" and slip.get("answers") == asked and slip.get("player") != question["player"]
        if fits and counts(table, slip, seq):
            found.setdefault(str(slip["player"]), slip)
    return found


def stands(table: Table, document: Document, other: Document | None = None) -> bool:
    """Whether a file stands against another of its author at that place, or any: nobody held one when he answered.

    Two files that carry the same question are both signed after its answers: neither stands against the other (SPEC 9b).
    The table holds the log at least up to the file before it.
    """
    if table.charter.version < 2:
        return False
    both = {document_id(s) for s in questions(other)} if other is not None else set()
    return any(document_id(s) not in both and _settled_by(table, document, s) for s in questions(document))


def questions(document: Document) -> list[dict[str, Any]]:
    """What a file's own author asks in it after a loss."""
    slips = [s for s in document.get("slips") or [] if s.get("slip") == "restored" and "word" not in s]
    return [dict(s) for s in slips if s.get("player") == document["player"]]


def _settled_by(table: Table, document: Document, question: Document) -> bool:
    """All others have answered this question, and the file is its author's first behind the newest one that they, or he then,
    named: whoever wrote what lies between has signed that he had not written it yet, so nobody can have followed it."""
    given = answers(table, question, document.get("slips") or [], int(document["seq"]))
    if not given or set(others(table, str(document["player"]))) - set(given):
        return False
    before = table.ledger.entries[: int(document["seq"])]
    places = {e.id: seq for seq, e in enumerate(before)}
    heads = [str(slip["head"]) for slip in (question, *given.values())]
    if any(h not in places for h in heads):
        return False
    return all(not _is_by(e, str(document["player"])) for e in before[1 + max(places[h] for h in heads) :])


def _is_by(entry: Entry, player: str) -> bool:
    """Signed by the player himself."""
    return entry.player == player and not entry.signed_by


def promised(table: Table, document: Document, own: Sequence[Document], player: str) -> Document | None:
    """The question that this file has to carry, since `player` has answered it and it is the asker's first file behind that.

    `own`: the slips that this folder knows. None where there is none, the file carries it, or somebody, the asker too, has
    named a file at that place or behind it, or one that is not here, as his newest.
    """
    entries = table.ledger.entries[: int(document["seq"])]
    places = {e.id: seq for seq, e in enumerate(entries)}
    if places.get(str(document["prev"])) != int(document["seq"]) - 1:
        return None
    carried = [document_id(dict(s)) for s in document.get("slips") or []]
    for question in [s for s in own if s["slip"] == "restored" and s["player"] == document["player"] and "word" not in s]:
        asked = document_id(question)
        given = [s for s in own if s["slip"] == "head" and s.get("answers") == asked]
        named = [question["head"], *(s["head"] for s in given)]
        answered = any(s["player"] == player for s in given) and asked not in carried
        if not answered or not counts(table, question, int(document["seq"])) or any(head not in places for head in named):
            continue
        between = entries[1 + max(places[head] for head in named) :]
        if not any(_is_by(e, str(document["player"])) for e in between):
            return question
    return None
