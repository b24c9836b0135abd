"""The summary page: its cells, its warnings, its notes; of runs and of published figures."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from golden.rendered import tables
from golden.runs import DRNG, XOF, mixed_run
from golden.synthetic import SyntheticRun, Timing, steps_of, write_scheme

from ngcctui.engine.rundir import RunDir
from ngcctui.model.campaign import Campaign, Host
from ngcctui.model.outcome import Outcome
from ngcctui.model.step import Kind, Step
from ngcctui.report.build import Report, build_report
from ngcctui.report.page import Page
from ngcctui.report.published import read_published
from ngcctui.report.sizes import Basis, Sizes, Stated, StatedScheme, load_sizes
from ngcctui.report.summary import Summary, length_text, summarize
from ngcctui.report.summary_page import summary_markdown, summary_text, summary_toml
from ngcctui.report.survey import VERDICTS, load_survey, survey_row
from ngcctui.report.tables import SymmetricRow

PUBLISHED = Path(__file__).parents[2] / "data" / "published"
NONE = Sizes()


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    return build_report(mixed_run(tmp_path_factory.mktemp("run")))


def _published(system: str) -> Summary:
    return summarize(
        [read_published(path) for path in sorted((PUBLISHED / system).glob("*.toml"))], load_sizes()
    )


@pytest.mark.parametrize("system", ["x86_1", "arm_1"])
def test_every_published_string_stands_in_its_cell(system: str) -> None:
    (rows, survey) = tables(summary_markdown(_published(system)))
    cells = {row[2].partition(" ⚠")[0]: row for row in rows[1:]}
    checked = 0
    for path in sorted((PUBLISHED / system).glob("*.toml")):
        data = tomllib.loads(path.read_text("utf-8"))
        shares = {(row["instance"], row["operation"]): row["hash_share"] for row in data.get("symmetric", [])}
        for row in data["performance"]:
            place = row["instance"], row["operation"]
            inside = [shares[place]] if place in shares else []
            inside += [f"n={row['measurements']}"] if row["measurements"] < 100 else []
            wanted = f"{row['mean_cycles']} ({', '.join(inside)})" if inside else row["mean_cycles"]
            assert cells[row["instance"]][3 + ("keygen", "sign", "verify").index(row["operation"])] == wanted
            checked += 1
        for row in data["sizes"]:
            assert cells[row["instance"]][6:8] == (str(row["public_key"]), str(row["signature"]))
        for row in data["kat"]:
            warned = cells[row["instance"]][2].endswith(f" ⚠ KAT {row['kat']}")
            assert warned == (row["kat"] != "PASS")
        (verdict,) = [row for row in survey[1:] if row[0].endswith(f"{path.stem}<link_close>")]
        assert verdict[1] == data["scheme"]["symmetric_verdict"]
    assert checked == 75


def test_a_run_without_cycles_is_summed_up_in_times(tmp_path: Path) -> None:
    made = _helpers(tmp_path, Timing(mean_ns=1000.0, clock_ghz=None))
    summary = build_report(made).summary
    assert summary.unit == "time" and summary.tables()[0].heads[2:4] == ("32 B", "ns/byte (32 B)")
    text = summary_markdown(summary)
    assert "counted no cycles" in text and "10^9" not in text


def _helpers(parent: Path, timing: Timing) -> RunDir:
    """A run of the helpers and of a hash function with the same output length, one message length each."""
    helpers = write_scheme(parent / "schemes", "iccs", ["pseudoXOF-256", "sm3hash-256"], hash_messages=[32])
    other = write_scheme(parent / "schemes", "toy-hash", ["toy-a", "toy-b"], hash_messages=[32, 1024])
    made = SyntheticRun(
        parent / "runs", [helpers, other], Campaign("unit"), [*steps_of(helpers), *steps_of(other)]
    )
    made.session()
    for key, instance in (("iccs", "pseudoXOF-256"), ("iccs", "sm3hash-256"), ("toy-hash", "toy-a")):
        made.build(key, instance)
        made.kat(key, instance, label="SELFTEST PASS", sizes={})
    made.measure("iccs", "pseudoXOF-256", "hash_32", timing)
    made.measure("iccs", "sm3hash-256", "hash_32", timing)
    made.measure("toy-hash", "toy-a", "hash_32", replace(timing, mean_ns=2500.0))
    made.measure("toy-hash", "toy-a", "hash_1024", replace(timing, iterations=3))
    return made.run


def test_hash_functions_are_set_against_pseudoxof_of_the_same_lengths(tmp_path: Path) -> None:
    summary = build_report(_helpers(tmp_path, Timing(mean_ns=1000.0))).summary
    (xof, sm3), (a, b) = summary.helpers, summary.hashes
    assert xof.cells()[1] == "256" and float(xof.cells()[3]) == pytest.approx(2000 / 32, rel=0.02)
    assert sm3.cells()[0] == "sm3hash-256"
    cost = a.costs[0]
    assert cost.ratio == pytest.approx(2.5, rel=0.01)
    assert a.cells()[3].endswith(" (2.50×)") or a.cells()[3].endswith(f" ({cost.ratio:.2f}×)")
    assert a.cells()[4].endswith(" (ratio –, n=15)")
    assert b.cells()[3:] == ("queued", "queued", "–") and not b.kat


def test_the_helper_scheme_has_its_own_table_and_page(tmp_path: Path) -> None:
    text = summary_markdown(build_report(_helpers(tmp_path, Timing())).summary)
    assert "## ICCS hash helpers" in text and "[iccs](iccs/perf_local.md)" in text


def test_cells_of_a_run(report: Report) -> None:
    first, second, third, fourth = report.summary.signatures
    assert first.cells()[3:6] == ("2.40 M (90%)", "7.97 G (90%)", "1.52 M (??%)")
    assert second.cells()[2:6] == ("Toy-256 ⚠ KAT TIMEOUT", "2.40 M (90%)", "8016.96 G (n=1)", "rejected")
    assert second.notes[:2] == ("output not validated", "harness-default flags")
    assert third.cells()[2] == "Toy-512 ⚠ KAT CRASH" and third.notes == ("not timed",)
    assert fourth.cells()[-3:] == ("–", "–", "not timed")


def test_every_instance_and_operation_of_the_pages_is_in_the_summary_once(report: Report) -> None:
    summary = report.summary
    found = [
        (row.scheme, row.instance, cost.operation)
        for row in (*summary.signatures, *summary.helpers, *summary.hashes)
        for cost in row.costs
    ]
    wanted = [(_key(page), *row.cells()[:2]) for page in report.pages for row in page.performance]
    assert len(found) == len(set(found)) == len(wanted)
    assert {place[:2] for place in found} == {place[:2] for place in wanted}


def _key(page: Page) -> str:
    assert page.facts is not None
    return page.facts.scheme


def test_lengths_come_from_the_catalogue_and_nominal_ones_are_marked(report: Report) -> None:
    stated = Stated("Toy-128", 33, None, 2400)
    sizes = Sizes((StatedScheme("toy-1", "x", Basis.NOMINAL, (stated,)),))
    first, second, *_ = summarize(report.pages, sizes).signatures
    assert first.cells()[6:8] == ("33", "≈ 2400") and second.cells()[6:8] == ("32", "2420")
    assert "≈ marks a nominal length" in summary_markdown(summarize(report.pages, sizes))


def test_a_partial_pass_and_a_waiting_test_are_no_failures(tmp_path: Path) -> None:
    scheme = write_scheme(tmp_path / "schemes", "toy-1", ["Toy-1", "Toy-2"])
    made = SyntheticRun(tmp_path / "runs", [scheme], Campaign("unit"), steps_of(scheme))
    made.session()
    made.build("toy-1", "Toy-1")
    made.kat("toy-1", "Toy-1", label="PASS (1 record)")
    first, second = build_report(made.run).summary.signatures
    assert (first.kat, first.notes) == ("", ("KAT PASS (1 record)",))
    assert (second.kat, second.notes) == ("", ())


def test_the_toml_form_holds_cells_and_raw_numbers(report: Report) -> None:
    data = tomllib.loads(summary_toml(report.summary, report.method))
    assert (data["system"], data["unit"], data["run"]) == ("bench_7", "cycles", "20260301T120000Z-golden")
    first: dict[str, Any] = data["signatures"][0]
    assert first["sign"] == "7.97 G (90%)" and first["raw"]["sign"]["measurements"] == 100
    assert first["raw"]["sign"]["hash_share"] == 0.9
    assert data["signatures"][1]["kat"] == "TIMEOUT" and data["signatures"][1]["verify"] == "rejected"
    assert data["hashes"][0]["raw"]["hash_128"] == {"outcome": "queued"}
    assert data["pages"]["toy-hash@optimized"] == "toy-hash@optimized/perf_bench_7.md"


def test_a_terminal_without_utf8_sees_ascii(report: Report) -> None:
    text = summary_text(report.summary, ascii=True)
    assert text.isascii() and "Toy-256 ! KAT TIMEOUT" in text


def test_hostile_names_stay_text(tmp_path: Path) -> None:
    scheme = write_scheme(tmp_path / "schemes", "toy-1", ["Toy-1"])
    path = scheme.directory / "scheme.toml"
    path.write_text(path.read_text().replace("Toy toy-1", "a | b `c` <b> [x](y) \\u001b[31m"))
    made = SyntheticRun(tmp_path / "runs", [scheme], Campaign("unit"), steps_of(scheme))
    made.session()
    text = summary_markdown(build_report(made.run).summary)
    (rows, _) = tables(text)
    assert rows[1][1] == "a | b `c` <b> [x](y) \\x1b[31m" and "\x1b" not in text


def test_pages_of_two_systems_make_no_summary() -> None:
    pages = [read_published(PUBLISHED / system / "sign-17.toml") for system in ("x86_1", "arm_1")]
    with pytest.raises(ValueError, match="pages of one system"):
        summarize(pages, NONE)


def test_columns_of_message_lengths() -> None:
    assert [length_text(n) for n in (32, 1000, 1024, 1536, 65536)] == [
        "32 B",
        "1000 B",
        "1 KiB",
        "1536 B",
        "64 KiB",
    ]


# the survey


def test_the_survey_has_the_published_verdicts() -> None:
    for path in PUBLISHED.glob("*/*.toml"):
        entry = load_survey().of(path.stem)
        assert entry is not None and entry.verdict in VERDICTS
        assert entry.verdict == read_published(path).scheme.symmetric_verdict


def test_the_schemes_own_verdict_goes_before_the_survey(tmp_path: Path) -> None:
    for name, verdict in (("own", "bypass"), ("surveyed", "mixed")):
        scheme = write_scheme(tmp_path / name, "sign-14", ["Lynxer-160f"])
        path = scheme.directory / "scheme.toml"
        path.write_text(path.read_text().replace("ICCS-only", "bypass" if name == "own" else ""))
        made = SyntheticRun(
            tmp_path / name / "runs", [scheme], Campaign("unit", host=Host()), steps_of(scheme)
        )
        made.session()
        (row,) = build_report(made.run).summary.survey
        assert row.verdict == verdict


def test_a_verdict_that_the_profile_speaks_against_is_remarked(tmp_path: Path) -> None:
    scheme = write_scheme(tmp_path / "schemes", "toy-1", ["Toy-1"])
    made = SyntheticRun(tmp_path / "runs", [scheme], Campaign("unit"), steps_of(scheme))
    made.session()
    made.build("toy-1", "Toy-1")
    made.kat("toy-1", "Toy-1")
    made.profile("toy-1", "Toy-1", "sign", [XOF, DRNG])
    made.end(Step(Kind.PROFILE, "toy-1", "Toy-1", "verify"), Outcome.TIMED_OUT, "12 s")
    (page,) = build_report(made.run).pages
    bypass = replace(page, scheme=replace(page.scheme, symmetric_verdict="bypass"))
    assert survey_row(bypass, "toy-1").remark == "calls helper functions all the same (Toy-1 sign)"
    assert survey_row(page, "toy-1").cells() == (
        "toy-1",
        "ICCS-only",
        "91% (1 of 1)",
        "invented | for tests",
        "–",
    )
    silent = replace(page, symmetric=(SymmetricRow("Toy-1", "sign", 0.0, 0.0, {}),))
    assert survey_row(silent, "toy-1").remark == "no helper function was seen called"
    unproven = replace(page, symmetric=(SymmetricRow("Toy-1", "sign", word="unknown"),))
    assert survey_row(unproven, "toy-1").cells()[2] == "unknown (0 of 1)"
