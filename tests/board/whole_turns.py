"""One whole turn of each game played by clicks on the real page, against the bot, and what it took.

    python -m tests.board.whole_turns [game] [--each]

What the player has in mind is written here as orders; where he has no plan, he answers as the bot would. What he clicks for
them tells `Clicker`. `--each` tells of every file, `--pictures FOLDER` keeps what he saw before he sent it.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pbem.kernel.canon import Plain
from pbem.store.paths import own_keys
from pbem.store.session import Session
from tests.board.clicking import Clicker
from tests.board.hands import come
from tests.board.serving import served
from tests.board.test_counting import OPENING, alone
from tests.board.test_turns import asked, landing, sealed_or_open
from tests.browser import Page, browser

MOST_FILES = 60


@dataclass(frozen=True)
class Turn:
    """A turn: `plan` gives the orders for a kind of question, `over` says that it has ended."""

    system: str
    scenario: str
    player: str
    plan: Callable[[Session], Sequence[Plain] | None]
    over: Callable[[Session], bool]


@dataclass
class Played:
    """What a turn took; `each`: the same for every file, under the first thing that it was asked."""

    total: Counter[str] = field(default_factory=Counter)
    each: list[tuple[str, dict[str, int]]] = field(default_factory=list)

    @property
    def told(self) -> str:
        """In a line."""
        return ", ".join(f"{self.total[kind]} {kind}" for kind in ("map", "buttons", "keys", "files", "seconds"))


# -- what the players have in mind --------------------------------------------------------------------------------------------


def japan(session: Session) -> Sequence[Plain] | None:
    """Pacific 1940: Hong Kong and the coast, transports for the south, fleet and bombers against the China Squadron."""
    return {
        "purchase": OPENING,
    }.get(asked(session))


def of_power(name: str) -> Callable[[Session], bool]:
    """The turn of another power has come, in Pacific 1940, or that of the same one in the next round."""
    return lambda session: session.table.engine.state.power != name or session.table.engine.state.round > 1


def landing_at_manila(session: Session) -> Sequence[Plain] | None:
    """Empire of the Sun: an offensive against the Philippines."""
    return landing(session) if asked(session) == "card" else None


def cards_come_again(session: Session) -> bool:
    """The offensive is over: a card is asked for, of whomever."""
    return asked(session) == "card" and len(session.folder.log.files()) > 6


def own_mind(session: Session) -> Sequence[Plain] | None:
    """None: as the bot would."""
    return None


def turn_of(number: int) -> Callable[[Session], bool]:
    """A game turn has ended, in Next War."""
    return lambda session: session.table.engine.state.turn > number


def no_longer(operator: str) -> Callable[[Session], bool]:
    """The operation is over, in Pacific War; or the whole scenario, where it is no longer than that."""
    return lambda session: session.table.result is not None or session.table.engine.state.operator != operator


def has_come(session: Session) -> bool:
    """The approach is over, in Pacific War."""
    return session.table.result is not None or session.table.engine.state.phase != "contact"


TURNS = {
    "pacific": Turn("axis-and-allies-pacific", "spring-1940", "axis", japan, of_power("japan")),
    "empire": Turn("empire-of-the-sun", "year-1942", "japan", landing_at_manila, cards_come_again),
    "korea": Turn("next-war", "gap", "non-allied", own_mind, turn_of(1)),
    "savo": Turn("pacific-war", "savo-island", "japan", own_mind, no_longer("japan")),
    "approach": Turn("pacific-war", "coral-sea", "japan", own_mind, has_come),
}


# -- playing ------------------------------------------------------------------------------------------------------------------


def played(page: Page, folder: Path, turn: Turn, pictures: Path | None = None) -> Played:
    """The turn, from the first click to the one after which another player's turn has come."""
    me, found = alone(folder, turn.system, turn.scenario, turn.player), Played()
    with own_keys(folder), served(folder) as server:
        come(page, server, screen="news" if Session.open(me).table.last else "orders")
        while not turn.over(session := Session.open(me)):
            assert len(found.each) < MOST_FILES, found.each
            hands, kind = Clicker(page, me), asked(session)
            if page.ask("document.body.dataset.screen") == "news":
                hands.press("turn")
            planned = turn.plan(session)
            for order in planned if planned is not None else sealed_or_open(session):
                hands.order(order)
            if pictures is not None:
                (pictures / f"{turn.system}-{len(found.each):02}-{kind}.png").write_bytes(page.picture())
            hands.send()
            found.each.append((kind, hands.told))
            found.total.update(hands.told)
    return found


def main() -> None:
    """Play some turns, or all, and tell what they took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=[*TURNS], help="all of them by default")
    parser.add_argument("--each", action="store_true")
    parser.add_argument("--pictures", type=Path)
    given = parser.parse_args()
    with browser() as page:
        for name in given.games or TURNS:
            with tempfile.TemporaryDirectory() as folder:
                found = played(page, Path(folder) / "g", TURNS[name], given.pictures)
            print(f"{name}: {found.told}")
            for kind, told in found.each if given.each else ():
                print(f"  {kind}: {told}")


if __name__ == "__main__":
    main()
