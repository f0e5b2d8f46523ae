"""Taking a file into the log: header, link, signature, then what it decides. A refused file changes nothing."""

from __future__ import annotations

from typing import Any, NoReturn

from msgspec import Struct

from pbem.kernel.orders import Problem, all_told, failed
from pbem.kernel.wording import Message, msg
from pbem.protocol import chain, heal, ids, turnfile
from pbem.protocol.draws import LEAVES
from pbem.protocol.outcomes import Outcome, ProgramFault, ProtocolError, unreadable
from pbem.runtime import offers, seats, slips, umpire
from pbem.runtime.contents import (
    Document,
    Fetch,
    Received,
    check_brings_something,
    check_record,
    take_commits,
    take_standing,
)
from pbem.runtime.dues import sends
from pbem.runtime.hand import Hand
from pbem.runtime.ledger import Chain, DrawTree, Entry, Rolled
from pbem.runtime.table import Table

RENEW_BELOW = 64
SKIPPED = 64  # links that a file leaves out which says that its author has restored a backup
SPARED = 32  # links that are left in any case


class Refused(Exception):
    """Orders that the rules refuse, with every problem; nothing has changed."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__("; ".join(str(p) for p in problems))
        self.problems = problems
        self.outcome = Outcome.REFUSED

    @property
    def told(self) -> Message:
        """All problems in one sentence."""
        return all_told(self.problems)


class Taken(Struct, frozen=True):
    """A file that went into the log: the table after it, its orders used, and the dice that its link turned."""

    table: Table
    seq: int
    id: str
    turned: tuple[Rolled, ...]
    events: tuple[Any, ...]  # what happened, for the report
    asked: tuple[str, ...] = ()  # which kind of question each of its orders has answered


def take(table: Table, document: Document, fetch: Fetch) -> Taken:
    """The table after a received file. `fetch(seq)` gives the earlier files (an undo replays them).

    Raises ProtocolError (signature, place, chain, dice, opening) or Refused (orders); the given table never changes.
    """
    if heal.is_place(document):
        return take_in_place(table.fork(), document, fetch)
    file_id = _check(table, document, fetch)
    return _carry_out(table.fork(), document, file_id, fetch)


def take_in_place(table: Table, document: Document, fetch: Fetch) -> Taken:
    """The same without a copy, for a log that is played again: on an error the table is of no more use.

    Takes also what a heal has left in a log: void places, and the heal itself.
    """
    if heal.is_place(document):
        from pbem.runtime import healing

        return Taken(table, int(document["seq"]), *healing.take(table, document, fetch))
    file_id = _check(table, document, fetch)
    return _carry_out(table, document, file_id, fetch)


def _check(table: Table, document: Document, fetch: Fetch) -> str:
    """What can be judged before the file does anything, in the order in which a fault is named; its id."""
    file_id = ids.document_id(dict(document))
    turnfile.read_turn(document)
    check_game(table, document)
    seats.check_signer(table, document)
    seats.check_signature(table, document)
    check_place(table, document, file_id, fetch)
    umpire.check_stand_in(table, document)
    slips.check_replacement(table, document)
    return file_id


def _carry_out(after: Table, document: Document, file_id: str, fetch: Fetch) -> Taken:
    due = after.due
    show_link(after, document["player"], document["link"], int(document["seq"]), document)
    hand = open_hand(after, document, file_id)
    known = len(after.engine.state.events)
    hand.supply = supply = Received(after, document)
    play(after, document, hand, file_id, fetch)
    if supply.unused:
        raise ProtocolError(Outcome.BAD_OPENING, msg("opens what nobody asked for: {unused}", unused=str(supply.unused[0])))
    check_brings_something(due, document, hand)
    check_record(document, hand, after)
    events = tuple(after.engine.state.events[known:])
    return Taken(after, hand.seq, file_id, tuple(hand.turned), events, tuple(hand.asked))


def check_game(table: Table, document: Document) -> None:
    """A file is of this game and says the version of the protocol that the charter says.

    Raises ProtocolError (foreign game, unreadable).
    """
    game_id, version = table.charter.game_id, table.charter.version
    if document["game"] != game_id:
        raise ProtocolError(
            Outcome.FOREIGN_GAME, msg("belongs to game {game}, not {game_id}", game=document["game"][:8], game_id=game_id[:8])
        )
    if document["pbem"] != version:
        raise unreadable(msg("this game is played under version {version} of the protocol: pbem: {version}", version=version))


def check_place(table: Table, document: Document, file_id: str, fetch: Fetch) -> None:
    """One place, one link, one file (rule 2): seq, prev and player are those that the log names. The signature is good."""
    seq, last = int(document["seq"]), table.last
    if seq <= last:
        _explain_filled(table, document, file_id, fetch)
    if seq > last + 1:
        raise ProtocolError(Outcome.WAITING, msg("file {seq} came before file {last}", seq=seq, last=last + 1))
    if document["prev"] != table.ledger.entries[last].id:
        raise ProtocolError(Outcome.BAD_CHAIN, msg("file {seq} does not follow the log's file {last}", seq=seq, last=last))
    if document["player"] != table.due.player and not seats.may_fill(table, document):
        who = table.due.player or "nobody: the game is over"
        raise ProtocolError(
            Outcome.WRONG_KEY,
            msg("file {seq} is due from {who}, not from {player}", seq=seq, who=who, player=document["player"]),
        )


def _explain_filled(table: Table, document: Document, file_id: str, fetch: Fetch) -> NoReturn:
    """The place is filled: by this file, by another one of the same key (proof of cheating), or by somebody else's."""
    seq = int(document["seq"])
    known = table.ledger.entries[seq]
    _explain_known(table, known, file_id, seq)
    if known.player != document["player"]:
        raise ProtocolError(Outcome.WRONG_KEY, msg("file {seq} in the log is by {player}", seq=seq, player=known.player))
    if document["prev"] != table.ledger.entries[seq - 1].id:
        reason = msg(
            "this file {seq} of {player} follows another file {seq2} than the log's: two versions may exist",
            seq=seq,
            player=known.player,
            seq2=seq - 1,
        )
        raise ProtocolError(Outcome.BAD_CHAIN, reason)
    if slips.stands(table, fetch(seq), document):
        reason = msg(
            "after a restore everybody has signed that he held no file {seq} of {player}: the log's stands",
            seq=seq,
            player=known.player,
        )
        raise ProtocolError(Outcome.REFUSED, reason)
    if slips.stands(table, document, fetch(seq)):
        reason = msg(
            "this file {seq} stands against the log's: after a restore all others have signed that they hold none", seq=seq
        )
        raise ProtocolError(Outcome.DIVERGED, reason)
    if known.signed_by != (document.get("signed_by") or ""):
        _explain_stand_in(known, document)
    if slips.refusal_in(table, fetch(seq), file_id):
        raise ProtocolError(Outcome.DIVERGED, slips.REPLACED)
    if slips.refusal_in(table, document, known.id):
        reason = msg(
            "file {seq} was refused by another player and replaced, but this program finds it valid: programs disagree; "
            "log, file and refusal let a third judge",
            seq=seq,
        )
        raise ProtocolError(Outcome.DIVERGED, reason)
    raise ProtocolError(
        Outcome.EQUIVOCATION, msg("another file {seq} by {player} is already in the log", seq=seq, player=known.player)
    )


