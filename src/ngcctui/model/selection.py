"""What a campaign's selection picks out of schemes, and the steps that follow from it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase

from ngcctui.model.campaign import Campaign, Selection
from ngcctui.model.natural import natural
from ngcctui.model.operation import Operation
from ngcctui.model.scheme import Instance, Scheme
from ngcctui.model.step import Kind, Step


@dataclass(frozen=True)
class Chosen:
    """A selected instance and its selected operations in page order (none: only built and its KAT run)."""

    scheme: Scheme
    instance: Instance
    operations: tuple[Operation, ...]


@dataclass(frozen=True)
class Unmatched:
    """A pattern that picks nothing: the campaign key it stands in, and the names it could have picked."""

    key: str
    pattern: str
    names: tuple[str, ...]


def matches(name: str, patterns: Iterable[str]) -> bool:
    """True when a glob of `patterns` fits `name`; case counts."""
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def choose(selection: Selection, schemes: Iterable[Scheme]) -> tuple[Chosen, ...]:
    """The selected instances: schemes by key, instances by name (both naturally), each once.

    An instance that has none of the wanted operations is left out; where no operation is wanted at all, all stay.
    """
    return tuple(_narrowed(selection, _selected(selection, schemes)))


def _selected(selection: Selection, schemes: Iterable[Scheme]) -> Iterator[Chosen]:
    for scheme in sorted(schemes, key=lambda s: natural(s.key)):
        if not matches(scheme.key, selection.schemes):
            continue
        for instance in sorted(scheme.file.instance, key=lambda i: natural(i.name)):
            if not matches(instance.name, selection.instances):
                continue
            wanted = tuple(o for o in scheme.operations(instance) if matches(o.name, selection.operations))
            if wanted or not selection.operations:
                yield Chosen(scheme, instance, wanted)


def _narrowed(selection: Selection, chosen: Iterable[Chosen]) -> Iterator[Chosen]:
    """Apply `only`: an instance stays when a pattern fits it, with the operations that such patterns name."""
    if not selection.only:
        yield from chosen
        return
    patterns = [pattern.split("/") for pattern in selection.only]
    for item in chosen:
        fitting = [p for p in patterns if _fits(item, p)]
        if any(len(p) < 3 for p in fitting):
            yield item
        elif operations := tuple(o for o in item.operations if matches(o.name, (p[2] for p in fitting))):
            yield Chosen(item.scheme, item.instance, operations)


def _fits(item: Chosen, parts: list[str]) -> bool:
    return fnmatchcase(item.scheme.key, parts[0]) and (
        len(parts) < 2 or fnmatchcase(item.instance.name, parts[1])
    )


def unmatched(selection: Selection, schemes: Iterable[Scheme]) -> Unmatched | None:
    """The first pattern that picks nothing, None when there is none; `*` asks for nothing by name.

    Each kind of pattern is held against what the kinds before it left: instances of the selected schemes, operations
    of the selected instances, `only` against all of that.
    """
    schemes = tuple(schemes)
    keys = tuple(s.key for s in schemes)
    picked = [(s, i) for s in schemes if matches(s.key, selection.schemes) for i in s.file.instance]
    instances = tuple(i.name for _, i in picked)
    operations = [o.name for s, i in picked if matches(i.name, selection.instances) for o in s.operations(i)]
    chosen = tuple(_selected(selection, schemes))
    for key, patterns, names in (
        ("schemes", selection.schemes, keys),
        ("instances", selection.instances, instances),
        ("operations", selection.operations, tuple(dict.fromkeys(operations))),
    ):
        for pattern in patterns:
            if pattern != "*" and not any(fnmatchcase(name, pattern) for name in names):
                return Unmatched(key, pattern, names)
    for pattern in selection.only:
        if not tuple(_narrowed(Selection(only=(pattern,)), chosen)):
            return Unmatched("only", pattern, tuple(_paths(chosen, pattern.count("/"))))
    return None


def _paths(chosen: Iterable[Chosen], slashes: int) -> dict[str, None]:
    """Every SCHEME, SCHEME/INSTANCE or SCHEME/INSTANCE/OPERATION of the selection, in order, once."""
    paths: dict[str, None] = {}
    for item in chosen:
        place = (item.scheme.key, item.instance.name)
        if slashes < 2:
            paths["/".join(place[: slashes + 1])] = None
        else:
            paths.update({"/".join((*place, o.name)): None for o in item.operations})
    return paths


def steps(campaign: Campaign, schemes: Iterable[Scheme]) -> tuple[Step, ...]:
    """Every step of a campaign in natural order: of each instance build, KAT, then operation by operation."""
    found: list[Step] = []
    per_operation = (
        (Kind.CALIBRATE, Kind.MEASURE, Kind.PROFILE)
        if campaign.profile.on
        else (Kind.CALIBRATE, Kind.MEASURE)
    )
    for item in choose(campaign.selection, schemes):
        place = (item.scheme.key, item.instance.name)
        found += [Step(Kind.BUILD, *place), Step(Kind.KAT, *place)]
        found += [Step(kind, *place, o.name) for o in item.operations for kind in per_operation]
    return tuple(found)
