"""What is known of a campaign before it runs, and what is said of what is left of one."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from ngcctui.catalog import Found, Resolved, load_package, resolve
from ngcctui.engine.estimate import Estimate
from ngcctui.engine.host.environment import identity
from ngcctui.engine.host.processor import architecture, cpu_model
from ngcctui.engine.host.topology import online_cpus
from ngcctui.engine.journal import Journal
from ngcctui.engine.rundir import create_run
from ngcctui.engine.state import fold
from ngcctui.engine.store import Storage
from ngcctui.forecast import Knowledge, basis, gather, rest_of, told
from ngcctui.model.campaign import Campaign, Selection
from ngcctui.model.event import Event, EventName
from ngcctui.model.scheme import Scheme
from ngcctui.model.step import Kind
from ngcctui.report.published import read_published
from ngcctui.share import share_dir
from ngcctui.timeleft import left

SIGN = "sign-17/OPSsig-128/sign"
SECOND_NS = 10**9


class Clock:
    """Each look is a second later than the one before."""

    def __init__(self) -> None:
        self.now = 0

    def utc(self) -> str:
        return "2026-01-02T03:04:05.000Z"

    def mono_ns(self) -> int:
        self.now += SECOND_NS
        return self.now


@pytest.fixture(scope="module")
def scheme() -> Scheme:
    found = load_package(share_dir() / "schemes/sign-17").scheme
    assert found is not None
    return found


@pytest.fixture(scope="module")
def resolved(scheme: Scheme) -> Resolved:
    selection = Selection(instances=("OPSsig-128",))
    return resolve(Campaign("c", selection), {scheme.key: Found(scheme.key, scheme.directory, scheme)})


def earlier_run(runs: Path, t1_ns: float, cpu: str, day: int) -> None:
    """A run that built and calibrated one operation."""
    run = create_run(runs, Campaign("c"), [], datetime(2026, 1, day, tzinfo=UTC))
    build, calibrate = "build:sign-17/OPSsig-128", f"calibrate:{SIGN}"
    with Journal(run.journal, Storage(), Clock()) as journal:
        journal.append(EventName.RUN_START, None, {"run": run.name, "steps": [build, calibrate]})
        journal.append(EventName.SESSION_START, None, {"cpu": cpu, "core": 1})
        journal.append(EventName.STEP_START, build, {"attempt": 1})
        journal.append(EventName.STEP_END, build, {"outcome": "PASS"})
        journal.append(EventName.STEP_END, calibrate, {"outcome": "done", "summary": {"t1_ns": t1_ns}})


def test_the_newest_run_on_this_cpu_is_believed(tmp_path: Path, scheme: Scheme) -> None:
    here = identity().cpu
    earlier_run(tmp_path, 1e6, here, day=1)
    earlier_run(tmp_path, 2e6, here, day=2)
    earlier_run(tmp_path, 3e6, "another CPU", day=3)
    (tmp_path / "20260104T000000Z-broken").mkdir()
    known = gather(tmp_path, [scheme])
    assert known.calls[SIGN] == 2e6
    assert known.earlier == {SIGN}
    assert known.steps == {"build:sign-17/OPSsig-128": 1.0}


def test_published_figures_stand_in_for_what_never_ran_here(tmp_path: Path, scheme: Scheme) -> None:
    known = gather(tmp_path / "runs", [scheme])
    if known.system:
        assert 1e5 < known.calls[SIGN] < 1e7
    assert known.earlier == frozenset()


def _published(data: Path, system: str, mean_ms: int, processor: str) -> None:
    """The packaged figures of x86_1 under another name, with the time of one operation changed."""
    text = (share_dir() / "data/published/x86_1/sign-17.toml").read_text("utf-8")
    page = read_published(share_dir() / "data/published/x86_1/sign-17.toml")
    told = next(row.cells()[3] for row in page.performance if row.cells()[:2] == ("OPSsig-128", "sign"))
    assert text.count(f'mean_time = "{told}"') == 1
    text = text.replace(f'mean_time = "{told}"', f'mean_time = "{mean_ms} ms"')
    text = re.sub('"?processor"? = .*', f'"processor" = "{processor} (CPU 7, one core)"', text)
    (data / "published" / system).mkdir(parents=True)
    (data / "published" / system / "sign-17.toml").write_text(text, "utf-8")


def _registered(data: Path, *systems: tuple[str, str]) -> None:
    entry = '[[system]]\nid = "{}"\narchitecture = "{}"\nprocessor = "{}"\n'
    text = "".join(entry.format(name, architecture(), processor) for name, processor in systems)
    (data / "systems.toml").write_text(text)


def test_figures_of_this_processor_go_before_those_of_its_kind(tmp_path: Path, scheme: Scheme) -> None:
    here, home = tmp_path / "here", tmp_path / "xdg/ngcctui"
    environ = {"XDG_DATA_HOME": str(tmp_path / "xdg")}
    model = cpu_model(Path("/"), min(online_cpus())) or "not told"
    runs = tmp_path / "runs"

    def known() -> tuple[str, float | None]:
        found = gather(runs, [scheme], Path("/"), environ, here)
        return found.system, found.calls.get(SIGN)

    before = known()
    _published(home, "x86_8", 80, "another processor")
    _registered(home, ("x86_8", "another processor"))
    assert known() == (before if before[0] else ("x86_8", 8e7))
    _published(here / "data", "x86_9", 90, model)
    assert known() == ("x86_9", 9e7), "not registered, but its pages name this processor"
    _registered(here / "data", ("x86_8", model))
    assert known() == ("x86_8", 8e7)
    (home / "published/x86_8/sign-17.toml").write_text("[scheme")
    assert known() == ("x86_9", 9e7), "what cannot be read is passed over"
    (here / "data/systems.toml").write_text("[[system]\n")
    assert known() == ("x86_9", 9e7)


def test_every_step_gets_what_is_known_of_it(resolved: Resolved) -> None:
    calls = {f"sign-17/OPSsig-128/{name}": 1e9 for name in ("keygen", "sign", "verify")}
    known = Knowledge(calls, {}, frozenset({SIGN}), "x86_1")
    rest = {str(step): entry for step, entry in zip(resolved.steps, rest_of(resolved, known), strict=True)}
    assert rest["kat:sign-17/OPSsig-128"].typical_s == 40.0, (
        "10 records of a key, a signature, two verifications"
    )
    assert rest[f"measure:{SIGN}"].measured
    assert not rest["measure:sign-17/OPSsig-128/keygen"].measured
    words = "calls known: 1 from earlier runs here, 2 from figures published for x86_1, within a factor of 2"
    assert basis(resolved, known) == words
    nothing = rest_of(resolved, Knowledge())
    assert [entry.t1_ns for entry in nothing if entry.kind is Kind.MEASURE] == [None] * 3
    assert basis(resolved, Knowledge()) == "calls known: 3 not at all"


def test_an_estimate_tells_of_steps_it_knows_nothing_of() -> None:
    assert told(Estimate(40, 90, 0)) == "40-90 s"
    assert told(Estimate(40, 90, 3)) == "40-90 s and 3 steps of unknown length"


def test_what_is_left() -> None:
    steps = [f"calibrate:{SIGN}", f"measure:{SIGN}"]
    begun = [
        Event(1, "", 0, EventName.RUN_START, None, {"run": "r", "steps": steps}),
        Event(
            2,
            "",
            0,
            EventName.STEP_END,
            steps[0],
            {"outcome": "done", "summary": {"t1_ns": 1e9, "setup_ns": 0}},
        ),
    ]
    done = Event(3, "", 0, EventName.STEP_END, steps[1], {"outcome": "done"})
    campaign = Campaign("c")
    assert left(fold(begun), campaign, {}, 2, 0).endswith(" left")
    assert left(fold([*begun, done]), campaign, {}, 2, 0) == ""
    assert left(fold(begun[:1]), campaign, {}, 2, 0) == "", "nothing is known"
    half_known = [
        Event(
            1, "", 0, EventName.RUN_START, None, {"run": "r", "steps": [*steps, f"profile:{SIGN[:-4]}keygen"]}
        )
    ]
    assert left(fold([*half_known, begun[1]]), campaign, {}, 2, 0).startswith("over ")
