"""The setup as data: marks to a campaign and back, the rows of the tree, the fields."""

from __future__ import annotations

from pathlib import Path

import pytest
from golden.synthetic import write_scheme
from hypothesis import given
from hypothesis import strategies as st

from ngcctui.catalog import Found, find_campaign, resolve
from ngcctui.model.campaign import Campaign, HostPolicy, Inputs, Planning, Selection
from ngcctui.model.errors import ConfigError
from ngcctui.model.selection import choose
from ngcctui.tui.desk import save_campaign, saved_path
from ngcctui.tui.glyphs import ASCII, UNICODE
from ngcctui.tui.view.fields import FIELDS, Field
from ngcctui.tui.view.filtering import RowFilter
from ngcctui.tui.view.line import width_of
from ngcctui.tui.view.setup import (
    Draft,
    Folding,
    Mark,
    Marked,
    TreeRow,
    campaign_of,
    draft_of,
    loaded,
    shown_places,
    tree_rows,
    turned,
    unknown_operation,
)
from ngcctui.tui.widgets.marks_tree import tree_line

ALL = RowFilter()


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Found]:
    root = tmp_path_factory.mktemp("schemes")
    sign = write_scheme(root, "toy-1", ["Toy-512", "Toy-128", "Toy-1024"])
    digest = write_scheme(root, "toy-hash", ["toyhash-256", "toyhash-512"], hash_messages=[32, 1024])
    broken = Found("toy-9", root / "toy-9", None, "toy-9/scheme.toml: id: missing")
    return {s.key: Found(s.key, s.directory, s) for s in (sign, digest)} | {"toy-9": broken}


def marks_of(campaign: Campaign, found: dict[str, Found]) -> set[Mark]:
    return {(item.scheme.key, item.instance.name) for item in choose(campaign.selection, loaded(found))}


def field(key: str) -> Field:
    return next(entry for entry in FIELDS if entry.key == key)


PLACES = [(key, name) for key, names in (("toy-1", ("Toy-128", "Toy-512", "Toy-1024")), ("toy-hash", ("toyhash-256", "toyhash-512"))) for name in names]  # fmt: skip


class TestMarks:
    @given(marks=st.frozensets(st.sampled_from(PLACES), min_size=1))
    def test_a_campaign_selects_exactly_what_is_marked(
        self, found: dict[str, Found], marks: frozenset[Mark]
    ) -> None:
        campaign = campaign_of(Draft(Campaign("c"), marks), found)
        assert marks_of(campaign, found) == marks
        resolve(campaign, {key: package for key, package in found.items() if package.scheme})

    @given(marks=st.frozensets(st.sampled_from(PLACES)))
    def test_and_marks_the_same_when_it_is_loaded_again(
        self, found: dict[str, Found], marks: frozenset[Mark]
    ) -> None:
        campaign = campaign_of(Draft(Campaign("c"), marks), found)
        again = draft_of(campaign, found)
        assert again.marks == marks
        assert campaign_of(again, found) == campaign

    def test_untouched_a_campaign_stays_as_it_was_loaded(self, found: dict[str, Found]) -> None:
        narrow = Selection(("toy-*",), only=("toy-1/Toy-128/sign",))
        draft = draft_of(Campaign("c", narrow), found)
        assert draft.marks == {("toy-1", "Toy-128")}
        assert campaign_of(draft, found).selection == narrow
        assert campaign_of(draft.with_marks(draft.marks), found).selection == narrow
        assert campaign_of(draft.with_marks(frozenset(PLACES[:2])), found).selection.only == (
            "toy-1/Toy-128",
            "toy-1/Toy-512",
        )

    def test_whole_schemes_are_named_without_their_instances(self, found: dict[str, Found]) -> None:
        selection = campaign_of(Draft(Campaign("c"), frozenset(PLACES[:3])), found).selection
        assert (selection.schemes, selection.instances, selection.only) == (("toy-1",), ("*",), ())

    def test_operations_that_no_marked_instance_has_are_left_out(self, found: dict[str, Found]) -> None:
        draft = Draft(Campaign("c"), frozenset(PLACES[:1]), ("sign", "hash_32"))
        assert campaign_of(draft, found).selection.operations == ("sign",)

    def test_instances_without_any_of_the_operations_are_left_out_and_keep_their_marks(
        self, found: dict[str, Found]
    ) -> None:
        draft = Draft(Campaign("c"), frozenset(PLACES), ("sign",))
        assert marks_of(campaign_of(draft, found), found) == set(PLACES[:3])
        assert marks_of(campaign_of(draft.with_operations(("*",)), found), found) == set(PLACES)

    def test_without_operations_everything_marked_is_built_and_checked(self, found: dict[str, Found]) -> None:
        campaign = campaign_of(Draft(Campaign("c"), frozenset(PLACES), ()), found)
        chosen = choose(campaign.selection, loaded(found))
        assert {(c.scheme.key, c.instance.name) for c in chosen} == set(PLACES)
        assert not any(c.operations for c in chosen)

    def test_turning_marks_all_of_a_group_or_none(self) -> None:
        some = frozenset(PLACES[:1])
        assert turned(some, PLACES[:3]) == frozenset(PLACES[:3])
        assert turned(turned(some, PLACES[:3]), PLACES[:3]) == frozenset()

    def test_an_operation_that_no_scheme_has_is_named(self, found: dict[str, Found]) -> None:
        assert unknown_operation("sign hash_* verfy", found) == "verfy"
        assert unknown_operation("sign hash_*", found) == ""


