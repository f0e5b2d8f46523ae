"""Standing orders on one line, as players write them."""

from __future__ import annotations

from pbem.kernel.canon import Plain
from pbem.kernel.notation import flat


def clause_text(kind: str, clause: Plain) -> str:
    """One clause of a standing order: `retreat when own-strength < enemy-strength: retreat`."""
    if not isinstance(clause, dict) or "do" not in clause:
        return f"{kind}: {flat(clause)}"
    conditions = "".join(f" {word} {clause[key]}" for key, word in (("when", "when"), ("scope", "in")) if clause.get(key))
    once = " (once)" if clause.get("life") == "once" else ""
    return f"{kind}{conditions}: {flat(clause['do'])}{once}"
