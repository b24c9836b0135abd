# make quick   set up .venv and run a short campaign into ./runs
# make test    set up .venv with the test tools, then lint, types and all tests
# make test-long   the tests that take a minute or more each
# make kat     full known answer tests of every bundled instance
# make bench-NAME   one of the benchmarks (benchmarks/README.md)
# make clean   remove what the targets above made, but no run
#
# PYTHON=...   another interpreter (3.11 or newer) for the environment

PYTHON ?= python3
GCC ?= gcc
VENV := .venv
PIP = PIP_CONSTRAINT="$(CURDIR)/constraints.txt" PIP_BUILD_CONSTRAINT="$(CURDIR)/constraints.txt" \
      $(VENV)/bin/python -m pip --quiet --disable-pip-version-check

.PHONY: quick test test-long kat clean check-tools
.DELETE_ON_ERROR:

quick: $(VENV)/run.stamp
	$(VENV)/bin/ngcctui --batch quick --runs ./runs

kat: $(VENV)/run.stamp
	$(VENV)/bin/ngcctui kat

# Tests that measure, kill engines or watch a terminal have the machine for themselves (tests/conftest.py).
test: $(VENV)/test.stamp
	$(VENV)/bin/ruff check .
	$(VENV)/bin/mypy
	$(VENV)/bin/python -m pytest -n 2 --dist loadfile -m "not alone and not long"
	$(VENV)/bin/python -m pytest -m "alone and not long"

test-long: $(VENV)/test.stamp
	$(VENV)/bin/python -m pytest -m long -n 2 tests

bench-%: $(VENV)/run.stamp
	$(VENV)/bin/python -m benchmarks.$*

# Order-only: it always runs, before anything is created, and never makes the environment out of date.
$(VENV)/run.stamp: pyproject.toml constraints.txt | check-tools
	"$(PYTHON)" -m venv $(VENV)
	$(PIP) install -e .
	touch $@

$(VENV)/test.stamp: $(VENV)/run.stamp
	$(PIP) install -e ".[dev]"
	touch $@

check-tools:
	@PYTHON="$(PYTHON)" GCC="$(GCC)" sh .ci/check-tools

clean:
	rm -rf $(VENV) build dist .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -type d -name __pycache__ -not -path './runs/*' -prune -exec rm -rf {} +
