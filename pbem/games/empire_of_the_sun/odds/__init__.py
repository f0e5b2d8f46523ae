"""[9.0] Chances of the battles of an offensive, counted out over every die that makes a difference."""
