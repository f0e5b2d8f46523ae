"""Documents, signatures, chains, dice, draws and seals: pure functions, specified in SPEC.md."""
