"""Terms of Empire of the Sun as messages: sides, phases, nations, boxes, kinds of units, what is asked."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.games.empire_of_the_sun.board import Card
from pbem.games.empire_of_the_sun.state import ALLIES, JAPAN, State
from pbem.kernel.canon import Plain
from pbem.kernel.wording import NO_WORDS, Argument, Message, counted, msg

SIDES = {JAPAN: msg("Japan"), ALLIES: msg("Allies"), "": msg("nobody")}
SPOKEN = {  # words of some orders, as a player says them
    "bomb: all": msg("all of them"),
    "bomb: none": msg("none of them"),
    "cards: none": msg("no card"),
    "counter: hq": NO_WORDS,
    "counter: moves": NO_WORDS,
    "counter: none": msg("no reaction"),
    "disengage: none": msg("stay and fight"),
    "hits: {n}": counted("{n} step", "{n} steps"),
    "intelligence: none": msg("neither a roll nor cards"),
    "intelligence: roll": msg("roll for intelligence"),
    "retrieve: none": msg("no card"),
    "return: home": msg("all of them home"),
    "special: all": msg("against all of them"),
    "special: none": msg("against none of them"),
    "transfer: none": msg("no transfer"),
}
PHASES = {
    "": msg("Set-up"),
    "Strategic Phase": msg("Strategic Phase"),
    "Reinforcement Segment": msg("Reinforcement Segment"),
    "Replacement Segment": msg("Replacement Segment"),
    "Strategic Warfare Segment": msg("Strategic Warfare Segment"),
    "Deal": msg("Deal Strategy Cards Segment"),
    "Offensives Phase": msg("Offensives Phase"),
    "National Status Segment": msg("National Status Segment"),
    "US Political Will Segment": msg("US Political Will Segment"),
    "Attrition Phase": msg("Attrition Phase"),
    "End of Turn Phase": msg("End of Turn Phase"),
}
NATIONS = {
    "australia": msg("Australia"),
    "mandates": msg("Australian Mandates"),
    "new-guinea": msg("New Guinea"),
    "burma": msg("Burma"),
    "china": msg("China"),
    "dutch-east-indies": msg("Dutch East Indies"),
    "india": msg("India"),
    "japan": msg("Japan"),
    "marshalls": msg("Marshall Islands"),
    "malaya": msg("Malaya"),
    "philippines": msg("Philippines"),
}
CHINA = (
    msg("Stable Front"),
    msg("Unstable Front"),
    msg("Major Breakthrough"),
    msg("Threat to Chungking"),
    msg("Chungking falls"),
    msg("Government Collapsed"),
)
INDIA = (msg("Stable"), msg("Unrest"), msg("Strikes"), msg("Unstable"), msg("Revolts"))
CONDITIONS = {"surprise": msg("Surprise Attack"), "intercept": msg("Intercept"), "ambush": msg("Ambush")}
HOW = {
    "sea": msg("by sea"),
    "air": msg("by air"),
    "land": msg("by land"),
    "assault": msg("amphibious assault"),
    "organic": msg("organic naval transport"),
    "barge": msg("by barge"),
    "strategic": msg("strategic movement"),
    "placed": msg("placed"),
    "": msg("unmoved"),
}
ROUNDS = {"air-naval": msg("air-naval combat"), "ground": msg("ground combat")}
TERRAIN = {
    "open": msg("open"),
    "jungle": msg("jungle"),
    "mixed": msg("mixed terrain"),
    "mountain": msg("mountain"),
    "atoll": msg("atoll"),
    "ocean": msg("sea"),
}
ROUTES = {"jarhat": msg("Jarhat"), "imphal": msg("Imphal"), "ledo": msg("Ledo")}
POOLS = {
    "air": msg("air"),
    "naval": msg("naval"),
    "ground": msg("ground"),
    "us-naval": msg("US naval"),
    "cw-naval": msg("Commonwealth naval"),
    "chinese": msg("Chinese"),
}
POINTS = {
    "air": msg("air replacement points"),
    "naval": msg("naval replacement points"),
    "ground": msg("ground replacement points"),
}
BOXES = {
    "china": msg("China box"),
    "delayed": msg("Delayed Reinforcements"),
    "event": msg("set aside for an event"),
    "eliminated": msg("eliminated units"),
    "removed": msg("out of the game"),
}
TRACK = msg("Turn Record Track")
ASKED = {
    "arcadia": msg("card A4, Arcadia Conference, or not"),
    "initiative": msg("initiative with the future offensives card"),
    "card": msg("play a card, set it aside, discard or pass"),
    "use": msg("what the card is used for"),
    "activate": msg("activation of units"),
    "move": msg("movement of the activated units"),
    "battle": msg("declaration of battle hexes"),
    "reaction": msg("react to the offensive or let it pass"),
    "special": msg("special reaction against landings"),
    "intelligence": msg("intelligence: roll, cards or neither"),
    "cards": msg("attack and personage cards"),
    "counter": msg("reaction movement: headquarters, units, moves, battles"),
    "fight": msg("the battle that is fought next"),
    "hits": msg("allocation of hits"),
    "transfer": msg("transfer of a loss between carriers"),
    "disengage": msg("ground disengagement"),
    "retreat": msg("retreat"),
    "return": msg("post-battle movement"),
    "sail": msg("emergency naval movement"),
    "refuge": msg("emergency movement"),
    "reinforcements": msg("placement of reinforcements"),
    "replacements": msg("use of replacement points"),
    "bomb": msg("strategic bombing of Japan"),
    "target": msg("the unit that loses a step"),
    "retrieve": msg("a card from the discard pile"),
    "overflow": msg("the unit that leaves an overstacked hex"),
    "join": msg("who joins a battle of the special reaction"),
    "critical hit": msg("the unit that loses the step of the critical hit"),
    "last step": msg("the unit that keeps its last step"),
}


def spoken(verb: str, *words: str) -> dict[str, Message]:
    """Words of such an order, each with what a player says for it."""
    return {word: SPOKEN[f"{verb}: {word}"] for word in words}


def place(g: State, hex: int) -> str:
    """A hex as players name it: `Rabaul 4021`. Names of the map stay as they are printed."""
    return g.board.name(hex)


def hexes(*places: int) -> tuple[str, ...]:
    """Hexes as a report names the spaces of a line; 0 is none."""
    return tuple(f"{p:04}" for p in places if p)


def unit(g: State, id: str) -> Message:
    """One unit by its printed name."""
    return Message(g.counter(id).name, {"n": 1})


def gone(g: State, ids: Iterable[str]) -> tuple[Message, ...]:
    """Units in a list of losses; each stands there for the steps that it lost before."""
    return tuple(Message(g.counter(id).name, {"n": 1, "unit": id, "end": ""}) for id in ids)


def units(g: State, ids: Iterable[str]) -> tuple[Message, ...]:
    """Several units by name."""
    return tuple(unit(g, id) for id in ids)


def where_is(g: State, id: str) -> Argument:
    """The hex of a unit, or its box."""
    piece = g.pieces[id]
    return place(g, piece.at) if piece.box == "map" else BOXES.get(piece.box, TRACK)


def battle(g: State, hex: int) -> Message:
    """Heading of a battle."""
    return msg("Battle: {place}", place=place(g, hex))


def block_of(g: State) -> Message | None:
    """The battle that something belongs to while one is being fought."""
    return battle(g, g.fight.hex) if g.fight is not None else None


def card(g: State, id: str) -> Message:
    """A card by number and title."""
    return g.board.cards[id].told


# -- refusals ----------------------------------------------------------------------------------------------------------


def of_card(card: Card, why: Message) -> Message:
    """A reason with the card that it is about before it."""
    return msg("{card}: {why}", card=card.told, why=why)


def names(g: State, ids: Iterable[str]) -> tuple[str, ...]:
    """Units by their printed names."""
    return tuple(g.counter(id).name for id in ids)


def places(g: State, hexes: Iterable[int]) -> tuple[Message | str, ...]:
    """Hexes as players name them; -1 is the China box."""
    return tuple(BOXES["china"] if hex < 0 else place(g, hex) for hex in hexes)


def written(*forms: str) -> Message:
    """How such an order is written."""
    return msg("to be written: {forms}", forms=tuple(f"`{form}`" for form in forms))


def unread(verb: str, body: Plain) -> Message:
    """An order whose body nobody understands."""
    return msg("{given} cannot be read", given=f"{verb}: {body!r}" if verb else repr(body))
