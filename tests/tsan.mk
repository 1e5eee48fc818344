# SPDX-License-Identifier: Apache-2.0
# ThreadSanitizer: of the in-process half in `make check`; `make tsan` also builds the offline half with it, in a
# folder of its own, and runs that half's tests there.
TESTS += tests/tsan/tsan.sh
EXTRA_DIST += tests/tsan/tsan.sh tests/tsan/teams.c

.PHONY: tsan
tsan: all
	TSAN_ALL=1 $(MAKE) $(AM_MAKEFLAGS) check TESTS=tests/tsan/tsan.sh
	$(MKDIR_P) tsan
	test -f tsan/Makefile || (cd tsan && $(abs_top_srcdir)/configure -q --enable-tsan CFLAGS="-O1 -g")
	cd tsan && $(MAKE) $(AM_MAKEFLAGS) check \
		TESTS="$(ATTRIBUTION_TESTS) tests/unit/command/advice tests/unit/command/golden tests/unit/symbols/names \
			tests/unit/text/text tests/unit/symbols/symbols tests/scale/scale tests/cli/report.sh"
