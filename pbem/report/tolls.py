"""Losses summed up by who suffered them."""

from __future__ import annotations

from typing import TypeAlias

from pbem.kernel.wording import Message, Things, added

Toll: TypeAlias = dict[str, tuple[Message, Things, int]]  # seat -> its name, what it lost, what that was worth


def with_loss(toll: Toll, loser: str, text: Message, worth: int) -> None:
    """A loss more; a thing that names its `unit` and its `end` stands for all that the unit lost before."""
    who, things, before = toll.get(loser, (text.args["power"], (), 0))
    lost = text.args.get("lost", text.args["things"])
    assert isinstance(lost, tuple) and isinstance(who, Message)
    more = tuple(thing for thing in lost if isinstance(thing, Message))
    gone = {thing.args["unit"] for thing in more if "end" in thing.args}
    kept = tuple(thing for thing in things if thing.args.get("unit") not in gone)
    toll[loser] = (who, added(kept, more), before + worth)
