# SPDX-License-Identifier: Apache-2.0
# The offline half below the command: the reader, the attribution.
BUILD_PROFILE = tests/unit/build_profile.c tests/unit/build_profile.h

if HAVE_CMOCKA
check_PROGRAMS += tests/unit/reader tests/unit/attribution
TESTS += tests/unit/reader tests/unit/attribution
tests_unit_reader_SOURCES = tests/unit/reader.c $(BUILD_PROFILE)
tests_unit_reader_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_reader_LDADD = $(UNIT_OFFLINE_LIBS)

tests_unit_attribution_SOURCES = tests/unit/attribution.c $(BUILD_PROFILE)
tests_unit_attribution_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_attribution_LDADD = $(UNIT_OFFLINE_LIBS)
endif
