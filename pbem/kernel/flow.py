"""What a rule may ask of the outside world. A rule that asks is a generator that yields these requests.

A request has a fingerprint (kind, seat, section, cursor: public and short, never the option list), so that a journal
written by other rules is noticed at the exact entry.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

from msgspec import Struct, field

from pbem.kernel.canon import Plain, canonical
from pbem.kernel.forms import Form
from pbem.kernel.wording import Message

T = TypeVar("T")
Item: TypeAlias = Plain
Handle: TypeAlias = str
Facts: TypeAlias = Mapping[str, int | str | bool]
Reveal: TypeAlias = Callable[[Handle], Item]


def same(one: Plain, other: Plain) -> bool:
    """Equal plain data, the kinds of values too: Python holds 1 and True for equal, rules need not."""
    return canonical(one) == canonical(other)


def _no_options() -> Sequence[Plain]:
    return ()


def _as_received(stated: Plain) -> Any:
    return tuple(stated) if isinstance(stated, list) else stated


def _as_it_stands(answer: Plain) -> Plain:
    return answer


class Ask(Struct, frozen=True):
    """A player decides.

    `read` turns a plain order into a typed, legal answer or raises Rejected; it is the whole legality check, for any
    order from any source, and changes nothing. `forced` is the one legal order by public facts, if there is only one.
    `default` is what holds when the owner neither orders nor has a standing order (None: he is asked). `idle` is the
    same where public facts leave nothing to decide: it holds under rules that pass such questions (`passes_idle`).
    `policy` turns the answer of a standing order (a priority list, a word) into an order for this very question; None:
    does not apply.
    """

    seat: str
    kind: str
    rule: str
    prompt: Message
    read: Callable[[Plain], Any]
    verbs: tuple[str, ...] = ()
    scope: str = ""
    facts: Facts = field(default_factory=dict)
    forced: Plain = None
    default: Plain = None
    options: Callable[[], Sequence[Plain]] = _no_options
    policy: Callable[[Plain], Plain] = _as_it_stands
    reaction: bool = False  # to the other side's move: a side may have named one player who answers these
    form: Callable[[], Form] | None = None  # the question pick by pick; None: over the orders of `options`
    series: bool = False  # asked again after each order, until `done` or until nothing else is left
    idle: Plain = None


class Simultaneous(Struct, frozen=True):
    """Several seats decide secretly at once: all but the last seal, the last answers openly, then the seals open.

    The answer is a dict seat -> typed answer. An order that is illegal when opened counts as the ask's `default`.
    """

    asks: tuple[Ask, ...]
    rule: str


class Roll(Struct, frozen=True):
    """Open dice. The answer is a tuple of integers from 1 to `sides`. `against`: the seat the roll is against.

    The record form of `label` goes into the dice; it is fixed for as long as games with it are played.
    """

    label: Message
    dice: int
    sides: int
    rule: str
    against: str | None = None


class PrivateRoll(Struct, frozen=True):
    """Dice that only `seat` sees. The answer is a handle; the item behind it is the list of numbers."""

    seat: str
    label: Message
    dice: int
    sides: int
    rule: str


class Draw(Struct, frozen=True):
    """`count` items drawn unseen for `seat` from `base` less what stands in `less` (handles or items). Answer: handles."""

    seat: str
    pool: str
    base: tuple[str, ...]
    less: tuple[str, ...]
    count: int
    rule: str


class Commit(Struct, frozen=True):
    """`seat` chooses contents and hides them. The answer is a handle; `read` judges the contents when they open.

    `judge` raises Rejected for contents that are illegal by what the owner alone knows; only his own program asks it.
    """

    seat: str
    kind: str
    rule: str
    prompt: Message
    read: Callable[[Plain], Any]
    default: Plain = None
    options: Callable[[], Sequence[Plain]] = _no_options
    judge: Callable[[Plain, Reveal], None] | None = None
    scope: str = ""
    form: Callable[[Callable[[Plain], Any], Reveal], Form] | None = None  # by what its owner may seal, and what he knows

    def check(self, order: Plain, reveal: Reveal) -> None:
        """Raises Rejected for contents that the owner, who knows what is hidden, may not seal."""
        self.read(order)
        if self.judge is not None:
            self.judge(order, reveal)


class Open(Struct, frozen=True):
    """The owner of `handle` shows what is behind it. The answer is the item; `shows`: the only item that is accepted."""

    seat: str
    handle: Handle
    rule: str
    shows: Item = None


class Claim(Struct, frozen=True):
    """`seat` states something about hidden things. `truth` computes it from full knowledge; `allowed(truth, stated)`.

    Where `allowed` leaves a choice, nothing but words may depend on it: its owner may know the dice that come next.
    What is stated is equal to the truth in kind too: 1 is not true. `read` raises Rejected for a statement that the rules
    do not let stand, or gives it as the rule receives it.
    """

    seat: str
    kind: str
    about: Message
    rule: str
    truth: Callable[[Reveal], Plain]
    allowed: Callable[[Plain, Plain], bool] = same
    read: Callable[[Plain], Any] = _as_received


Request: TypeAlias = Ask | Simultaneous | Roll | PrivateRoll | Draw | Commit | Open | Claim
Flow: TypeAlias = Generator[Request, Any, T]


def fingerprint(request: Request, cursor: str) -> str:
    """Kind, seat, section and cursor of a request in one short line; equal on both sides, free of secrets."""
    match request:
        case Ask():
            what = ("ask", request.seat, request.kind, request.rule)
        case Simultaneous():
            what = ("simultaneous", ",".join(a.seat for a in request.asks), request.asks[0].kind, request.rule)
        case Roll():
            what = ("roll", f"{request.dice}d{request.sides}", str(request.label), request.rule)
        case PrivateRoll():
            what = ("private roll", request.seat, str(request.label), request.rule)
        case Draw():
            what = ("draw", request.seat, f"{request.count} from {request.pool}", request.rule)
        case Commit():
            what = ("commit", request.seat, request.kind, request.rule)
        case Open():
            what = ("open", request.seat, request.handle, request.rule)
        case Claim():
            what = ("claim", request.seat, f"{request.kind} {request.about}", request.rule)
    return " | ".join((*what, cursor))
