"""What the game says: the situation, events, dice, statements."""
