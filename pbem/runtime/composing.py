"""Writing a file: the owner's link, openings, commitments, and orders tried out before anything is signed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from pbem.kernel.canon import Plain
from pbem.kernel.flow import Reveal
from pbem.kernel.orders import Problem, Rejected, unreadable
from pbem.kernel.standing import read_clauses
from pbem.kernel.wording import msg, quoted
from pbem.protocol import seals
from pbem.protocol.keys import key_bytes
from pbem.runtime import phases, planned, seats
from pbem.runtime.contents import Fetch, record
from pbem.runtime.hand import Hand, Unsealed
from pbem.runtime.knowledge import Knowledge
from pbem.runtime.table import Table
from pbem.runtime.taking import Refused, play, show_link
from pbem.runtime.umpire import entry

SEALS_PER_KIND = 8
Salt = Callable[[int, int, Plain], bytes]  # of a seal: 32 bytes for its file, its number and the order behind it


class Secrets(Struct):
    """What only one player has: his links, draw secrets K_j, and sealed contents so far."""

    player: str
    link: Callable[[int], str]  # the n-th link of the chain in use, n from 1
    draw_secrets: Mapping[int, bytes]
    sealed: dict[str, dict[str, Any]] = field(default_factory=dict)


class Draft(Struct):
    """What a player wants to send. Sealed things are given open here and are sealed on the way."""

    orders: Sequence[Plain] = ()
    standing: Mapping[str, Plain] = field(default_factory=dict)
    sealed_standing: Mapping[str, Sequence[Plain]] = field(default_factory=dict)
    plan: Sequence[Plain] = ()
    note: Sequence[str] = ()
    type: str = "turn"
    extra: Mapping[str, Plain] = field(default_factory=dict)
    slips: Sequence[Plain] = ()


def same_but_orders(one: Draft, other: Draft) -> bool:
    """Whether two drafts have the same standing orders and the same plan."""
    return (one.standing, one.sealed_standing, one.plan) == (other.standing, other.sealed_standing, other.plan)


class Composed(Struct, frozen=True):
    """An unsigned document, the table after it, and the new sealed contents to be kept before it is sent."""

    document: dict[str, Any]
    table: Table
    hand: Hand
    sealed: dict[str, dict[str, Any]]


def compose(table: Table, secrets: Secrets, draft: Draft, fetch: Fetch, salt: Salt, stops: bool = False) -> Composed:
    """The file that says what `draft` says, as this player's next one. Raises Refused or ProtocolError.

    An order that answers a secret question is sealed by itself. `salt` gives the 32 secret bytes of each seal. `stops`: only
    to look at the first question behind the orders that a default would answer.
    """
    draft = spelled_out(table, secrets, draft)
    while True:
        try:
            return _compose(table, secrets, draft, fetch, salt, stops)
        except _MustBeSealed as found:
            draft = replace(draft, orders=_with_seal(draft.orders, found.order))


class _MustBeSealed(Exception):
    """The draft answers a secret question openly."""

    def __init__(self, order: Unsealed) -> None:
        super().__init__()
        self.order = order


def _with_seal(orders: Sequence[Plain], found: Unsealed) -> list[Plain]:
    """The orders with one of them to be sealed, if it is legal. Raises Refused."""
    try:
        found.read(orders[found.at])
    except Rejected as wrong:
        raise Refused(list(wrong.at(found.at).problems)) from None
    return [{"seal": o, "seat": found.seat} if i == found.at else o for i, o in enumerate(orders)]


def _compose(table: Table, secrets: Secrets, draft: Draft, fetch: Fetch, salt: Salt, stops: bool) -> Composed:
    after = table.fork()
    seq = table.last + 1
    document = _header(table, secrets, draft, seq)
    if draft.type == "seat":
        seats.check_link_shown(table, document)
    new = _seal_all(after, secrets, draft, document, seq, salt)
    knowledge = _knowledge(after, secrets, {**secrets.sealed, **new})
    show_link(after, secrets.player, document["link"], seq, document)
    hand = Hand(secrets.player, seq, [*document["orders"]], _Committing(after, knowledge, document), stops=stops)
    _play_open(after, document, hand, knowledge, fetch)
    _check_seats(after, draft, new)
    _complete(document, hand, after, knowledge)
    return Composed({k: v for k, v in document.items() if v not in ([], {}, None) or k == "prev"}, after, hand, new)


def _check_seats(table: Table, draft: Draft, new: Mapping[str, Any]) -> None:
    """What was sealed was sealed for the seat that was asked, else its owner could never open it. Raises Refused."""
    asked = {h.partition(":")[2]: h.partition(":")[0] for h in table.ledger.seals}
    sealed = [at for at, order in enumerate(draft.orders) if _is_to_be_sealed(order)]
    for at, handle in zip(sealed, new, strict=False):
        seat, _, place = handle.partition(":")
        if handle not in table.ledger.seals:
            reason = msg("sealed for {seat}, but {asked} is asked", seat=seat, asked=asked.get(place, "nobody"))
            raise Refused([Problem("cannot be read", reason, "protocol", msg("seat: the one that is asked"), at)])


def _is_to_be_sealed(order: Plain) -> bool:
    return isinstance(order, dict) and set(order) == {"seal", "seat"}


def spelled_out(table: Table, secrets: Secrets, draft: Draft) -> Draft:
    """The draft with the handles of own hidden items that its orders name, where the module spells them out."""
    if not table.game.hidden_hands:
        return draft
    knowledge = _knowledge(table, secrets, secrets.sealed)
    hands = [(seat, knowledge.hand(seat)) for seat in table.charter.seats_of(secrets.player)]

    def spelled(order: Plain) -> Plain:
        for seat, cards in hands:
            order = table.game.spelled_out(table.engine.state, seat, order, cards)
        return order

    return replace(
        draft,
        orders=[spelled(o) for o in draft.orders],
        standing={kind: spelled(clauses) for kind, clauses in draft.standing.items()},
        sealed_standing={kind: [spelled(c) for c in clauses] for kind, clauses in draft.sealed_standing.items()},
    )


def _header(table: Table, secrets: Secrets, draft: Draft, seq: int) -> dict[str, Any]:
    shown = table.ledger.chains[secrets.player].shown
    return {
        "pbem": table.charter.version,
        "type": draft.type,
        "game": table.charter.game_id,
        "seq": seq,
        "prev": table.ledger.entries[-1].id,
        "player": secrets.player,
        "link": secrets.link(shown + 1),
        "state": None,
        "dice": [],
        "orders": [],
        "standing": dict(draft.standing),
        "standing_sealed": {},
        "plan": [],
        "commit": [],
        "open": [],
        **draft.extra,
        "slips": [*draft.slips],
        "note": [*draft.note],
    }


def _seal_all(
    table: Table, secrets: Secrets, draft: Draft, document: dict[str, Any], seq: int, salt: Salt
) -> dict[str, dict[str, Any]]:
    """Replace `{seal: order}` in the orders by its seal, seal clauses and steps of the plan; handle -> {order, salt}."""
    key = key_bytes(table.ledger.keys[secrets.player])
    kept: dict[str, dict[str, Any]] = {}
    number = 0

    def seal(order: Plain, seat: str) -> str:
        nonlocal number
        fresh = salt(seq, number, order)
        kept[f"{seat}:seal{seq}:{number}"] = {"order": order, "salt": fresh.hex()}
        value = seals.seal(table.charter.game_id, key, seq, number, fresh, order)
        number += 1
        return value

    for order in draft.orders:
        if isinstance(order, dict) and _is_to_be_sealed(order):
            document["orders"].append({"sealed": seal(order["seal"], str(order["seat"]))})
        else:
            document["orders"].append(order)
    for kind in sorted(draft.sealed_standing):
        document["standing_sealed"][kind] = [
            {"seal": seal(clause, secrets.player), "scope": scope} if scope else seal(clause, secrets.player)
            for clause, scope in _eight(kind, draft.sealed_standing[kind], table.charter.version)
        ]
    for step in _judged_plan(table, secrets.player, draft.plan):
        document["plan"].append(_with_shut(step, lambda content: seal(content, secrets.player)))
    return kept


def _judged_plan(table: Table, player: str, plan: Sequence[Plain]) -> Sequence[Plain]:
    """A plan whose steps can be carried out, those that will be sealed too. Raises Refused."""
    try:
        plan = [phases.in_step(table.game, step) for step in plan]
        if plan:
            planned.check(table, player, [_bare(step) for step in plan], shut=False)
    except Rejected as wrong:
        raise Refused(list(wrong.problems)) from None
    return plan


def _bare(step: Plain) -> Plain:
    if not isinstance(step, dict) or not isinstance(step.get("sealed"), bool):
        return step
    return {key: value for key, value in step.items() if key != "sealed"}


def _with_shut(step: Plain, seal: Callable[[Plain], str]) -> Plain:
    """A step as it lies open, or, where it says or has to be `sealed`, of which question, seat and stretch alone are shown."""
    if not isinstance(step, dict) or not (planned.stays_shut(step) or step.get("sealed") is True):
        return _bare(step)
    shown = {key: value for key, value in step.items() if key in planned.SHOWN}
    hidden = {key: value for key, value in step.items() if key not in (*planned.SHOWN, "sealed")}
    do = hidden["do"]
    return {**shown, "sealed": seal(do[0] if planned.stays_shut(step) and isinstance(do, list) else hidden)}


def _eight(kind: str, clauses: Sequence[Plain], version: int) -> list[tuple[Plain, str]]:
    """Eight sealed clauses of one kind, unused ones null, each with the scope to be shown beside its seal, or "".

    Unused ones show the scope of the first when all do, so that questions of another scope open nothing at all.
    Raises Refused.
    """
    try:
        made = [_sealed_clause(kind, clause, version) for clause in clauses]
        if len(made) > SEALS_PER_KIND:
            raise unreadable(
                msg("{kind}: {number} sealed clauses", kind=kind, number=len(made)),
                msg("at most {most} of a kind", most=SEALS_PER_KIND),
            )
    except Rejected as wrong:
        raise Refused(list(wrong.problems)) from None
    shown = made[0][1] if made and all(scope for _, scope in made) else ""
    return [*made, *([(None, shown)] * (SEALS_PER_KIND - len(made)))]


def _sealed_clause(kind: str, plain: Plain, version: int) -> tuple[Plain, str]:
    """A clause as it is sealed (a bare answer has no condition), and its scope where `show: scope` tells it to all."""
    clause = dict(plain) if isinstance(plain, dict) and "do" in plain else {"do": plain}
    shown = clause.pop("show", None)
    read = read_clauses(kind, [clause])[0]
    if shown is None:
        return clause, ""
    if shown != "scope" or not read.scope or version < 2:
        raise unreadable(
            msg("{kind}: show {shown}", kind=kind, shown=quoted(shown)),
            msg("show: scope, beside a scope, in games of version 2 of the protocol"),
        )
    return clause, read.scope


def _knowledge(table: Table, secrets: Secrets, sealed: Mapping[str, Mapping[str, Any]]) -> Knowledge:
    return Knowledge(secrets.player, secrets.draw_secrets, sealed, table.ledger, table.charter.game_id)


def _play_open(table: Table, document: dict[str, Any], hand: Hand, knowledge: Knowledge, fetch: Fetch) -> None:
    table.ledger.entries.append(entry(document, ""))
    try:
        play(table, _Lenient(document, table, knowledge), hand, "", fetch)
    except Refused:
        if hand.unsealed is not None:
            raise _MustBeSealed(hand.unsealed) from None
        raise


class _Lenient(dict[str, Any]):
    """The document being written: asked for its commitments, it makes those that are owed at this moment."""

    def __init__(self, document: dict[str, Any], table: Table, knowledge: Knowledge) -> None:
        super().__init__(document)
        self._document, self._table, self._knowledge = document, table, knowledge

    def get(self, key: str, default: Any = None) -> Any:
        if key != "commit":
            return super().get(key, default)
        commit_all(self._document, self._table, self._knowledge)
        return self._document["commit"]


def commit_all(document: dict[str, Any], table: Table, knowledge: Knowledge) -> None:
    """Commitments to every draw of this player that has none yet; an umpire who shows his link cannot make them."""
    if "signed_by" in document:
        return
    listed = {c["draw"] for c in document["commit"]}
    for made in table.ledger.uncommitted(knowledge.player):
        if made.j not in listed:
            document["commit"].append({"draw": made.j, "items": knowledge.commitments(made)})


def _note_commit(table: Table, document: Mapping[str, Any], commit: Mapping[str, Any]) -> None:
    name = f"{document['player']} {commit['draw']}"
    table.ledger.commits[name], table.ledger.committed_in[name] = list(commit["items"]), int(document["seq"])


class _Committing:
    """A supply that commits to a draw before it opens one of its items. An umpire who shows a link has nothing to open."""

    def __init__(self, table: Table, knowledge: Knowledge, document: dict[str, Any]) -> None:
        self.table, self.knowledge, self.document = table, knowledge, document

    @property
    def reveal(self) -> Reveal:
        return self.knowledge.reveal

    def opening(self, handle: str) -> Plain | None:
        if "signed_by" in self.document:
            return None
        commit_all(self.document, self.table, self.knowledge)
        for commit in self.document["commit"]:
            _note_commit(self.table, self.document, commit)
        return self.knowledge.opening(handle)

    def claim(self, n: int, request: Any) -> Plain | None:
        return None if "signed_by" in self.document else self.knowledge.claim(n, request)


def _complete(document: dict[str, Any], hand: Hand, table: Table, knowledge: Knowledge) -> None:
    commit_all(document, table, knowledge)
    for commit in document["commit"]:
        _note_commit(table, document, commit)
    document["open"] = hand.openings
    document["dice"] = [record(r) for r in hand.turned]
    document["state"] = hand.state or table.engine.state_hash()
