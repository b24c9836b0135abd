"""Finding schemes and campaigns, resolving a campaign, and what is said when a name or number is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from ngcctui.catalog import (
    Overrides,
    find_campaign,
    find_schemes,
    list_campaigns,
    load_package,
    named_schemes,
    resolve,
)
from ngcctui.model.campaign import Campaign, HostPolicy, Inputs, Kat, ProfilePlan, Selection
from ngcctui.model.errors import ConfigError
from ngcctui.share import native_dir, share_dir

SIGNATURE = """\
id = "{id}"
algorithm = "{id} algorithm"
category = "public-key algorithm"
function = "signature"
[build]
sources = ["a.c"]
"""
INSTANCE = '[[instance]]\nname = "{name}"\nkat = {{ mode = "{mode}", sha256 = "' + "0" * 64 + '" }}\n'
HASH = """\
id = "hashes"
algorithm = "hashes"
category = "symmetric primitive"
function = "hash"
[build]
sources = ["a.c"]
[[instance]]
name = "h-256"
digest_bits = 256
message_bytes = [1024, 32]
kat = { mode = "selftest", sha256 = "0000000000000000000000000000000000000000000000000000000000000000" }
"""


def package(directory: Path, text: str) -> Path:
    directory.mkdir(parents=True)
    (directory / "a.c").write_text("int x;\n")
    (directory / "scheme.toml").write_text(text)
    return directory


def signature(directory: Path, id: str, *names: str, mode: str = "strict") -> Path:
    return package(
        directory, SIGNATURE.format(id=id) + "".join(INSTANCE.format(name=n, mode=mode) for n in names)
    )


@pytest.fixture
def here(tmp_path: Path) -> Path:
    """A working directory with two schemes of its own; they come before the bundled ones."""
    signature(tmp_path / "schemes/sig", "sig", "sig-1024", "sig-160")
    package(tmp_path / "schemes/hashes", HASH)
    return tmp_path


def own(here: Path) -> dict[str, object]:
    """The schemes of `here` alone."""
    return {
        key: found for key, found in find_schemes(None, {}, here).items() if here in found.directory.parents
    }


def chosen(campaign: Campaign, here: Path, **overrides: object) -> dict[str, list[str]]:
    resolved = resolve(campaign, own(here), Overrides(**overrides))  # type: ignore[arg-type]
    return {c.instance.name: [o.name for o in c.operations] for c in resolved.chosen}


def test_checkout_and_package_share_the_same_files() -> None:
    assert (share_dir() / "campaigns/quick.toml").is_file()
    assert (share_dir() / "data/new-scheme/scheme.toml").is_file()
    assert (native_dir() / "helpers/sm3.c").is_file()


def test_the_first_place_with_a_key_wins(tmp_path: Path) -> None:
    option = signature(tmp_path / "option/sig", "sig", "from-option").parent
    signature(tmp_path / "cwd/schemes/sig", "sig", "from-cwd")
    signature(tmp_path / "cwd/schemes/other", "other", "from-cwd")
    signature(tmp_path / "data/ngcctui/schemes/other", "other", "from-data")
    signature(tmp_path / "data/ngcctui/schemes/third", "third", "from-data")
    found = find_schemes(option, {"XDG_DATA_HOME": str(tmp_path / "data")}, tmp_path / "cwd")
    first = {key: f.scheme.file.instance[0].name for key, f in found.items() if f.scheme}
    assert first["sig"] == "from-option"
    assert first["other"] == "from-cwd"
    assert first["third"] == "from-data"
    assert found["other"].directory == tmp_path / "cwd/schemes/other"


def test_a_relative_xdg_variable_counts_as_unset(tmp_path: Path) -> None:
    signature(tmp_path / ".local/share/ngcctui/schemes/sig", "sig", "a")
    found = find_schemes(None, {"XDG_DATA_HOME": "data", "HOME": str(tmp_path)}, tmp_path / "elsewhere")
    assert "sig" in found


def test_schemes_option_takes_one_package_too(here: Path) -> None:
    found = find_schemes(here / "schemes/sig", {}, here / "elsewhere")
    assert found["sig"].scheme is not None
    assert "hashes" not in found


def test_a_variant_goes_by_its_directory(tmp_path: Path) -> None:
    signature(tmp_path / "schemes/sig@optimized", "sig", "a")
    signature(tmp_path / "schemes/sig", "sig", "a")
    assert {"sig", "sig@optimized"} <= set(find_schemes(None, {}, tmp_path))


def test_two_packages_with_one_key_are_an_error_of_the_second(tmp_path: Path) -> None:
    signature(tmp_path / "schemes/a", "sig", "x")
    signature(tmp_path / "schemes/b", "sig", "x")
    found = find_schemes(None, {}, tmp_path)
    assert found["sig"].scheme is not None
    assert "taken by" in found["b"].error


def test_a_broken_scheme_is_listed_and_fatal_only_when_selected(here: Path) -> None:
    package(here / "schemes/broken", "id = 1\n")
    found = find_schemes(None, {}, here)
    assert found["broken"].scheme is None
    assert str(here / "schemes/broken/scheme.toml") in found["broken"].error
    resolve(Campaign("c", Selection(schemes=("sig",))), found)
    with pytest.raises(ConfigError, match="broken/scheme.toml: "):
        resolve(Campaign("c", Selection(schemes=("brok*",))), found)


def test_a_missing_source_is_named(here: Path) -> None:
    (here / "schemes/sig/a.c").unlink()
    with pytest.raises(ConfigError, match=r"sig/scheme.toml: build.sources: 'a.c' is not there"):
        resolve(Campaign("c", Selection(schemes=("sig",))), find_schemes(None, {}, here))


def test_named_schemes(here: Path) -> None:
    found = find_schemes(None, {}, here)
    signature(here / "loose", "loose", "x")
    assert [s.key for s in named_schemes(["hash*", "./loose", "sig", "hashes"], found, here)] == [
        "hashes",
        "loose",
        "sig",
    ]
    with pytest.raises(ConfigError, match="no scheme 'sgi': did you mean sig"):
        named_schemes(["sgi"], found, here)
    assert load_package(here / "loose").key == "loose"


def test_campaigns_by_name_and_by_path(tmp_path: Path) -> None:
    (tmp_path / "campaigns").mkdir()
    (tmp_path / "campaigns/quick.toml").write_text('name = "mine"\n')
    (tmp_path / "c.toml").write_text('name = "other"\n')
    assert find_campaign("quick", {}, tmp_path).name == "mine"
    assert find_campaign("c.toml", {}, tmp_path).name == "other"
    assert find_campaign(str(tmp_path / "c.toml"), {}, Path("/")).name == "other"
    assert list_campaigns({}, tmp_path)["quick"] == tmp_path / "campaigns/quick.toml"
    with pytest.raises(ConfigError, match="no campaign 'quik': did you mean quick"):
        find_campaign("quik", {}, tmp_path)
    with pytest.raises(ConfigError, match="nowhere.toml: cannot be read"):
        find_campaign("nowhere.toml", {}, tmp_path)


def test_the_bundled_campaigns_resolve() -> None:
    for name in ("quick", "published"):
        campaign = find_campaign(name, {}, Path("/"))
        schemes = find_schemes(None, {}, Path("/"))
        assert resolve(campaign, schemes).steps
    quick = resolve(find_campaign("quick", {}, Path("/")), find_schemes(None, {}, Path("/")))
    names = [(c.instance.name, len(c.operations)) for c in quick.chosen]
    assert names == [
        ("pseudoXOF-256", 3),
        ("sm3hash-256", 3),
        ("OPSsig-128", 3),
        ("OPSsig-256", 3),
        ("OPSsig-512", 3),
    ]
    assert quick.campaign.host.policy is HostPolicy.ALLOW


def test_everything_in_natural_order(here: Path) -> None:
    resolved = resolve(Campaign("c"), own(here))
    assert [str(step) for step in resolved.steps[:6]] == [
        "build:hashes/h-256",
        "kat:hashes/h-256",
        "calibrate:hashes/h-256/hash_32",
        "measure:hashes/h-256/hash_32",
        "profile:hashes/h-256/hash_32",
        "calibrate:hashes/h-256/hash_1024",
    ]
    assert [c.instance.name for c in resolved.chosen] == ["h-256", "sig-160", "sig-1024"]


def test_globs_and_case(here: Path) -> None:
    campaign = Campaign("c", Selection(schemes=("s?g",), instances=("*-1[0-9]*",), operations=("sign", "k*")))
    assert chosen(campaign, here) == {"sig-160": ["keygen", "sign"], "sig-1024": ["keygen", "sign"]}
    with pytest.raises(ConfigError, match="schemes: it selects nothing called 'SIG'; did you mean sig"):
        chosen(Campaign("c", Selection(schemes=("SIG",))), here)


def test_an_instance_without_a_wanted_operation_is_left_out(here: Path) -> None:
    assert chosen(Campaign("c", Selection(operations=("hash_32",))), here) == {"h-256": ["hash_32"]}


def test_without_operations_there_are_builds_and_kats_only(here: Path) -> None:
    campaign = Campaign("c", Selection(schemes=("sig",), operations=()))
    steps = resolve(campaign, own(here)).steps
    assert [str(step) for step in steps] == [
        "build:sig/sig-160",
        "kat:sig/sig-160",
        "build:sig/sig-1024",
        "kat:sig/sig-1024",
    ]


@pytest.mark.parametrize(
    ("selection", "said"),
    [
        (Selection(schemes=("sigg",)), "schemes: it selects nothing called 'sigg'; did you mean sig"),
        (Selection(instances=("sig-161",)), "instances: .*'sig-161'; did you mean sig-160"),
        (Selection(operations=("sgin",)), "operations: .*'sgin'; did you mean sign"),
        (
            Selection(schemes=("sig",), operations=("hash_32",)),
            "operations: .*'hash_32'; known: keygen, sign, verify",
        ),
        (Selection(schemes=("sig",), instances=("h-256",)), "instances: .*'h-256'; known: sig-1024, sig-160"),
        (Selection(only=("sig/sig-160/sgin",)), "only: .*'sig/sig-160/sgin'; did you mean sig/sig-160/sign"),
        (Selection(schemes=("sig",), only=("hashes",)), "only: .*'hashes'; known: sig"),
        (Selection(schemes=()), "its selection picks no instance"),
    ],
)
def test_a_pattern_without_a_match_is_an_error_with_the_nearest_names(
    here: Path, selection: Selection, said: str
) -> None:
    with pytest.raises(ConfigError, match="campaign c: " + said):
        chosen(Campaign("c", selection), here)


def test_only_narrows(here: Path) -> None:
    campaign = Campaign("c")
    assert chosen(campaign, here, only=("sig/sig-160",)) == {"sig-160": ["keygen", "sign", "verify"]}
    assert chosen(campaign, here, only=("*/*/verify", "hashes/*/hash_32")) == {
        "h-256": ["hash_32"],
        "sig-160": ["verify"],
        "sig-1024": ["verify"],
    }
    # narrowing does not make patterns of the campaign wrong that fitted what it left out
    both = Campaign("c", Selection(operations=("sign", "hash_32")))
    assert chosen(both, here, only=("sig",)) == {"sig-160": ["sign"], "sig-1024": ["sign"]}


def test_select_replaces_the_selection(here: Path) -> None:
    campaign = Campaign("c", Selection(schemes=("hashes",), operations=("hash_32",)))
    assert chosen(campaign, here, select=("sig/sig-160/sign",)) == {"sig-160": ["sign"]}
    assert chosen(campaign, here, select=("sig",), only=("*/*/sign",)) == {
        "sig-160": ["sign"],
        "sig-1024": ["sign"],
    }


def test_overrides_change_only_what_they_name(here: Path) -> None:
    campaign = Campaign("c", Selection(schemes=("sig",)), profile=ProfilePlan(on=True), kat=Kat(limit_s=5))
    asked = Overrides(
        core=3,
        system="x86_1",
        trials=2,
        target_s=0.5,
        budget_s=9,
        repeats=1,
        inputs="fixed",
        records=1,
        profile=False,
        allow_unfixed_host=True,
    )
    changed = resolve(campaign, own(here), asked).campaign
    assert (changed.host.core, changed.host.system, changed.host.policy) == (3, "x86_1", HostPolicy.ALLOW)
    planning = changed.planning
    assert (planning.trials, planning.target_s, planning.budget_s, planning.repeats) == (2, 0.5, 9, 1)
    assert changed.planning.max_iterations == campaign.planning.max_iterations
    assert changed.inputs is Inputs.FIXED
    assert changed.kat == Kat(records=1, limit_s=5)
    assert not changed.profile.on
    assert resolve(campaign, own(here), Overrides()).campaign == campaign


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (Overrides(trials=0), "--trials: must be 1 to 1000, not 0"),
        (Overrides(target_s=float("nan")), "--target: must be"),
        (Overrides(kat_limit_s=-1), "--kat-limit: must be"),
        (Overrides(core=-2), "--core: must be"),
        (Overrides(system="a b"), "--system: must be a name"),
        (Overrides(only=("a/b/c/d",)), "--only: must be SCHEME"),
        (Overrides(select=("/x",)), "must be SCHEME"),
        (Overrides(records=11), "--records: must be 0 to 10"),
        (Overrides(records=3), r"kat.records: sig/sig-160: 3 KAT records"),
    ],
)
def test_an_override_out_of_range_names_its_option(here: Path, asked: Overrides, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        resolve(Campaign("c", Selection(schemes=("sig",))), own(here), asked)


def test_records_must_be_what_the_digest_covers(tmp_path: Path) -> None:
    signature(tmp_path / "schemes/sig", "sig", "a", mode="strict:3")
    for records in (0, 1, 3):
        resolve(Campaign("c", Selection(schemes=("sig",)), kat=Kat(records=records)), own(tmp_path))
    with pytest.raises(ConfigError, match="sig/a: 10 KAT records"):
        resolve(Campaign("c", Selection(schemes=("sig",)), kat=Kat(records=10)), own(tmp_path))
