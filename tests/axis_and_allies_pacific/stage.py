"""The stage of Axis & Allies Pacific 1940: SETUP and THEN lines of its cases."""

from __future__ import annotations

from pbem.games.axis_and_allies_pacific.events.combat import BattleEnded
from pbem.games.axis_and_allies_pacific.game import OPTIONS
from pbem.games.axis_and_allies_pacific.orders import read_groups, read_space, read_type
from pbem.games.axis_and_allies_pacific.state import AIR, POWERS, State, Unit, war_key
from pbem.games.axis_and_allies_pacific.victory import ended
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask
from pbem.kernel.wording import english
from tests.axis_and_allies_pacific import table
from tests.case_driver import Stage, read_options, read_value


class GameStage(Stage):
    """A case of Pacific 1940 being played."""

    # -- SETUP ----------------------------------------------------------------------------------------------------------

    def set_up(self) -> Engine:
        lines = self.case.setup
        options = read_options(lines, OPTIONS)
        g = table.start(**options) if "SETUP start" in lines else table.empty(**options)
        power, phase = "japan", "purchase"
        for line in lines:
            word, _, rest = line.partition(" ")
            if word == "TURN":
                power, phase = self._turn(g, rest)
            elif word not in ("SETUP", "OPTION", "ROUND"):
                getattr(self, f"_set_{word.lower()}")(g, rest)
        followers = POWERS[POWERS.index(power) + 1 :] if "ROUND whole" in lines else ()  # the others of the round play too
        return table.engine_at(g, power, phase, followers)

    def _turn(self, g: State, rest: str) -> tuple[str, str]:
        words = rest.split()
        if "round" in words:
            g.round = int(words[words.index("round") + 1])
            words = words[: words.index("round")]
        return words[0], words[1] if len(words) > 1 else "purchase"

    def _set_war(self, g: State, rest: str) -> None:
        one, other = rest.split()[:2]
        if war_key(one, other) not in g.wars:
            g.wars = sorted([*g.wars, war_key(one, other)])
        opened = rest.split()[2] if len(rest.split()) > 2 else "axis"
        g.war_opened_by[war_key(one, other)] = opened

    def _set_peace(self, g: State, rest: str) -> None:
        g.wars.remove(war_key(*rest.split()))

    def _set_own(self, g: State, rest: str) -> None:
        power, _, spaces = rest.partition(":")
        for space in spaces.split(","):
            g.control[read_space(g.board, space.strip())] = power.strip()

    def _set_units(self, g: State, rest: str) -> None:
        head, _, units = rest.partition(":")
        power, _, space = head.partition(" ")
        for group in read_groups(units.strip()):
            table.put(g, power, read_space(g.board, space.strip()), group.type, group.count, group.mark == "damaged")

    def _set_aboard(self, g: State, rest: str) -> None:
        """ABOARD power SZ n: units on the first transport there with room, aircraft on the first carrier, a friend's too."""
        head, _, units = rest.partition(":")
        power, _, space = head.partition(" ")
        zone = read_space(g.board, space.strip())
        for group in read_groups(units.strip()):
            for _ in range(group.count):
                table.put(g, power, zone, group.type)
                unit = g.units[g.next_id - 1]
                unit.aboard = next(ship.id for ship in g.at(zone) if _has_room(g, ship, unit))

    def _set_facility(self, g: State, rest: str) -> None:
        place, _, things = rest.partition(":")
        for thing in things.split(","):
            kind, _, damage = thing.strip().partition(" damage ")
            table.build(g, read_space(g.board, place), read_type(kind), int(damage or 0))

    def _set_cash(self, g: State, rest: str) -> None:
        power, amount = rest.split()
        g.cash[power] = int(amount)

    def _set_bought(self, g: State, rest: str) -> None:
        power, _, units = rest.partition(":")
        g.purchased[power.strip()] = {group.type: group.count for group in read_groups(units)}

    def _set_kamikaze(self, g: State, rest: str) -> None:
        words = rest.split()
        g.kamikaze_enabled = words[0] == "enabled"
        g.kamikaze_left = int(words[1]) if len(words) > 1 else 6

    def _set_turns(self, g: State, rest: str) -> None:
        """TURNS power n: turns this power has taken."""
        power, number = rest.split()
        g.turns_taken[power] = int(number)

    def _set_captured(self, g: State, rest: str) -> None:
        """FELL n: Japan's capital fell when Japan had taken n - 1 turns."""
        g.japan_fell = int(rest)

    # -- THEN ---------------------------------------------------------------------------------------------------------

    def _then_units(self, g: State, rest: str, line: str) -> None:
        head, _, units = rest.partition(":")
        power, _, place = head.partition(" ")
        space = read_space(g.board, place.strip())
        found = table.kinds(u for u in g.at(space) if u.owner == power)
        wanted: dict[str, int] = {}
        for group in read_groups(units.strip()) if units.strip() != "none" else ():
            name = f"damaged {group.type}" if group.mark == "damaged" else group.type
            wanted[name] = wanted.get(name, 0) + group.count
        assert found == wanted, f"{line}: there are {found}"

    def _then_own(self, g: State, rest: str, line: str) -> None:
        power, _, spaces = rest.partition(":")
        for space in spaces.split(","):
            held = g.control[read_space(g.board, space.strip())]
            assert held == power.strip(), f"{line}: held by {held}"

    def _then_cash(self, g: State, rest: str, line: str) -> None:
        power, amount = rest.split()
        assert g.cash[power] == int(amount), f"{line}: has {g.cash[power]}"

    def _then_damage(self, g: State, rest: str, line: str) -> None:
        place, kind, points = rest.rsplit(" ", 2)
        found = g.facility(read_space(g.board, place), kind)
        assert found is not None and found.damage == int(points), f"{line}: {found}"

    def _then_facility(self, g: State, rest: str, line: str) -> None:
        place, kind = rest.rsplit(" ", 1)
        assert g.facility(read_space(g.board, place), kind) is not None, line

    def _then_nofacility(self, g: State, rest: str, line: str) -> None:
        place, kind = rest.rsplit(" ", 1)
        assert g.facility(read_space(g.board, place), kind) is None, line

    def _then_war(self, g: State, rest: str, line: str) -> None:
        assert war_key(*rest.split()) in g.wars, line

    def _then_fact(self, g: State, rest: str, line: str) -> None:
        """FACT name value: what the question tells of the situation."""
        name, value = rest.split()
        ask = self.engine.request
        assert isinstance(ask, Ask) and ask.facts is not None and ask.facts[name] == read_value(value), f"{line}: {ask}"

    def _then_reason(self, g: State, rest: str, line: str) -> None:
        """REASON words: why the game is over."""
        assert g.winner and english(ended(g)) == rest, f"{line}: {g.win_reason}"

    def _then_left(self, g: State, rest: str, line: str) -> None:
        """LEFT space: powers whose units are left there after its battle, the attacker first; `none`."""
        place, _, powers = rest.partition(":")
        space = read_space(g.board, place.strip())
        left = [e.left for e in g.events if isinstance(e, BattleEnded) and e.space == space]
        assert left and (", ".join(left[-1]) or "none") == powers.strip(), f"{line}: {left}"

    def _then_peace(self, g: State, rest: str, line: str) -> None:
        assert war_key(*rest.split()) not in g.wars, line


def _has_room(g: State, ship: Unit, unit: Unit) -> bool:
    if unit.type in AIR:
        return ship.type == "aircraft-carrier" and len(g.cargo(ship)) < 2
    load = sum(g.board.types[c.type].load for c in g.cargo(ship))
    return ship.type == "transport" and load + g.board.types[unit.type].load <= 5
