"""The compiler flags of every build, by name."""

from __future__ import annotations

#: The guide's reference flags, and those that an instance falls back to when it fails with them.
GUIDE = "guide"
HARNESS_DEFAULT = "harness-default"

FLAGS = {
    GUIDE: ("-std=c99", "-Wpedantic", "-Wall", "-Wextra", "-O2"),
    HARNESS_DEFAULT: ("-O2", "-std=gnu11", "-fno-strict-aliasing", "-fwrapv"),
}

#: Always added: position-independent code for a shared library, and the GNU interfaces that submissions use.
ALWAYS = ("-fPIC", "-D_GNU_SOURCE")

#: Added where the compiler knows them: newer compilers make errors of what the submissions' compilers let pass.
OPTIONAL = tuple(
    f"-Wno-error={warning}"
    for warning in (
        "implicit-function-declaration",
        "implicit-int",
        "int-conversion",
        "incompatible-pointer-types",
        "return-mismatch",
        "declaration-missing-parameter-type",
    )
)
