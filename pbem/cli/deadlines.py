"""Deadlines: the time left by this folder's clock, claims that a file is overdue, and what follows from them."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

from msgspec import Struct

from pbem.cli.play import of_game, put_slip
from pbem.cli.speech import speak
from pbem.kernel.canon import Plain
from pbem.kernel.wording import Argument, Message, linked, msg
from pbem.protocol import deadlines
from pbem.protocol.outcomes import Outcome, ProtocolError, unreadable
from pbem.runtime import overdue, seats
from pbem.runtime import umpire as standing_in
from pbem.runtime.ledger import Claimed
from pbem.store import dues, outgoing, pen
from pbem.store.session import Session

Slip = dict[str, Any]
_FORM = "%Y-%m-%dT%H:%M:%SZ"
CLOCK = msg("by this folder's clock")


class Clock(Struct, frozen=True):
    """How long the file that is due has been due here: since when, until when, and the minutes left (below 0: overdue)."""

    since: str
    until: str
    left: int


def clock(session: Session) -> Clock | None:
    """The clock of the file that is due; None where the charter names no deadline or nothing is due."""
    after = _after(session)
    if after is None or session.table.result is not None or not session.table.due.player:
        return None
    since = [e["received"] for e in session.folder.log.entries if e["kind"] != "slip"][-1]
    return _clock(since, after, session.now())


def _after(session: Session) -> int | None:
    """The hours that a charter gives for an answer, also one of version 1 whose text says so many."""
    text = session.charter.document.get("deadline")
    if session.charter.overdue is not None:
        return session.charter.overdue.after
    return deadlines.hours(text) if text and not deadlines.span(text) else None


def _clock(since: str, hours: int, present: str) -> Clock:
    until = datetime.datetime.strptime(since, _FORM) + datetime.timedelta(hours=hours)
    left = until - datetime.datetime.strptime(present, _FORM)
    return Clock(since, until.strftime(_FORM), int(left.total_seconds() // 60))


def left_of(session: Session, since: str, hours: int) -> int:
    """The minutes that are left of a time that began then."""
    return _clock(since, hours, session.now()).left


def span(minutes: int) -> Message:
    """A time for people: 3 d 4 h, 4 h 30 min, 5 min."""
    days, hours, rest = minutes // 1440, minutes // 60 % 24, minutes % 60
    parts = [msg("{days} d", days=days)] if days else []
    parts += [msg("{hours} h", hours=hours)] if hours else []
    if not parts or (rest and not days):
        parts.append(msg("{minutes} min", minutes=rest))
    return linked(" ", *parts)


# -- what status, reminders and received slips say ---------------------------------------------------------------------------


def plain(session: Session) -> dict[str, Plain]:
    """For programs: the time left in minutes, the claims that stand, the rulings that hold."""
    found, table = clock(session), session.table
    late: Plain = None
    if found is not None:
        late = {"since": found.since, "until": found.until, "left": found.left, "clock": "this folder"}
    claims: list[Plain] = [{"file": c.place, "due": c.due, "by": c.by, "since": c.since} for c in overdue.standing(table)]
    rulings: list[Plain] = [
        {"file": r.place, "due": r.due, "by": r.by, "then": r.then} for r in overdue.holding(table, table.ledger.rulings)
    ]
    return {"deadline": late, "claims": claims, "rulings": rulings}


def lines(session: Session) -> list[str]:
    """For people: one line for the time left, one for each claim and ruling, and what to do."""
    found = clock(session)
    told = [] if found is None else [_time_left(session, found)]
    told += [_claimed(session, claim) for claim in overdue.standing(session.table)]
    return [*told, *_ruled(session), *_advice(session)]


def _time_left(session: Session, found: Clock) -> str:
    if found.left > 0:
        return speak("time left: {span}, until {until}, {clock}", span=span(found.left), until=found.until, clock=CLOCK)
    due = session.table.due.player
    text = speak("overdue for {span}, since {until}, {clock}", span=span(-found.left), until=found.until, clock=CLOCK)
    if not _may_claim(session, due):
        return text
    return speak("{text}; pbem claim{option} signs that", text=text, option=of_game(session.folder.path))


def _may_claim(session: Session, due: str) -> bool:
    table, secrets = session.table, session.folder.secrets()
    if secrets is None or session.charter.overdue is None or table.side_of(secrets.player) == table.side_of(due):
        return False
    claimed = any(c.by == secrets.player for c in overdue.standing(table))
    return not claimed and not overdue.lifted(table, table.last + 1, session.head)


def _claimed(session: Session, claim: Claimed) -> str:
    agreed, secrets = session.charter.overdue, session.folder.secrets()
    assert agreed is not None  # a claim needs a deadline
    about: dict[str, Argument] = {"by": claim.by, "place": claim.place, "due": claim.due, "since": claim.since}
    text = speak("{by} claims file {place} of {due}: he has waited since {since}, by his own clock", **about)
    if claim.by == session.charter.umpire_name:
        text = speak("the umpire {by} asks for file {place} of {due}: he has waited since {since}, by his own clock", **about)
    if secrets is not None and secrets.player == claim.due:
        return speak(
            "{text}. Send it: that ends the claim. Without an answer the charter says: {then}", text=text, then=agreed.then
        )
    if agreed.then == "nothing" or session.charter.umpire_name:
        return speak("{text}; what follows, after {grace} h of grace: {then}", text=text, grace=agreed.grace, then=agreed.then)
    side = session.table.side_of(claim.due)
    return speak(
        "{text}; {then}: claimed, not confirmed by {due}, or all others of {side}",
        text=text,
        then=agreed.then,
        due=claim.due,
        side=side,
    )


def _ruled(session: Session) -> list[str]:
    told = []
    for ruled in overdue.holding(session.table, session.table.ledger.rulings):
        about: dict[str, Argument] = {"by": ruled.by, "place": ruled.place, "due": ruled.due, "then": ruled.then}
        text = speak("{by} has signed what follows from the overdue file {place} of {due}: {then}", **about)
        if session.charter.umpire_name:
            text = speak("the umpire {by} has signed what follows from the overdue file {place} of {due}: {then}", **about)
        told.append(text + _late(session, ruled.place))
    return told


def _late(session: Session, place: int) -> str:
    """What is told where a ruling meets the file that it is about."""
    umpire_name = session.charter.umpire_name
    if place > session.table.last or not umpire_name:
        return ""
    if _is_me(session, umpire_name):
        return "; " + speak("file {place} has come since: `pbem rule nothing` lifts the ruling", place=place)
    return "; " + speak("file {place} is here: send it to {umpire}, who may lift the ruling", place=place, umpire=umpire_name)


def _advice(session: Session) -> list[str]:
    """For `pbem status` of an umpire with the escrow: before he gives a seat away the link comes that it owes to the dice."""
    secrets, charter = session.folder.secrets(), session.charter
    substitutes = charter.overdue is not None and charter.overdue.then == "substitute"
    may_give = charter.lost_keys == "umpire" or substitutes
    if secrets is None or secrets.player != charter.umpire_name or not may_give or not seats.link_comes_first(session.table):
        return []
    return [
        speak(
            "If {player} does not answer: pbem umpire stand-in{option} shows his link, with the same dice; only then may his "
            "seat go to a new key",
            player=session.table.due.player,
            option=of_game(session.folder.path),
        )
    ]


def _is_me(session: Session, name: str) -> bool:
    secrets = session.folder.secrets()
    return secrets is not None and secrets.player == name


def received(session: Session, slip: Slip) -> str:
    """What is said when a claim or a ruling comes in. An own file that is claimed lies in the outbox still, or again."""
    if slip["slip"] == "ruling":
        lift = speak("nothing follows") if slip["then"] == "nothing" else speak("what follows is {then}", then=slip["then"])
        late = speak("file {place} of {due} is overdue; {lift}", place=slip["place"], due=slip["claim"]["due"], lift=lift)
        return late + _late(session, int(slip["place"]))
    place, due = int(slip["place"]), str(slip["due"])
    text = speak("file {place} of {due} is claimed to be overdue since {since}", place=place, due=due, since=slip["since"])
    if place > session.table.last:
        return speak("{text}. Send it: that ends the claim", text=text) if _is_me(session, due) else text
    if _is_me(session, due):
        sent = dict(session.folder.fetch(place))
        out = session.folder.outgoing(sent)
        if not out.exists():
            outgoing.put_out(session, sent)
        return speak(
            "{text}. You have sent it, and maybe it was lost: it lies in {out}; send the same file again",
            text=text,
            out=str(out),
        )
    return speak("{text}; it is here already, which ends the claim: {player} may lack it", text=text, player=slip["player"])


# -- commands -----------------------------------------------------------------------------------------------------------------


def claim(path: Path) -> tuple[Plain, str]:
    """A signed claim that the file due from another side is overdue. Raises ProtocolError (refused, waiting)."""
    with Session.at_work(path) as session:
        due, found = session.table.due.player, clock(session)
        _check_sure(session)
        if found is None or session.charter.overdue is None:
            raise ProtocolError(Outcome.REFUSED, msg("nothing can be overdue: {why}", why=_why_never(session)))
        if session.table.side_of(session.me.player) == session.table.side_of(due):
            raise ProtocolError(
                Outcome.REFUSED,
                msg("file {last} is due from {due}, and you are of his side", last=session.table.last + 1, due=due),
            )
        if overdue.lifted(session.table, session.table.last + 1, session.head):
            raise ProtocolError(
                Outcome.REFUSED, msg("the umpire has lifted the claims on file {last}", last=session.table.last + 1)
            )
        return _claim(session, found)


def _claim(session: Session, found: Clock) -> tuple[Plain, str]:
    """The own claim, signed now or given out again."""
    due, place = session.table.due.player, session.table.last + 1
    if found.left > 0:
        raise ProtocolError(
            Outcome.WAITING,
            msg(
                "{due} has {span} left, until {until}, {clock}", due=due, span=span(found.left), until=found.until, clock=CLOCK
            ),
        )
    known = _own_claim(session, place)
    slip = known or session.sign_slip("overdue", {"place": place, "due": due, "since": found.since})
    said, text = put_slip(session, slip)
    agreed = session.charter.overdue
    assert agreed is not None
    ends = speak(
        "Nothing ends by it: whatever {due} sends ends the claim. Without an answer the charter says: {then}, after {grace} h "
        "of grace",
        due=due,
        then=agreed.then,
        grace=agreed.grace,
    )
    return said, f"{text}\n{ends}"


def _own_claim(session: Session, place: int) -> Slip | None:
    """What this player has signed about the file that is due."""
    wanted = {"slip": "overdue", "player": session.me.player, "place": place, "head": session.head}
    return next((s for s in session.folder.log.slips() if all(s.get(k) == v for k, v in wanted.items())), None)


def _why_never(session: Session) -> Message:
    if session.table.result is not None:
        return msg("the game is over")
    return msg("the charter names no deadline that can be claimed (`pbem new --deadline 72h --grace 48h --then loss`)")


def _check_sure(session: Session) -> None:
    """Raises ProtocolError (waiting) where the folder may lack the very file that is missed."""
    why = session.why_unsure()
    if why:
        raise pen.not_sure(why)


def rule(path: Path, then: str) -> tuple[Plain, str]:
    """The umpire's ruling, after a question of his own; without an umpire the late side confirms. Raises ProtocolError."""
    with Session.at_work(path) as session:
        _check_sure(session)
        agreed = session.charter.overdue
        if then not in deadlines.CONSEQUENCES:
            raise unreadable(
                msg(
                    "there is no consequence {then!r}; there are: {consequences}",
                    then=then,
                    consequences=", ".join(deadlines.CONSEQUENCES),
                )
            )
        if agreed is None or then not in ("nothing", agreed.then):
            raise ProtocolError(
                Outcome.REFUSED,
                msg("by the charter follows {agreed}, not {then}", agreed=agreed.then if agreed else "nothing", then=then),
            )
        if not session.charter.umpire_name:
            return _confirm(session, then, agreed.grace)
        if not _is_me(session, session.charter.umpire_name):
            raise ProtocolError(
                Outcome.REFUSED, msg("the umpire {umpire} rules, nobody else", umpire=session.charter.umpire_name)
            )
        if then == "nothing":
            lifted = _lift(session)
            session.answer_by_itself()
            return lifted
        said, text = _rule(session, then, agreed.grace)
        ruled = isinstance(said, dict) and said["slip"] == "ruling"
    if not ruled or then != "stand-in":
        return said, text
    from pbem.cli import umpire

    stood, more = umpire.stand_in(path)
    return stood, f"{text}\n{more}"


