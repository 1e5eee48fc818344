# SPDX-License-Identifier: Apache-2.0
# What is told of costs, and the scripts of `make bench`.
BENCH_TESTS = \
	tests/bench/claims.sh \
	tests/bench/claims_runs.sh \
	tests/bench/cost.sh \
	tests/bench/driver.sh \
	tests/bench/events.sh \
	tests/bench/info.sh \
	tests/bench/regions.sh \
	tests/bench/start.sh \
	tests/bench/switched.sh
TESTS += $(BENCH_TESTS)
EXTRA_DIST += $(BENCH_TESTS) tests/bench/bench.sh tests/bench/callbacks.c tests/bench/summary.py
