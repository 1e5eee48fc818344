# SPDX-License-Identifier: Apache-2.0
# What is hard on a profiler, for SOAK_SECONDS: ten of them in `make check`, twenty minutes in `make soak`, where
# each run has other seeds.
TESTS += %D%/soak.sh %D%/verdicts.sh
EXTRA_DIST += %D%/soak.sh %D%/verdicts.sh %D%/judge.sh %D%/soak.h \
	%D%/soak.cpp %D%/soak_openmp.cpp %D%/soak_system.cpp \
	%D%/soak_plugin.cpp %D%/faulty.c

.PHONY: soak
soak: all
	status=0; SOAK_SECONDS=$${SOAK_SECONDS:-1200} SOAK_SEED=$${SOAK_SEED:-$$(date +%s)} \
		$(MAKE) $(AM_MAKEFLAGS) check TESTS=%D%/soak.sh || status=$$?; \
		grep -v '^ok' %D%/soak.log; exit $$status
