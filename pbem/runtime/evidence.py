"""What a dispute brings, sorted: one game's charter, its files by what they follow, its slips, and what counts for nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct, field

from pbem.kernel.canon import Plain, canonical
from pbem.kernel.wording import Message, english, linked, msg
from pbem.protocol import charter, heal, sshsig, turnfile
from pbem.protocol.charter import Charter
from pbem.protocol.ids import document_id, signed_bytes
from pbem.protocol.outcomes import Outcome, ProtocolError

Document = Mapping[str, Any]
HEALED = 1 << 20  # a heal stands behind a file as more files than any log has: all have signed it
Item = tuple[str, Document | ProtocolError]  # where it stands, and which document or why there is none


class Piece(Struct, frozen=True):
    """A document with its id and where it stands."""

    where: str
    document: Document
    id: str

    @property
    def seq(self) -> int:
        """Its place in the log; only of files."""
        return int(self.document["seq"])

    @property
    def signer(self) -> str:
        """Whose key signs it; a heal is signed by all."""
        return str(self.document.get("signed_by") or self.document.get("player") or "")

    @property
    def place(self) -> tuple[str, int, str, str]:
        """Where one key may sign one file only: what it follows, its seq, its player, who signs for him."""
        file = self.document
        return str(file["prev"]), self.seq, str(file["player"]), str(file.get("signed_by") or "")


class Remark(Struct, frozen=True):
    """A document that is named and changes nothing: where, the outcome word for it, and why."""

    where: str
    outcome: Outcome
    reason: Message


class Evidence(Struct):
    """The documents of one game. Every file in `files` is signed by a key of the player whom it names."""

    charter: Charter
    files: dict[str, Piece] = field(default_factory=dict)  # by id
    heals: dict[str, Piece] = field(default_factory=dict)  # by id; those that are signed by all
    behind: dict[str, list[Piece]] = field(default_factory=dict)  # the files and heals that follow a document, by its id
    depth: dict[str, int] = field(default_factory=dict)  # how long the longest line of files is that begins with one
    keys: dict[str, list[str]] = field(default_factory=dict)  # every key that a player has had, by his name
    slips: list[Piece] = field(default_factory=list)
    strange: dict[str, Remark] = field(default_factory=dict)  # documents of kinds that this program does not know, by id
    unreadable: list[Remark] = field(default_factory=list)
    aside: list[Remark] = field(default_factory=list)
    unsigned: dict[tuple[str, int], tuple[Piece, Remark]] = field(default_factory=dict)  # files that nobody here has signed
    foreign: dict[str, int] = field(default_factory=dict)  # other games' ids -> how many documents

    @property
    def known(self) -> set[str]:
        """The ids of all that is here and can be followed."""
        return {self.charter.game_id, *self.files, *self.heals, *self.strange}


class NoGame(Exception):
    """The documents are not those of one game that can be judged."""

    def __init__(self, outcome: Outcome, reason: Message) -> None:
        super().__init__(english(reason))
        self.outcome, self.reason = outcome, reason


def sort(items: Sequence[Item]) -> Evidence:
    """All documents in their places, each judged alone. Raises NoGame when there is not exactly one charter among them."""
    pieces, unreadable = _pieces(items)
    found = Evidence(_only_charter(pieces, unreadable), unreadable=unreadable)
    found.keys = {p.name: [p.key] for p in found.charter.all_players}
    for piece in sorted(pieces, key=_by_place):  # a new key is known before the files that it signs
        _sort_one(found, piece)
    _drop_replaced_heals(found)
    for file in sorted([*found.files.values(), *found.heals.values()], key=lambda p: -p.seq):
        deepest = max((found.depth[p.id] for p in found.behind.get(file.id, ())), default=0)
        found.depth[file.id] = deepest + (HEALED if file.id in found.heals else 1)
        found.behind.setdefault(str(file.document["prev"]), []).append(file)
    _out_of_place(found)
    return found


def _drop_replaced_heals(found: Evidence) -> None:
    kept = {document_id(dict(d)) for d in heal.newest_only([p.document for p in found.heals.values()])}
    found.heals = {name: piece for name, piece in found.heals.items() if name in kept}


def _out_of_place(found: Evidence) -> None:
    """A file whose number is not the next one behind the file that it follows; a heal's is farther on."""
    places = {found.charter.game_id: 0, **{name: p.seq for name, p in (*found.files.items(), *found.heals.items())}}
    for name, files in found.behind.items():
        wrong = [f for f in files if name in places and f.id in found.files and f.seq != places[name] + 1]
        for file in wrong:
            reason = msg("file {seq} of {player} follows file {before}", seq=file.seq, player=file.signer, before=places[name])
            found.aside.append(Remark(file.where, Outcome.BAD_CHAIN, reason))


