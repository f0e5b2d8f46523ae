"""How many files by hand a turn still takes: `pbem status --forecast`."""

from __future__ import annotations

import time

from pbem.cli.speech import speak, speak_counted
from pbem.kernel.canon import Plain
from pbem.runtime import foreseen
from pbem.runtime.foreseen import Foreseen
from pbem.store.session import Session

SECONDS = 2.0


def forecast(session: Session) -> tuple[Plain, list[str]]:
    """What is foreseen from the newest file, in at most two seconds of work."""
    if session.table.due.what == "nothing":
        return None, []
    until = time.process_time() + SECONDS
    own = session.knowledge() if session.sees_hidden else None
    found = foreseen.foresee(session.table, own, lambda: time.process_time() < until)
    if found is None:
        return None, [speak("forecast: the rest of this turn is too long to be played on in a moment")]
    return _plain(found), _lines(found)


def _plain(found: Foreseen) -> Plain:
    return {
        "files": found.files,
        "most": found.most,
        "players": {name: {"files": number, "questions": [*kinds]} for name, (number, kinds) in found.by.items()},
        "held": {player: {"files": number, "questions": [*kinds]} for player, (kinds, number) in found.held.items()},
        "samples": found.samples,
        "whole": found.whole,
    }


def _lines(found: Foreseen) -> list[str]:
    players = ", ".join(f"{name} {number} ({', '.join(kinds)})" for name, (number, kinds) in found.by.items())
    lines = []
    if found.by:
        lines.append(
            speak_counted(
                "forecast: about {n} more file by hand in this turn, {most} at most: {players}",
                "forecast: about {n} more files by hand in this turn, {most} at most: {players}",
                found.files,
                most=found.most,
                players=players,
            )
        )
    elif found.whole:
        lines.append(speak("forecast: nobody has to write a file by hand in the rest of this turn"))
    for player, (kinds, number) in found.held.items():
        asked = ", ".join(kinds)
        told = speak(
            "with the usual standing orders of {player} for {kinds}: {number}", player=player, kinds=asked, number=number
        )
        lines.append(f"  {told}")
    if not found.whole:
        lines.append(speak("forecast: counted only up to where somebody has to show what he alone knows"))
    return lines
