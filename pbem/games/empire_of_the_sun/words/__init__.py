"""The words of Empire of the Sun: events told, questions, the situation."""