class TestTree:
    def names(self, rows: tuple[TreeRow, ...]) -> list[str]:
        return [row.instance or row.key for row in rows]

    def test_instances_stand_below_their_scheme_in_natural_order(self, found: dict[str, Found]) -> None:
        rows = tree_rows(found, frozenset(PLACES[:1]), Folding(), ALL)
        assert self.names(rows) == [
            "toy-1", "Toy-128", "Toy-512", "Toy-1024", "toy-hash", "toyhash-256", "toyhash-512", "toy-9",
        ]  # fmt: skip
        assert [row.state for row in rows[:3]] == [Marked.SOME, Marked.ALL, Marked.NONE]
        assert rows[-1].state is Marked.CANNOT and "id: missing" in rows[-1].note

    def test_a_closed_scheme_still_stands_for_all_its_instances(self, found: dict[str, Found]) -> None:
        rows = tree_rows(found, frozenset(), Folding().turned("toy-1"), ALL)
        assert self.names(rows)[:2] == ["toy-1", "toy-hash"]
        assert shown_places(rows) == frozenset(PLACES)
        assert Folding().turned("toy-1").turned("toy-1") == Folding()

    def test_a_filter_opens_what_it_finds_and_narrows_what_a_scheme_stands_for(
        self, found: dict[str, Found]
    ) -> None:
        rows = tree_rows(found, frozenset(), Folding(frozenset(found)), RowFilter("-512"))
        assert self.names(rows) == ["toy-1", "Toy-512", "toy-hash", "toyhash-512"]
        assert rows[0].places == (("toy-1", "Toy-512"),)

    @pytest.mark.parametrize("glyphs", [UNICODE, ASCII], ids=["unicode", "ascii"])
    @given(width=st.integers(1, 100), note=st.text(max_size=60), marked=st.integers(0, 2))
    def test_a_row_fills_its_width_whatever_it_says(
        self, glyphs: object, width: int, note: str, marked: int
    ) -> None:
        rows = [
            TreeRow("k", "", tuple(PLACES[:2]), marked, note, open=True),
            TreeRow("k" * 90, "i" * 90, tuple(PLACES[:1]), min(marked, 1)),
            TreeRow("k", note=note, broken=True),
        ]
        for row in rows:
            line = tree_line(row, width, glyphs)  # type: ignore[arg-type]
            assert width_of(line) == width or width < 8
            assert glyphs is UNICODE or all(text.isascii() for text, _ in line)
            assert all(text.isprintable() for text, _ in line)


