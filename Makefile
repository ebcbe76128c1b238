# The README's commands. A bare machine needs Python 3.11 or newer, git and make.
PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: setup demo test test-all bench mutants check lint types lock clean

setup: $(STAMP)

$(STAMP): requirements/dev.txt pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $(STAMP)

demo: setup  ## five small pull requests, five verdicts
	$(BIN)/python demo/run.py

test: setup  ## the default tier
	$(BIN)/python -m pytest -n 2 -m "not slow and not matrix"

test-all: setup  ## every tier; a Docker engine has to answer
	$(BIN)/python -m pytest -n 2

check: lint types

lint: setup
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/lint-imports

types: setup
	$(BIN)/mypy

bench: setup  ## prints the tables of bench/
	$(BIN)/python bench/run.py

mutants: setup  ## a mutation run over what decides; prints the survivors
	$(BIN)/mutmut run
	$(BIN)/mutmut results

lock: setup
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --no-annotate pyproject.toml -o requirements/run.txt
	$(BIN)/uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --no-annotate pyproject.toml --group dev -o requirements/dev.txt

clean:
	rm -rf $(VENV) fairtrial-report
