"""[5.33] [5.34] What events do besides an offensive, by the keys of the card's data. One small function for each key."""
