# The front doors; `make help` lists them. The build itself is CMake (see CMakePresets.json).
.DEFAULT_GOAL := help
.PHONY: help deps build demo test slow long check asan study bench clean

TARE := build/release/tare

help:  ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-7s %s\n", $$1, $$2 }' Makefile

deps:  ## install the Debian packages of packages.txt that are missing
	@tools/install_deps.sh

build: deps  ## build/release/tare (the first time with llama.cpp: some 15 minutes on 2 cores)
	@tools/build.sh release tare

demo: build  ## fetch a small model, score it on the task that tare brings, print the table
	@tools/demo.sh

test: deps  ## build and run all tests
	@tools/run_tests.sh dev

slow: deps  ## build and run the tests that take minutes each: memory, whole benchmarks, a cluster
	@tools/run_tests.sh dev slow

long: deps  ## what takes a quarter of an hour each: invariance on all CPU tiers, all pairs of backends, memory of all models
	@tools/run_tests.sh dev long

asan: deps  ## the unit tests under AddressSanitizer and UndefinedBehaviorSanitizer
	@tools/run_tests.sh asan

check: deps  ## the whole check, as CI runs it
	@bash .ci/run

study: build  ## the example study: two models through six backends (20 minutes; the first time installs them)
	@examples/run_backends.sh

bench: deps  ## compare with llama.cpp's programs and lm-eval (2 hours; BENCH="--works arc" for a part)
	@bench/run.sh $(BENCH)

clean:  ## remove what was built here (the llama.cpp cache stays)
	@rm -rf build