def scenarios(items: Sequence[Item]) -> list[Plain]:
    """The players' own scenarios that the documents bring."""
    return [d.get("scenario") for _, d in items if isinstance(d, Mapping) and d.get("type") == "scenario"]


def _pieces(items: Sequence[Item]) -> tuple[list[Piece], list[Remark]]:
    """Every document once, those within proofs of two files too; and what is none."""
    found: dict[bytes, Piece] = {}
    unreadable: list[Remark] = []
    for where, item in items:
        if isinstance(item, ProtocolError):
            unreadable.append(Remark(where, item.outcome, item.told))
            continue
        for document in _with_inner(item):
            found.setdefault(canonical(dict(document)), Piece(where, document, document_id(dict(document))))
    return list(found.values()), unreadable


def _with_inner(document: Document) -> Iterator[Document]:
    """A document and the files that it holds whole: it is a proof of two files, takes such slips into the log, or heals."""
    if document.get("type") != "equivocation":
        yield document
    proofs = [d for d in (document, *_mappings(document.get("slips"))) if "equivocation" in (d.get("type"), d.get("slip"))]
    lists = [proof.get("files") for proof in proofs]
    if document.get("type") == heal.TYPE and isinstance(document.get("versions"), list):
        lists += document["versions"]
    for file in (f for held in lists for f in _mappings(held)):
        yield from _with_inner(file)


def _mappings(value: Any) -> list[Document]:
    return [v for v in value if isinstance(v, Mapping)] if isinstance(value, list) else []


def _only_charter(pieces: Sequence[Piece], unreadable: Sequence[Remark]) -> Charter:
    """The charter that all have signed. Raises NoGame: there is none, or there are several."""
    found: dict[str, Charter] = {}
    wrong: list[NoGame] = []
    for piece in pieces:
        if piece.document.get("type") == "charter":
            try:
                found[piece.id] = charter.verify(piece.document)
            except ProtocolError as error:
                wrong.append(_no_charter(piece, error))
    if len(found) == 1:
        return next(iter(found.values()))
    if found:
        raise NoGame(Outcome.FOREIGN_GAME, _two_games(list(found.values())))
    if wrong:
        raise wrong[0]
    if unreadable:
        raise NoGame(unreadable[0].outcome, linked(": ", unreadable[0].where, unreadable[0].reason))
    raise NoGame(Outcome.FOREIGN_GAME, msg("there is no charter in it") if pieces else msg("nothing of pbem is in it"))


def _no_charter(piece: Piece, error: ProtocolError) -> NoGame:
    version = piece.document.get("pbem")
    if isinstance(version, int) and version > charter.VERSIONS[-1]:
        reason = msg(
            "the game is of protocol version {version}; this program knows {known}: update pbem",
            version=version,
            known=charter.VERSIONS[-1],
        )
        return NoGame(Outcome.DIVERGED, reason)
    if _is_draft(piece.document):
        return NoGame(
            Outcome.FOREIGN_GAME, msg("the charter ({where}) is a draft: {error}", where=piece.where, error=error.told)
        )
    return NoGame(error.outcome, msg("the charter ({where}): {error}", where=piece.where, error=error.told))


def _is_draft(document: Document) -> bool:
    """A charter that can be read and that somebody has still to join or sign."""
    try:
        return not charter.read_charter(document).is_complete
    except ProtocolError:
        return False


def _two_games(found: Sequence[Charter]) -> Message:
    names = ", ".join(c.game_id[:16] for c in found)
    twice = sorted({p.name for c in found for p in c.all_players if sum(p.chain in _tips(other) for other in found) > 1})
    told = msg("documents of {number} games: {names}; each is judged alone", number=len(found), names=names)
    if not twice:
        return told
    return linked(
        "; ",
        told,
        msg(
            "{players} signed two charters with one chain, so that links of one game are known in the other",
            players=", ".join(twice),
        ),
    )


def _tips(read: Charter) -> set[str]:
    return {p.chain for p in read.all_players}


def _by_place(piece: Piece) -> int:
    seq = piece.document.get("seq")
    return seq if isinstance(seq, int) else 0


# -- one document -------------------------------------------------------------------------------------------------------


