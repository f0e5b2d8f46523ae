"""Sets of standing orders by name: those of the game, and a player's own in `<folder>/sets/NAME.yaml`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from pbem.kernel.canon import Plain
from pbem.kernel.wording import msg
from pbem.protocol import strict_yaml
from pbem.protocol.outcomes import ProtocolError, unreadable
from pbem.runtime.paper import Paper, read_paper

if TYPE_CHECKING:
    from pbem.store.session import Session

SET = "set"  # the key in `standing` that names one
FOLDER = "sets"


def named(session: Session, name: Plain) -> dict[str, Plain]:
    """The standing orders of a set; an own one goes before the game's of the same name. Raises ProtocolError."""
    own = own_sets(session.folder.path)
    if isinstance(name, str) and name in own:
        return _read(own[name])
    known = session.game.sets()
    if not isinstance(name, str) or name not in known:
        every = ", ".join([*own, *known])
        raise unreadable(msg("there is no set of standing orders {name}; there are {known}", name=repr(name), known=every))
    return known[name]


def own_sets(folder: Path) -> dict[str, Path]:
    """A player's own sets, by name."""
    return {path.stem: path for path in sorted((folder / FOLDER).glob("*.yaml"))}


def _read(path: Path) -> dict[str, Plain]:
    """Kinds of questions and what answers them, as `standing` has them. Raises ProtocolError with the file's name."""
    try:
        document, _ = strict_yaml.read_document(path.read_bytes())
    except ProtocolError as wrong:
        raise ProtocolError(
            wrong.outcome, msg("{name}: {wrong}", name=path.name, wrong=str(wrong)), wrong.line, wrong.column
        ) from None
    if SET in document:
        raise unreadable(msg("{name}: a set names no other set", name=path.name))
    return dict(document)


def spelled(session: Session, standing: Mapping[str, Plain]) -> dict[str, Plain]:
    """Standing orders with the set that they name spelled out; what stands beside it goes before. Raises ProtocolError."""
    if SET not in standing:
        return dict(standing)
    beside = {kind: order for kind, order in standing.items() if kind != SET}
    return {**named(session, standing[SET]), **beside}


def written_out(session: Session, text: str) -> str:
    """An order file that names no set any more. Raises ProtocolError."""
    paper: Paper = read_paper(text)
    if SET not in paper.draft.standing:
        return text
    return paper.saying("standing", spelled(session, paper.draft.standing)).text
