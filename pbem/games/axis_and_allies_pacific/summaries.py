"""What the scenario is, for a player who thinks of it."""

from __future__ import annotations

from pbem.kernel.wording import Message, msg, paragraph

FILES = 300  # of all players, from whole games of the bots, rounded


def summary() -> Message:
    """[VIC] What it is, how long it lasts, who wins how, how many files it takes."""
    return paragraph(
        (
            msg("The war in the Pacific from the spring of 1940 on: Japan against four Allied powers."),
            msg("It lasts until one side has won, or as many rounds as the players agree on."),
            msg("Japan wins with six of the eight victory cities at the end of a round."),
            msg("The Allies win when they have captured Japan and hold it through its next turn."),
            msg("About {n} files.", n=FILES),
        )
    )
