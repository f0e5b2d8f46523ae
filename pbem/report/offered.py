"""The formats and the languages of reports: the one list of each, which the command line offers too. It imports nothing."""

FORMATS = {"md": "Markdown", "bbcode": "BBCode", "html": "HTML", "txt": "plain text", "spoken": "for screen readers"}
LANGUAGES = {"en": "English", "pl": "polski", "ru": "русский", "fr": "français", "cs": "čeština"}
