"""What real engines leave validates: after a quiet run, after a kill and a resume, and after a retry."""

from __future__ import annotations

from faults.lab import Lab, of_kind, read_events, read_state, wait_for

from ngcctui.engine.rundir import RunDir
from ngcctui.model.event import EventName
from ngcctui.report.compare import compare_sides, run_side
from ngcctui.report.dataset import open_dataset
from ngcctui.report.publish import publish
from ngcctui.report.validate import validate

SIGN = "measure:mock/toy/sign"


def findings(run: RunDir) -> list[str]:
    """What validation finds, a line each."""
    return [str(finding) for finding in validate(run, {}).findings]


def test_a_run_validates_and_so_does_what_is_published_of_it(lab: Lab) -> None:
    run = lab.toy_run()
    assert lab.finish(run) == 0
    assert findings(run) == []
    dataset = open_dataset(publish(run, lab.path / "data", {}))
    assert findings(dataset) == []
    pairs = compare_sides(run_side(run), run_side(dataset)).pairs
    assert [pair.place[2] for pair in pairs] == ["keygen", "sign"]
    assert all(pair.time is not None and pair.time.value == 1.0 and not pair.flag for pair in pairs)


def test_a_run_that_was_killed_and_resumed_validates(lab: Lab) -> None:
    run = lab.toy_run()
    engine = lab.fork(run, "--wait")
    wait_for(lambda: of_kind(read_events(run), EventName.STEP_START, SIGN), SIGN)
    engine.kill()
    engine.join()
    assert any(
        finding.where == SIGN and "no result" in finding.what for finding in validate(run, {}).findings
    )
    with run.journal.open("ab") as journal:
        journal.write(b'{"v":1,"seq":')  # as a power cut can leave it
    assert lab.finish(run, "--resume") == 0
    assert len(read_state(run).sessions) == 2
    assert findings(run) == []


def test_a_step_that_was_made_anew_validates(lab: Lab) -> None:
    run = lab.toy_run()
    assert lab.finish(run) == 0
    assert lab.finish(run, "--resume", "--retry", SIGN) == 0, lab.said(run)
    assert read_state(run).steps[SIGN].attempt == 2
    assert findings(run) == []
