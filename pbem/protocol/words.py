"""Game ids in words, to be read over the telephone: syllables, one for each half byte pair."""

from __future__ import annotations

_ONSETS = ("b", "d", "f", "g", "h", "j", "k", "l", "m", "n", "p", "r", "s", "t", "v", "z")
_VOWELS = ("a", "e", "i", "o")
_CODAS = ("l", "n", "r", "s")
COUNT = 8


def word(value: int) -> str:
    """A 16-bit value as a five-letter or six-letter word: onset, vowel, coda, onset, vowel, coda."""
    first, second = value >> 8, value & 0xFF
    return _syllable(first) + _syllable(second)


def _syllable(byte: int) -> str:
    return _ONSETS[byte >> 4] + _VOWELS[byte >> 2 & 3] + _CODAS[byte & 3]


def in_words(hex_id: str) -> str:
    """The first 128 bits of an id as eight words."""
    data = bytes.fromhex(hex_id)
    return " ".join(word(int.from_bytes(data[i : i + 2], "big")) for i in range(0, 2 * COUNT, 2))
