"""A connection of a mail server that notes what it is asked, and fails at what it is told to."""

from __future__ import annotations

from typing import Any


class Noting:
    """What both ways of mail ask of a server. Each test sets `made` and `fails` anew."""

    made: list[Any] = []
    fails: dict[str, BaseException] = {}

    def __init__(self, *where: Any, **how: Any) -> None:
        self._note("connect", where, how)

    def _note(self, word: str, *rest: Any) -> None:
        self.made.append((word, *rest))
        if word in self.fails:
            raise self.fails[word]

    def starttls(self, **how: Any) -> None:
        self._note("starttls", how)

    def login(self, user: str, secret: str) -> None:
        self._note("login", user, secret)
