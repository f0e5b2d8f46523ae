"""Shipped data: scenarios compiled to JSON, templates; the same from a source checkout and from a wheel."""

from __future__ import annotations

import json
from pathlib import Path

from pbem.kernel.canon import Plain
from pbem.protocol.outcomes import ProtocolError, unreadable

_PACKAGE = Path(__file__).resolve().parent.parent


def data_folder(kind: str) -> Path:
    """`templates` or `scenarios`: in the wheel under pbem/_data, in a checkout beside the package."""
    packed = _PACKAGE / "_data" / kind
    return packed if packed.is_dir() else _PACKAGE.parent / kind


def scenario_names(folder: str) -> list[str]:
    """The scenarios of a game's folder."""
    return sorted(p.stem for p in (data_folder("scenarios") / folder / "compiled").glob("*.json"))


def load_scenario(folder: str, name: str) -> Plain:
    """A scenario as plain data. Raises ProtocolError (unreadable) naming those there are."""
    known = scenario_names(folder)
    if name not in known:
        raise _unknown(name, known)
    data: Plain = json.loads((data_folder("scenarios") / folder / "compiled" / f"{name}.json").read_text("utf-8"))
    return data


def _unknown(name: str, known: list[str]) -> ProtocolError:
    return unreadable(f"there is no scenario {name!r}; there are: {', '.join(known) or 'none'}")
