"""What the board has done for it by the functions of the command line, so that both do the same."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from pbem.kernel.canon import Plain
from pbem.protocol.outcomes import ProtocolError
from pbem.report.languages import Language
from pbem.runtime.composing import Composed
from pbem.runtime.desk import Desk
from pbem.store.session import Session

Found = tuple[str, "dict[str, Any] | ProtocolError"]
Advised = tuple[list[str], list[Sequence[Plain]]]  # lines about alternatives, and the orders of each


class Services(Struct, frozen=True):
    """Functions of the command line, and the language that it speaks about a game folder."""

    language: Callable[[Path], Language]
    receive: Callable[[Path, Sequence[Found]], list[str]]  # lines about each document that came in
    odds: Callable[[Session, Composed], str]  # of the battles that a draft leads to
    hint: Callable[[Session, Desk], Advised]  # for the question behind the orders of a desk
    hand: Callable[[Session], list[str]]  # what the player holds and nobody else sees
    explain: Callable[[Exception], list[str]]  # what went wrong, one sentence for each thing
    deadline: Callable[[Session], list[str]]
    resign: Callable[[Session], str]  # for all seats of a player, while his folder is locked; where the slip lies
    mail: Callable[[Path], list[str]]  # sends what nobody has yet; a line for each mail
    go_on: Callable[[], None]  # on one machine: files that no person writes, and handing over
