"""Footnotes of section 3, from the packaged catalogue and from runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from ngcctui.model.errors import ConfigError
from ngcctui.model.outcome import NOT_TIMED_AFTER, Outcome
from ngcctui.report.footnotes import Footnotes, load_kat_notes

ROOT = Path(__file__).parents[2]
NOTES = load_kat_notes()


def test_the_catalogue_knows_every_kat_outcome_and_the_engines_rule() -> None:
    known = {entry.word: entry.timed for entry in NOTES.outcome}
    wanted = {word for word in Outcome if word.value.isupper() and word is not Outcome.PASS}
    assert set(known) == wanted and len(NOTES.outcome) == len(wanted)
    assert all(timed == (word not in NOT_TIMED_AFTER) for word, timed in known.items())


def test_every_known_case_says_where_it_is_known_from() -> None:
    assert NOTES.note and all(case.origin and case.cause for case in NOTES.note)


def test_instances_with_one_cause_share_a_footnote_that_tells_what_each_did() -> None:
    notes = Footnotes(NOTES, "sign-30@reference")
    three = "3 of 10 records reached, record 0 is right"
    numbers = [
        notes.number("TRINE-128-Balanced", Outcome.PASS, ""),
        notes.number("TRINE-256-Balanced", Outcome.TIMEOUT, three),
        notes.number("TRINE-512-Balanced", Outcome.TIMEOUT, three),
        notes.number("TRINE-512-ShortSig", Outcome.TIMEOUT, "1 of 10 records reached"),
        notes.number("TRINE-256-ShortSig", Outcome.TIMEOUT, three),
    ]
    assert numbers == [None, 1, 1, 1, 2]
    first, second = notes.paragraphs()
    assert first.startswith(
        "TIMEOUT: TRINE-256-Balanced, TRINE-512-Balanced: 3 of 10 records reached, record 0 is right; "
        "TRINE-512-ShortSig: 1 of 10 records reached. The submitted ICCS build keeps the transcript"
    )
    assert first.endswith("Timed all the same: nothing vouches for its output.")
    assert second == (
        f"TIMEOUT: {three}. The time limit ran out before the last record; slowness alone says nothing of the answers. "
        "Timed all the same: nothing vouches for its output."
    )


def test_a_case_belongs_to_its_code_and_its_outcome_only() -> None:
    ours, crashed = Footnotes(NOTES, "sign-30"), Footnotes(NOTES, "sign-30@reference")
    ours.number("TRINE-512-Balanced", Outcome.TIMEOUT, "")
    crashed.number("TRINE-512-Balanced", Outcome.CRASH, "SIGSEGV")
    assert "transcript" not in ours.paragraphs()[0] and "4e+03 s" in ours.paragraphs()[0]
    assert crashed.paragraphs() == ["CRASH: SIGSEGV. The process died of a fault of its own. Not timed."]


def test_a_pass_that_was_hard_to_come_by_has_a_footnote_without_treatment() -> None:
    notes = Footnotes(NOTES, "x")
    assert notes.number("a", Outcome.PASS, "guide flags: MISMATCH record 0 differs") == 1
    assert notes.paragraphs() == ["PASS: guide flags: MISMATCH record 0 differs."]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (('word = "TIMEOUT"', 'word = "LATE"'), "word: must be one of"),
        (("timed = true\n", "timde = true\n"), "unknown key"),
        (("instances = [", "instances = 3 #["), "instances: must be an array"),
    ],
)
def test_a_catalogue_that_does_not_fit_is_one_clear_error(
    tmp_path: Path, change: tuple[str, str], message: str
) -> None:
    path = tmp_path / "kat-notes.toml"
    text = (ROOT / "data" / "kat-notes.toml").read_text("utf-8")
    assert change[0] in text
    path.write_text(text.replace(*change), "utf-8")
    with pytest.raises(ConfigError) as caught:
        load_kat_notes(path)
    assert str(path) in str(caught.value) and message in str(caught.value)
