# One verb each. `make run` serves the product, `make check` is for while you work, `make test` is what CI runs; all set up what they need.
.DEFAULT_GOAL := help
SHELL := /bin/bash
PYTHON ?= python3
BIN := .venv/bin
NODE := $(BIN)/python hatch_build.py
DATA ?=
PORT ?=
# A test waits as often as it works, so two cores have time for four of them. A browser works more.
TEST_WORKERS ?= 4
TEST_BROWSERS ?= 3
# Tests start hundreds of processes; where this is set, each would compile every module anew.
unexport PYTHONDONTWRITEBYTECODE
# Tests make and drop hundreds of databases. A disk in memory spares the real one, where there is one with room.
MEMORY := $(shell df --output=avail -m /dev/shm 2>/dev/null | awk 'NR == 2 && $$1 > 4000 { print "/dev/shm" }')
PYTEST := $(if $(MEMORY),PYTEST_DEBUG_TEMPROOT=$(MEMORY)) $(BIN)/pytest --dist worksteal --durations 30

help:  ## Show this list
	@grep -hE '^[a-z0-9-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 18

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Intelli needs Python 3.11 or later; set PYTHON=…")'
	@$(PYTHON) -m venv .venv

.venv/.installer: requirements/installer.lock | .venv/bin/python
	@echo "Installing the locked packages. The first time this takes a minute or two."
	@$(INSTALL) -r requirements/installer.lock
	@touch $@
# A lock file is complete, so nobody need ask each package what it needs.
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps
EDITABLE := INTELLI_SKIP_UI=1 $(BIN)/python -m pip install --quiet --no-deps --no-build-isolation -e .

.venv/.app: requirements/app.lock pyproject.toml | .venv/.installer
	@$(INSTALL) -r requirements/app.lock
	@$(EDITABLE)
	@touch $@

.venv/.dev: requirements/dev.lock requirements/app.lock pyproject.toml | .venv/.installer
	@# All at once: what the tests need includes what the product needs. Only a part of it is ever loaded, and compiled then;
	@# ours is compiled now, before many processes would do it at the same time.
	@$(INSTALL) --no-compile -r requirements/dev.lock
	@$(EDITABLE)
	@$(BIN)/python -m compileall -q -j 0 src
	@touch .venv/.app $@

setup: .venv/.app encoder ui  ## Create the environment from the lock files and build the UI

dev: .venv/.dev encoder  ## The same, with what the tests need

ui: .venv/.installer  ## Build the UI into the package
	@$(NODE)

encoder: .venv/.installer  ## Fetch the encoder into the package
	@$(BIN)/python scripts/fetch_encoder.py

ui-dev: .venv/.installer  ## Serve the UI with reload, against a server on port 8000
	$(NODE) node_modules/vite/bin/vite.js

run: setup  ## Serve the product on the embedded database
	@$(BIN)/intelli serve $(if $(DATA),--data "$(DATA)") $(if $(PORT),--port "$(PORT)")

test: chromium tesseract  ## Everything CI runs
	@# What keeps one core busy runs beside something else that does.
	@$(BESIDE) dev lint-ui test-ui
	@$(BESIDE) lint-python test-postgres-16 TEST_WORKERS=1
	@$(MAKE) --no-print-directory test-backend
	@$(MAKE) --no-print-directory test-browser
BESIDE := $(MAKE) --no-print-directory --jobs=2 --output-sync=target

check:  ## Lint and the fast tests, in less than two minutes on two cores
	@$(BESIDE) lint-python lint-ui test-ui test-fast

lint: lint-python lint-ui  ## Style, types, import rules, contract drift
	$(BIN)/python -m tests.contracts.generate --check

lint-python: dev ui
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

lint-ui: ui
	$(NODE) node_modules/oxlint/bin/oxlint
	$(NODE) node_modules/prettier/bin/prettier.cjs --check --log-level warn .
	$(NODE) node_modules/typescript/bin/tsc --noEmit

test-ui: ui  ## The UI's unit tests
	$(NODE) node_modules/vitest/vitest.mjs run

test-fast: dev ui  ## The backend's tests that need no database
	$(PYTEST) -n 2 -m fast --durations 5

# What a test left open is found by the garbage collector, in whatever test comes later: that one gets a second try, and
# the summary names it.
LEFT_OPEN := --reruns 1 --only-rerun PytestUnraisableExceptionWarning -raR

test-backend: dev ui tesseract  ## The backend on PostgreSQL 18
	$(PYTEST) -n $(TEST_WORKERS) $(LEFT_OPEN) -m 'not browser'

test-postgres-16: dev ui  ## The backend on PostgreSQL 16, our production floor
	INTELLI_TEST_POSTGRES=16 $(PYTEST) -n $(TEST_WORKERS) $(LEFT_OPEN) -m 'not browser and not slow'

test-browser: dev ui chromium  ## Journeys in a real browser
	@# A browser on a busy machine stumbles. A journey gets a second try, and the summary names those that needed it.
	$(PYTEST) -n $(TEST_BROWSERS) --reruns 1 -raR -m browser

chromium:
	@command -v chromium >/dev/null || bash scripts/install-chromium.sh

tesseract:
	@command -v tesseract >/dev/null || bash scripts/install-tesseract.sh

format: dev ui  ## Lay out all code, Python and UI
	$(BIN)/ruff format .
	$(NODE) node_modules/prettier/bin/prettier.cjs --write --log-level warn .

contracts: dev  ## Write the OpenAPI file, the UI's types and the reference pages anew
	$(BIN)/python -m tests.contracts.generate
	$(NODE) node_modules/openapi-typescript/bin/cli.js ../contracts/openapi.json -o src/generated/api.ts --immutable

bench: dev ui  ## Speed and memory, as ratios
	$(BIN)/python -m bench

soak: dev ui tesseract  ## What chance decides, for longer
	INTELLI_TEST_SOAK=1 $(PYTEST) -n $(TEST_WORKERS) \
		tests/faults tests/content tests/library tests/contracts tests/runs tests/citations tests/deliverables tests/kit tests/memory

lock:  ## Resolve the lock files anew
	uv pip compile pyproject.toml --group build --group dev $(LOCK) -o requirements/dev.lock
	uv pip compile pyproject.toml --group build -c requirements/dev.lock $(LOCK) -o requirements/app.lock
	for group in node installer; do uv pip compile --group $$group $(LOCK) -o requirements/$$group.lock; done
	for peer in bench/peers/*.in; do uv pip compile $$peer $(LOCK) -o $${peer%.in}.lock; done
LOCK := --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --quiet

.PHONY: help setup dev encoder ui ui-dev run test check lint lint-python lint-ui format test-ui test-fast test-backend test-postgres-16 test-browser chromium tesseract contracts bench soak lock
