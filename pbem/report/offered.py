"""The formats and languages of reports, the places of posts: the command line offers them too. It imports nothing."""

FORMATS = {"md": "Markdown", "bbcode": "BBCode", "html": "HTML", "txt": "plain text", "spoken": "for screen readers"}
LANGUAGES = {"en": "English", "pl": "polski", "ru": "русский", "fr": "français", "cs": "čeština"}
PLACES = {"phpbb": "phpBB", "nodebb": "NodeBB", "discourse": "Discourse", "reddit": "Reddit", "plain": "plain text"}


def short_of(code: str) -> str:
    """The language of a locale: `pl` of `pl_PL.UTF-8`."""
    return code.partition(".")[0].partition("_")[0].partition("-")[0].lower()