def _sort_one(found: Evidence, piece: Piece) -> None:
    """Into its place."""
    kind, game = piece.document.get("type"), piece.document.get("game")
    if kind in ("charter", "scenario"):
        if kind == "charter" and piece.id != found.charter.game_id:
            found.aside.append(
                Remark(piece.where, Outcome.FOREIGN_GAME, msg("another charter, which not everybody has signed"))
            )
        return
    if not isinstance(kind, str) or not isinstance(game, str):
        found.unreadable.append(Remark(piece.where, Outcome.UNREADABLE, msg("it does not say what it is and of which game")))
    elif game != found.charter.game_id:
        found.foreign[game] = found.foreign.get(game, 0) + 1
    elif kind == "slip":
        found.slips.append(piece)
    elif kind in turnfile.TYPES:
        _sort_file(found, piece)
    elif kind == heal.TYPE:
        _sort_heal(found, piece)
    else:
        reason = msg("a document of kind {kind!r}, which this program does not know", kind=kind[:40])
        found.strange[piece.id] = Remark(piece.where, Outcome.UNREADABLE, reason)


def _sort_file(found: Evidence, piece: Piece) -> None:
    """A file that a key of its signer signed, as far as keys are known here; a `seat` file adds one."""
    try:
        turnfile.read_turn(piece.document)
    except ProtocolError as error:
        found.unreadable.append(Remark(piece.where, error.outcome, error.told))
        return
    fault, keys = _unsigned(piece, found.keys), found.keys
    if fault is not None:
        found.aside.append(fault)
        found.unsigned.setdefault((str(piece.document["prev"]), piece.seq), (piece, fault))
    elif piece.id not in found.files:
        found.files[piece.id] = piece
        if piece.document["type"] == "seat" and piece.document["seat"]["player"] in keys:
            keys[piece.document["seat"]["player"]].append(piece.document["seat"]["key"])


def _unsigned(piece: Piece, keys: Mapping[str, Sequence[str]]) -> Remark | None:
    """Why a file is nobody's word; None where a key of its signer signed it."""
    named: dict[str, int | str] = {"seq": piece.seq, "player": str(piece.document["player"])}
    for player in (piece.signer, str(piece.document["player"])):
        if player not in keys:
            return Remark(
                piece.where,
                Outcome.WRONG_KEY,
                msg("file {seq} of {player}: {who} does not play in this game", **named, who=player),
            )
    if any(is_signed(piece.document, key) for key in keys[piece.signer]):
        return None
    return Remark(
        piece.where,
        Outcome.BAD_SIGNATURE,
        msg("file {seq} of {player} is not signed by {who}: anybody can have written it", **named, who=piece.signer),
    )


def _sort_heal(found: Evidence, piece: Piece) -> None:
    """A heal that everybody has signed who plays on; another one binds nobody."""
    try:
        heal.read_heal(piece.document)
    except ProtocolError as error:
        found.unreadable.append(Remark(piece.where, error.outcome, msg("a heal: {error}", error=error.told)))
        return
    umpire = piece.document["chosen_by"] == heal.UMPIRE
    left = _resigned(found)
    wanted = [found.charter.umpire_name] if umpire else [p.name for p in found.charter.all_players if p.name not in left]
    missing = [player for player in wanted if not _has_signed(found, piece.document, player)]
    if not missing:
        found.heals[piece.id] = piece
        return
    reason = msg("the heal at place {seq} is not signed by {missing}", seq=piece.seq, missing=", ".join(missing))
    found.aside.append(Remark(piece.where, Outcome.WAITING, reason))


def _resigned(found: Evidence) -> set[str]:
    """Who has resigned with a slip, alone or in a file."""
    slips = [p.document for p in found.slips] + [s for p in found.files.values() for s in p.document.get("slips") or []]
    names = ((s, str(s.get("player"))) for s in slips if s.get("slip") == "resignation")
    return {name for slip, name in names if any(is_signed(slip, key) for key in found.keys.get(name, ()))}


def _has_signed(found: Evidence, document: Document, player: str) -> bool:
    """Whether a signature of a heal is the player's, or the umpire's for him."""
    if player not in (document.get("signatures") or {}):
        return False
    for key in found.keys.get(player, ()):
        for umpire in found.keys.get(found.charter.umpire_name, [""]):
            try:
                heal.signer_of(document, player, key, umpire)
            except ProtocolError:
                continue
            return True
    return False


def is_signed(document: Document, key: str) -> bool:
    """Whether this key signed the document; a text that is no key signed nothing."""
    try:
        sshsig.verify(key, signed_bytes(dict(document)), str(document.get("signature")))
    except ProtocolError:
        return False
    return True
