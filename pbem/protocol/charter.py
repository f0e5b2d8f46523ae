"""The charter, file 0: what is played, by whom, with which keys and commitments; signed by all players."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from pbem.kernel.canon import Plain
from pbem.kernel.wording import msg
from pbem.protocol import deadlines, names, pace, schema, sshsig
from pbem.protocol.deadlines import Overdue
from pbem.protocol.ids import document_id, signed_bytes
from pbem.protocol.keys import Signer, key_bytes
from pbem.protocol.outcomes import Outcome, ProtocolError, unreadable
from pbem.protocol.pace import Pace

CHAIN_LENGTH = 4096
VERSIONS = (1, 2)  # of the protocol; a new game is played under the last


class Seat(Struct, frozen=True):
    """A role that gives orders, who holds it (empty in a draft), and its side."""

    name: str
    player: str
    side: str


class Player(Struct, frozen=True):
    """A player's public key, chain tip and length, and draw root."""

    name: str
    key: str
    chain: str
    chain_length: int
    draws: str


class Charter(Struct, frozen=True):
    """A charter that was read and judged. `game_id` is its id; drafts have one too, until the text changes."""

    document: dict[str, Any]
    game_id: str
    system: str
    rules: str
    rules_version: int
    nonce: str
    scenario: str
    scenario_hash: str
    options: Mapping[str, Plain]
    seats: tuple[Seat, ...]
    all_players: tuple[Player, ...]  # the umpire included
    umpire_name: str
    umpire_role: str
    answers: Mapping[str, str]  # side -> the player who answers its reactions
    escrow_key: str  # X25519 public key of an umpire who holds the escrow, hex
    lost_keys: str  # who may replace a lost key: "umpire", "others", or "" for nobody
    version: int = 1  # of the protocol: what every file and slip of the game says under `pbem`
    overdue: Overdue | None = None  # how long a player may take, and what follows
    pace: Pace | None = None  # the times of the day at which files with decisions leave

    @property
    def players_in_order(self) -> list[str]:
        """The players in the order of their first seats."""
        return list(dict.fromkeys(s.player for s in self.seats if s.player))

    def in_order(self, seats: Mapping[str, str]) -> Charter:
        """The same charter with its seats in the order of the module's (seat -> side): keys of a document have no order.

        Raises ProtocolError (unreadable) when seats or sides are not the module's.
        """
        held = {s.name: s for s in self.seats}
        if {s.name: s.side for s in self.seats} != dict(seats):
            raise unreadable(
                msg("the seats and sides are not those of {system}: {seats}", system=self.system, seats=", ".join(seats))
            )
        return replace(self, seats=tuple(held[name] for name in seats))

    def player(self, name: str) -> Player:
        """A player by name. Raises KeyError."""
        return {p.name: p for p in self.all_players}[name]

    def player_of(self, seat: str) -> str:
        """Who holds a seat."""
        return next(s.player for s in self.seats if s.name == seat)

    def seats_of(self, player: str) -> list[str]:
        """The seats a player holds."""
        return [s.name for s in self.seats if s.player == player]

    def side_of(self, player: str) -> str:
        """A player's side; an umpire is on the side `umpire`."""
        return next((s.side for s in self.seats if s.player == player), "umpire")

    @property
    def allows_hints(self) -> bool:
        """The players have not agreed to do without hints of the program."""
        return self.document.get("hints") != FORBIDDEN

    @property
    def is_complete(self) -> bool:
        """Every seat is held and everybody has signed."""
        signed = self.document.get("signatures", {})
        return all(s.player for s in self.seats) and all(p.name in signed for p in self.all_players)


FORBIDDEN = "forbidden"  # what a charter says of hints; it says nothing where they are allowed
_PLAYER = {
    "key": schema.text(120),
    "chain": schema.hex32,
    "chain_length": schema.number(64, 65536),
    "draws": schema.hex32,
}
_REQUIRED: dict[str, schema.Check] = {
    "pbem": schema.one_of(*VERSIONS),
    "type": schema.one_of("charter"),
    "system": schema.text(64),
    "rules": schema.text(64),
    "rules_version": schema.number(1, 10**6),
    "nonce": schema.hex32,
    "scenario": schema.record({"name": schema.text(64), "hash": schema.hex32}),
    "options": schema.map_of(schema.anything),
    "seats": schema.map_of(schema.record({"player": schema.maybe(names.name), "side": schema.name}), schema.name),
    "players": schema.map_of(schema.record(_PLAYER), names.name),
}
_OPTIONAL: dict[str, schema.Check] = {
    "umpire": schema.maybe(
        schema.record({"player": names.name, "role": schema.one_of("witness", "escrow")}, {"escrow_key": schema.hex32})
    ),
    "answers": schema.map_of(names.name, schema.name),
    "escrow": schema.map_of(schema.sealed_secret, names.name),
    "hints": schema.one_of(FORBIDDEN),
    "lost_keys": schema.maybe(schema.one_of("umpire", "others")),
    "note": schema.list_of(schema.text(500), 50),
    "signatures": schema.map_of(schema.signature, names.name),
}
_LATER: dict[int, dict[str, schema.Check]] = {  # by version of the protocol
    1: {"deadline": schema.maybe(schema.text(32))},
    2: {"overdue": schema.maybe(deadlines.SHAPE), "pace": schema.maybe(pace.SHAPE)},
}