def _explain_known(table: Table, known: Entry, file_id: str, seq: int) -> None:
    """What nobody need look at more closely: the same file, one that a heal gave up, a place that it left empty."""
    if known.id == file_id:
        raise ProtocolError(
            Outcome.ALREADY_KNOWN, msg("file {seq} by {player} is already in the log", seq=seq, player=known.player)
        )
    if file_id in table.ledger.gone:
        raise ProtocolError(
            Outcome.ALREADY_KNOWN, msg("this file {seq} was given up when the game was healed: it is void", seq=seq)
        )
    if known.type in (heal.TYPE, heal.VOID):
        raise ProtocolError(
            Outcome.REFUSED, msg("place {seq} was given up when the game was healed: nothing stands there", seq=seq)
        )


def _explain_stand_in(known: Entry, document: Document) -> NoReturn:
    """One place filled by its player and by the umpire for him: with one link it is one file twice, as far as dice go."""
    seq = int(document["seq"])
    if known.link != document["link"]:
        raise ProtocolError(
            Outcome.BAD_CHAIN, msg("the link of this file {seq} is not {player}'s next one", seq=seq, player=known.player)
        )
    raise ProtocolError(
        Outcome.ALREADY_KNOWN, msg("file {seq} has been turned with the same link: the dice are the same", seq=seq)
    )


