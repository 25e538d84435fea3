# One verb each. `make run` serves the product, `make test` is what CI runs; both set up what they need.
.DEFAULT_GOAL := help
SHELL := /bin/bash
PYTHON ?= python3
BIN := .venv/bin
NODE := $(BIN)/python hatch_build.py
DATA ?=
TEST_WORKERS ?= 2

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

test: lint test-ui test-backend test-postgres-16 test-browser  ## Everything CI runs

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

test-backend: dev ui  ## The backend on PostgreSQL 18
	$(BIN)/pytest -n $(TEST_WORKERS) --dist loadfile -m 'not browser'

test-postgres-16: dev ui  ## The backend on PostgreSQL 16, our production floor
	@# Odd requests are turned away before a database sees them, whatever its version.
	INTELLI_TEST_POSTGRES=16 $(BIN)/pytest -n $(TEST_WORKERS) --dist loadfile -m 'not browser and not slow' -k 'not odd'

test-browser: dev ui chromium  ## Journeys in a real browser
	$(BIN)/pytest -m browser

chromium:
	@command -v chromium >/dev/null || bash scripts/install-chromium.sh

contracts: dev  ## Write the OpenAPI file, the UI's types and the reference pages anew
	$(BIN)/python -m tests.contracts.generate
	$(NODE) node_modules/openapi-typescript/bin/cli.js ../contracts/openapi.json -o src/generated/api.ts --immutable

bench: dev ui  ## Speed and memory, as ratios
	$(BIN)/python -m bench

soak: dev ui  ## Long fault suites
	INTELLI_TEST_SOAK=1 $(BIN)/pytest -n $(TEST_WORKERS) tests/faults

lock:  ## Resolve the lock files anew
	uv pip compile pyproject.toml --group build --group dev $(LOCK) -o requirements/dev.lock
	uv pip compile pyproject.toml --group build -c requirements/dev.lock $(LOCK) -o requirements/app.lock
	uv pip compile --group node $(LOCK) -o requirements/node.lock
LOCK := --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --quiet

.PHONY: help setup dev ui ui-dev run test lint test-ui test-backend test-postgres-16 test-browser chromium contracts bench soak lock
