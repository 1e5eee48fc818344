# SPDX-License-Identifier: Apache-2.0
# The offline half below the command: the reader, the attribution.
BUILD_PROFILE = tests/unit/build_profile.c tests/unit/build_profile.h

if HAVE_CMOCKA
ATTRIBUTION_TESTS = tests/unit/attribution tests/unit/layout tests/unit/reader
check_PROGRAMS += $(ATTRIBUTION_TESTS)
TESTS += $(ATTRIBUTION_TESTS)
tests_unit_reader_SOURCES = tests/unit/reader.c $(BUILD_PROFILE)
tests_unit_reader_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_reader_LDADD = $(UNIT_OFFLINE_LIBS)

tests_unit_attribution_SOURCES = tests/unit/attribution.c $(BUILD_PROFILE)
tests_unit_attribution_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_attribution_LDADD = $(UNIT_OFFLINE_LIBS)

tests_unit_layout_SOURCES = tests/unit/layout.c
tests_unit_layout_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_layout_LDADD = $(CMOCKA_LIBS)
endif
