# The whole interface for people who work on Plywright: play, check, test, test-all, bench.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
CACHE := $(CURDIR)/.plywright-cache

.PHONY: play check test test-all bench clean

play: $(VENV)/.ready
	$(BIN)/plywright play othello

check: $(VENV)/.ready-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test: $(VENV)/.ready-test
	PLYWRIGHT_CACHE=$(CACHE) $(BIN)/pytest -n auto -m "not slow"

test-all: $(VENV)/.ready-test
	PLYWRIGHT_CACHE=$(CACHE) $(BIN)/pytest -n auto

bench: $(VENV)/.ready-bench
	$(BIN)/python benchmarks/run.py

clean:
	rm -rf $(VENV) $(CACHE) build dist

$(VENV)/.ready: pyproject.toml
	$(PYTHON) -c "import sys; sys.exit('Plywright needs Python 3.11 or later; try make PYTHON=python3.12') if sys.version_info < (3, 11) else 0"
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	touch $@

$(VENV)/.ready-test: $(VENV)/.ready
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[test]"
	touch $@

$(VENV)/.ready-bench: $(VENV)/.ready
	-$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[bench]"
	touch $@
