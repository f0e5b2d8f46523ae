"""Two signed files at one place: kept, told to everybody, shown until healed; the own second file gives way.

What the log cannot take though its author has signed it lies in `aside`. Whoever has signed nothing behind a parting goes by
himself to the version that the side that did not fork has followed; everything else is for `pbem heal`.
"""

from __future__ import annotations

from typing import Any

from pbem.cli.play import keep_proof, of_game, put_slip
from pbem.cli.restoring import put_out_files
from pbem.cli.speech import speak, text
from pbem.protocol import heal
from pbem.protocol.ids import document_id
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.protocol.turnfile import read_turn
from pbem.runtime import choosing, slips, trust
from pbem.runtime.seats import check_signature
from pbem.runtime.taking import Refused, take
from pbem.store import pen, unsending
from pbem.store.session import Session

Document = dict[str, Any]
KEPT = (Outcome.BAD_CHAIN, Outcome.EQUIVOCATION, Outcome.WAITING, Outcome.DIVERGED)
MOST_KEPT = 500


def proved(session: Session) -> list[trust.Fork]:
    """The forks of which a proof is known here, beside the log or in it, by place; healed ones are left out."""
    return trust.proved(session.folder.log.files(), session.folder.log.slips())


def told(session: Session) -> list[str]:
    """What everybody is told of this log beside the game: proved forks, files on somebody's own word."""
    from pbem.cli import healing

    files = session.folder.log.files()
    lines = [speak("PROVED: {fork}", fork=fork.told) for fork in proved(session)]
    lines += [speak("Mind: {told}", told=own.told) for own in trust.own_words(files)]
    lines += map(text, trust.other_links(session.table.ledger))
    lines += crossed(session)
    return [*lines, *(text(one.told) for one in trust.healed(files)), *healing.waiting(session)]


# -- keeping ----------------------------------------------------------------------------------------------------------------


def keep(session: Session, document: Document, error: ProtocolError) -> None:
    """A file that is not taken, but that a player of this game has signed, is kept aside under its id."""
    wanted = error.outcome in KEPT or bool(_crossed_in(session, document)) or pen.is_mine(session, document)
    wanted = wanted or (error.outcome is Outcome.REFUSED and session.promised(document) is not None)  # somebody may name it yet
    wanted = wanted or (session.table.result is not None and document.get("prev") == session.head)  # its author did not know
    if not wanted or not is_signed(session, document) or len(session.folder.aside()) >= MOST_KEPT:
        return
    session.folder.set_aside(document)
    pen.note_shown(session, document)
    if error.outcome is Outcome.EQUIVOCATION:
        keep_proof(session, document)


def _crossed_in(session: Session, document: Document) -> str:
    """The player whose own file for a place one of two is, this or the log's, while another has signed the other for him."""
    entries, seq = session.table.ledger.entries, document.get("seq")
    if not isinstance(seq, int) or not 0 < seq < len(entries) or document.get("prev") != entries[seq - 1].id:
        return ""
    here = session.folder.log.files()[seq]
    return "" if heal.is_place(here) else heal.crossed(here, document)


def is_signed(session: Session, document: Document) -> bool:
    """A file of this game, well formed and signed by whom it names."""
    try:
        read_turn(document)
        if document["game"] != session.charter.game_id:
            return False
        check_signature(session.table, document)
    except ProtocolError:
        return False
    return True


# -- moving -----------------------------------------------------------------------------------------------------------------


def move(session: Session) -> list[str]:
    """Take what lies aside and fits now; go to another version where this player may. What was done, in words."""
    lines = [
        speak("file {seq} of {player}, which had come too early, is taken", seq=d["seq"], player=d["player"])
        for d in _fill(session)
    ]
    for chain in _versions(session):
        good = _that_hold(session, chain) if _may_move(session, chain) else []
        why = _may_move(session, good) if good else ""
        if why:
            lines.append(_change(session, good, why))
            _fill(session)
            return lines
    return lines


def _that_hold(session: Session, chain: list[Document]) -> list[Document]:
    """The files of another version up to the first that is refused, tried before anything is withdrawn."""
    seq = int(chain[0]["seq"])
    heard = slips.resignations(session.folder.log.slips())  # they keep no file out of a log
    table, good = session.replayed(seq - 1, passing_over=heard), list[Document]()

    def fetch(place: int) -> Document:
        return chain[place - seq] if place >= seq else dict(session.folder.fetch(place))

    for document in chain:
        try:
            table = take(table, document, fetch).table
        except (ProtocolError, Refused):
            break
        good.append(document)
    return good


def _fill(session: Session) -> list[Document]:
    """Files that lie aside and follow the newest one."""
    taken: list[Document] = []
    tried: set[str] = set()
    while found := _following(session, session.head, tried):
        tried.add(document_id(found))
        try:
            session.take(found)
            taken.append(found)
        except (ProtocolError, Refused):
            continue
    return taken


