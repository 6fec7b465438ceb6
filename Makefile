# The whole interface for people who work on Plywright: play, check, test, test-all, bench, docs, wheel.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
CACHE := $(CURDIR)/.plywright-cache

.PHONY: play check test test-all bench docs wheel clean browser

play: $(VENV)/.ready
	$(BIN)/plywright web

check: $(VENV)/.ready-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test: $(VENV)/.ready-test browser
	PLYWRIGHT_CACHE=$(CACHE) $(BIN)/pytest -n auto -m "not slow" --durations 15

test-all: $(VENV)/.ready-test browser
	PLYWRIGHT_CACHE=$(CACHE) $(BIN)/pytest -n auto

browser:  # the tests of the page click in Debian's chromium
	@command -v chromium >/dev/null || { [ "$$(id -u)" = 0 ] && apt-get install -y -qq chromium >/dev/null 2>&1; } \
		|| echo "The tests in a browser are skipped: install chromium (apt-get install chromium) to run them."

bench: $(VENV)/.ready-bench
	$(BIN)/python benchmarks/run.py

docs: $(VENV)/.ready-docs  # build/docs: the guide and the reference; whatever is missing or broken is an error
	$(BIN)/mkdocs build --strict

wheel: $(VENV)/.ready-wheel  # dist/: built, and tried in an environment that has nothing else
	rm -rf dist build/bare
	$(BIN)/python -m build --outdir dist .
	$(PYTHON) -m venv build/bare
	build/bare/bin/python -m pip install --quiet --disable-pip-version-check dist/*.whl
	$(BIN)/python tests/check_wheel.py dist build/bare

clean:
	rm -rf $(VENV) $(CACHE) build dist

$(VENV)/.ready: pyproject.toml
	$(PYTHON) -c "import sys; sys.exit('Plywright needs Python 3.11 or later; try make PYTHON=python3.12') if sys.version_info < (3, 11) else 0"
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[web]"
	touch $@

$(VENV)/.ready-test: $(VENV)/.ready
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[test]"
	touch $@

$(VENV)/.ready-docs: $(VENV)/.ready
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[docs]"
	touch $@

$(VENV)/.ready-wheel: $(VENV)/.ready
	$(BIN)/python -m pip install --quiet --disable-pip-version-check "build>=1.2"
	touch $@

$(VENV)/.ready-bench: $(VENV)/.ready
	-$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[bench]"
	touch $@
