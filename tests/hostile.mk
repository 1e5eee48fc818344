# SPDX-License-Identifier: Apache-2.0
# What others may have made: files, folders, names, profiles and objects that mean harm.
HOSTILE_TESTS = tests/cli/names.sh tests/cli/private.sh tests/symbols/spoilt.sh
TESTS += $(HOSTILE_TESTS)
EXTRA_DIST += $(HOSTILE_TESTS) tests/cli/harmful.sh

if HAVE_CMOCKA
check_PROGRAMS += tests/unit/bounds tests/unit/bounds_merged tests/unit/run_output
TESTS += tests/unit/bounds tests/unit/bounds_merged tests/unit/run_output
tests_unit_bounds_SOURCES = tests/unit/bounds.c tests/unit/check_diff.c tests/unit/check_diff.h \
	tests/unit/in_child.c tests/unit/in_child.h $(BUILD_PROFILE)
tests_unit_bounds_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_bounds_LDADD = $(UNIT_OFFLINE_LIBS)
tests_unit_bounds_merged_SOURCES = tests/unit/bounds_merged.c tests/unit/in_child.c tests/unit/in_child.h \
	$(BUILD_PROFILE)
tests_unit_bounds_merged_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_bounds_merged_LDADD = $(UNIT_OFFLINE_LIBS)
tests_unit_bounds_merged_LDFLAGS = -Wl,--wrap=asprintf -Wl,--wrap=__asprintf_chk
tests_unit_run_output_SOURCES = tests/unit/run_output.c
tests_unit_run_output_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_run_output_LDADD = $(UNIT_OFFLINE_LIBS)
endif