def shape(version: int) -> tuple[dict[str, schema.Check], dict[str, schema.Check]]:
    """The keys that a charter has, and those that it may have."""
    return _REQUIRED, {**_OPTIONAL, **_LATER[version]}


def new_draft(
    system: str,
    rules: str,
    rules_version: int,
    nonce: str,
    scenario: Mapping[str, str],
    options: Mapping[str, Plain],
    seats: Mapping[str, str],
    deadline: str | None = None,
    version: int = VERSIONS[-1],
    overdue: Mapping[str, Plain] | None = None,
) -> dict[str, Any]:
    """A draft with empty seats: `seats` is seat -> side in the module's order, `scenario` is {name, hash}.

    `version`: of the protocol; under 1 a charter has a `deadline`, which is text, from 2 on `overdue` {after, grace, then}.
    """
    late: dict[str, Plain] = {"deadline": deadline} if version == 1 else {"overdue": dict(overdue) if overdue else None}
    return {
        "pbem": version,
        "type": "charter",
        "system": system,
        "rules": rules,
        "rules_version": rules_version,
        "nonce": nonce,
        "scenario": dict(scenario),
        "options": dict(options),
        "seats": {seat: {"player": None, "side": side} for seat, side in seats.items()},
        "players": {},
        "umpire": None,
        **late,
        "signatures": {},
    }


def appoint(draft: Mapping[str, Any], player: Player, role: str, escrow_key: str = "") -> dict[str, Any]:
    """The draft with an umpire, `witness` or `escrow`; before anybody joins. Raises ProtocolError."""
    if draft["players"]:
        raise unreadable(msg("the umpire is appointed before the players join: they encrypt to his key or rely on his link"))
    umpire = {"player": player.name, "role": role, **({"escrow_key": escrow_key} if escrow_key else {})}
    return _with_player({**draft, "umpire": umpire, "escrow": {}} if escrow_key else {**draft, "umpire": umpire}, player)


def _with_player(draft: Mapping[str, Any], player: Player) -> dict[str, Any]:
    keys = {"key": player.key, "chain": player.chain, "chain_length": player.chain_length, "draws": player.draws}
    joined = {**draft, "players": {**draft["players"], player.name: keys}, "signatures": {}}
    read_charter(joined)
    return joined


def join(draft: Mapping[str, Any], player: Player, seats: list[str], escrow: str = "") -> dict[str, Any]:
    """The draft with a player in these seats. Raises ProtocolError when a seat is taken or unknown, or a side is mixed.

    `escrow`: his chain secret, encrypted to an umpire who holds the escrow.
    """
    charter = read_charter(draft)
    held = {s.name: s for s in charter.seats}
    for seat in seats:
        if seat not in held:
            raise unreadable(msg("there is no seat {seat!r}; seats are {held}", seat=seat, held=", ".join(held)))
        if held[seat].player not in ("", player.name):
            raise unreadable(msg("{seat} is held by {player} already", seat=seat, player=held[seat].player))
    joined = dict(draft)
    joined["seats"] = {
        s.name: {"player": player.name if s.name in seats else s.player or None, "side": s.side} for s in charter.seats
    }
    if escrow:
        joined["escrow"] = {**draft.get("escrow", {}), player.name: escrow}
    return _with_player(joined, player)


def answer_for_side(draft: Mapping[str, Any], player: str) -> dict[str, Any]:
    """The draft with this player, who has joined, as the one who answers his side's reactions. Raises ProtocolError."""
    charter = read_charter(draft)
    named = {**draft, "answers": {**draft.get("answers", {}), charter.side_of(player): player}, "signatures": {}}
    read_charter(named)
    return named


def sign(document: Mapping[str, Any], player: str, private: Signer) -> dict[str, Any]:
    """The charter with one more signature. Raises ProtocolError when a seat is still free or the player is not in it."""
    charter = read_charter(document)
    _check_all_joined(charter)
    charter.player(player)
    others = [p.name for p in charter.all_players if p.name not in (*document.get("signatures", {}), player)]
    if charter.umpire_role == "escrow" and player == charter.umpire_name and others:
        raise ProtocolError(Outcome.WAITING, msg("the umpire signs last: {others} to go", others=", ".join(others)))
    made = sshsig.sign(private, signed_bytes(document))
    sshsig.verify(charter.player(player).key, signed_bytes(document), made)
    return {**document, "signatures": {**document.get("signatures", {}), player: made}}


def verify(document: Mapping[str, Any]) -> Charter:
    """A complete charter, all signatures checked. Raises ProtocolError."""
    charter = read_charter(document)
    _check_all_joined(charter)
    signed = document.get("signatures", {})
    strangers = sorted(set(signed) - {p.name for p in charter.all_players})
    if strangers:
        raise ProtocolError(Outcome.BAD_SIGNATURE, msg("{strangers} has signed and does not play", strangers=strangers[0]))
    for player in charter.all_players:
        if player.name not in signed:
            raise ProtocolError(Outcome.BAD_SIGNATURE, msg("{name} has not signed the charter", name=player.name))
        sshsig.verify(player.key, signed_bytes(document), signed[player.name])
    return charter


