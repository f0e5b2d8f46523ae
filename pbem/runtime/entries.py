"""An order as an entry of an order file."""

from __future__ import annotations

from pbem.kernel.canon import Plain
from pbem.kernel.notation import by_number, order_text, with_digits
from pbem.protocol import strict_yaml
from pbem.protocol.outcomes import ProtocolError


def entry_of(order: Plain) -> str:
    """`- move: 2 infantry from Japan to Korea`: as a player would type it where that reads back as the same, else as data.

    A hex has its four digits.
    """
    line = f"- {order_text(order)}"
    try:
        if by_number(read_entry(line)) == by_number(order):
            return line
    except ProtocolError:
        pass
    order = with_digits(order)
    if isinstance(order, dict) and order:
        return "- " + strict_yaml.write_document(order).strip().replace("\n", "\n  ")
    return strict_yaml.write_document([order]).strip()


def read_entry(entry: str) -> Plain:
    """The order of an entry. Raises ProtocolError."""
    document, _ = strict_yaml.read_document("orders:\n" + "".join(f"  {line}\n" for line in entry.split("\n")))
    orders = document["orders"]
    assert isinstance(orders, list)
    return orders[0] if orders else None
