"""The lines of the setup beside its tree: head, fields, plan, and the findings that a launch asks about."""

from __future__ import annotations

from collections.abc import Iterable

from ngcctui.engine.host.findings import Finding
from ngcctui.tui.glyphs import Glyphs
from ngcctui.tui.view.fields import FIELDS
from ngcctui.tui.view.line import Line, Tone, clip, shown, width_of, wrap
from ngcctui.tui.view.setup import Draft

_LABEL_CELLS = 12
_NO_OPERATIONS = "none: build and KAT only"


def head(state: str, host: str, unfit: bool, width: int, glyphs: Glyphs) -> Line:
    """The first line: what is going on at its left end, the host at its right."""
    left = (f" ngcctui {glyphs.dot} {state}", Tone.TITLE)
    right = (f"{shown(host, glyphs)} ", Tone.WARN if unfit else Tone.PLAIN)
    return left, (" " * max(2, width - width_of((left, right))), Tone.PLAIN), right


def fields(draft: Draft, width: int, glyphs: Glyphs) -> list[Line]:
    """A line of `width` cells for each field, and the last for the operations."""
    rows = [(field.label, field.shown(draft.campaign)) for field in FIELDS]
    rows.append(("operations", " ".join(draft.operations) or _NO_OPERATIONS))
    lines = (
        ((f"{label:<{_LABEL_CELLS}}", Tone.DIM), (shown(value, glyphs), Tone.PLAIN)) for label, value in rows
    )
    return [clip(line, width, glyphs) for line in lines]


def paragraphs(said: Iterable[str], tone: Tone, width: int, glyphs: Glyphs) -> list[Line]:
    """Each text in as many lines as it needs."""
    return [((line, tone),) for text in said for line in wrap(shown(text, glyphs), width)]


def findings(found: Iterable[Finding], width: int, room: int, glyphs: Glyphs) -> list[str]:
    """The findings in at most `room` lines; the last one says that there are more."""
    lines = [line for finding in found for line in wrap(shown(f"- {finding.text}", glyphs), width)]
    return lines if len(lines) <= room else [*lines[: room - 1], "and more: c in the setup shows all"]
