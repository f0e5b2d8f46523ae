"""What the bots of all games share: choosing between operations. It knows no game."""
