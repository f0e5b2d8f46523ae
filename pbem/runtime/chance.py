"""Dice and cards that nobody has seen: what the seed of a file gives (protocol, dice)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.kernel.canon import Plain
from pbem.kernel.flow import Draw, PrivateRoll, Roll
from pbem.kernel.wording import msg
from pbem.protocol import dice as protocol_dice
from pbem.runtime.dues import Due
from pbem.runtime.hand import Hand
from pbem.runtime.ledger import DrawMade, Rolled

if TYPE_CHECKING:
    from pbem.runtime.table import Table


def roll(table: Table, request: Roll, hand: Hand) -> Due | None:
    """Open dice, from the seed of the source; whose link is awaited where it is not shown."""
    assert request.label and request.rule and request.dice > 0 and request.sides > 1  # rule 4
    seed = table.seed()
    if seed is None:
        return needs_witness(table, request.against)
    index = table.ledger.rolls
    label = protocol_dice.label_of(str(request.label))
    numbers = list(protocol_dice.roll(seed, index, label, request.dice, request.sides))
    rolled = Rolled(table.ledger.source, index, label, request.sides, request.rule, numbers)
    table.ledger.rolled.append(rolled)
    hand.turned.append(rolled)
    table.ledger.rolls += 1
    table.engine.reply([*numbers])
    return None


def draw(table: Table, request: Draw | PrivateRoll, hand: Hand) -> Due | None:
    """Cards or private dice, from the seed and the owner's draw keys."""
    seed = table.seed()
    if seed is None:
        return needs_witness(table, None)
    player = table.player_of(request.seat)
    j = table.ledger.draw_counts.get(player, 0)
    if table.ledger.tree_of(player, j, table.ledger.source) is None:
        announced = table.ledger.draw_keys_left(player) > 0
        return needs_witness(table, None) if announced else Due(player, "draws", request.seat, msg("new draw keys"))
    table.ledger.draw_counts[player] = j + 1
    source, whose = table.ledger.source, (j, player, request.seat, seed.hex(), hand.seq)
    if isinstance(request, Draw):
        made = DrawMade(*whose, request.count, request.pool, list(request.base), list(request.less), source=source)
    else:
        made = DrawMade(
            *whose, request.dice, label=protocol_dice.label_of(str(request.label)), sides=request.sides, source=source
        )
    table.ledger.draws.append(made)
    handles: list[Plain] = [*made.handles()]
    table.engine.reply(handles[0] if isinstance(request, PrivateRoll) else handles)
    return None


def needs_witness(table: Table, against: str | None) -> Due:
    """Who has to show the next link."""
    newest = table.ledger.newest
    if newest < 1:
        first = table.charter.seats[0]
        return Due(first.player, "start", first.name, msg("no dice come from the charter: file 1 opens the game"))
    table.ledger.source, table.ledger.rolls = newest, 0  # nobody has turned a seed since: the newest file holds
    return Due(table.witness(table.ledger.entries[newest].player, against), "witness")