def _following(session: Session, head: str, tried: set[str]) -> Document | None:
    gone = {d["id"] for d in session.withdrawn()}
    fits = (d for d in session.folder.aside() if d.get("prev") == head and d.get("game") == session.charter.game_id)
    return next((d for d in fits if document_id(d) not in (tried | gone)), None)


def _versions(session: Session) -> list[list[Document]]:
    """Chains of files that lie aside, each beginning beside a file of the log: the same place, the same file before."""
    aside = session.folder.aside()
    entries = session.table.ledger.entries
    heads = {e.id: seq for seq, e in enumerate(entries)}
    firsts = [d for d in aside if heads.get(str(d.get("prev")), -2) == d.get("seq", 0) - 1 and d["seq"] < len(entries)]
    chains = []
    for first in firsts:
        if document_id(first) not in heads and is_signed(session, first):
            chains += _lines_behind(session, aside, [first])
    return chains


def _lines_behind(session: Session, aside: list[Document], line: list[Document]) -> list[list[Document]]:
    """Every line of files that goes on from this one: behind one file there may lie several."""
    following = [d for d in aside if d.get("prev") == document_id(line[-1]) and is_signed(session, d)]
    return [found for d in following for found in _lines_behind(session, aside, [*line, d])] or [line]


def _signer(document: Document) -> str:
    return str(document.get("signed_by") or document["player"])


def _may_move(session: Session, chain: list[Document]) -> str:
    """Why this folder goes to another version; empty when it stays."""
    seq, table = int(chain[0]["seq"]), session.table
    behind = session.folder.log.files()[seq:]
    if any(heal.is_place(d) for d in behind):
        return ""  # all have signed from where the game goes on
    secrets = session.folder.secrets()
    me, author = secrets.player if secrets else "", _signer(chain[0])
    stays, goes = _standing(session, behind[0], chain[0])
    if stays != goes:
        return "" if stays else speak("after a restore everybody has signed that he held no other")
    if _signer(behind[0]) != author:
        return _may_cross(session, behind, chain)
    if author == me:
        followed = len(chain) > 1 or (_is_named(session, chain) and not _is_unsent(session, chain[0]))
        unfollowed = len(behind) == 1 or _may_be_unsent(session, behind)
        return speak("it is yours, and the others have followed it") if unfollowed and followed else ""
    if any(_signer(d) == me for d in behind):
        return ""
    other = [d for d in chain[1:] if table.side_of(_signer(d)) != table.side_of(author)]
    here = [d for d in behind[1:] if table.side_of(_signer(d)) != table.side_of(author)]
    return speak("{signer} has followed it", signer=_signer(other[0])) if other and not here else ""


def _may_be_unsent(session: Session, behind: list[Document]) -> bool:
    """Own files that nobody has followed or named, in a folder that may have lost that they were taken back (`pbem unsend`)."""
    mine = all(pen.is_mine(session, d) for d in behind) and not _is_named(session, behind)
    return mine and bool(session.why_unsure())


def _is_unsent(session: Session, document: Document) -> bool:
    with pen.held(session) as rows:
        return document_id(document) in rows.unsent()


def _may_cross(session: Session, behind: list[Document], chain: list[Document]) -> str:
    """The same where the one is a player's own file and the other was signed for him, and no link is shown twice by it.

    The link of a `seat` file is lost to its author when it is given up, and the old chain goes on behind an ally's: a heal.
    """
    player, table = _crossed_in(session, chain[0]), session.table
    if not player or len(behind) > 1 or behind[0]["player"] != player:
        return ""
    by_umpire = chain[0]["player"] == session.charter.umpire_name
    if chain[0]["player"] != player and not by_umpire:
        return ""
    if not choosing.stands_crossed(table, chain, [behind]) or choosing.stands_crossed(table, behind, [chain]):
        return ""
    if by_umpire:
        return speak("the other side has not followed the own file of {player}", player=player)
    return speak("it goes before, and the dice are the same")


def crossed(session: Session) -> list[str]:
    """What is to be done where a place has a player's own file and one that was signed for him, and others went on behind both
    or the one that gives way."""
    files, lines = session.folder.log.files(), []
    for chain in _versions(session):
        player, behind = _crossed_in(session, chain[0]), files[int(chain[0]["seq"]) :]
        if not player or any(heal.is_place(d) for d in behind) or _is_settled(session, behind, chain):
            continue
        umpire, seq = session.charter.umpire_name, int(chain[0]["seq"])
        names = [umpire] if umpire else [p for p in session.charter.players_in_order if p != player]
        ids = [document_id(d)[:12] for d in (behind[0], chain[0])]
        lines.append(
            speak(
                "Place {seq} has a file of {player}'s own and one that was signed for him ({ids}); nobody has cheated. A heal "
                "brings all together, signed by {names}: pbem heal{option}",
                seq=seq,
                player=player,
                ids=", ".join(ids),
                names=", ".join(names),
                option=of_game(session.folder.path),
            )
        )
    return list(dict.fromkeys(lines))


