"""[7.27] The landings against which one reacts, picked."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.empire_of_the_sun.picks import ALL, place_pick, place_word
from pbem.games.empire_of_the_sun.state import State
from pbem.kernel.canon import Plain
from pbem.kernel.forms import Form, Read
from pbem.kernel.picking import MANY, Field, Fields, Said, worded
from pbem.kernel.questions import NONE
from pbem.kernel.wording import msg


def specials(g: State, hexes: Sequence[int], read: Read) -> Form:
    """[7.27] The landings against which one reacts."""

    def said(body: Plain) -> Said:
        parts: Sequence[Plain] = body if isinstance(body, list) else [p for p in str(body).split(",") if p.strip()]
        return {"to": [place_word(g, part) for part in parts]}

    field = Field("to", lambda _: [place_pick(g, "to", h, leads=("attack",)) for h in hexes], most=MANY)
    gesture = Fields((field,), lambda taken: {"special": ", ".join(taken.all("to"))}, said, read)
    return worded("special", {ALL: msg("against all of them"), NONE: msg("against none of them")}, gesture, read)
