"""Title, facts and legend of an area map."""

from __future__ import annotations

from pbem.kernel.wording import linked, msg
from pbem.report.maps import svg, tokens
from pbem.report.maps.area_sheet import BURST, TITLE, Sheet
from pbem.report.maps.tokens import BREAK, Panel, Token


class Beside:
    """What stands above and below one map."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet

    def heading(self, title: str) -> Panel:
        """The title, and below it the powers with their facts."""
        of = (title, self.sheet.picture.parties, self.sheet.picture.facts)
        return self.sheet.part("heading", of, lambda: self._heading(title))

    def _heading(self, title: str) -> Panel:
        room = self.sheet.frame.width / self.sheet.scale - 20
        found = [*tokens.words(title, TITLE, self.sheet.theme, bold=True)]
        if not self.sheet.look.around:
            found.append(BREAK)
            for party in self.sheet.picture.parties:
                owner = self.sheet.style.owner(party.id)
                found += [tokens.pill(owner.letter, owner, 25, self.sheet.theme)]
                if not self.sheet.overview:
                    found += [
                        tokens.line(self.sheet.look.speak(linked(": ", owner.name, party.facts)) + " ", 24, self.sheet.theme)
                    ]
            found.append(tokens.line(self.sheet.look.speak(self.sheet.picture.facts), 24, self.sheet.theme))
        return tokens.flow(found, room, centred=False, gap=9)

    def legend(self) -> Panel:
        """What the silhouettes and signs mean; only under large pictures of the whole board."""
        if self.sheet.overview or self.sheet.look.around:
            return Panel(0, 0, ())
        shown = {stack.type for space in self.sheet.picture.spaces for stack in space.stacks}
        example = next(((space.owner, space.value) for space in self.sheet.picture.spaces if space.owner and space.value), None)
        return self.sheet.part("legend", (shown, example), lambda: self._legend(shown, example))

    def _legend(self, shown: set[str], example: tuple[str, int] | None) -> Panel:
        sheet, found = self.sheet, list[Token]()
        theme, speak = sheet.theme, sheet.look.speak
        for id, shape in sheet.style.units.items():
            if id in shown:
                found += self._entry(svg.el("use", href=sheet.used.unit(id), fill=theme.ink), shape.name)
        for id, shape in sheet.style.badges.items():
            found += self._entry(svg.el("use", href=sheet.used.badge(id), fill=theme.ink), shape.name)
        for id, shape in sheet.style.signs.items():
            found += self._entry(svg.el("use", href=sheet.used.sign(id), fill=theme.faint), shape.name)
        found += self._holder(*example) if example else []
        found += [tokens.star(False, 1, theme), tokens.line(speak(msg("Victory city")), 21, theme)]
        found += [tokens.star(True, 1, theme), tokens.line(speak(msg("and capital")) + "   ", 21, theme)]
        found += self._entry(svg.moved(svg.el("path", d=BURST, fill=theme.alarm), 15, 11, 0.6), speak(msg("Battle")))
        return tokens.flow(found, sheet.frame.width / sheet.scale - 20, centred=False, gap=6)

    def _holder(self, id: str, value: int) -> list[Token]:
        """What a letter and a number beside a name say, by an example from the board."""
        owner = self.sheet.style.owner(id)
        said = msg("held by {owner}, income {value}", owner=owner.name, value=value)
        pill = tokens.pill(f"{owner.letter} {value}", owner, 18, self.sheet.theme)
        return [pill, tokens.line(self.sheet.look.speak(said) + "   ", 21, self.sheet.theme)]

    def _entry(self, drawn: str, name: str) -> list[Token]:
        width, height = tokens.FIELD
        said = tokens.line(name + "   ", 21, self.sheet.theme)
        both = drawn + svg.moved(said.markup, width + 5, 0)
        return [Token(width + 5 + said.width, height, both)]
