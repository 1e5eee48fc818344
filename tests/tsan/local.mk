# SPDX-License-Identifier: Apache-2.0
# ThreadSanitizer: of the in-process half in `make check`; `make tsan` also builds the offline half with it, in a
# folder of its own, and runs that half's tests there.
TESTS += %D%/tsan.sh
EXTRA_DIST += %D%/tsan.sh %D%/teams.c

.PHONY: tsan
tsan: all
	TSAN_ALL=1 $(MAKE) $(AM_MAKEFLAGS) check TESTS=%D%/tsan.sh
	$(MKDIR_P) tsan
	test -f tsan/Makefile || (cd tsan && $(abs_top_srcdir)/configure -q --enable-tsan CFLAGS="-O1 -g")
	cd tsan && $(MAKE) $(AM_MAKEFLAGS) check \
		TESTS="$(UNIT_ATTRIBUTION_TESTS) $(filter-out %/cct,$(UNIT_PROFILE_TESTS)) \
			tests/unit/command/advice tests/unit/command/golden tests/unit/command/info \
			tests/unit/command/own_cost tests/unit/symbols/names tests/unit/symbols/symbols \
			tests/unit/text/text \
			tests/scale/scale tests/cli/report.sh"
