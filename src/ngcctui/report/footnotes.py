"""Footnotes of section 3: what a known answer test's outcome means, why a known case has it, what follows (data/kat-notes.toml)."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

from ngcctui.model.outcome import Outcome
from ngcctui.model.toml_file import load
from ngcctui.share import share_dir


@dataclass(frozen=True)
class Treatments:
    """What is done with an instance after its outcome."""

    timed: str
    untimed: str


@dataclass(frozen=True)
class Meaning:
    """What one outcome means, and whether the instance is timed after it."""

    word: Outcome
    timed: bool
    cause: str


@dataclass(frozen=True)
class Case:
    """A known cause: globs over the scheme's key and the instance, and where it is known from."""

    schemes: str
    instances: tuple[str, ...]
    outcome: Outcome
    cause: str
    origin: str

    def fits(self, key: str, instance: str, outcome: Outcome) -> bool:
        """True when this is the case of an instance of scheme `key` that ended as `outcome`."""
        return (
            outcome is self.outcome
            and fnmatchcase(key, self.schemes)
            and any(fnmatchcase(instance, pattern) for pattern in self.instances)
        )


@dataclass(frozen=True)
class KatNotes:
    """The catalogue."""

    treatment: Treatments
    outcome: tuple[Meaning, ...]
    note: tuple[Case, ...] = ()


@cache
def load_kat_notes(path: Path | None = None) -> KatNotes:
    """The catalogue in a file, the packaged one by default; ConfigError when it does not fit."""
    return load(KatNotes, path or share_dir() / "data" / "kat-notes.toml")


class Footnotes:
    """Numbers the paragraphs of one page: instances with one outcome and one cause share one."""

    def __init__(self, notes: KatNotes, key: str) -> None:
        self._notes = notes
        self._key = key
        self._seen: dict[tuple[Outcome, str], dict[str, list[str]]] = {}

    def number(self, instance: str, outcome: Outcome, detail: str) -> int | None:
        """The number of the paragraph for an instance; None where there is nothing to tell (a plain PASS)."""
        why = self._why(instance, outcome)
        if not why and not detail:
            return None
        self._seen.setdefault((outcome, why), {}).setdefault(detail, []).append(instance)
        return list(self._seen).index((outcome, why)) + 1

    def paragraphs(self) -> list[str]:
        """What was seen of which instance, then the cause and the treatment, by number."""
        return [_sentences(_seen(outcome, seen), why) for (outcome, why), seen in self._seen.items()]

    def _why(self, instance: str, outcome: Outcome) -> str:
        meaning = next((entry for entry in self._notes.outcome if entry.word is outcome), None)
        if meaning is None:
            return ""
        case = next((entry for entry in self._notes.note if entry.fits(self._key, instance, outcome)), None)
        treatment = self._notes.treatment.timed if meaning.timed else self._notes.treatment.untimed
        return _sentences(case.cause if case else meaning.cause, treatment)


def _seen(outcome: Outcome, seen: dict[str, list[str]]) -> str:
    """The outcome with what was seen; the instances are named where that differs between them."""
    details = [detail for detail in seen if detail]
    if len(seen) == 1:
        return ": ".join((outcome.value, *details))
    told = (f"{', '.join(seen[detail])}: {detail}" for detail in details)
    return f"{outcome.value}: {'; '.join(told)}"


def _sentences(*texts: str) -> str:
    """Texts as sentences: each ends with a full stop."""
    return " ".join(text if text.endswith((".", "!", "?")) else f"{text}." for text in texts if text)