def show_link(table: Table, player: str, link: str, seq: int, document: Document) -> None:
    """The player's next link, checked against the last one shown; a renewed chain takes over at its fixed place."""
    held = chain_of(table, player)
    if held.left < 1 or not chain.verify_link(table.charter.nonce, held.last, link, held.skip):
        raise ProtocolError(Outcome.BAD_CHAIN, msg("the link of file {seq} is not {player}'s next one", seq=seq, player=player))
    held.last, held.left, held.shown = link, held.left - 1 - held.later, held.shown + 1
    held.skip, held.later = held.later, 0
    _announce(table, player, seq, document)
    if slips.restored_by(document) and table.charter.version > 1:
        _leave_out(held)
    if document.get("signed_by"):
        return
    if held.left < RENEW_BELOW and not held.next_tip:
        raise ProtocolError(
            Outcome.BAD_CHAIN,
            msg("fewer than {least} links left: file {seq} must announce next_chain", least=RENEW_BELOW, seq=seq),
        )
    if table.ledger.draw_keys_left(player) < RENEW_BELOW:
        reason = msg("fewer than {least} draw keys left: file {seq} must announce next_draws", least=RENEW_BELOW, seq=seq)
        raise ProtocolError(Outcome.BAD_CHAIN, reason)


def _leave_out(held: Chain) -> None:
    """Links that lost files may have shown turn nothing any more, on the chain in use and on the one announced behind it.

    Where too few are left of the chain in use, all of them turn nothing: the announced one takes over at once.
    """
    skip = max(0, min(SKIPPED, held.left - SPARED))
    held.skip, held.left = held.skip + skip, held.left - skip
    if held.next_tip:
        held.next_skip += max(0, min(SKIPPED, held.next_length - held.next_skip - SPARED))
        held.used_up = held.used_up or skip < SKIPPED


def _announce(table: Table, player: str, seq: int, document: Document) -> None:
    """A next chain and a next draw tree, each once and each with a fixed place at which it takes over."""
    ledger, held = table.ledger, table.ledger.chains[player]
    renewal, root = document.get("next_chain"), document.get("next_draws")
    if renewal and held.next_tip:
        raise ProtocolError(Outcome.BAD_CHAIN, msg("{player} has announced a next chain already", player=player))
    if renewal:
        seats.check_fresh(table, "tip", renewal["tip"])
        if player != table.charter.umpire_name:
            seats.check_escrow(table, renewal)
        held.next_tip, held.next_length, held.announced = renewal["tip"], int(renewal["length"]), seq
        ledger.tips.append(renewal["tip"])
    if root and ledger.draw_keys_left(player) > LEAVES:
        raise ProtocolError(Outcome.BAD_CHAIN, msg("{player} has announced next draw keys already", player=player))
    if root:
        seats.check_fresh(table, "root", root)
        newest = [t for t in ledger.trees if t.player == player][-1]
        ledger.trees.append(DrawTree(player, root, newest.first + LEAVES, seq))


