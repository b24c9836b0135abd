"""Finding schemes and campaigns, and turning a campaign with its overrides into what a run does.

Everything here only reads; every fault is a ConfigError before anything is written.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ngcctui.engine.kat_case import check_records
from ngcctui.model.campaign import Campaign, HostPolicy, Inputs, Selection, load_campaign
from ngcctui.model.codec import CodecError
from ngcctui.model.errors import ConfigError
from ngcctui.model.natural import natural
from ngcctui.model.nearest import nearest
from ngcctui.model.scheme import Scheme, load_scheme
from ngcctui.model.selection import Chosen, choose, matches, steps, unmatched
from ngcctui.model.step import Step
from ngcctui.paths import data_home
from ngcctui.share import share_dir


@dataclass(frozen=True)
class Found:
    """A scheme package that was found: loaded, or with the reason why it could not be."""

    key: str
    directory: Path
    scheme: Scheme | None
    error: str = ""


@dataclass(frozen=True)
class Resolved:
    """A campaign with its overrides, the schemes it selects, what of them, and the steps in natural order."""

    campaign: Campaign
    schemes: tuple[Scheme, ...]
    chosen: tuple[Chosen, ...]
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class Overrides:
    """What the command line changes in a campaign; None and empty leave it as it is.  Times in seconds.

    `select` replaces the whole selection, `only` narrows it; both are globs `SCHEME[/INSTANCE[/OPERATION]]`.
    """

    select: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    core: int | None = None
    system: str | None = None
    trials: int | None = None
    target_s: float | None = None
    budget_s: float | None = None
    repeats: int | None = None
    inputs: str | None = None
    records: int | None = None
    kat_limit_s: float | None = None
    profile: bool | None = None
    allow_unfixed_host: bool = False


def _places(kind: str, environ: Mapping[str, str], cwd: Path) -> list[Path]:
    """Directories to search, each once: in a checkout `./schemes` is the packaged one too."""
    places = [cwd / kind, data_home(environ) / kind, share_dir() / kind]
    return list({place.resolve(): place for place in reversed(places)}.values())[::-1]


# schemes ----------------------------------------------------------------------------------------------------------


def find_schemes(option: Path | None, environ: Mapping[str, str], cwd: Path) -> dict[str, Found]:
    """Every scheme by key, in natural order; of two with one key the first place wins.

    `option` is a directory of packages, or one package.  ConfigError when it does not exist.
    """
    places = _places("schemes", environ, cwd)
    if option is not None:
        if not option.is_dir():
            raise ConfigError(f"--schemes {option}: no such directory")
        places.insert(0, option)
    found: dict[str, Found] = {}
    for place in places:
        here: dict[str, Found] = {}
        for directory in _packages(place):
            package = load_package(directory)
            twin = here.get(package.key)
            if twin is not None:
                why = f"{directory}: key {package.key} is taken by {twin.directory}; rename one to {package.key}@<variant>"
                package = Found(directory.name, directory, None, why)
            here.setdefault(package.key, package)
        found = here | found
    return dict(sorted(found.items(), key=lambda item: natural(item[0])))


def _packages(place: Path) -> Iterator[Path]:
    if (place / "scheme.toml").exists():
        yield place
        return
    try:
        entries = sorted(place.iterdir())
    except OSError:
        return
    yield from (entry for entry in entries if entry.is_dir() and (entry / "scheme.toml").exists())


def load_package(directory: Path) -> Found:
    """Load a package; one that cannot be loaded goes by its directory's name."""
    try:
        scheme = load_scheme(directory)
    except ConfigError as error:
        return Found(directory.resolve().name, directory, None, str(error))
    return Found(scheme.key, directory, scheme)


def named_schemes(words: Sequence[str], found: Mapping[str, Found], cwd: Path) -> list[Scheme]:
    """The schemes that `words` name, each once: keys, globs over keys, or paths of packages; all without words."""
    named: dict[str, Scheme] = {}
    for word in words or ["*"]:
        if "/" in word or (cwd / word / "scheme.toml").exists():
            package = load_package(cwd / word)
            named[package.key] = _loaded(package)
            continue
        keys = [key for key in found if matches(key, [word])]
        if not keys:
            raise ConfigError(f"no scheme {word!r}: {nearest(word, found)}")
        named.update({key: _loaded(found[key]) for key in keys})
    return list(named.values())


