# One verb each. `make run` serves the product, `make test` is what CI runs; both set up what they need.
.DEFAULT_GOAL := help
SHELL := /bin/bash
PYTHON ?= python3
BIN := .venv/bin
NODE := $(BIN)/python hatch_build.py
DATA ?=
TEST_WORKERS ?= 2
# Tests start hundreds of processes; where this is set, each would compile every module anew.
unexport PYTHONDONTWRITEBYTECODE
# Tests make and drop hundreds of databases. A disk in memory spares the real one, where there is one with room.
MEMORY := $(shell df --output=avail -m /dev/shm 2>/dev/null | awk 'NR == 2 && $$1 > 4000 { print "/dev/shm" }')
PYTEST := $(if $(MEMORY),PYTEST_DEBUG_TEMPROOT=$(MEMORY)) $(BIN)/pytest --dist worksteal --durations 30

help:  ## Show this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

.venv/.app: requirements/app.lock pyproject.toml hatch_build.py
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Intelli needs Python 3.11 or later; set PYTHON=…")'
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@echo "Installing the locked packages. The first time this takes a minute or two."
	@$(BIN)/python -m pip install --quiet --require-hashes -r requirements/app.lock
	@INTELLI_SKIP_UI=1 $(BIN)/python -m pip install --quiet --no-deps --no-build-isolation -e .
	@touch $@

.venv/.dev: .venv/.app requirements/dev.lock
	$(BIN)/python -m pip install --quiet --require-hashes -r requirements/dev.lock
	@touch $@

setup: .venv/.app ui  ## Create the environment from the lock files and build the UI

dev: .venv/.dev  ## The same, with what the tests need

ui: .venv/.app  ## Build the UI into the package
	@$(NODE)

ui-dev: .venv/.app  ## Serve the UI with reload, against a server on port 8000
	$(NODE) node_modules/vite/bin/vite.js

run: setup  ## Serve the product on the embedded database
	@$(BIN)/intelli serve $(if $(DATA),--data "$(DATA)")

test: dev ui chromium tesseract  ## Everything CI runs
	@# What keeps one core busy runs beside something else that does.
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=target lint test-ui
	@$(MAKE) --no-print-directory test-backend
	@$(MAKE) --no-print-directory test-postgres-16
	@$(MAKE) --no-print-directory test-browser

lint: dev ui  ## Style, types, import rules, contract drift
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m tests.contracts.generate --check
	$(NODE) node_modules/oxlint/bin/oxlint
	$(NODE) node_modules/typescript/bin/tsc --noEmit

test-ui: ui  ## The UI's unit tests
	$(NODE) node_modules/vitest/vitest.mjs run

test-backend: dev ui tesseract  ## The backend on PostgreSQL 18
	$(PYTEST) -n $(TEST_WORKERS) -m 'not browser'

test-postgres-16: dev ui  ## The backend on PostgreSQL 16, our production floor
	INTELLI_TEST_POSTGRES=16 $(PYTEST) -n $(TEST_WORKERS) -m 'not browser and not slow'

test-browser: dev ui chromium  ## Journeys in a real browser
	@# A browser on a busy machine stumbles. A journey gets a second try, and the summary names those that needed it.
	$(PYTEST) -n $(TEST_WORKERS) --dist loadscope --reruns 1 -raR -m browser

chromium:
	@command -v chromium >/dev/null || bash scripts/install-chromium.sh

tesseract:
	@command -v tesseract >/dev/null || bash scripts/install-tesseract.sh

contracts: dev  ## Write the OpenAPI file, the UI's types and the reference pages anew
	$(BIN)/python -m tests.contracts.generate
	$(NODE) node_modules/openapi-typescript/bin/cli.js ../contracts/openapi.json -o src/generated/api.ts --immutable

bench: dev ui  ## Speed and memory, as ratios
	$(BIN)/python -m bench

soak: dev ui tesseract  ## What chance decides, for longer
	INTELLI_TEST_SOAK=1 $(PYTEST) -n $(TEST_WORKERS) tests/faults tests/content tests/library tests/contracts tests/runs tests/citations

lock:  ## Resolve the lock files anew
	uv pip compile pyproject.toml --group build --group dev $(LOCK) -o requirements/dev.lock
	uv pip compile pyproject.toml --group build -c requirements/dev.lock $(LOCK) -o requirements/app.lock
	uv pip compile --group node $(LOCK) -o requirements/node.lock
	for peer in bench/peers/*.in; do uv pip compile $$peer $(LOCK) -o $${peer%.in}.lock; done
LOCK := --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --quiet

.PHONY: help setup dev ui ui-dev run test lint test-ui test-backend test-postgres-16 test-browser chromium tesseract contracts bench soak lock
