"""A table of which a test sees everything: a ledger, players by seat, and an engine that notes what it is told."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask
from pbem.kernel.orders import unreadable
from pbem.kernel.wording import verbatim
from pbem.protocol import seals
from pbem.protocol.keys import key_bytes
from pbem.runtime.dues import Due
from pbem.runtime.ledger import KeyHeld, Ledger, Seal
from tests.toygame.party import Person

GAME = "ab" * 32
OWNERS = {"red": "nowak", "blue": "yamada"}
KEYS = {player: Person(player, [seat]).record.key for seat, player in OWNERS.items()}


class Engine:
    """Takes every answer but `bad`."""

    def __init__(self) -> None:
        self.given: list[Plain] = []
        self.state = None

    def reply(self, answer: Plain) -> None:
        if answer == "bad":
            raise unreadable(verbatim("bad"))
        self.given.append(answer)

    def state_hash(self) -> str:
        return f"state {len(self.given)}"


@dataclass
class Charter:
    game_id: str = GAME
    version: int = 2


@dataclass
class Game:
    """What the runtime asks of a game."""

    passes_idle: bool = True
    plannable: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def facts(self, state: Any, seat: str) -> dict[str, int]:
        return {}


@dataclass
class Desk:
    """What the parts of the runtime use of a table."""

    ledger: Ledger = field(default_factory=lambda: Ledger(held=[KeyHeld(player, key, 0) for player, key in KEYS.items()]))
    engine: Engine = field(default_factory=Engine)
    charter: Charter = field(default_factory=Charter)
    game: Game = field(default_factory=Game)
    due: Due = field(default_factory=lambda: Due("nowak", "witness"))
    no_die_is_known: bool = True

    def player_of(self, seat: str) -> str:
        return OWNERS[seat]

    def answering(self, ask: Ask) -> str:
        return OWNERS[ask.seat]


def sealed(desk: Any, player: str, seq: int, number: int, order: Plain, kind: str = "x") -> tuple[str, dict[str, Plain]]:
    """A seal of a player's in the ledger: its handle, and the opening that fits it."""
    salt, handle = bytes([number]) * 32, f"{player}:seal{seq}:{number}"
    made = seals.seal(GAME, key_bytes(KEYS[player]), seq, number, salt, order)
    desk.ledger.seals[handle] = Seal(player, seq, number, made, kind)
    return handle, {"handle": handle, "order": order, "salt": salt.hex()}
