"""Orders that do nothing: `done`, and what says no."""

from __future__ import annotations

from pbem.kernel.canon import Plain
from pbem.kernel.notation import order_text
from pbem.kernel.orders import verb_of
from pbem.kernel.questions import DONE, NONE

QUIET = ("no", "pass", "hold", "stay", NONE)  # words of orders that do nothing


def does_nothing(order: Plain) -> bool:
    """`done`, or an order that says no."""
    return order == DONE or verb_of(order) in QUIET or order_text(order).rpartition(": ")[2] in QUIET
