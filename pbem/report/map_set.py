"""The maps of one report, drawn: apart from what draws them, which a report without maps does not load."""

from __future__ import annotations

from msgspec import Struct


class Maps(Struct, frozen=True):
    """The maps of a report as SVG. `narrow`: for a phone, empty where the whole one serves; `battles`: names and maps.

    `style`: CSS that gives their colours for light and dark pages; `sheets`: parts of the whole one, for paper.
    """

    whole: str = ""
    narrow: str = ""
    battles: tuple[tuple[str, str], ...] = ()
    style: str = ""
    sheets: tuple[str, ...] = ()