class Standing(Struct, frozen=True):
    """Where a player's chain stands: the value shown last, how many links are left, how many the next one leaves out."""

    last: str
    left: int
    skip: int = 0


def chain_in_use(table: Table, player: str) -> Standing:
    """Where a player's chain stands for his next file, a renewal counted that is due."""
    held = table.ledger.chains[player]
    if held.next_tip and (held.used_up or _renewal_is_due(table, player, held)):
        return Standing(held.next_tip, held.next_length - held.next_skip, held.next_skip)
    return Standing(held.last, held.left, held.skip)


def chain_of(table: Table, player: str) -> Chain:
    """The chain from which a player shows his next link; an announced one that is due has taken over."""
    held, standing = table.ledger.chains[player], chain_in_use(table, player)
    if standing.last == held.next_tip:
        held.next_tip, held.next_skip, held.later, held.used_up = "", 0, 0, False
    held.last, held.left, held.skip = standing.last, standing.left, standing.skip
    return held


def _renewal_is_due(table: Table, player: str, held: Chain) -> bool:
    """Somebody of another side (an umpire is alone on his) has signed a file since the announcement."""
    others = table.ledger.entries[held.announced + 1 :]
    return any(e.player and table.side_of(e.player) != table.side_of(player) for e in others)


def open_hand(table: Table, document: Document, file_id: str) -> Hand:
    """The file becomes the newest entry of the log; its orders are at hand."""
    seq, player = int(document["seq"]), str(document["player"])
    table.ledger.entries.append(umpire.entry(document, file_id))
    return Hand(player, seq, list(document.get("orders") or []))


def play(table: Table, document: Document, hand: Hand, file_id: str, fetch: Fetch) -> None:
    """Turn the dice, then let the file do what its type says; the slips that it takes into the log count last.

    Where this program itself fails, the file is refused if it brought an order, an opening or a claim (every program of
    this version refuses it); else nothing can be said about it: ProtocolError (program fault).
    """
    try:
        _play(table, document, hand, file_id, fetch)
    except (ProtocolError, Refused):
        raise
    except Exception as fault:
        own = bool(hand.next or hand.openings) and not isinstance(fault, RecursionError | MemoryError)
        if not own:
            raise ProgramFault(msg("file {seq} cannot be judged", seq=hand.seq), fault) from fault
        raise Refused([failed(fault, hand.next - 1 if hand.next else None)]) from fault


def _play(table: Table, document: Document, hand: Hand, file_id: str, fetch: Fetch) -> None:
    slips.take_rulings(table, document)
    match document["type"]:
        case "turn" if document.get("signed_by"):
            table.advance(hand)
        case "turn":
            offers.accept_by_playing(table, document, hand, fetch)
            take_commits(table, document, hand.player, before=True)
            take_standing(table, document, hand)
            table.advance(hand)
            take_commits(table, document, hand.player, before=False)
        case "undo" | "offer" | "seat":
            offers.make_offer(table, document, hand, file_id)
        case "accept":
            offers.accept(table, document, hand, fetch)
        case "decline":
            offers.decline(table, document, hand)
    slips.take_slips(table, document)
    _finish(table, hand)


def _finish(table: Table, hand: Hand) -> None:
    if hand.problems:
        raise Refused(sorted(hand.problems, key=lambda p: p.order if p.order is not None else -1))
    if hand.has_orders:
        due = table.due
        if not due.player:
            reason = msg("the game is over: this order and what follows it is left over")
            raise Refused([Problem("not allowed", reason, "protocol", order=hand.next)])
        reason = msg("this order and what follows it is left over: {where}", where=sends(due))
        legal = msg("it is not your turn")
        if hand.next or due.player == hand.player:
            legal = msg("what is to hold beyond the dice is a standing order or a plan")
        raise Refused([Problem("not allowed", reason, due.rule or "protocol", legal, hand.next)])
