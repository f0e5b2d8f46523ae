"""Where shipped data lies: the same from a source checkout and from a wheel."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def data_folder(kind: str) -> Path:
    """`templates` or `scenarios`: in the wheel under pbem/_data, in a checkout beside the package."""
    packed = _PACKAGE / "_data" / kind
    return packed if packed.is_dir() else _PACKAGE.parent / kind
