"""What a rules module says about a game, in no language yet: sentences with arguments, which the report translates.

Inflected languages need room: arguments stand behind a colon or in brackets, so that every name may stay in the nominative.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from pbem.kernel.canon import Plain


class Message(Struct, frozen=True):
    """A sentence or term: its id is the English text with {named} places; `plural` is chosen by the argument n.

    `str(message)` is its *record form*: the id filled with numbers, texts and the ids of terms. Labels of dice and reasons of
    ends stand so in signed files and hashes; how a reader sees the same message is `english`, or a language's own.
    Without an id it says nothing and is false.
    """

    id: str
    args: Mapping[str, Argument] = field(default_factory=dict)
    plural: str = ""

    def __bool__(self) -> bool:
        return bool(self.id)

    def __str__(self) -> str:
        return self.id.format_map({name: _recorded(value) for name, value in self.args.items()})


class Term(Struct, frozen=True):
    """A thing named in a sentence: `id` as records spell it ("japan", "0940", "+3"), `words` as players read it."""

    id: str
    words: Message | str  # a str is shown as it is

    def __str__(self) -> str:
        return self.id


# A str is shown as it is, in every language.
Argument: TypeAlias = int | str | Message | Term | tuple[Message | Term | str, ...]


def _recorded(value: Argument) -> str:
    return ", ".join(map(_recorded, value)) if isinstance(value, tuple) else str(value)


def english(value: Argument) -> str:
    """A message, a list of messages or a plain value as an English reader sees it, without a catalogue."""
    if isinstance(value, Message):
        n = value.args.get("n")
        form = value.plural if value.plural and n != 1 else value.id
        return form.format_map({name: english(given) for name, given in value.args.items()})
    if isinstance(value, Term):
        return english(value.words)
    if isinstance(value, int):
        return number_told(value)
    return ", ".join(map(english, value)) if isinstance(value, tuple) else str(value)


def recalled(plain: Any) -> Any:
    """A message, a term or a plain value that was kept as plain data (`records.to_plain`)."""
    if isinstance(plain, list):
        return tuple(map(recalled, plain))
    if not isinstance(plain, dict):
        return plain
    if "words" in plain:
        return Term(str(plain["id"]), recalled(plain["words"]))
    return Message(str(plain["id"]), {name: recalled(value) for name, value in plain["args"].items()}, str(plain["plural"]))


def die_for(id: str, /, **args: Argument) -> Message:
    """What a die is thrown for. It goes into the dice as it stands and never changes.

    Not `msg`: catalogues do not gather it, the game's words have a sentence for it. A label that reads as one is a `msg`.
    """
    return Message(id, args)


def recorded_as(id: str, words: Message) -> Message:
    """A message that records spell as `id`, while players read these words."""
    return Message("{words}", {"words": Term(id, words)})


def signed(number: int) -> Term:
    """A modifier with its sign: +3. Records spell −1 as -1."""
    return Term(f"{number:+}", f"{'−' if number < 0 else '+'}{abs(number)}")


def number_told(number: int) -> str:
    """A number with the sign that print has for minus."""
    return f"−{-number}" if number < 0 else str(number)


def msg(id: str, /, **args: Argument) -> Message:
    """A sentence."""
    return Message(id, args)


def quoted(given: Plain) -> Argument:
    """What somebody wrote, in the quotation marks of the reader's language."""
    return msg("{text!r}", text=given) if isinstance(given, str) else repr(given)


NO_WORDS = Message("")


AS_IT_STANDS = "{words}"  # the id of what is shown as it is in every language


def verbatim(*words: str) -> Message:
    """Names, or what somebody wrote: as it stands in every language. Several are listed, none are no words."""
    return Message(AS_IT_STANDS, {"words": ", ".join(words)}) if any(words) else NO_WORDS


