"""Plans: orders of later phases that a file brings along, carried out when their questions come up. No code, no dice.

    plan:
      - {at: noncombat-move, when: "yunnan fell", do: [move: 2 infantry from Kwangsi to Yunnan, done]}
      - {at: noncombat-move, do: [done]}
      - {at: mobilize, do: [place: 2 infantry in Japan, place: 1 transport in SZ 6], else: drop}

Of the steps for one question the first whose condition holds answers, order by order; a condition is judged once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from pbem.kernel import standing
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Facts
from pbem.kernel.notation import order_text
from pbem.kernel.orders import nearest, nearest_verb, unreadable, verb_of
from pbem.kernel.wording import Message, msg

ASK, DROP = "ask", "drop"
HIDDEN = "sealed "  # before the kind of a question whose answer is sealed and stays so: the step is that seal
KEYS = ("at", "seat", "later", "when", "do", "else")
Verbs = Mapping[str, Sequence[str]]  # kinds of questions that a plan may answer -> the verbs of their orders


class Step(Struct, frozen=True):
    """One line of a plan. `otherwise`: an order that is illegal when it is due ends the plan (ask) or is left out (drop).

    `later`: it is for the so-and-so-manieth stretch of the game behind that of its file.
    """

    at: str
    do: tuple[Plain, ...]
    seat: str = ""
    when: str = ""
    otherwise: str = ASK
    later: int = 0


def read_step(number: int, plain: Plain, verbs: Verbs, facts: Facts) -> Step:
    """A step as it stands in a file, counted from 1. Raises Rejected for a kind, a verb or a fact that the game has not."""
    where = msg("plan, step {number}", number=number)
    do = plain.get("do") if isinstance(plain, dict) else None
    if not isinstance(plain, dict) or not isinstance(do, list) or not do:
        raise unreadable(msg("{where}: a step is {keys}; `do` is a list of orders", where=where, keys=", ".join(KEYS)))
    unknown = sorted(plain.keys() - {*KEYS})
    if unknown:
        raise unreadable(msg("{where}: unknown key {unknown!r}", where=where, unknown=unknown[0]))
    at, seat, when, otherwise = (plain.get(key, ASK if key == "else" else "") for key in ("at", "seat", "when", "else"))
    if not (isinstance(at, str) and isinstance(seat, str) and isinstance(when, str) and otherwise in (ASK, DROP)):
        raise unreadable(msg("{where}: at, seat and when are text, else is ask or drop", where=where))
    if at not in verbs:
        raise unreadable(
            msg("{where}: {at!r} is no question that can be planned for", where=where, at=at),
            nearest(at, [*verbs]) or msg("one of: {words}", words=", ".join(verbs)),
        )
    _check_verbs(where, do, verbs[at])
    if at.startswith(HIDDEN) and (len(do) > 1 or plain.keys() & {"when", "else"}):
        raise unreadable(msg("{where}: what stays sealed is one order, without `when` and `else`", where=where))
    if when:
        check_names(where, standing.parse(when), facts)
    return Step(at, tuple(do), seat, when, str(otherwise), later_of(plain))


def later_of(plain: Mapping[str, Plain]) -> int:
    """For which stretch behind that of its file a step is, sealed or open; 0: its own."""
    said = plain.get("later")
    return said if isinstance(said, int) else 0


def _check_verbs(where: Message, orders: Sequence[Plain], verbs: Sequence[str]) -> None:
    for order in orders:
        if verb_of(order) not in verbs:
            raise unreadable(
                msg("{where}: {order} is no order there", where=where, order=order_text(order)),
                nearest_verb(verb_of(order), verbs) or msg("one of: {words}", words=", ".join(verbs)),
            )


def check_names(where: Message, tree: tuple[object, ...], facts: Facts) -> None:
    """Every comparison names a fact that the game has. Raises Rejected with the nearest that it has."""
    match tree:
        case ("or" | "and", tuple(left), tuple(right)):
            check_names(where, left, facts)
            check_names(where, right, facts)
        case ("not", tuple(inner)):
            check_names(where, inner, facts)
        case ("is" | "in", str(name), *_):
            _check_known(where, facts, name)
        case (_, str(left), str(right)):
            _check_known(where, facts, left, right)


def _check_known(where: Message, facts: Facts, *names: str) -> None:
    if not any(name in facts for name in names):
        raise unreadable(msg("{where}: there is no fact {name!r}", where=where, name=names[0]), nearest(names[0], [*facts]))
