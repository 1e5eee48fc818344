# SPDX-License-Identifier: Apache-2.0
# What others may have made: files, folders, names, profiles and objects that mean harm.
HOSTILE_TESTS = tests/hostile/names.sh tests/hostile/planted_files.sh tests/hostile/damaged_objects.sh
TESTS += $(HOSTILE_TESTS)
EXTRA_DIST += $(HOSTILE_TESTS) tests/hostile/hostile_program.sh

if HAVE_CMOCKA
check_PROGRAMS += tests/unit/profile/bounds_shown tests/unit/profile/bounds_merged tests/unit/command/run_output
TESTS += tests/unit/profile/bounds_shown tests/unit/profile/bounds_merged tests/unit/command/run_output
tests_unit_profile_bounds_shown_SOURCES = tests/unit/profile/bounds_shown.c tests/unit/command/check_diff.c tests/unit/command/check_diff.h \
	tests/unit/profile/in_child.c tests/unit/profile/in_child.h $(BUILD_PROFILE)
tests_unit_profile_bounds_shown_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_profile_bounds_shown_LDADD = $(UNIT_OFFLINE_LIBS)
tests_unit_profile_bounds_merged_SOURCES = tests/unit/profile/bounds_merged.c tests/unit/profile/in_child.c tests/unit/profile/in_child.h \
	$(BUILD_PROFILE)
tests_unit_profile_bounds_merged_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_profile_bounds_merged_LDADD = $(UNIT_OFFLINE_LIBS)
tests_unit_profile_bounds_merged_LDFLAGS = -Wl,--wrap=asprintf -Wl,--wrap=__asprintf_chk
tests_unit_command_run_output_SOURCES = tests/unit/command/run_output.c
tests_unit_command_run_output_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_command_run_output_LDADD = $(UNIT_OFFLINE_LIBS)
endif
