"""The rules that a report cites, for its foot."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.games.index import Entry, RuleIndex
from pbem.report.view import ReportView


def cited(view: ReportView, index: RuleIndex, edition: str) -> Mapping[str, Entry]:
    """Every rule that stands behind a line, a roll or what is due, in the order of the report: as it is cited -> its entry."""
    lines = [*view.income, *view.politics, *view.control]
    lines += [line for chapter in view.chapters for block in chapter.blocks for line in block.lines]
    rules = [view.due_rule, *(line.rule for line in lines), *(roll.rule for roll in view.rolls)]
    found = {rule: index.entry(rule, edition) for rule in dict.fromkeys(rules) if rule}
    return {rule: entry for rule, entry in found.items() if entry is not None}
