"""Ships and submarines at sea: movement, search, naval combat, bombardment, barges."""
