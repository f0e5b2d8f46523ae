"""[4.2] [5.0] The Offensives Phase: initiative, and what the active player does with a card."""
