"""What changed in the files of a report, from first to last: owners of places, states of things, money."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from pbem.kernel.wording import Argument, Message, Overview, counted, msg
from pbem.report.view import Line

CHANGING = ("before", "after", "n")  # what a change of one thing tells beside the thing
TAKEN = {"place", "before", "after"}
FEW = 3  # values of a row that are told alone
SPLIT = 8  # places of one change of owner that are named


def in_all(lines: Sequence[Line]) -> list[Argument]:
    """What changed more than once is told once, from first to last; what came back to where it was is not told."""
    found: dict[str, Argument] = {}
    for text in (line.text for line in lines):
        key = str((text.id, [(name, arg) for name, arg in text.args.items() if name not in CHANGING]))
        earlier = found.pop(key, None)
        if isinstance(earlier, Message) and "before" in earlier.args:
            text = replace(text, args={**text.args, "before": earlier.args["before"]})
        found[key] = text
    return [text for text in found.values() if not _came_back(text)]


def _came_back(text: Argument) -> bool:
    return isinstance(text, Message) and "before" in text.args and str(text.args["before"]) == str(text.args.get("after"))


def owners(changes: Sequence[Argument]) -> list[Argument]:
    """Places that went from one owner to another together; whatever else has changed comes behind."""
    found: dict[str, Argument] = {}
    places: dict[str, list[Argument]] = {}
    for text in changes:
        if not isinstance(text, Message) or text.args.keys() != TAKEN:
            found[str(text)] = text
            continue
        key = str((text.args["before"], text.args["after"]))
        places.setdefault(key, []).append(text.args["place"])
        found[key] = text
    gone = [_of(text, places[key]) for key, text in found.items() if key in places and isinstance(text, Message)]
    return [*gone, *(text for key, text in found.items() if key not in places)]


def _of(text: Message, places: Sequence[Argument]) -> Message:
    rest = len(places) - SPLIT
    more = (counted("and {n} more", "and {n} more", rest),) if rest > 0 else ()
    named = tuple(place for place in (*places[:SPLIT], *more) if not isinstance(place, tuple | int))
    return msg("{places} ({before} → {after})", places=named, before=text.args["before"], after=text.args["after"])


def sums(lines: Sequence[Line]) -> list[Message]:
    """Money and points; what a short report tells in the same words of several amounts is added up."""
    found: dict[str, Message] = {}
    for line in lines:
        text = line.short or line.text
        key = str((text.id, [(name, arg) for name, arg in text.args.items() if name != "n"]))
        earlier = found.get(key)
        if line.short is not None and earlier is not None:
            text = replace(text, args={**text.args, "n": _number(earlier) + _number(text)})
        found[key] = text
    return [*found.values()]


def _number(text: Message) -> int:
    n = text.args["n"]
    assert isinstance(n, int)
    return n


def new_rows(earlier: Overview | None, now: Overview) -> Iterator[Message]:
    """How the sides stand that do not stand as before; of few new values those alone."""
    before = [] if earlier is None else earlier.rows
    (first, _), *columns = now.columns
    for row in now.rows:
        held: Mapping[str, Argument] = next((old for old in before if str(old[first]) == str(row[first])), {})
        new = [(heading, row[key]) for key, heading in columns if str(held.get(key)) != str(row[key])]
        if len(new) > FEW or not held:
            yield Message(now.spoken, dict(row))
        elif new:
            told = tuple(msg("{heading} {value}", heading=heading, value=value) for heading, value in new)
            yield msg("{who}: {values}.", who=row[first], values=told)
