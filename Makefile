# Needs python3 (3.11 to 3.14) and make, nothing else. Another interpreter: make env PYTHON=python3.12

PYTHON  = python3
SCRIPTS = $(if $(filter Windows_NT,$(OS)),Scripts,bin)
BIN     = .venv/$(SCRIPTS)
EXTRAS  = dev,docs
INSTALL = -m pip install -qq --disable-pip-version-check -c constraints.txt

# the benchmarks compare with peers if `make peers` has been run
BENCH   = $(firstword $(wildcard .venv-peers/$(SCRIPTS)/python*) $(BIN)/python)

# make portable TESTS="tests/spatial/test_spatial.py -x" runs a part of the tests
TESTS   =

.PHONY: help env peers demo test slow portable fuzz playground bench lint words format docs wheel install-check release clean
.DEFAULT_GOAL := help

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

env: .venv/stamp ## create .venv with Torseur and the tools of the other targets

peers: .venv-peers/stamp ## create .venv-peers with the engines compared by `make bench`

demo: env ## run the demo: from a description to a report
	$(BIN)/torseur demo -o build/demo/robot-1980.html

test: env ## run the tests, without the slow ones
	$(BIN)/pytest

slow: env ## run all tests
	$(BIN)/pytest -m "slow or not slow"

portable: env ## run the tests once for each kind of processor, with and without the code cache
	$(BIN)/python tests/support/portable.py $(TESTS)

fuzz: env ## try 5000 unusual and damaged inputs on every command, half an hour
	$(BIN)/python tests/support/fuzz_doors.py --count 5000

playground: env ## build the app as static pages that run Python in the browser; PYODIDE=folder of its full distribution
	$(BIN)/python tests/support/playground.py build/playground $(if $(PYODIDE),--pyodide $(PYODIDE))

bench: env ## run the benchmarks
	$(BENCH) -m benchmarks

lint: env ## check style, format, types, layers and plain words
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python tests/support/plain_words.py

# make words NEW=de starts the catalogue of another language
words: env ## report missing translations and add empty entries to the catalogues
	$(BIN)/python tests/support/translations.py $(NEW)

format: env ## format the code and write the stubs of the public names
	$(BIN)/python tests/support/stubs.py
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

docs: env ## build the manual in build/docs; a warning is an error
	$(BIN)/sphinx-build -q -W --keep-going -b html -d build/doctrees docs build/docs
	@echo "build/docs/index.html"

wheel: env ## build the source archive and the wheel in dist
	rm -rf dist
	$(BIN)/python -m build

install-check: env ## install the wheel in a new environment and run the first pages
	$(BIN)/python tests/support/first_minutes.py

release: env ## check everything, build and try the package on every Python found
	$(BIN)/python tests/support/release.py

clean: ## remove build results, but not the environments
	rm -rf build dist .coverage htmlcov .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find src tests docs -name __pycache__ -type d -exec rm -rf {} +

.venv-peers/stamp: EXTRAS = peers

.venv/stamp .venv-peers/stamp: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))' 2>/dev/null || \
	{ echo "A clone needs Python 3.11 to 3.14, but $(PYTHON) is: $$($(PYTHON) --version 2>&1 || true)." \
	       "Choose one with: make $(MAKECMDGOALS) PYTHON=python3.12" >&2; exit 1; }
	@echo "Installing Torseur [$(EXTRAS)] into $(@D): about a minute."
	@test -x $(@D)/$(SCRIPTS)/python || $(PYTHON) -m venv $(@D)
	@$(@D)/$(SCRIPTS)/python $(INSTALL) -e '.[$(EXTRAS)]'
	@touch $@
