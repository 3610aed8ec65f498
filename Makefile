# Everything a person does with the sources; `make help` lists it.
SHELL := /bin/bash
.DEFAULT_GOAL := all
.DELETE_ON_ERROR:

SEEDS ?= 10000

.PHONY: all tests test test-long asan tsan demo bench check check-source crds sim clean help packages

all: build/build.ninja ## build/godwit, and what the demo shows it with
	ninja -C build godwit witness

tests: build/build.ninja ## every test program, too
	ninja -C build

test: tests ## every test that takes seconds, the checks included
	tools/run_tests build -LE long

test-long: tests ## every test there is
	tools/run_tests build

asan tsan: %: build-%/build.ninja ## the quick tests, watched by a sanitizer
	ninja -C build-$*
	tools/run_tests build-$* -LE long

demo: all ## three nodes on this machine, a guest that moves, and the proof that its data moved too
	tests/e2e/demo

bench: tests ## the benchmarks
	bench/run

check: check-source all ## what tools hold about the sources and what is generated from them
	tools/check_crds build/godwit

check-source: packages
	tools/check_format
	tools/check_rooms
	tools/check_forbidden

crds: all ## write deploy/crds.yaml anew from the kinds
	build/godwit crds > deploy/crds.yaml

sim: build/build.ninja ## the simulation with SEEDS=n seeds, or all that happens under one: SEED=n
	ninja -C build sim_test
	$(if $(SEED),GODWIT_SIM_SEED=$(SEED),GODWIT_SIM_SEEDS=$(SEEDS)) build/sim_test --gtest_brief=1 --gtest_filter='*KeepsExactlyOne*'

clean: ## remove everything that was built
	rm -rf build build-asan build-tsan

help: ## this list
	@sed -n 's/^\([a-z][a-z -]*\):[^#]*## \(.*\)/  \1\t\2/p' $(MAKEFILE_LIST) | expand -t 16

packages:
	@tools/install_packages

build/build.ninja: CMakePresets.json | packages
	cmake --preset release

build-%/build.ninja: CMakePresets.json | packages
	cmake --preset $*
