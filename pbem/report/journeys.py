"""Moves and arrivals as a short report tells them: one journey of several steps, what went the same way, the lead-in once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from pbem.kernel.wording import Argument, Message, Term, added, msg

WAY = " via {way}"
ON_THE_WAY = ("origin", "place", "things")  # what differs between moves of one kind
THERE = ("place", "things")


def journeys(moves: Sequence[Argument]) -> list[Argument]:
    """Moves of the same things one behind the other as one, in the order in which they end; who came back is not told."""
    found: dict[str, Argument] = {}
    for nth, text in enumerate(map(_without_way, moves)):
        if not isinstance(text, Message) or not {"origin", "place"} <= text.args.keys():
            found[str(nth)] = text
            continue
        key = _but(text, "origin", "place")
        earlier = found.pop(key, None)
        if isinstance(earlier, Message) and str(earlier.args["place"]) == str(text.args["origin"]):
            text = replace(text, args={**text.args, "origin": earlier.args["origin"]})
        elif earlier is not None:
            found[f"{nth} {key}"] = earlier
        found[key] = text
    return _come_together(together(text for text in found.values() if not _is_round_trip(text)))


def together(lines: Iterable[Argument]) -> list[Argument]:
    """What differs in its things only, one behind the other, is told together."""
    found: list[Argument] = []
    for text in lines:
        last = found[-1] if found else None
        if isinstance(last, Message) and isinstance(text, Message) and _but(last, "things") == _but(text, "things"):
            mine, more = last.args.get("things"), text.args.get("things")
            if isinstance(mine, tuple) and isinstance(more, tuple):
                found[-1] = replace(last, args={**last.args, "things": (*mine, *more)})
                continue
        found.append(text)
    return found


def led_once(lines: Sequence[Argument]) -> list[Argument]:
    """Of neighbours that begin alike the second and later ones say only what is different: whence, where, and what."""
    found: list[Argument] = []
    lead = ""
    for text in lines:
        before, lead = lead, _lead(text)
        if isinstance(text, Message) and lead and lead == before:
            here = {name: text.args[name] for name in ON_THE_WAY if name in text.args}
            on_the_way = msg("from {origin} to {place}: {things}", **here) if "origin" in here else None
            found.append(on_the_way or msg("{place}: {things}", **here))
        else:
            found.append(text)
    return found


def _lead(text: Argument) -> str:
    """What a sentence says before the place; empty where it is not built that way."""
    if not isinstance(text, Message) or not text.id.endswith("{place}: {things}"):
        return ""
    return _but(text, *(ON_THE_WAY if "from {origin} to {place}" in text.id else THERE))


def _come_together(moves: Sequence[Argument]) -> list[Argument]:
    """Units that are only counted are one number, from wherever they came to the same place."""
    found: dict[str, Argument] = {}
    for nth, text in enumerate(moves):
        if not isinstance(text, Message) or not _is_counted(text):
            found[str(nth)] = text
            continue
        key = _but(text, "origin", "things")
        earlier = found.get(key)
        found[key] = _from_both(earlier, text) if isinstance(earlier, Message) else text
    return [*found.values()]


def _is_counted(text: Message) -> bool:
    things = text.args.get("things")
    return {"origin", "place"} <= text.args.keys() and isinstance(things, tuple) and all(map(_is_number_of, things))


def _is_number_of(thing: Argument) -> bool:
    return isinstance(thing, Message) and bool(thing.plural)


def _from_both(one: Message, other: Message) -> Message:
    whence = [*_each(one.args["origin"]), *_each(other.args["origin"])]
    origins = (*{str(place): place for place in whence}.values(),)
    things = added(_messages(one), _messages(other))
    return replace(one, args={**one.args, "origin": origins if len(origins) > 1 else origins[0], "things": things})


def _each(value: Argument) -> tuple[Message | Term | str, ...]:
    if isinstance(value, tuple):
        return value
    return (str(value),) if isinstance(value, int) else (value,)


def _messages(text: Message) -> tuple[Message, ...]:
    return tuple(thing for thing in _each(text.args["things"]) if isinstance(thing, Message))


def _but(text: Message, *left_out: str) -> str:
    """A sentence as a key, without some of what it tells."""
    return str((text.id, [(name, arg) for name, arg in text.args.items() if name not in left_out]))


def _without_way(text: Argument) -> Argument:
    """A move without the hexes between: each game has the sentence for a move of one hex too."""
    if not isinstance(text, Message) or WAY not in text.id:
        return text
    return Message(text.id.replace(WAY, ""), {name: arg for name, arg in text.args.items() if name != "way"})


def _is_round_trip(text: Argument) -> bool:
    return isinstance(text, Message) and "origin" in text.args and str(text.args["origin"]) == str(text.args.get("place"))
