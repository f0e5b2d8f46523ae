"""Any plain value, for properties."""

from __future__ import annotations

import unicodedata

from hypothesis import strategies as st

from pbem.kernel.canon import MAX_INT

words = st.text(st.characters(exclude_categories=["Cs"]), max_size=6).map(lambda text: unicodedata.normalize("NFC", text))
atoms = st.none() | st.booleans() | st.integers(-MAX_INT, MAX_INT) | words
plain = st.recursive(atoms, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3), max_leaves=8)
