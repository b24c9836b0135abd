"""What to say behind a name that nobody knows."""

from __future__ import annotations

from collections.abc import Iterable

#: More names than this are not listed in one line.
MAX_NAMES = 8


def nearest(word: str, known: Iterable[str]) -> str:
    """`did you mean …?` with up to three similar names, else `known: …` with the first ones."""
    names = list(dict.fromkeys(known))
    if not names:
        return "there is none"
    from difflib import get_close_matches  # only for a mistake

    folded = {name.casefold(): name for name in reversed(names)}
    close = get_close_matches(word.casefold(), list(folded), n=3, cutoff=0.5)
    if close:
        return f"did you mean {' or '.join(folded[c] for c in close)}?"
    more = f" and {len(names) - MAX_NAMES} more" if len(names) > MAX_NAMES else ""
    return f"known: {', '.join(names[:MAX_NAMES])}{more}"
