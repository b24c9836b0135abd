"""The filter of `/`: a regular expression over the text of a row, turned round by a leading `!`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache


@dataclass(frozen=True)
class RowFilter:
    """Which rows are shown; an empty text shows all.

    What is no regular expression (yet, while it is typed) is searched for as it stands.  Case counts as soon as the text
    has a capital letter.
    """

    text: str = ""

    def __call__(self, row: str) -> bool:
        """True when a row with the text `row` is shown."""
        inverse = self.text.startswith("!")
        wanted = self.text[1:] if inverse else self.text
        return not wanted or (_pattern(wanted).search(row) is None) == inverse


@lru_cache(maxsize=64)
def _pattern(text: str) -> re.Pattern[str]:
    flags = re.NOFLAG if any(char.isupper() for char in text) else re.IGNORECASE
    try:
        return re.compile(text, flags)
    except (re.error, OverflowError, RecursionError):
        return re.compile(re.escape(text), flags)
