# Every task of the repository. `make` lists them; README says the same for those without make.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

# Two processes of one thread each: outputs repeat to the bit, and two cores stay busy. The lessons
# come first, file by file in the order given, so that no long file is left over for the end.
test colab: export OMP_NUM_THREADS = 1
test colab: export TQDM_DISABLE = 1
WORKERS := -n 2 --dist loadfile --no-loadscope-reorder
NBVAL := -p nbval -p tests.lessons.second_look --nbval --nbval-current-env --nbval-cell-timeout 180

.DEFAULT_GOAL := help
.PHONY: help setup book serve test lint lessons translations bench configure clean

help: ## list these targets
	@echo "Attention, Recomputed. The targets:"
	@sed -n 's/^\([a-z]*\):.*## /\1	/p' Makefile | while IFS='	' read -r target what; do \
		printf '  make %-12s %s\n' "$$target" "$$what"; done

setup: $(STAMP) ## make .venv and install the pinned environment and the package (once)

$(STAMP): requirements.txt pyproject.toml
	@command -v $(PYTHON) >/dev/null || { echo "$(PYTHON) was not found: install Python 3.11 or newer, or name one: make setup PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed, $(PYTHON) is $$($(PYTHON) --version 2>&1): name another: make setup PYTHON=python3.12"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); echo "$(PYTHON) -m venv failed. On Debian and Ubuntu: apt install python3-venv"; exit 1; }
	@echo "Installing the environment into $(VENV): a minute or two."
	@$(BIN)/python -m pip install -qq --disable-pip-version-check -r requirements.txt
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $(STAMP)

book: setup ## build the site, both books
	@$(BIN)/python book/_ext/build_site.py
	@! grep -q github.com/OWNER/ pyproject.toml || echo "The repository's address is not set yet, so the Colab buttons and the pages' own addresses lead nowhere: make configure REPO=owner/name"

serve: book ## build the site and serve it at http://localhost:8000
	$(BIN)/python -m http.server --bind localhost --directory _build/html 8000

test: setup lint ## check everything: code, lessons, site
	$(BIN)/python -m pytest $(WORKERS) -rs $(NBVAL) lessons tests

colab: setup ## rehearse every notebook as on Colab: installed by its setup cell, run twice
	COLAB=all $(BIN)/python -m pytest -n 2 -rs tests/package/test_colab.py

lighthouse: book ## let Lighthouse judge the pages (needs npm and Chromium)
	$(BIN)/python -m tools.lighthouse

lint: setup ## ruff and mypy
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

lessons: setup ## run all notebooks again and store them in normal form (CHECK=1: write nothing, say what differs)
	$(BIN)/python tools/lessons.py $(if $(CHECK),--check)

translations: setup ## list what the Korean edition lacks, and where the English has changed since
	@$(BIN)/python tools/translations.py

bench: setup ## measure the library against PyTorch's own and print the ratios
	$(BIN)/python -m tests.bench

configure: setup ## set the repository's address everywhere: make configure REPO=owner/name
	@$(BIN)/python tools/configure.py "$(REPO)"

clean: ## remove what was built; .venv stays
	rm -rf _build dist .pytest_cache .ruff_cache .mypy_cache .hypothesis
	find . -name __pycache__ -not -path './$(VENV)/*' -prune -exec rm -rf {} +