def linked(between: str, *texts: Argument) -> Message:
    """Several sentences or clauses as one, with the same mark between them."""
    named = {f"part{n}": text for n, text in enumerate(texts)}
    return Message(between.join(f"{{{name}}}" for name in named), named)


LINKED = (  # as `linked` makes them, for languages that set another space or mark
    msg("{part0}: {part1}"),
    msg("{part0}; {part1}"),
    msg("{part0}; {part1}; {part2}"),
    msg("{part0}; {part1}; {part2}; {part3}"),
    msg("{part0} – {part1}"),
)


def counted(one: str, many: str, n: int = 1, /, **args: Argument) -> Message:
    """A sentence whose form depends on the number n."""
    return Message(one, {**args, "n": n}, many)


def paragraph(sentences: Sequence[Message]) -> Message:
    """Sentences one after another."""
    return Message(" ".join(f"{{s{i}}}" for i in range(len(sentences))), {f"s{i}": s for i, s in enumerate(sentences)})


def times(message: Message, n: int) -> Message:
    """The same thing, n of them."""
    return replace(message, args={**message.args, "n": n})


Things: TypeAlias = tuple[Message, ...]  # counted things


def added(one: Things, other: Things) -> Things:
    """Two lists of counted things as one, in the order in which they come first."""
    sums: dict[str, Message] = {}
    for thing in (*one, *other):
        held = sums.get(thing.id)
        sums[thing.id] = times(thing, _number(held) + _number(thing)) if held else thing
    return tuple(sums.values())


def _number(thing: Message) -> int:
    n = thing.args["n"]
    assert isinstance(n, int)
    return n


class Declared(Struct, frozen=True):
    """An attack or operation that somebody has announced. `fight`: the heading under which it will be fought."""

    text: Message
    fight: Message


class Told(Struct, frozen=True):
    """One event in words.

    `topic`: turn and phase (headings), orders, battle, loss, income, politics, control, move, build, end. `block`: the heading
    of the battle it belongs to. A roll names its `label`, its dice and the number at or below which they hit (0: none do). A
    loss names the seat that suffers it and what that is worth. Neighbours that differ in `things` only become one line.
    `outcome`: what the dice brought; `ten_is_zero`: a ten is read as 0. `closing`: the battle is over, its losses are summed.
    `declares`: what it announces, for short reports; neighbours that differ in `places` only become one. `short`: the same for
    short reports, which add up those that differ in `n` only. `decisive`: what came of a battle or a die; no short report
    leaves it out.
    """

    topic: str
    text: Message
    rule: str = ""
    block: Message | None = None
    spaces: tuple[str, ...] = ()
    label: str = ""
    dice: tuple[int, ...] = ()
    hit_at: int = 0
    loser: str = ""
    worth: int = 0
    ten_is_zero: bool = False
    outcome: Message | None = None
    closing: bool = False
    declares: tuple[Declared, ...] = ()
    short: Message | None = None
    decisive: bool = False

    def joined(self, other: Told) -> Told | None:
        """This and the next event as one line, or None when they say different things."""
        mine, theirs = self.text.args.get("things"), other.text.args.get("things")
        if not isinstance(mine, tuple) or not isinstance(theirs, tuple):
            return None
        things = added(_counted(mine), _counted(theirs))
        joined = replace(self, text=_with(self.text, things), worth=self.worth + other.worth)
        same = replace(other, text=_with(other.text, things), worth=joined.worth)
        return joined if joined == same else None


def _counted(listed: tuple[Message | Term | str, ...]) -> Things:
    return tuple(thing for thing in listed if isinstance(thing, Message))


def _with(message: Message, things: Things) -> Message:
    return replace(message, args={**message.args, "things": things})


class Overview(Struct, frozen=True):
    """A table of the situation. `spoken` is one row as a sentence, with the columns' keys as its places."""

    title: Message
    columns: tuple[tuple[str, Message], ...]  # (key, heading)
    rows: tuple[Mapping[str, Argument], ...]
    spoken: str
