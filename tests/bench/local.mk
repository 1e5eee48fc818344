# SPDX-License-Identifier: Apache-2.0
# What is told of costs, and the scripts of `make bench`.
BENCH_TESTS = \
	%D%/claims.sh \
	%D%/claims_runs.sh \
	%D%/cost.sh \
	%D%/driver.sh \
	%D%/events.sh \
	%D%/info.sh \
	%D%/regions.sh \
	%D%/sharing.sh \
	%D%/start.sh \
	%D%/switched.sh
TESTS += $(BENCH_TESTS)
EXTRA_DIST += $(BENCH_TESTS) \
	%D%/bench.sh \
	%D%/callbacks.c \
	%D%/summary.py
