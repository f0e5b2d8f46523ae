"""How many files a game takes: `python -m tests.mails` plays bots over signed files and counts (see `__main__`)."""
