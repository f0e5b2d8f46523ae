"""Small questions that many rules of many games ask: one of some things, a word, yes or no, order after order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TypeVar

from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask, Facts, Flow
from pbem.kernel.forms import Form, Naming, listed, plainly
from pbem.kernel.naming import Index
from pbem.kernel.orders import Rejected, illegal, split_order, unreadable
from pbem.kernel.proposals import has_choice
from pbem.kernel.wording import Message, msg, quoted, verbatim

T = TypeVar("T")
NONE = "none"
DONE = "done"
AGAIN = "again"  # takes back what was ordered of late, to begin anew
ANY = "any"
SHOWN = 8  # choices that a refusal lists


def one_of(
    seat: str,
    verb: str,
    rule: str,
    prompt: Message,
    choices: Sequence[T],
    read_one: Callable[[Plain], T],
    names: str,
    word: Callable[[T], Plain],
    *,
    none: bool = False,
    default: Plain = None,
    scope: str = "",
    reaction: bool = False,
    facts: Facts | None = None,
    slot: str = "word",
    name: Naming = plainly,
) -> Flow[T | None]:
    """`verb: thing`, one of `choices`; None when the owner declines with `none`, or there is nothing to choose.

    `read_one` reads a thing as an order names it and raises Rejected, `word` writes it so; `names` lists the choices for
    a refusal. Of a standing order's list the first that can be chosen holds. `slot`, `name`: a thing in a form, and shown.
    """
    if not choices:
        return None

    def read(plain: Plain) -> T | None:
        _, body = split_order(plain, (verb,))
        return None if none and body == NONE else _one_read(body, read_one, choices, verb, rule, names)

    options = partial(_each, verb, choices, word, none)
    answer: T | None = yield Ask(
        seat,
        verb,
        rule,
        prompt,
        read,
        (verb,),
        scope,
        facts={"choices": len(choices), **(facts or {})},
        forced={verb: word(choices[0])} if len(choices) == 1 and not none else None,
        default={verb: default} if default is not None else None,
        options=options,
        policy=lambda wanted: first_that_reads(read, verb, wanted),
        reaction=reaction,
        form=lambda: listed(options(), read, (verb,), bare=slot, name=name, whole=True),
    )
    return answer


def _each(verb: str, choices: Sequence[T], word: Callable[[T], Plain], none: bool) -> list[Plain]:
    """An order for each choice, and the one that declines."""
    found: list[Plain] = [{verb: word(c)} for c in choices]
    return [*found, {verb: NONE}] if none else found


def _one_read(body: Plain, read_one: Callable[[Plain], T], choices: Sequence[T], verb: str, rule: str, names: str) -> T:
    """The thing that an order names. Raises Rejected, also for one that is no choice."""
    try:
        chosen = read_one(body)
    except Rejected as unknown:
        raise unknown.offering(verbatim(names)) from None
    if chosen not in choices:
        raise illegal(msg("{body} cannot be chosen for {verb!r}", body=quoted(body), verb=verb), rule, verbatim(names))
    return chosen


def choose_unit(
    index: Index[str],
    seat: str,
    verb: str,
    rule: str,
    prompt: Message,
    units: Sequence[str],
    none: bool = False,
    *,
    default: str | None = None,
    reaction: bool = False,
    scope: str = "",
    facts: Facts | None = None,
) -> Flow[str]:
    """One unit or word of some, `any` the first; "" when there is none or the owner declines. Asks nothing without any.

    A name that only one of them can mean is enough, whoever else has it.
    """
    words = {unit.lower(): unit for unit in units}

    def read_one(body: Plain) -> str:
        if isinstance(body, str) and body.lower() in words:
            return words[body.lower()]
        return units[0] if body == ANY else index.one_among(body, units, seat)

    names = ", ".join(index.title(unit) for unit in units[:SHOWN])
    found = yield from one_of(
        seat,
        verb,
        rule,
        prompt,
        units,
        read_one,
        names,
        str,
        none=none,
        default=default,
        scope=scope,
        reaction=reaction,
        facts=facts,
        slot="unit",
        name=lambda slot, value: verbatim(index.title(value) if value in units else value),
    )
    return found or ""


def choose_place(
    index: Index[int],
    seat: str,
    verb: str,
    rule: str,
    prompt: Message,
    places: Sequence[int],
    none: bool = False,
    *,
    default: int | None = None,
    reaction: bool = False,
    scope: str = "",
    facts: Facts | None = None,
) -> Flow[int]:
    """One of some hexes, `any` the first; 0 when there is none or the owner declines. Asks nothing without hexes."""

    def read_one(body: Plain) -> int:
        return places[0] if body == ANY else index.one_among(body, places)

    names = ", ".join(map(index.title, places[:SHOWN]))
    found = yield from one_of(
        seat,
        verb,
        rule,
        prompt,
        places,
        read_one,
        names,
        int,
        none=none,
        default=default,
        scope=scope,
        reaction=reaction,
        facts=facts,
        slot="to",
        name=lambda slot, value: verbatim(index.title(int(value)) if slot == "to" and value != NONE else value),
    )
    return found or 0


def first_that_reads(read: Callable[[Plain], object], verb: str, wanted: Plain) -> Plain:
    """The order that a standing list of things, or a single one, gives: the first that can be chosen; None without one."""
    return next(accepted(read, ({verb: item} for item in (wanted if isinstance(wanted, list) else [wanted]))), None)


def accepted(read: Callable[[Plain], object], ideas: Iterable[Plain]) -> Iterator[Plain]:
    """Those of some orders that `read` accepts, each judged when it is wanted."""
    for idea in ideas:
        try:
            read(idea)
        except Rejected:
            continue
        yield idea


def choose_word(
    seat: str,
    verb: str,
    rule: str,
    prompt: Message,
    words: Sequence[str],
    *,
    default: str | None = None,
    scope: str = "",
    reaction: bool = False,
    facts: Facts | None = None,
) -> Flow[str]:
    """`verb: word`, one of a few words; `yes` and `no` may come as truth values."""

    def read(plain: Plain) -> str:
        _, body = split_order(plain, (verb,))
        word = {True: "yes", False: "no"}[body] if isinstance(body, bool) else body
        if not isinstance(word, str) or word not in words:
            raise unreadable(verbatim(f"{verb}: {body!r}"), _either(verb, words))
        return word

    options: list[Plain] = [{verb: w} for w in words]
    answer: str = yield Ask(
        seat,
        verb,
        rule,
        prompt,
        read,
        (verb,),
        scope,
        facts or {},
        default={verb: default} if default is not None else None,
        options=options.copy,
        policy=lambda word: {verb: word},
        reaction=reaction,
        form=lambda: listed(options, read, (verb,), whole=True),
    )
    return answer


def _either(verb: str, words: Sequence[str]) -> Message:
    """The orders that give one of a few words."""
    return verbatim(f"{verb}: " + f", or {verb}: ".join(words))


def choose_term(
    seat: str,
    verb: str,
    rule: str,
    prompt: Message,
    terms: Mapping[str, Message],
    none: bool = False,
    *,
    default: str | None = None,
) -> Flow[str]:
    """`verb: word`, one of some words with the name that people give it; `any` the first, "" when the owner declines."""
    words = [*terms]

    def read_one(body: Plain) -> str:
        word = str(body).lower()
        if word not in (ANY, *words):
            raise unreadable(verbatim(f"{verb}: {body!r}"))
        return words[0] if word == ANY else word

    def name(slot: str, value: str) -> Message:
        return terms.get(value, verbatim(value))

    names = ", ".join([*words, *([NONE] if none else [])])
    found = yield from one_of(seat, verb, rule, prompt, words, read_one, names, str, none=none, default=default, name=name)
    return found or ""


def yes_or_no(
    seat: str, verb: str, rule: str, prompt: Message, default: str | None = None, reaction: bool = False
) -> Flow[bool]:
    """A plain decision."""
    word = yield from choose_word(seat, verb, rule, prompt, ("yes", "no"), default=default, reaction=reaction)
    return word == "yes"


def orders_until_done(
    seat: str,
    kind: str,
    rule: str,
    prompt: Message,
    verbs: Sequence[str],
    read: Callable[[Plain], T | None],
    options: Callable[[], Sequence[Plain]],
    act: Callable[[T], Flow[None] | None],
    form: Callable[[], Form] | None = None,
) -> Flow[None]:
    """One order after the other until `done` (`read` gives None); not asked when only `done` is left."""
    while has_choice(found := options()):
        order: T | None = yield Ask(
            seat, kind, rule, prompt, read, (*verbs, DONE), options=partial(list, found), form=form, series=True
        )
        if order is None:
            return
        yield from act(order) or nothing()


def nothing() -> Flow[None]:
    """Asks nothing: where a rule has to be a flow and there is nobody to ask."""
    return
    yield
