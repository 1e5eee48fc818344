# SPDX-License-Identifier: Apache-2.0
# Reports of jobs of many processes.
SCALE_JOB = tests/scale/job.c tests/scale/job.h $(BUILD_PROFILE)

check_PROGRAMS += tests/scale/generate
tests_scale_generate_SOURCES = tests/scale/generate.c $(SCALE_JOB)
tests_scale_generate_CPPFLAGS = $(AM_CPPFLAGS)

if HAVE_CMOCKA
check_PROGRAMS += tests/scale/scale
TESTS += tests/scale/scale
tests_scale_scale_SOURCES = tests/scale/scale.c tests/unit/profile/in_child.c tests/unit/profile/in_child.h $(SCALE_JOB)
tests_scale_scale_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_scale_scale_LDADD = $(UNIT_OFFLINE_LIBS)
endif
