# SPDX-License-Identifier: Apache-2.0
# What is hard on a profiler, for SOAK_SECONDS: ten of them in `make check`, twenty minutes in `make soak`, where
# each run has other seeds.
TESTS += tests/soak/soak.sh tests/soak/verdicts.sh
EXTRA_DIST += tests/soak/soak.sh tests/soak/verdicts.sh tests/soak/judge.sh tests/soak/soak.h \
	tests/soak/soak.cpp tests/soak/soak_openmp.cpp tests/soak/soak_system.cpp \
	tests/soak/soak_plugin.cpp tests/soak/faulty.c

.PHONY: soak
soak: all
	status=0; SOAK_SECONDS=$${SOAK_SECONDS:-1200} SOAK_SEED=$${SOAK_SEED:-$$(date +%s)} \
		$(MAKE) $(AM_MAKEFLAGS) check TESTS=tests/soak/soak.sh || status=$$?; \
		grep -v '^ok' tests/soak/soak.log; exit $$status
