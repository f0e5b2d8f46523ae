"""The map as SVG: territories in their owners' colours, stacks in short codes, arrows of the latest moves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pbem.report.render import render

WIDTH, HEIGHT = 1800, 1300
COLOURS = {  # told apart by colour-blind readers (Okabe and Ito)
    "japan": "#e69f00",
    "united-states": "#009e73",
    "china": "#b8e0a0",
    "united-kingdom": "#d9c29a",
    "anzac": "#cc79a7",
    "netherlands": "#f0e442",
    "france": "#56b4e9",
    "soviet-union": "#b0b0b0",
    "neutral": "#ffffff",
    "none": "#8a8a8a",
}
CODES = {
    "infantry": "inf",
    "mechanized-infantry": "mec",
    "artillery": "art",
    "tank": "tnk",
    "aa-gun": "aa",
    "fighter": "fig",
    "tactical-bomber": "tac",
    "strategic-bomber": "bmb",
    "submarine": "sub",
    "transport": "trn",
    "destroyer": "dd",
    "cruiser": "ca",
    "aircraft-carrier": "cv",
    "battleship": "bb",
}
INITIALS = {"japan": "J", "united-states": "US", "china": "C", "united-kingdom": "UK", "anzac": "A", "neutral": "N"}


def draw(land: Mapping[str, Any], situation: Mapping[str, Any], title: str, arrows: Iterable[tuple[str, str]]) -> str:
    """The whole theatre. `land` is the scenario's map, `situation` the game's view of it."""
    places = {**land["territories"], **land["zones"]}
    at = {name: _place(place["pos"]) for name, place in places.items()}
    spaces = [_space(name, at[name], situation["spaces"][name], name in land["zones"]) for name in at]
    borders = [(*at[one], *at[other]) for one, others in land["borders"].items() for other in others]
    lines = [(*at[a], *at[b]) for a, b in arrows if a in at and b in at]
    legend = [(name, COLOURS[name]) for name in ("japan", "united-states", "china", "united-kingdom", "anzac", "netherlands")]
    values = {"spaces": spaces, "borders": borders, "arrows": lines, "legend": legend}
    return render("axis_and_allies_pacific/map.svg.j2", width=WIDTH, height=HEIGHT, title=title, **values)


def _place(pos: Sequence[int]) -> tuple[int, int]:
    return 50 + pos[0] * (WIDTH - 100) // 100, 60 + pos[1] * (HEIGHT - 130) // 100


def _space(name: str, at: tuple[int, int], view: Mapping[str, Any], sea: bool) -> dict[str, Any]:
    lines = [
        INITIALS.get(owner, owner) + " " + " ".join(f"{n}{CODES[kind]}" for kind, n in counts.items())
        for owner, counts in view["units"].items()
    ]
    if view["facilities"]:
        lines.append(" ".join(kind + (f"-{damage}" if damage else "") for kind, damage in view["facilities"]))
    fill = COLOURS.get(view["owner"], "#ffffff")
    return {
        "name": view["name"],
        "x": at[0],
        "y": at[1],
        "sea": sea,
        "fill": fill,
        "city": view["city"],
        "ipc": view["ipc"],
        "lines": lines,
    }
