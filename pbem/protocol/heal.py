"""Heal files: after a log has parted, all players go on from one of its versions (SPEC 9): shape, signing, what it leaves.

A heal has no link and no player. It holds every version whole; its place lies behind all of theirs, so that no place is ever
signed twice, and what lies between is void.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pbem.kernel.canon import Plain, canonical
from pbem.kernel.wording import Message, msg
from pbem.protocol import names, schema, sshsig, turnfile
from pbem.protocol.ids import document_id, signed_bytes, signed_part
from pbem.protocol.keys import Signer
from pbem.protocol.outcomes import Outcome, ProtocolError, unreadable
from pbem.protocol.strict_yaml import MAX_BYTES

Document = Mapping[str, Any]
TYPE, VOID = "heal", "void"
ALL, UMPIRE = "all", "umpire"  # who chooses, where it is no side
_REQUIRED: dict[str, schema.Check] = {
    "pbem": schema.one_of(2),
    "type": schema.one_of(TYPE),
    "game": schema.hex32,
    "seq": schema.number(2, 10**6),
    "prev": schema.hex32,
    "to": schema.number(0, 10**6),
    "versions": schema.list_of(schema.list_of(schema.map_of(schema.anything), 1000, 1), 100, 1),
    "forked": schema.record({"player": names.name, "seq": schema.number(1, 10**6)}),
    "chosen_by": schema.name,
}
_OPTIONAL: dict[str, schema.Check] = {
    "instead": schema.list_of(schema.hex32, 100, 1),
    "note": schema.list_of(schema.text(500), 50),
    "signatures": schema.map_of(schema.signature, names.name),
}
KEY_ORDER = (*_REQUIRED, *_OPTIONAL)


def shape() -> tuple[dict[str, schema.Check], dict[str, schema.Check]]:
    """The keys that a heal has, and those that it may have."""
    return _REQUIRED, _OPTIONAL


def read_heal(document: Mapping[str, Plain]) -> dict[str, Any]:
    """The document itself, judged by itself. Raises ProtocolError: unreadable, too large, foreign game, bad chain."""
    heal = schema.check(dict(document), _REQUIRED, _OPTIONAL, "heal")
    if len(canonical(heal)) > MAX_BYTES:
        raise ProtocolError(
            Outcome.TOO_LARGE,
            msg("a heal of more than {most} bytes: this fork has grown beyond healing", most=MAX_BYTES),
        )
    for file in files_of(heal):
        turnfile.read_turn(file)
        if file["game"] != heal["game"] or file["pbem"] != heal["pbem"]:
            raise ProtocolError(Outcome.FOREIGN_GAME, msg("file {seq} of a version belongs to another game", seq=file["seq"]))
    _check_versions(heal)
    return heal


def _check_versions(heal: Document) -> None:
    """Each version is a chain from the parting on; none is the beginning of another; the place is behind all of them."""
    first = heal["forked"]["seq"]
    wrong: Message | None = None
    chains = [[document_id(dict(file)) for file in version] for version in heal["versions"]]
    for version, ids in zip(heal["versions"], chains, strict=True):
        follows = [file["seq"] for file in version] == [*range(first, first + len(version))]
        if not follows or [file["prev"] for file in version[1:]] != ids[:-1]:
            wrong = msg("the files of a version do not follow one another from the parting on")
    inner = {name for ids in chains for name in ids[:-1]}
    last = [ids[-1] for ids in chains]
    if len({version[0]["prev"] for version in heal["versions"]}) > 1 or len(set(last)) < len(last) or inner & {*last}:
        wrong = wrong or msg("the versions do not begin behind one file, or one of them is the beginning of another")
    theirs = [version[0] for version in heal["versions"] if not fills(version[0], heal["forked"]["player"])]
    if len({ids[0] for ids in chains}) < 2 or theirs:
        wrong = wrong or msg("the versions do not part at the place that is named, or it is another player's")
    newest = max(first + len(version) - 1 for version in heal["versions"])
    if heal["seq"] != newest + 1:
        wrong = wrong or msg(
            "its place is {place}, behind every file of the versions, not {seq}", place=newest + 1, seq=heal["seq"]
        )
    if not wrong and not _names_its_version(heal):
        wrong = msg("`to` and `prev` name neither the newest file of a version nor the last file before the parting")
    if wrong:
        raise ProtocolError(Outcome.BAD_CHAIN, wrong)


def _names_its_version(heal: Document) -> bool:
    return (heal["to"], heal["prev"]) == parting(heal) or bool(kept(heal))


# -- two honest files -------------------------------------------------------------------------------------------------------


def fills(file: Document, player: str) -> bool:
    """A place of this player's: by his own file, the umpire's for him, or a `seat` file that gives his seat a new key."""
    return bool(file["player"] == player or (file["type"] == "seat" and file["seat"]["player"] == player))


def crossed(one: Document, two: Document) -> str:
    """The player whose own file one of two for one place is, while another has signed the other one for him; "" else.

    For him: the umpire's with the same link, or a `seat` file for his seat.
    """
    for own, other in ((one, two), (two, one)):
        player = str(own["player"])
        if own.get("signed_by") or not fills(other, player):
            continue
        if other["player"] != player or (other.get("signed_by") and other["link"] == own["link"]):
            return player
    return ""


# -- what it leaves -------------------------------------------------------------------------------------------------------


def parting(heal: Document) -> tuple[int, str]:
    """Place and id of the last file that all versions have."""
    return heal["forked"]["seq"] - 1, str(heal["versions"][0][0]["prev"])


def files_of(heal: Document) -> list[Document]:
    """Every file of the versions, each once, by place."""
    found = {document_id(dict(file)): file for version in heal["versions"] for file in version}
    return sorted(found.values(), key=lambda file: int(file["seq"]) if isinstance(file.get("seq"), int) else 0)


def kept(heal: Document) -> list[Document]:
    """The files behind the parting that stand: those of the version kept; none where all go back to the parting."""
    for version in heal["versions"]:
        if (heal["to"], heal["prev"]) == (version[-1]["seq"], document_id(dict(version[-1]))):
            return [*version]
    return []


def given_up(heal: Document) -> list[Document]:
    """The files of the versions that are void, by place."""
    ids = {document_id(dict(file)) for file in kept(heal)}
    return [file for file in files_of(heal) if document_id(dict(file)) not in ids]


def voids(heal: Document) -> list[dict[str, Any]]:
    """A placeholder for each place between the version kept and the heal."""
    return [{"type": VOID, "seq": seq} for seq in range(heal["to"] + 1, heal["seq"])]


def line(files: Sequence[Document], heal: Document) -> list[Document]:
    """A log (charter first) as the heal leaves it. Raises ProtocolError (waiting) where it lacks the parting."""
    place, before = parting(heal)
    if len(files) <= place or document_id(dict(files[place])) != before:
        raise ProtocolError(
            Outcome.WAITING, msg("the versions part behind a file {place} that this log does not hold", place=place)
        )
    return [*files[: place + 1], *kept(heal), *voids(heal), heal]


def is_place(document: Document) -> bool:
    """A heal or a void place: no file of a player."""
    return document.get("type") in (TYPE, VOID)


def newest_only(heals: Iterable[Document]) -> list[Document]:
    """These heals without those that another of them stands instead of."""
    found = [*heals]
    replaced = {name for heal in found for name in heal.get("instead") or []}
    return [heal for heal in found if document_id(dict(heal)) not in replaced]


# -- signatures -------------------------------------------------------------------------------------------------------------


def sign(heal: Document, player: str, private: Signer) -> dict[str, Any]:
    """The heal in reading order with one more signature."""
    return _with(heal, player, sshsig.sign(private, signed_bytes(dict(heal))))


def sign_for(heal: Document, silent: str, umpire: Signer) -> dict[str, Any]:
    """The heal with the umpire's signature for a player who is silent, which says whom it is for."""
    return _with(heal, silent, sshsig.sign(umpire, _bytes_for(heal, silent)))


def _bytes_for(heal: Document, silent: str) -> bytes:
    return canonical({**signed_part(dict(heal)), "silent": silent})


def _with(heal: Document, player: str, made: str) -> dict[str, Any]:
    ordered = {key: heal[key] for key in KEY_ORDER if key in heal}  # the last key are the signatures
    return {**ordered, "signatures": {**(heal.get("signatures") or {}), player: made}}


def signer_of(heal: Document, player: str, key: str, umpire_key: str = "") -> str:
    """Whose key made the signature under a player's name: his, or "umpire". Raises ProtocolError (bad signature)."""
    made = str(heal["signatures"][player])
    try:
        sshsig.verify(key, signed_bytes(dict(heal)), made)
    except ProtocolError:
        if not umpire_key:
            raise
        sshsig.verify(umpire_key, _bytes_for(heal, player), made)
        return UMPIRE
    return player


def merged(one: Document, other: Document) -> dict[str, Any]:
    """The same heal with the signatures of both copies; where they differ those of the first. Raises ProtocolError."""
    if document_id(dict(one)) != document_id(dict(other)):
        raise unreadable(msg("these are two different heals"))
    return {**one, "signatures": {**(other.get("signatures") or {}), **(one.get("signatures") or {})}}