def _rule(session: Session, then: str, grace: int) -> tuple[Plain, str]:
    """The question to the late player, then, when the grace is over, the ruling."""
    found, due, place = clock(session), session.table.due, session.table.last + 1
    me = session.me.player
    if found is None or not any(c.by != me for c in overdue.standing(session.table)):
        raise ProtocolError(Outcome.WAITING, msg("no player claims that a file is overdue"))
    if then == "stand-in" and not standing_in.may_show(session.table):
        raise ProtocolError(Outcome.REFUSED, msg("decisions stay with their owner: {told}", told=dues.told(session)))
    if then == "substitute" and seats.link_comes_first(session.table):
        raise ProtocolError(Outcome.REFUSED, seats.why_link_first(session.table))
    question = _own_claim(session, place)
    if question is None:
        said, text = _claim(session, found)
        wait = speak(
            "A question to {player}. When {grace} h have passed {clock}, and he has sent nothing, rule again: {then}",
            player=due.player,
            grace=grace,
            clock=CLOCK,
            then=then,
        )
        return said, f"{text}\n{wait}"
    left = _grace_left(session, question, grace)
    if left > 0:
        raise ProtocolError(
            Outcome.WAITING,
            msg(
                "{player} has {span} of grace left, {clock}: you have asked him",
                player=due.player,
                span=span(left),
                clock=CLOCK,
            ),
        )
    return put_slip(session, session.sign_slip("ruling", {"place": place, "then": then, "claim": question}))