class TestFields:
    CAMPAIGN = Campaign("c")

    @pytest.mark.parametrize("entry", FIELDS, ids=lambda entry: entry.key)
    def test_what_a_field_shows_can_be_typed_again(self, entry: Field) -> None:
        assert entry.put(self.CAMPAIGN, entry.value(self.CAMPAIGN)) == self.CAMPAIGN

    @pytest.mark.parametrize(
        ("key", "text", "value"),
        [
            ("name", "other", "other"),
            ("host.core", "3", 3),
            ("host.core", "best", -1),
            ("planning.trials", " 7 ", 7),
            ("planning.target_s", "0.25", 0.25),
            ("planning.budget_s", "3e2", 300.0),
            ("inputs", "fixed", Inputs.FIXED),
            ("kat.records", "1", 1),
            ("kat.records", "all", 0),
            ("profile.on", "off", False),
            ("host.policy", "allow", HostPolicy.ALLOW),
        ],
    )
    def test_values(self, key: str, text: str, value: object) -> None:
        found: object = field(key).put(self.CAMPAIGN, text)
        for part in key.split("."):
            found = getattr(found, part)
        assert found == value

    @pytest.mark.parametrize(
        ("key", "text", "said"),
        [
            ("name", "a b", "name: must be 1 to 80"),
            ("planning.trials", "0", "trials: must be 1 to 1000, not 0"),
            ("planning.trials", "many", "trials: must be a whole number, not 'many'"),
            ("planning.trials", "٣", "must be a whole number"),
            ("planning.trials", "9" * 5000, "must be a whole number"),
            ("planning.target_s", "nan", "target: must be a number of seconds, not 'nan'"),
            ("planning.budget_s", "1e400", "budget: must be a number of seconds"),
            ("kat.records", "11", "KAT records: must be 0 to 10"),
            ("host.system", "[red]", "system: must be a name"),
        ],
    )
    def test_a_value_that_cannot_be_is_refused_in_one_line(self, key: str, text: str, said: str) -> None:
        with pytest.raises(ConfigError) as refused:
            field(key).put(self.CAMPAIGN, text)
        assert said in str(refused.value)
        assert "\n" not in str(refused.value)

    def test_choices_go_round(self) -> None:
        policy = field("host.policy")
        assert policy.value(policy.next(self.CAMPAIGN)) == "allow"
        assert policy.next(policy.next(self.CAMPAIGN)) == self.CAMPAIGN
        records = field("kat.records")
        assert records.value(records.next(records.put(self.CAMPAIGN, "3"))) == "all"

    def test_a_number_is_shown_with_its_unit(self) -> None:
        campaign = Campaign("c", planning=Planning(target_s=0.1, budget_s=1e6))
        assert field("planning.target_s").shown(campaign) == "0.1 s"
        assert field("planning.budget_s").shown(campaign) == "1000000 s"


class TestFilter:
    @pytest.mark.parametrize(
        ("text", "row", "shown"),
        [
            ("", "anything", True),
            ("ops", "OPSsig-128", True),
            ("Ops", "OPSsig-128", False),
            ("sig-(128|256)$", "OPSsig-256", True),
            ("!ops", "OPSsig-128", False),
            ("!ops", "iccs", True),
            ("!", "anything", True),
            ("a[", "a[b", True),
            ("a[", "ab", False),
        ],
    )
    def test_rows(self, text: str, row: str, shown: bool) -> None:
        assert RowFilter(text)(row) is shown

    @given(text=st.text(max_size=20), row=st.text(max_size=20))
    def test_whatever_is_typed_filters(self, text: str, row: str) -> None:
        if text and not text.startswith("!"):
            assert RowFilter("!" + text)(row) is not RowFilter(text)(row)


def test_a_campaign_is_saved_where_it_is_looked_for(tmp_path: Path) -> None:
    environ = {"XDG_DATA_HOME": str(tmp_path / "data")}
    assert saved_path("mine", environ, tmp_path) == tmp_path / "data" / "ngcctui" / "campaigns" / "mine.toml"
    save_campaign(Campaign("mine"), saved_path("mine", environ, tmp_path))
    assert find_campaign("mine", environ, tmp_path) == Campaign("mine")
    (tmp_path / "campaigns").mkdir()
    assert saved_path("mine", environ, tmp_path) == tmp_path / "campaigns" / "mine.toml"
