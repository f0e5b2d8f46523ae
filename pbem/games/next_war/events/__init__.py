"""What can happen in a game of the Next War series, by chapter of the rules. Every change of the state is one of these."""