def _grace_left(session: Session, slip: Slip, grace: int) -> int:
    """The minutes since a slip came into this folder, or was signed here."""
    came = next(e["received"] for e in session.folder.log.entries if e["document"] == slip)
    return _clock(came, grace, session.now()).left


def _lift(session: Session) -> tuple[Plain, str]:
    table = session.table
    wanted = [(r.place, r.head) for r in overdue.holding(table, table.ledger.rulings)]
    wanted += [(c.place, c.head) for c in overdue.standing(table)]
    slips = [s for s in session.folder.log.slips() if s["slip"] == "overdue" and (s["place"], s["head"]) in wanted[:1]]
    if not slips:
        raise ProtocolError(Outcome.WAITING, msg("there is no claim and no ruling to lift"))
    return put_slip(session, session.sign_slip("ruling", {"place": slips[0]["place"], "then": "nothing", "claim": slips[0]}))


def _confirm(session: Session, then: str, grace: int) -> tuple[Plain, str]:
    """What follows, signed by the late player, or when the grace is over by an ally of his."""
    me, due = session.me.player, session.table.due.player
    claims = overdue.standing(session.table)
    if not claims or then == "nothing":
        raise ProtocolError(Outcome.WAITING, msg("nobody claims a file of this side that could have a consequence"))
    if session.table.side_of(me) != session.table.side_of(due):
        side = session.table.side_of(due)
        raise ProtocolError(
            Outcome.REFUSED,
            msg("a claim confirms nothing by itself: {due}, or all others of {side}, have to sign", due=due, side=side),
        )
    wanted = {"slip": "overdue", "place": claims[0].place, "head": claims[0].head, "player": claims[0].by}
    slip = next(s for s in session.folder.log.slips() if all(s.get(k) == v for k, v in wanted.items()))
    left = _grace_left(session, slip, grace)
    if me != due and left > 0:
        raise ProtocolError(
            Outcome.WAITING, msg("{due} has {span} of grace left, {clock}", due=due, span=span(left), clock=CLOCK)
        )
    return put_slip(session, session.sign_slip("ruling", {"place": slip["place"], "then": then, "claim": slip}))
