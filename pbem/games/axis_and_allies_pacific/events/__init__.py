"""What can happen in a game of Pacific 1940, by chapter of the rules. Every change of the state is one of these."""
