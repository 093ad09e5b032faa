# Everything about this project starts here: `make help` lists what there is.
# One file, .venv/.ready, stands for a finished set-up; a .venv without it is repaired or made anew.

SHELL := /bin/sh
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

PYTHON ?= python3
UV_VERSION := 0.13.9

python := .venv/bin/python
ready := .venv/.ready
audit_ready := tests/audit/node_modules/.package-lock.json
outside := tests/audit/.venv
outside_ready := $(outside)/.ready

# Another environment that happens to be active has no say in this one.
unexport VIRTUAL_ENV CONDA_PREFIX PYTHONHOME UV_PYTHON
export UV_PROJECT_ENVIRONMENT := .venv
export UV_PYTHON_DOWNLOADS := never

.PHONY: help setup site check preview figures test golden lint audit bench soak fuzz artifact clean FORCE

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' Makefile

setup: $(ready) ## Make .venv with the locked packages (the other targets do this by themselves)
	@echo ".venv is ready"

site: $(ready) ## Build the site strictly into _site/
	@$(python) build.py build --strict

check: $(ready) ## Check the records and write nothing
	@$(python) build.py check --strict

preview: $(ready) ## Serve the site on this machine and rebuild it on every change
	@$(python) build.py preview

figures: $(ready) ## Draw the figures only and list their hashes
	@$(python) build.py figures

test: lint ## Run lint, the type check and all tests but the audit
	@echo "pytest" && $(python) -m pytest -n auto

golden: $(ready) ## Rewrite what tests expect, after a change that is meant; review the diff
	@GOLDEN=1 $(python) -m pytest -n auto tests/test_sites.py tests/test_rejects.py tests/test_docs.py \
	  tests/test_docs_made.py

lint: $(ready) ## Check style, format and types, and the layout of the records
	@echo "ruff check" && $(python) -m ruff check --quiet .
	@echo "ruff format --check" && $(python) -m ruff format --check --quiet .
	@echo "mypy" && $(python) -m mypy --no-error-summary
	@echo "pinpress fmt --check" && $(python) build.py fmt --check --quiet

audit: $(ready) ## Look at every page, screen and paper (needs npm, java, chromium)
	@if command -v npm >/dev/null; then $(MAKE) -s $(audit_ready); \
	else echo "npm is missing: apt-get install npm"; fi
	@$(MAKE) -s $(outside_ready)
	@echo "pytest -m audit" && $(python) -m pytest -m audit -n 2 --dist worksteal tests/audit

bench: $(ready) ## Time builds beside other generators (PEERS=DIR), previews, binding; numaudit on slips
	@$(MAKE) -s $(outside_ready)
	@$(python) -m tests.bench.claims
	@$(python) -m tests.bench.edits 200
	@$(python) -m tests.bench.edits 1000
	@$(python) -m tests.bench.previews 200
	@$(python) -m tests.bench.builds 200

SECONDS ?= 120
fuzz: $(ready) ## Feed every reader of foreign input what breaks it (SECONDS=3600 NAMES="check prose")
	@uv=.venv/bin/uv; "$$uv" --version >/dev/null 2>&1 || uv=$$(command -v uv); \
	"$$uv" sync --quiet --locked --inexact --group fuzz --python $(python)
	@$(python) -m tests.fuzz.run --seconds $(SECONDS) $(NAMES)

soak: $(ready) ## Edit a site 500 times while a preview serves it, and ask all the time (needs wrk)
	@$(python) -m tests.audit.soak 500

artifact: $(ready) ## Build the site twice, elsewhere, and write its archive, statement and bill of materials into dist/
	@$(python) -m tests.release.artifact

clean: ## Remove what building and testing wrote; .venv stays
	@rm -rf _site ._site.spare .cache dist .mypy_cache .pytest_cache .ruff_cache .hypothesis tests/audit/node_modules $(outside)

$(audit_ready): tests/audit/package.json tests/audit/package-lock.json
	@echo "Installing axe, vnu and Lighthouse into tests/audit/node_modules"
	@cd tests/audit && npm ci --ignore-scripts --no-audit --no-fund --silent
	@touch $@

$(outside_ready): tests/audit/requirements.txt
	@echo "Installing claims-cli, numaudit, pip-audit and roc-validator into $(outside)"
	@$(python) -m venv --clear $(outside)
	@$(outside)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps \
	  -r tests/audit/requirements.txt
	@touch $@

# A checkout that was moved, or a python that is gone, calls for a new set-up as well.
ifneq ($(shell test -x $(python) && $(python) -c 'import pip' 2>/dev/null && cat $(ready) 2>/dev/null),$(CURDIR))
$(ready): FORCE
endif

$(ready): pyproject.toml uv.lock
	@rm -f $@
	@command -v "$(PYTHON)" >/dev/null || \
	  { echo "$(PYTHON) is missing: apt-get install python3 python3-venv" >&2; exit 1; }
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "$(PYTHON) is too old: Python 3.11 or newer is needed (make PYTHON=python3.12 …)" >&2; exit 1; }
	@"$(PYTHON)" -c 'import ensurepip, venv; ensurepip.version()' 2>/dev/null || \
	  { echo "$(PYTHON) cannot make a virtual environment: apt-get install python3-venv" >&2; exit 1; }
	@$(python) -m pip --version >/dev/null 2>&1 || \
	  { echo "Making .venv"; "$(PYTHON)" -m venv --clear .venv; }
	@uv=.venv/bin/uv; \
	"$$uv" --version >/dev/null 2>&1 || uv=$$(command -v uv) || { uv=.venv/bin/uv; \
	  echo "Installing uv $(UV_VERSION) into .venv"; \
	  $(python) -m pip install --quiet --disable-pip-version-check --force-reinstall uv==$(UV_VERSION); } && \
	echo "Installing the locked packages into .venv" && \
	"$$uv" sync --quiet --locked --inexact --python $(python)
	@echo "$(CURDIR)" >$@
