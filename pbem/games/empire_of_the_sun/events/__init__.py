"""What can happen in a game of Empire of the Sun, by chapter of the rules. Every change of the state is one of these."""
