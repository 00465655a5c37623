# The front door. It holds no logic: every target is a script in tools/, which says what it does.

SHELL := bash
export PREFIX ?= /usr/local

.DEFAULT_GOAL := help
.PHONY: help setup build core page demo test test-all bench fuzz format lint docs install dist clean

help: ## print this list
	@awk -F ': ## ' '/^[a-z-]+: ## /{printf "  make %-9s %s\n", $$1, $$2}' Makefile

setup: ## install what building needs (Debian packages, .venv, web/node_modules)
	@tools/setup.sh build

build: ## build planex in build/release
	@tools/build.sh release

core: ## build the core as WebAssembly, hold it against the program
	@tools/core.sh --test

page: ## build the explorer: planex as a page that reads engines, in dist/explorer
	@tools/page.sh

demo: ## build, profile a ResNet-18 in its variants, write a report
	@tools/demo.sh

test: ## build and run what shows most faults, on one engine of each form (40 minutes of two processors)
	@tools/test.sh

test-all: ## run every test that needs no GPU: all engines, threads, distribution, drivers, site, fuzzing
	@tools/test.sh --all

bench: ## build and run the benchmarks
	@tools/bench.sh

fuzz: ## fuzz every reader for a minute
	@tools/fuzz.sh

format: ## format all sources in place
	@tools/format.sh

lint: ## check formatting, style, dependencies, spelling, generated files
	@tools/lint.sh

docs: ## build the documentation as a site with search, in build/site/html
	@tools/site.sh

install: ## install the release build into PREFIX (default /usr/local)
	@tools/install.sh "$$PREFIX"

dist: ## make what is passed on, in build/dist: static program, Debian package, SBOM, checksums
	@tools/dist.sh --core

clean: ## remove build/, dist/ and web/dist/
	@tools/clean.sh
