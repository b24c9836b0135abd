"""A campaign while it is set up: what is marked, what of it the campaign becomes, and the rows of the tree."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum

from ngcctui.catalog import Found
from ngcctui.model.campaign import Campaign, Selection
from ngcctui.model.natural import natural
from ngcctui.model.scheme import Scheme
from ngcctui.model.selection import choose, matches
from ngcctui.tui.view.filtering import RowFilter

#: A scheme key and the name of one of its instances.
Mark = tuple[str, str]
NO_MARKS: frozenset[Mark] = frozenset()


@dataclass(frozen=True)
class Draft:
    """A campaign being set up.

    `campaign` holds everything but the selection, which follows from `marks` and the globs of `operations` as soon as
    one of them was touched; until then the selection is the loaded one, with all that marks cannot say.
    """

    campaign: Campaign
    marks: frozenset[Mark] = NO_MARKS
    operations: tuple[str, ...] = ("*",)
    touched: bool = True

    def with_marks(self, marks: frozenset[Mark]) -> Draft:
        """The draft with other marks."""
        return self if marks == self.marks else replace(self, marks=marks, touched=True)

    def with_operations(self, operations: tuple[str, ...]) -> Draft:
        """The draft with other operations."""
        return self if operations == self.operations else replace(self, operations=operations, touched=True)


def loaded(found: Mapping[str, Found]) -> list[Scheme]:
    """The schemes that could be loaded, in natural order of their keys."""
    return [package.scheme for package in found.values() if package.scheme is not None]


def draft_of(campaign: Campaign, found: Mapping[str, Found]) -> Draft:
    """A draft that starts as `campaign`: what it selects is marked."""
    marks = {(item.scheme.key, item.instance.name) for item in choose(campaign.selection, loaded(found))}
    return Draft(campaign, frozenset(marks), campaign.selection.operations, touched=False)


def campaign_of(draft: Draft, found: Mapping[str, Found]) -> Campaign:
    """The campaign that the draft stands for.

    Marked instances that have none of the operations are left out, and so are operations that no marked instance has.
    """
    if not draft.touched:
        return draft.campaign
    return replace(draft.campaign, selection=_selection(draft, found))


def _selection(draft: Draft, found: Mapping[str, Found]) -> Selection:
    offered: dict[str, tuple[str, ...]] = {}
    whole = True
    keys = []
    only = []
    for scheme in loaded(found):
        has = {i.name: tuple(o.name for o in scheme.operations(i)) for i in scheme.file.instance}
        used = [name for name in sorted(has, key=natural) if (scheme.key, name) in draft.marks]
        used = [name for name in used if not draft.operations or _any_of(has[name], draft.operations)]
        if not used:
            continue
        offered |= {f"{scheme.key}/{name}": has[name] for name in used}
        keys.append(scheme.key)
        complete = len(used) == len(has)
        whole = whole and complete
        only += [scheme.key] if complete else [f"{scheme.key}/{name}" for name in used]
    names = {name for group in offered.values() for name in group}
    operations = tuple(glob for glob in draft.operations if glob == "*" or _any_of(names, (glob,)))
    return Selection(tuple(keys), ("*",), operations, () if whole else tuple(only))


def _any_of(names: Iterable[str], globs: tuple[str, ...]) -> bool:
    return any(matches(name, globs) for name in names)


def unknown_operation(text: str, found: Mapping[str, Found]) -> str:
    """The first glob of `text` that fits no operation of any scheme; empty when there is none."""
    names = {o.name for scheme in loaded(found) for i in scheme.file.instance for o in scheme.operations(i)}
    return next((glob for glob in text.split() if not _any_of(names, (glob,))), "")


# the tree ---------------------------------------------------------------------------------------------------------


class Marked(Enum):
    """How much of a row is marked; `CANNOT` for a package that cannot be loaded."""

    NONE = "none"
    SOME = "some"
    ALL = "all"
    CANNOT = "cannot"


@dataclass(frozen=True)
class TreeRow:
    """One row: a scheme (`instance` empty) or an instance.

    `places` are the marks that the row stands for: of a scheme those of its instances that the filter shows; `marked` of
    them are set.  `note` is the algorithm, or why a package cannot be loaded.
    """

    key: str
    instance: str = ""
    places: tuple[Mark, ...] = ()
    marked: int = 0
    note: str = ""
    open: bool = False
    broken: bool = False

    @property
    def state(self) -> Marked:
        """How much of it is marked."""
        if self.broken:
            return Marked.CANNOT
        if not self.marked:
            return Marked.NONE
        return Marked.ALL if self.marked == len(self.places) else Marked.SOME


@dataclass(frozen=True)
class Folding:
    """Which schemes are closed; a filter opens what it finds."""

    closed: frozenset[str] = field(default_factory=frozenset)

    def turned(self, key: str) -> Folding:
        """The same with one scheme opened or closed."""
        return Folding(self.closed ^ {key})


def tree_rows(
    found: Mapping[str, Found], marks: frozenset[Mark], folding: Folding, shown: RowFilter
) -> tuple[TreeRow, ...]:
    """The rows that are shown: schemes, and below each open one its instances.

    The filter looks at `<key> <algorithm> <instance>`; a scheme is shown with the instances that fit.
    """
    rows: list[TreeRow] = []
    for package in found.values():
        if package.scheme is None:
            if shown(f"{package.key} {package.error}"):
                rows.append(TreeRow(package.key, note=package.error, broken=True))
            continue
        rows += _scheme_rows(package.scheme, marks, folding, shown)
    return tuple(rows)


def _scheme_rows(scheme: Scheme, marks: frozenset[Mark], folding: Folding, shown: RowFilter) -> list[TreeRow]:
    algorithm = scheme.file.algorithm
    names = sorted((instance.name for instance in scheme.file.instance), key=natural)
    fitting = [name for name in names if shown(f"{scheme.key} {algorithm} {name}")]
    if not fitting:
        return []
    places = tuple((scheme.key, name) for name in fitting)
    is_open = bool(shown.text) or scheme.key not in folding.closed
    head = TreeRow(scheme.key, "", places, sum(place in marks for place in places), algorithm, is_open)
    if not is_open:
        return [head]
    return [head, *(TreeRow(key, name, ((key, name),), int((key, name) in marks)) for key, name in places)]


def turned(marks: frozenset[Mark], places: Iterable[Mark]) -> frozenset[Mark]:
    """Mark all of `places`, or unmark them where all are marked already."""
    wanted = frozenset(places)
    return marks - wanted if wanted <= marks else marks | wanted


def shown_places(rows: Iterable[TreeRow]) -> frozenset[Mark]:
    """Everything that can be marked in the rows shown, inside closed schemes too."""
    return frozenset(place for row in rows for place in row.places)