def _loaded(found: Found) -> Scheme:
    if found.scheme is None:
        raise ConfigError(found.error)
    return found.scheme


# campaigns --------------------------------------------------------------------------------------------------------


def list_campaigns(environ: Mapping[str, str], cwd: Path) -> dict[str, Path]:
    """Every campaign file by name (its stem); the first place with a name wins."""
    found: dict[str, Path] = {}
    for place in _places("campaigns", environ, cwd):
        for path in sorted(place.glob("*.toml")):
            found.setdefault(path.stem, path)
    return dict(sorted(found.items()))


def find_campaign(name: str, environ: Mapping[str, str], cwd: Path) -> Campaign:
    """Load a campaign by path (it has a slash or ends in .toml) or by name; ConfigError with the nearest names."""
    if "/" in name or name.endswith(".toml"):
        return load_campaign(cwd / name)
    known = list_campaigns(environ, cwd)
    if name not in known:
        raise ConfigError(f"no campaign {name!r}: {nearest(name, known)}")
    return load_campaign(known[name])


# resolving --------------------------------------------------------------------------------------------------------

#: Option behind each key that an override can put out of range.
_OPTIONS = {
    "only": "--only",
    "core": "--core",
    "system": "--system",
    "trials": "--trials",
    "target_s": "--target",
    "budget_s": "--budget",
    "repeats": "--repeats",
    "records": "--records",
    "limit_s": "--kat-limit",
}


def apply_overrides(campaign: Campaign, asked: Overrides) -> Campaign:
    """The campaign as the command line changes it; ConfigError names the option that is out of range."""

    def given(**values: Any) -> dict[str, Any]:
        return {key: value for key, value in values.items() if value is not None}

    selection = campaign.selection
    try:
        if asked.select:
            schemes = tuple(dict.fromkeys(pattern.partition("/")[0] for pattern in asked.select))
            selection = Selection(schemes=schemes, only=asked.select)
        if asked.only:
            selection = replace(selection, only=asked.only)
        planning = given(
            trials=asked.trials, target_s=asked.target_s, budget_s=asked.budget_s, repeats=asked.repeats
        )
        policy = HostPolicy.ALLOW if asked.allow_unfixed_host else None
        return replace(
            campaign,
            selection=selection,
            inputs=Inputs(asked.inputs) if asked.inputs else campaign.inputs,
            planning=replace(campaign.planning, **planning),
            kat=replace(campaign.kat, **given(records=asked.records, limit_s=asked.kat_limit_s)),
            profile=replace(campaign.profile, **given(on=asked.profile)),
            host=replace(campaign.host, **given(core=asked.core, system=asked.system, policy=policy)),
        )
    except CodecError as error:
        raise ConfigError(f"{_OPTIONS.get(error.key, error.key)}: {error.why}") from None


def resolve(campaign: Campaign, found: Mapping[str, Found], asked: Overrides | None = None) -> Resolved:
    """Apply overrides and select; ConfigError when a pattern picks nothing or a selected scheme is broken."""
    campaign = apply_overrides(campaign, asked or Overrides())
    for package in found.values():
        if package.scheme is None and matches(package.key, campaign.selection.schemes):
            raise ConfigError(package.error)
    schemes = [package.scheme for package in found.values() if package.scheme is not None]
    stray = unmatched(campaign.selection, schemes)
    if stray is not None:
        hint = nearest(stray.pattern, stray.names)
        raise ConfigError(
            f"campaign {campaign.name}: {stray.key}: it selects nothing called {stray.pattern!r}; {hint}"
        )
    chosen = choose(campaign.selection, schemes)
    if not chosen:
        raise ConfigError(f"campaign {campaign.name}: its selection picks no instance")
    _check_records(campaign, chosen)
    used = tuple({item.scheme.key: item.scheme for item in chosen}.values())
    return Resolved(campaign, used, chosen, steps(campaign, used))


def _check_records(campaign: Campaign, chosen: Iterable[Chosen]) -> None:
    """Only all covered records, or record 0, can be compared with a digest."""
    for item in chosen:
        try:
            check_records(item.instance, campaign.kat.records)
        except ConfigError as error:
            raise ConfigError(f"campaign {campaign.name}: kat.records: {item.scheme.key}/{error}") from None
