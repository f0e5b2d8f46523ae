"""All tests of pbem. They read what commands say in English, whatever the language of the machine."""

import os

os.environ.pop("LC_ALL", None)
os.environ["LC_MESSAGES"] = "C"
