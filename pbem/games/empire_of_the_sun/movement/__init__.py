"""[8.0] Moves of an offensive: what each stack may do. A plan is a list of events; nothing is changed here."""
