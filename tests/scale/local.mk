# SPDX-License-Identifier: Apache-2.0
# Reports of jobs of many processes.
SCALE_JOB = %D%/job.c %D%/job.h $(BUILD_PROFILE)

check_PROGRAMS += %D%/generate
%C%_generate_SOURCES = %D%/generate.c $(SCALE_JOB)
%C%_generate_CPPFLAGS = $(AM_CPPFLAGS)

if HAVE_CMOCKA
check_PROGRAMS += %D%/scale
TESTS += %D%/scale
%C%_scale_SOURCES = %D%/scale.c $(IN_CHILD) $(SCALE_JOB)
%C%_scale_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_scale_LDADD = $(UNIT_OFFLINE_LIBS)
endif
