# What a person types. `make demo` and `make test` need only Rust and apt; the rest is set up on the way.

CARGO ?= cargo
JAVAC ?= $(if $(JAVA_HOME),$(JAVA_HOME)/bin/javac,javac)
SHAKEDOWN := target/release/shakedown

.PHONY: help setup build demo test test-long bench heap-table solver-table libraries pit sample fuzz lint

help:
	@echo "make demo          set up what is missing, build, and generate and run tests for examples/shop"
	@echo "make test          set up what is missing, and run every test"
	@echo "make test-long     the tests that take minutes"
	@echo "make bench         ratios against the real JVM, measured in one run"
	@echo "make heap-table    cases, steps and time of the heap solver and of lazy initialization"
	@echo "make solver-table  how much faster the solver chain is than Z3 alone on the programs of fixtures/check"
	@echo "make libraries     tests for packages of real libraries, and what they cover (TIME=10s RUNS=1 ONLY=pattern)"
	@echo "make pit           how many changes of the code tests notice, of examples/shop and of libraries (TIME=10s ONLY=pattern)"
	@echo "make sample        the same for sixty classes drawn by lot (TIME=30s RUNS=5 ONLY=pattern)"
	@echo "make fuzz          feed the readers of class files, jars and answers with broken ones (TIME=1200 seconds each, TARGETS=class_path)"
	@echo "make build         build the release binary"
	@echo "make lint          check format and lints"
	@echo "make setup         install what is missing (apt)"

setup:
	@scripts/setup.sh

build:
	$(CARGO) build --release

# The main job: tests for a Maven project, generated and run. Then a bug that is found by running every choice, which is
# the status 1 of the last command.
CLASSES := build/shakedown.jar:build/examples
demo: setup build
	scripts/shop.sh $(SHAKEDOWN)
	@echo
	@java/api/build.sh build/shakedown.jar
	@$(JAVAC) -g -cp build/shakedown.jar -d build/examples examples/hello/*.java examples/enumerate/*.java
	$(SHAKEDOWN) enumerate -cp $(CLASSES) --format count 'RBRemove#mixed' 6 2 || [ $$? -eq 1 ]

test: setup
	$(CARGO) test --workspace --profile fast
	@scripts/test_counts.sh

# Methods whose truth is known: written by hand, and 50,000 random ones (SEEDS=200..210 tries others); the counts of `paths` on
# three libraries; the largest sizes of the slowest searches, and their memory; the corpus of `check` with Z3 alone; what
# names of tests for libraries say, and what four times the time covers; 150 runs that are ended.
test-long: setup
	$(CARGO) test --release -p shakedown --test answers -- --ignored --nocapture
	$(CARGO) test --release -p shakedown --test random -- --ignored --nocapture
	$(CARGO) test --release -p shakedown --test paths -- --ignored --nocapture
	$(CARGO) test --release -p shakedown --test check -- --ignored --test-threads 1 --nocapture
	$(CARGO) test --release -p shakedown --test enumerate -- --ignored --test-threads 1
	$(CARGO) test --release -p shakedown --test choices -- --ignored --nocapture
	$(CARGO) test --release -p shakedown --test suite -- --ignored --test-threads 1 --nocapture
	$(CARGO) test --release -p shakedown --test ended -- --ignored --nocapture

bench: setup build
	$(CARGO) run --release -q -p shakedown-bench

heap-table: setup build
	$(CARGO) run --release -q -p shakedown-bench -- heap

solver-table: setup
	$(CARGO) test --release -p shakedown --test check the_chain_is_faster -- --ignored --nocapture

TIME ?= 10s
RUNS ?= 1
ONLY ?= .
libraries: setup build
	scripts/libraries.sh $(SHAKEDOWN) $(TIME) $(RUNS) '$(ONLY)'

pit: setup build
	scripts/pit.sh $(SHAKEDOWN) $(TIME) '$(ONLY)'

sample: TIME = 30s
sample: RUNS = 5
sample: ONLY = .
sample: setup build
	scripts/sample.sh $(SHAKEDOWN) $(TIME) $(RUNS) '$(ONLY)'

fuzz: TIME = 1200
fuzz: setup
	scripts/fuzz.sh $(TIME) $(TARGETS)

lint:
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets -- -D warnings