def _check_all_joined(charter: Charter) -> None:
    free = [s.name for s in charter.seats if not s.player]
    if free:
        raise ProtocolError(Outcome.WAITING, msg("nobody has joined as {free} yet", free=", ".join(free)))
    for side, name in charter.answers.items():
        if not charter.seats_of(name) or charter.side_of(name) != side:
            raise unreadable(msg("{name} cannot answer the reactions of {side}: he holds no seat of it", name=name, side=side))
    if (charter.umpire_role == "escrow") != bool(charter.escrow_key):
        raise unreadable(msg("an umpire who holds the escrow has an escrow_key, another one has none"))
    if charter.lost_keys == "umpire" and not charter.umpire_name:
        raise unreadable(msg("lost_keys says umpire, but there is none: he joins before the players (`pbem umpire join`)"))
    if charter.overdue is not None and charter.overdue.then == "stand-in" and charter.umpire_role != "escrow":
        raise unreadable(msg("overdue says stand-in: that needs an umpire who holds the escrow"))


def read_charter(document: Mapping[str, Any]) -> Charter:
    """A charter or draft judged for shape and fairness. Raises ProtocolError."""
    required, optional = shape(1 if document.get("pbem") == 1 else 2)
    doc = schema.check(dict(document), required, optional, "charter")
    seats = tuple(Seat(n, s["player"] or "", s["side"]) for n, s in doc["seats"].items())
    players = tuple(Player(n, **p) for n, p in doc["players"].items())
    umpire = doc.get("umpire") or {}
    charter = Charter(
        dict(document),
        document_id(doc),
        doc["system"],
        doc["rules"],
        doc["rules_version"],
        doc["nonce"],
        doc["scenario"]["name"],
        doc["scenario"]["hash"],
        doc["options"],
        seats,
        players,
        umpire.get("player", ""),
        umpire.get("role", ""),
        doc.get("answers", {}),
        umpire.get("escrow_key", ""),
        doc.get("lost_keys") or "",
        doc["pbem"],
        Overdue.read(doc.get("overdue")),
        Pace.read(doc.get("pace")),
    )
    _check_names(charter)
    _check_fair(charter)
    return charter


def _check_names(charter: Charter) -> None:
    """No two names look alike, and under version 1 of the protocol they are plain."""
    document = charter.document
    held = [*document["players"], *document.get("signatures", {}), *charter.answers.values()]
    names.check_old(charter.version, [*held, *document.get("escrow", {}), *(s.player for s in charter.seats if s.player)])
    names.check_old(charter.version, [charter.umpire_name] if charter.umpire_name else [])
    if charter.version > 1:
        names.check_different(p.name for p in charter.all_players)


def _check_fair(charter: Charter) -> None:
    sides = sorted({s.side for s in charter.seats})
    if len(sides) != 2:
        raise unreadable(msg("there are exactly two sides, not {number}", number=len(sides)))
    names = {p.name for p in charter.all_players}
    if charter.umpire_name and charter.umpire_name not in names:
        raise unreadable(msg("the umpire {umpire} has no key here", umpire=charter.umpire_name))
    for seat in charter.seats:
        if seat.player and seat.player not in names:
            raise unreadable(msg("{name} is held by {player}, who has no key here", name=seat.name, player=seat.player))
    for player in charter.all_players:
        key_bytes(player.key)
        held = {s.side for s in charter.seats if s.player == player.name}
        if len(held) > 1:
            raise unreadable(msg("{name} holds seats of both sides", name=player.name))
        if not held and player.name != charter.umpire_name:
            raise unreadable(msg("{name} holds no seat", name=player.name))
    _check_different(charter)
    _check_umpire(charter)
    _check_pace(charter)


def _check_pace(charter: Charter) -> None:
    """Who waits for a slot is not overdue by that alone."""
    if charter.pace and charter.overdue and charter.pace.longest > 60 * charter.overdue.after:
        raise unreadable(msg("a wait from one slot of `pace` to the next is longer than the deadline"))


def _check_umpire(charter: Charter) -> None:
    umpire = charter.document.get("umpire") or {}
    if umpire and charter.seats_of(charter.umpire_name):
        raise unreadable(msg("the umpire {umpire} holds no seat", umpire=charter.umpire_name))
    escrow = charter.document.get("escrow") or {}
    players = {p.name for p in charter.all_players} - {charter.umpire_name}
    if set(escrow) != (players if charter.umpire_role == "escrow" else set()):
        raise unreadable(msg("every player gives an escrow to an umpire who holds one, else nobody does"))


def _check_different(charter: Charter) -> None:
    for what in ("key", "chain", "draws"):
        values = [getattr(p, what) for p in charter.all_players]
        if len(set(values)) != len(values):
            raise unreadable(msg("two players have the same {what}: one of them has copied the other's", what=what))
