"""[7.23] `check` tells over which hexes a move goes that names its end alone, and another way as short."""

from __future__ import annotations

from pbem.kernel.canon import Plain
from pbem.kernel.wording import english
from pbem.protocol import strict_yaml
from pbem.runtime.desk import Desk
from tests.empire_of_the_sun.test_plans import OFFENSIVE, begun


def ways(carrier: str) -> list[tuple[int, str]]:
    """Of the offensive on Manila, the carrier's move in these words."""
    (writer, *_) = begun()
    ops = {card: writer.table.engine.state.board.cards[card].ops for card in writer.knowledge().hand("japan")}
    card = next(c for c in sorted(ops) if ops[c] >= 3)
    orders: list[Plain] = [{"play": card}, *OFFENSIVE]
    orders[4] = {"move": carrier}
    desk = Desk(writer.table, writer.secrets(), writer.fetch, writer.salt, strict_yaml.write_document({"orders": orders}))
    assert desk.sheet.trouble is None, desk.sheet.trouble
    return [(at, english(way)) for at, way in desk.chosen_ways()]


def test_the_hexes_of_a_move_are_told_and_one_that_would_do_as_well() -> None:
    assert ways("CVL Ryujo to Manila") == [
        (
            4,
            "CVL Ryujo: by way of 3016, 3015, 2914, 2913; over 2814 it is as short, "
            "and what may react to it can differ (`via` names hexes)",
        )
    ]


def test_who_has_named_a_hex_is_told_the_way_alone() -> None:
    ((at, told),) = ways("CVL Ryujo to Manila via 2814")
    assert at == 4 and "2814" in told and "as short" not in told
