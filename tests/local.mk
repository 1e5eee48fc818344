# SPDX-License-Identifier: Apache-2.0
# Unit tests speak TAP through cmocka; shell tests speak TAP through tests/tap.sh.
UNIT_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS) $(LIBDW_CFLAGS)
UNIT_OFFLINE_LIBS = src/libcommand.a attribution/libattribution.a profile/libprofile.a \
	$(LIBDW_LIBS) $(DEMANGLE_LIBS) $(ZLIB_LIBS) $(SQLITE_LIBS) $(CMOCKA_LIBS) -lm

EXTRA_DIST += tests/no_cmocka.sh
if !HAVE_CMOCKA
TESTS += tests/no_cmocka.sh
endif

include tests/unwinder.mk
include tests/symbols.mk
include tests/attribution.mk
include tests/html.mk
include tests/report.mk
include tests/export.mk
include tests/inprocess.mk
include tests/sampler.mk
include tests/runtime.mk
include tests/accuracy.mk
include tests/bench.mk
include tests/scale.mk
include tests/hostile.mk
include tests/readers.mk
include tests/fuzz.mk
include tests/soak.mk
include tests/tsan.mk
include tests/gates.mk
