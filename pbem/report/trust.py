"""What stands against a player of a game, in the words of a report."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.kernel.wording import Message, msg
from pbem.runtime.contents import Document
from pbem.runtime.ledger import Ledger
from pbem.runtime.trust import Healed, other_links, own_words, proved


def told(files: Sequence[Document], slips: Sequence[Document], ledger: Ledger) -> tuple[Message, ...]:
    """Proved forks that are not healed, files signed on one's own word after a loss, dice turned by another link.

    `ledger`: that of the newest file.
    """
    forks = (
        msg(
            "Proved: {player} has signed two different files {seq} ({one} and {two}).",
            player=fork.player,
            seq=fork.seq,
            one=fork.ids[0][:12],
            two=fork.ids[1][:12],
        )
        for fork in proved(files, slips)
    )
    words = (
        msg(
            "{player} lost data and signed file {seq} on his own word: {word}",
            player=own.player,
            seq=own.seq,
            word=own.word,
        )
        for own in own_words(files)
    )
    return (*forks, *words, *other_links(ledger))


def healed(document: Document) -> Message:
    """One paragraph on a heal."""
    one = Healed.of(document)
    return msg(
        "Healed at place {place}: file {seq} of {player} existed twice. By the signatures of {signers} the game goes on "
        "from file {to} ({kept}). The files of the other versions, {void} in number, are void: what they decided counts "
        "for nothing, and no dice are turned a second time.",
        place=one.place,
        seq=one.seq,
        player=one.player,
        signers=", ".join(one.signers),
        to=one.to,
        kept=one.kept[:12],
        void=one.void,
    )
