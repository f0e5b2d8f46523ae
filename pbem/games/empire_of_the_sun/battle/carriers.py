"""[9.2] F7, [8.46] Carriers that exchange a step; brigades that go down with their ship."""

from __future__ import annotations

from pbem.games.empire_of_the_sun.battle.participants import firing_units
from pbem.games.empire_of_the_sun.events.battles import Restored
from pbem.games.empire_of_the_sun.labels import ASKED, unread, written
from pbem.games.empire_of_the_sun.losses import eliminate, lose_step
from pbem.games.empire_of_the_sun.orders import read_unit, split_order
from pbem.games.empire_of_the_sun.phase_forms import transfers
from pbem.games.empire_of_the_sun.state import ALLIES, JAPAN, State, fighting, offensive
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Ask, Flow
from pbem.kernel.orders import illegal, unreadable
from pbem.kernel.questions import NONE
from pbem.kernel.wording import msg


def carrier_transfer(g: State, place: int) -> Flow[None]:
    """[9.2] F7: one Japanese carrier takes a step that another lost in this battle, unless the Allies scored a critical hit."""
    fight = fighting(g)
    if ALLIES in fight.critical:
        return
    decks = [u for u in firing_units(g, JAPAN, place) if g.counter(u).carrier]
    lost = [u for u in fight.losses if g.counter(u).carrier and g.counter(u).side == JAPAN]
    pairs = [(take, save) for save in lost for take in decks if take != save]
    if not pairs:
        return
    pair = yield _ask_transfer(g, pairs)
    if pair is None:
        return
    take, save = pair
    emit(g, Restored(save, "9.2"))
    lose_step(g, take, "9.2")


def _ask_transfer(g: State, pairs: list[tuple[str, str]]) -> Ask:
    def read(plain: Plain) -> tuple[str, str] | None:
        _, body = split_order(plain, ("transfer",))
        if body == NONE:
            return None
        take, word, save = str(body).partition(" for ")
        if not word:
            raise unreadable(
                unread("transfer", body), written("transfer: CARRIER THAT LOSES for CARRIER SAVED", "transfer: none")
            )
        pair = read_unit(g, take.strip()), read_unit(g, save.strip())
        if pair not in pairs:
            raise illegal(msg("these carriers cannot exchange a step"), "9.2")
        return pair

    def policy(wanted: Plain) -> Plain:
        return {"transfer": NONE} if wanted in (NONE, "never") else None

    orders: list[Plain] = [{"transfer": NONE}]
    orders += [{"transfer": f"{take} for {save}"} for take, save in pairs]
    return Ask(
        JAPAN,
        "transfer",
        "9.2",
        ASKED["transfer"],
        read,
        ("transfer",),
        options=lambda: orders,
        policy=policy,
        form=lambda: transfers(g, pairs, read),
    )


def drowned_brigades(g: State) -> None:
    """[8.46] A brigade dies with the ship that carries it."""
    o = offensive(g)
    for unit, entry in list(o.units.items()) + list(o.reactors.items()):
        if entry.ship and g.pieces[unit].box == "map" and g.pieces[entry.ship].box != "map":
            eliminate(g, unit, "8.46")
