"""[9.0] The battles of an offensive."""
