"""Rules module of Pacific War."""
