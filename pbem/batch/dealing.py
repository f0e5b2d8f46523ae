"""Chance and hidden things of a game that is played without files: what two programs would have turned, from one seed.

Dice, shuffles and handles look as in a game by mail; whoever asks for what another seat hides gets Unknown.
"""

from __future__ import annotations

from msgspec import Struct, field

from pbem.kernel.canon import Plain, canonical
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Claim, Draw, Open, PrivateRoll, Reveal, Roll
from pbem.protocol import dice, draws
from pbem.runtime.knowledge import Unknown


class Dealer(Struct):
    """All chance of one game. `own`: seat -> item -> handle of what it has drawn and not shown."""

    key: bytes
    rolls: int = 0
    lots: int = 0
    drawn: int = 0
    behind: dict[str, Plain] = field(default_factory=dict)
    owner: dict[str, str] = field(default_factory=dict)
    shown: dict[str, Plain] = field(default_factory=dict)
    own: dict[str, dict[str, str]] = field(default_factory=dict)

    @classmethod
    def of(cls, *words: Plain) -> Dealer:
        """The dealer of a game that is told from all others by these words."""
        return cls(dice.mac(b"pbem/1 arena", canonical([*words])))

    def lot(self, number: int) -> int:
        """A number below `number`, for a player who draws by lot; the game's dice do not change with it."""
        self.lots += 1
        return dice.roll(self.key, self.lots, "lot", 1, number)[0] - 1 if number > 1 else 0

    def known_to(self, seat: str) -> Reveal:
        """What is behind a handle, for one seat: its own things, and what was shown. Raises Unknown."""

        def reveal(handle: str) -> Plain:
            if handle in self.shown:
                return self.shown[handle]
            if self.owner.get(handle) != seat:
                raise Unknown(handle)
            return self.behind[handle]

        return reveal

    def hide(self, seat: str, content: Plain) -> str:
        """A handle for what a seat seals."""
        return self._put(f"{seat}:seal{len(self.behind)}:0", seat, content)

    def answer(self, engine: Engine, request: Roll | PrivateRoll | Draw | Open | Claim) -> Plain:
        """What nobody decides: dice, cards, what is shown, what is stated truly."""
        match request:
            case Roll(label, number, sides):
                return [*self._roll(str(label), number, sides)]
            case PrivateRoll(seat, label, number, sides):
                self.drawn += 1
                return self._put(f"{seat}:draw{self.drawn}:0", seat, [*self._roll(str(label), number, sides)])
            case Draw():
                return [*self._draw(request)]
            case Open(seat, handle):
                return self._show(seat, handle)
            case Claim(seat):
                return request.truth(self.known_to(seat))

    def _roll(self, label: str, number: int, sides: int) -> tuple[int, ...]:
        self.rolls += 1
        return dice.roll(self.key, self.rolls, label, number, sides)

    def _draw(self, request: Draw) -> list[str]:
        self.drawn += 1
        pool, seat = sorted(request.base), request.seat
        for item in request.less:
            pool.remove(str(self.behind.get(item, item)))
        private = dice.mac(self.key, b"draw" + dice.u64(self.drawn))
        items = draws.shuffle(private, pool, request.count)
        handles = [self._put(f"{seat}:draw{self.drawn}:{i}", seat, item) for i, item in enumerate(items)]
        self.own.setdefault(seat, {}).update(zip(items, handles, strict=True))
        return handles

    def _show(self, seat: str, handle: str) -> Plain:
        item = self.known_to(seat)(handle)
        self.shown[handle] = item
        hand = self.own.get(seat, {})
        for name in [name for name, held in hand.items() if held == handle]:
            del hand[name]
        return item

    def _put(self, handle: str, seat: str, item: Plain) -> str:
        self.behind[handle], self.owner[handle] = item, seat
        return handle
