"""What everybody has to be told of a log beside the game: proved forks that are not healed, files signed on one's own word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from pbem.kernel.wording import Message, linked, msg
from pbem.protocol import heal
from pbem.protocol.ids import document_id
from pbem.runtime.contents import Document
from pbem.runtime.ledger import Ledger


class Fork(Struct, frozen=True):
    """A proved one: whose, at which place, the two ids, and which of them the log goes on with ("" for none)."""

    player: str
    seq: int
    ids: tuple[str, str]
    followed: str

    @property
    def told(self) -> Message:
        """It in a sentence."""
        one, two = (name[:12] for name in self.ids)
        what = msg(
            "{player} has signed two different files {seq} ({one} and {two})",
            player=self.player,
            seq=self.seq,
            one=one,
            two=two,
        )
        return linked("; ", what, msg("the log goes on with {id}", id=self.followed[:12])) if self.followed else what


class OwnWord(Struct, frozen=True):
    """A player who signed again after a loss without the answers of the others: from which file on, and why."""

    player: str
    seq: int
    word: str

    @property
    def told(self) -> Message:
        """It in a sentence."""
        return msg(
            "{player} signed file {seq} after a loss on his own word: {word}", player=self.player, seq=self.seq, word=self.word
        )


class Healed(Struct, frozen=True):
    """A heal: whose file existed twice and where, its own place, from which file all go on, how many files are void."""

    player: str
    seq: int
    place: int
    to: int
    kept: str
    void: int
    signers: tuple[str, ...]

    @classmethod
    def of(cls, document: Document) -> Healed:
        """What is told of a heal."""
        player, seq = str(document["forked"]["player"]), int(document["forked"]["seq"])
        place, to, kept = int(document["seq"]), int(document["to"]), str(document["prev"])
        return cls(player, seq, place, to, kept, len(heal.given_up(document)), tuple(sorted(document["signatures"])))

    @property
    def told(self) -> Message:
        """It in a sentence."""
        return msg(
            "Healed at place {place}: file {seq} of {player} existed twice; all go on from file {to} ({kept}), "
            "{void} files are void",
            place=self.place,
            seq=self.seq,
            player=self.player,
            to=self.to,
            kept=self.kept[:12],
            void=self.void,
        )


def proved(files: Sequence[Document], slips: Sequence[Document]) -> list[Fork]:
    """The forks that are proved in a log or beside it, by place; healed ones are left out.

    `files`: the charter and the files by place; `slips`: those beside the log. All have been judged before.
    """
    found: dict[tuple[int, str], Fork] = {}
    for slip in _of_kind("equivocation", files, slips):
        first, second = slip["files"]
        seq, signer = int(first["seq"]), str(first.get("signed_by") or first["player"])
        one, two = sorted((document_id(first), document_id(second)))
        here = document_id(dict(files[seq])) if seq < len(files) else ""
        found[seq, signer] = Fork(signer, seq, (one, two), here if here in (one, two) else "")
    heals = [d for d in files if d["type"] == heal.TYPE]
    open_ = [key for key in sorted(found) if not any(d["forked"]["seq"] <= key[0] < d["seq"] for d in heals)]
    return [found[key] for key in open_]


def healed(files: Sequence[Document]) -> list[Healed]:
    """The heals of a log, by place."""
    return [Healed.of(d) for d in files if d["type"] == heal.TYPE]


def own_words(files: Sequence[Document]) -> list[OwnWord]:
    """The files of a log that stand on their author's own word."""
    return [
        OwnWord(str(document["player"]), int(document["seq"]), str(slip["word"]))
        for document in files
        for slip in document.get("slips") or []
        if slip.get("slip") == "restored" and "word" in slip and slip["player"] == document["player"]
    ]


def other_links(ledger: Ledger) -> list[Message]:
    """Dice that were turned by the umpire's `seat` file and not by the link of the player who owed it, by place."""
    return [
        msg(
            "Mind: the dice of file {source} were turned by another link than the one owed. {player} owed it; in its place "
            "stands file {seq}, by which {by} gives his seat to a new key.",
            source=other.source,
            player=other.player,
            seq=other.seq,
            by=other.by,
        )
        for other in ledger.other_links
        if ledger.turned(other.source)
    ]


def _of_kind(kind: str, files: Sequence[Document], slips: Sequence[Document]) -> Iterator[Document]:
    for slip in (*slips, *(s for d in files for s in d.get("slips") or [])):
        if slip.get("slip") == kind:
            yield slip
