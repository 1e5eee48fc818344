# SPDX-License-Identifier: Apache-2.0
# Unit tests speak TAP through cmocka.
UNIT_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS) $(LIBDW_CFLAGS)
UNIT_OFFLINE_LIBS = src/libcommand.a attribution/libattribution.a profile/libprofile.a \
	$(LIBDW_LIBS) $(DEMANGLE_LIBS) $(ZLIB_LIBS) $(LZMA_LIBS) $(SQLITE_LIBS) $(CMOCKA_LIBS) -lm

include tests/unit/attribution/local.mk
include tests/unit/command/local.mk
include tests/unit/profile/local.mk
include tests/unit/sampler/local.mk
include tests/unit/scenes/local.mk
include tests/unit/symbols/local.mk
include tests/unit/text/local.mk
include tests/unit/unwinder/local.mk
