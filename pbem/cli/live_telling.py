"""What a person sees of a live exchange: a line for what came, what went, whose turn it is; for programs one of JSON each."""

from __future__ import annotations

from collections.abc import Callable

from pbem.cli.receiving import Received
from pbem.cli.shell import say
from pbem.cli.speech import speak, text
from pbem.kernel.canon import Plain
from pbem.store import dues
from pbem.store.shown import Shown

OFTEN = 60.0  # seconds in which the same trouble is told once
_MOST = 1000


class Teller:
    """Prints at once; the same trouble once a minute, so that a stranger who knocks fills no screen."""

    def __init__(self, as_json: bool, now: Callable[[], float]) -> None:
        self._json, self._now = as_json, now
        self._troubles: dict[str, float] = {}

    def tell(self, event: str, line: str, **plain: Plain) -> None:
        """An event in words, or as plain data."""
        say({"event": event, "text": line, **plain}, line, self._json, at_once=True)

    def trouble(self, line: str, about: str = "") -> None:
        """Something of others that is wrong (`about`: what makes it the same as another), told once a minute."""
        key, now = about or line, self._now()
        if now - self._troubles.get(key, -OFTEN) < OFTEN:
            return
        if len(self._troubles) >= _MOST:
            self._troubles.clear()
        self._troubles[key] = now
        self.tell("trouble", line)

    def came(self, received: Received) -> None:
        """What was taken, what this program answered, whose turn it is now."""
        self.tell("came", received.text, received=received.plain)

    def went(self, first: int, last: int, to: str) -> None:
        """Files that were given."""
        line = (
            speak("sent to {to}: file {seq}", to=to, seq=first)
            if first == last
            else speak("sent to {to}: files {first} to {last}", to=to, first=first, last=last)
        )
        self.tell("went", line, first=first, last=last, to=to)

    def turn(self, shown: Shown) -> None:
        """How far the log goes, and whose turn it is."""
        due = text(dues.told(shown.session))
        self.tell("turn", speak("at file {seq}: {due}", seq=shown.last, due=due), seq=shown.last, head=shown.head)