def _is_settled(session: Session, behind: list[Document], chain: list[Document]) -> bool:
    """The log has the one that stands, and the other folders go over to it by themselves when they get it."""
    table = session.table
    here, there = choosing.stands_crossed(table, behind, [chain]), choosing.stands_crossed(table, chain, [behind])
    ally = {behind[0]["player"], chain[0]["player"]} - {_crossed_in(session, chain[0]), session.charter.umpire_name}
    return here and not there and len(chain) == 1 and not ally


def _standing(session: Session, here: Document, there: Document) -> tuple[bool, bool]:
    """Whether the log's file stands against another one at its place, and the other way round."""
    if not slips.questions(here) and not slips.questions(there):
        return False, False  # the log need not be played again for that
    table = session.replayed(int(here["seq"]) - 1)
    return slips.stands(table, here, there), slips.stands(table, there, here)


def _is_named(session: Session, chain: list[Document]) -> bool:
    """Another player has signed that he holds a file of this version as his newest."""
    ids = {document_id(d) for d in chain}
    heads = [s for s in session.folder.log.slips() if s["slip"] == "head" and s["player"] != _signer(chain[0])]
    return any(s["head"] in ids for s in heads)


def _change(session: Session, chain: list[Document], why: str) -> str:
    """The files from the parting on are laid aside, those of the other version are taken."""
    seq, files = int(chain[0]["seq"]), session.folder.log.files()
    old = files[seq]
    if _signer(old) == _signer(chain[0]) and _may_be_unsent(session, files[seq:]):
        unsending.give_up(session, files[seq:])
        return _changed(session, chain, why)
    for document in files[seq:]:
        session.folder.set_aside(document)
    if pen.is_mine(session, old):
        with pen.held(session) as rows:
            rows.append("yielded", {"id": document_id(old), "seq": seq, "to": document_id(chain[0])}, session.now())
    if _signer(old) == _signer(chain[0]) and not any(_standing(session, old, chain[0])):
        keep_proof(session, chain[0])
    session.withdraw_from(seq)
    return _changed(session, chain, why)


def _changed(session: Session, chain: list[Document], why: str) -> str:
    for document in chain:
        session.take(document)
    return speak(
        "this folder goes on with the other file {seq} of {signer} ({id}): {why}",
        seq=int(chain[0]["seq"]),
        signer=_signer(chain[0]),
        id=document_id(chain[0])[:12],
        why=why,
    )


# -- heads travel -------------------------------------------------------------------------------------------------------------


def unconfirmed(session: Session) -> dict[str, int]:
    """player -> the newest file that he is known to hold, of those who have not confirmed the newest one."""
    entries = session.table.ledger.entries
    places = {e.id: seq for seq, e in enumerate(entries)}
    held: dict[str, int] = dict.fromkeys((p.name for p in session.charter.all_players), 0)
    for seq, entry in enumerate(entries):
        signer = entry.signed_by or entry.player
        if signer in held:
            held[signer] = seq
    for slip in session.folder.log.slips():
        if slip["head"] in places and slip["player"] in held:
            held[slip["player"]] = max(held[slip["player"]], places[slip["head"]])
    secrets = session.folder.secrets()
    me = secrets.player if secrets else ""
    return {p: seq for p, seq in held.items() if p != me and seq < session.table.last}


def ask_for_heads(session: Session, why: str) -> list[str]:
    """Two versions may exist: say one's own newest file and ask for theirs, once a day at most."""
    secrets = session.folder.secrets()
    if secrets is None or not session.is_seated:
        return []
    mine = [e for e in session.folder.log.entries if e["kind"] == "slip" and e["document"]["slip"] == "head"]
    today = session.now()[:10]
    mine = [e for e in mine if e["document"]["player"] == secrets.player and "answers" not in e["document"]]
    if any(e["received"][:10] == today for e in mine):
        return []
    plain, _ = put_slip(session, session.sign_slip("head", {}))
    assert isinstance(plain, dict)
    to, _ = put_out_files(session, "", str(plain["file"]))
    return [
        speak(
            "Two versions of this game may exist: {why}. Send {to} to everybody: it asks for their newest "
            "files and shows yours.",
            why=why,
            to=str(to),
        )
    ]


def answer_heads(session: Session) -> list[str]:
    """Somebody names a newest file that is not in this log, nor kept aside: show him and all others this one."""
    known = {e.id for e in session.table.ledger.entries} | {document_id(d) for d in session.folder.aside()}
    strange = [s for s in session.folder.log.slips() if s["slip"] == "head" and s["head"] not in known and "answers" not in s]
    secrets = session.folder.secrets()
    strange = [s for s in strange if secrets is not None and s["player"] != secrets.player]
    return (
        ask_for_heads(session, speak("{player} holds a file that is not here", player=strange[-1]["player"])) if strange else []
    )
