"""Lengths of keys and signatures: the catalogue, and the audit that names every disagreement."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from golden.synthetic import SyntheticRun, steps_of, write_scheme

from ngcctui.model.campaign import Campaign
from ngcctui.model.codec import CodecError
from ngcctui.model.scheme import Instance, load_scheme
from ngcctui.report.build import build_pages, build_report
from ngcctui.report.markdown import page_markdown
from ngcctui.report.sizes import Basis, Stated, audit, load_sizes, seen_lengths

ROOT = Path(__file__).parents[2]
PUBLISHED = sorted((ROOT / "data" / "published").glob("*/*.toml"))
DECLARED = {"public_key": 32, "secret_key": 64, "signature": 2420}


@pytest.mark.parametrize("path", PUBLISHED, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_the_catalogue_agrees_with_what_was_published(path: Path) -> None:
    data = tomllib.loads(path.read_text("utf-8"))
    for row in data["sizes"]:
        stated = load_sizes().of(path.stem, row["instance"])
        assert stated is not None and stated.basis is Basis.ENCODED
        assert (stated.public_key, stated.secret_key, stated.signature) == (
            row["public_key"],
            row["secret_key"],
            row["signature"],
        )


@pytest.mark.parametrize("directory", sorted((ROOT / "schemes").glob("sign-*")), ids=lambda path: path.name)
def test_the_bundled_schemes_agree_with_the_catalogue(directory: Path) -> None:
    if not (directory / "scheme.toml").is_file():
        pytest.skip("not written yet")
    scheme = load_scheme(directory, sources=False)
    for instance in scheme.file.instance:
        stated = load_sizes().of(scheme.file.id, instance.name)
        assert stated is not None
        assert not list(audit(instance.name, stated, instance, instance.sizes, {}))


def _audit(
    stated: Stated | None = None, expected: dict[str, int] | None = None, **seen: tuple[int, int]
) -> list[str]:
    instance = Instance("a", sizes=expected or {})
    return list(audit("a", stated, instance, DECLARED, seen))


def _stated(basis: Basis, signature: int) -> Stated:
    return Stated("a", 32, 64, signature, basis)


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (_audit(), []),
        (_audit(_stated(Basis.ENCODED, 2420), DECLARED, signature=(2420, 2420)), []),
        (_audit(expected={"public_key": 33}), ["a: public key is 32 bytes long by the library, 33 by scheme.toml"]),
        (
            _audit(_stated(Basis.ENCODED, 2421)),
            ["a: signature is 2420 bytes long by the library, 2421 (encoded) by the catalogue"],
        ),
        (
            _audit(_stated(Basis.ENCODED, 2420), signature=(2400, 2420)),
            ["a: signature came with 2400 to 2420 bytes, not with the 2420 (encoded) of the catalogue"],
        ),
        (_audit(_stated(Basis.MAXIMUM, 2420), signature=(2400, 2420)), []),
        (
            _audit(_stated(Basis.MAXIMUM, 2410), signature=(2400, 2420)),
            [
                "a: signature is 2420 bytes long by the library, 2410 (maximum-variable) by the catalogue",
                "a: signature came with 2400 to 2420 bytes, more than the 2410 (maximum-variable) of the catalogue",
            ],
        ),
        (_audit(_stated(Basis.NOMINAL, 2410), signature=(2400, 2420)), []),
        (
            _audit(_stated(Basis.NOMINAL, 2000), signature=(2400, 2420)),
            ["a: signature came with 2400 to 2420 bytes, all on one side of the 2000 (nominal-variable) of the catalogue"],
        ),
        (
            _audit(secret_key=(64, 65)),
            ["a: secret key came with 64 to 65 bytes, more than the 64 that the library declares"],
        ),
        (
            _audit(signature=(2300, 2300)),
            ["a: signature came with 2300 bytes, fewer than the 2420 that the library declares: its length varies"],
        ),
        (
            _audit(Stated("a", 30, None, None, Basis.NOMINAL)),
            ["a: public key is 32 bytes long by the library, 30 (encoded) by the catalogue"],
        ),
    ],
)  # fmt: skip
def test_every_disagreement_is_named_once(found: list[str], said: list[str]) -> None:
    assert found == said


def test_lengths_in_a_journal_are_pairs_or_nothing() -> None:
    good = {"signature": [5, 7], "public_key": [9, 8]}
    bad = {"a": [1], "b": [1, "2"], "c": 3, "d": [True, 2], "e": [-1, 2], "f": None}
    assert seen_lengths(good | bad) == {"signature": (5, 7), "public_key": (8, 9)}
    assert seen_lengths(None) == seen_lengths([1, 2]) == {}


def test_a_stated_length_is_at_least_one_byte() -> None:
    with pytest.raises(CodecError, match="public_key: must be at least 1 byte"):
        Stated("a", 0)


def test_a_disagreement_is_on_the_page_and_in_the_summary(tmp_path: Path) -> None:
    scheme = write_scheme(tmp_path / "schemes", "toy-1", ["Toy-1", "Toy-2"])
    made = SyntheticRun(tmp_path / "runs", [scheme], Campaign("unit"), steps_of(scheme))
    made.session()
    for instance in ("Toy-1", "Toy-2"):
        made.build("toy-1", instance)
    made.kat("toy-1", "Toy-1", lengths={"signature": [2400, 2420]})
    made.kat("toy-1", "Toy-2", lengths={"signature": [2420, 2420]})
    line = "Toy-1: signature came with 2400 to 2420 bytes, fewer than the 2420 that the library declares: its length varies"
    (page,) = build_pages(made.run)
    assert page.facts is not None and page.facts.sizes == (line,)
    assert line in page_markdown(page)
    summary = build_report(made.run).summary
    assert summary.findings == (f"toy-1 {line}",)
    assert [row.notes for row in summary.signatures] == [("lengths disagree",), ()]
