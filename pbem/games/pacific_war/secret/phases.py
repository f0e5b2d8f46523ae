"""[PW-FOG-01] Phases of a month in which sealed units may take part: open orders first, then one order in secret."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from copy import copy
from functools import partial
from itertools import chain, islice
from typing import Any, TypeVar

from msgspec.structs import replace

from pbem.games.pacific_war.events import Remarked
from pbem.games.pacific_war.secret.aircraft import show_cover
from pbem.games.pacific_war.secret.forces import order_in_secret, presumed, restate_forces, whole
from pbem.games.pacific_war.secret.orders import REPAIRS
from pbem.games.pacific_war.state import State
from pbem.games.pacific_war.terms import side_term
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Claim, Flow, Reveal
from pbem.kernel.forms import Form, Read
from pbem.kernel.memo import Memo
from pbem.kernel.orders import Rejected, illegal
from pbem.kernel.proposals import Found
from pbem.kernel.questions import DONE, accepted, nothing, orders_until_done
from pbem.kernel.wording import Message, msg

T = TypeVar("T")
SECRET = "secret"
PROPOSED, MOST_ROWS = 4, 3

Judge = Callable[[State, Plain], object]


def orders_or_secret(
    side: str,
    kind: str,
    rule: str,
    prompt: Message,
    verbs: Sequence[str],
    read: Callable[[Plain], T | None],
    options: Callable[[], Sequence[Plain]],
    act: Callable[[T], Flow[None] | None],
    in_secret: Callable[[], Flow[None]] | None,
    form: Callable[[Sequence[str], Read], Form] | None = None,
) -> Flow[None]:
    """One order after the other until `done`; or until `secret`: then one sealed order follows and the phase is over.

    `form`: that of the open orders, with all verbs.
    """

    def formed(verbs: Sequence[str], read: Read) -> Callable[[], Form] | None:
        return None if form is None else partial(form, verbs, read)

    if in_secret is None:
        open_form = formed((*verbs, DONE), read)
        yield from orders_until_done(side, kind, rule, prompt, verbs, read, options, act, open_form)
        return
    over = False

    def read_all(plain: Plain) -> Any:
        return SECRET if plain == SECRET else read(plain)

    def options_all() -> Sequence[Plain]:
        return [DONE] if over else Found(chain(options(), (SECRET,)))

    def act_all(order: Any) -> Flow[None]:
        nonlocal over
        if order == SECRET:
            over = True
            yield from in_secret()
        else:
            yield from act(order) or nothing()

    words = msg("{prompt}; or secret: a sealed order for hidden units, the last of the phase", prompt=prompt)
    yield from orders_until_done(
        side, kind, rule, words, (*verbs, SECRET), read_all, options_all, act_all, formed((*verbs, SECRET, DONE), read_all)
    )


def give_in_secret(
    g: State,
    side: str,
    kind: str,
    rule: str,
    prompt: Message,
    judge: Judge,
    form: Callable[[Plain], object],
    ideas: Callable[[State], Iterable[Plain]],
    facts: dict[str, Any] | None = None,
) -> Flow[None]:
    """One sealed order; then its side states where Force markers stand and which hidden units matter for links.

    `judge` with the game as its owner sees it; `ideas` proposes by what everybody knows. Repairs move nothing.
    """

    def options() -> list[Plain]:
        seen = presumed(g, side)
        return [DONE, *islice(accepted(lambda plain: judge(seen, plain), ideas(seen)), PROPOSED)]

    done = yield from order_in_secret(g, side, kind, rule, prompt, judge, form, options, facts)
    if done and kind != REPAIRS:
        yield from restate_forces(g, side, rule)
        yield from show_cover(g, side)


def states(g: State, side: str, kind: str, about: Message, rule: str, check: Callable[[State], object]) -> Flow[bool]:
    """What only a side itself can know of its open order: whether `check` accepts it with the game as the side sees it."""

    def truth(reveal: Reveal) -> Plain:
        try:
            check(whole(g, side, reveal))
        except Rejected:
            return False
        return True

    stated = yield Claim(side, kind, about, rule, truth)
    if stated is not True:
        emit(g, Remarked(msg("{power}: what was ordered cannot be done", power=side_term(side)), rule))
    return stated is True


def trial(seen: State) -> State:
    """A copy in which orders can be tried one after the other."""
    tried = copy(seen)
    tried.units = {n: replace(u) for n, u in seen.units.items()}
    tried.memo, tried.events = Memo(), []
    return tried


def run(flow: Flow[None]) -> None:
    """Carries out an order on a trial. Raises Rejected if something would be asked or rolled."""
    for request in flow:
        raise illegal(msg("this cannot be done in secret"), request.rule, msg("give the order openly"))


def check_sealed(g: State, units: Iterable[str]) -> None:
    """Orders in secret are for sealed units. Raises Rejected."""
    for unit in units:
        if unit in g.units and g.units[unit].box == "map":
            raise illegal(msg("{unit} is in sight", unit=unit), "PW-FOG-01", msg("give its orders openly"))


def row_ideas(judge: Callable[[Plain], object], rows: Iterable[Plain]) -> Iterable[Plain]:
    """`orders: [...]` of single rows, and of as many of them as go together: the longest first."""
    good: list[Plain] = []
    for row in rows:
        if len(good) == MOST_ROWS:
            break
        try:
            judge({"orders": [*good, row]})
        except Rejected:
            continue
        good.append(row)
    several: list[Plain] = [{"orders": good[:n]} for n in range(len(good), 0, -1)]
    yield from several
    singles: list[Plain] = [{"orders": [row]} for row in good[1:]]
    yield from singles
