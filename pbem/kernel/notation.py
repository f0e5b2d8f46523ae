"""Orders on one line, as players write them."""

from __future__ import annotations

import re
from collections.abc import Mapping

from pbem.kernel.canon import Plain

_WORD = re.compile(r"[a-z][a-z_ -]*")  # a key of an order's own, not a name


def order_text(order: Plain) -> str:
    """An order: `move: 3 infantry from kwangsi to yunnan`. A sealed one says only that it is sealed."""
    if isinstance(order, dict) and set(order) == {"seal", "seat"}:
        return f"sealed: {order_text(order['seal'])}"
    if isinstance(order, dict) and len(order) == 1:
        verb, body = next(iter(order.items()))
        return verb if verb == "sealed" else f"{verb}: {flat(body)}"
    return flat(order)


def flat(body: Plain) -> str:
    """Plain data as words. A mapping of things to numbers reads `3 infantry, 1 tank`; units come first.

    A mapping of names reads `{A1: CA5}`, as in a file; a longer one `CA1, CA2: at CA5 with both; DD1: at CA6 with both`:
    names to which the same is done stand together.
    """
    if isinstance(body, dict):
        if body and all(isinstance(n, int) and not isinstance(n, bool) for n in body.values()):
            return ", ".join(f"{n} {thing}" for thing, n in body.items())
        if body and not all(_WORD.fullmatch(key) for key in body):
            return _of_names(body)
        what = [flat(body["units"])] if "units" in body else []
        return " ".join([*what, *(f"{k} {flat(v)}" for k, v in body.items() if k != "units")])
    if isinstance(body, list):
        return "; ".join(flat(part) for part in body)
    return {True: "yes", False: "no", None: "nothing"}[body] if body is None or isinstance(body, bool) else str(body)


def _of_names(body: Mapping[str, Plain]) -> str:
    told: dict[str, list[str]] = {}
    for name, what in body.items():
        told.setdefault(flat(what).replace("; ", ", "), []).append(name)
    if len(told) == len(body) and not any(isinstance(what, dict | list) for what in body.values()):
        return "{" + ", ".join(f"{name}: {flat(what)}" for name, what in body.items()) + "}"
    return "; ".join(f"{', '.join(names)}: {what}" for what, names in told.items())
