# SPDX-License-Identifier: Apache-2.0
# Part of the signal-safe core: the writer, and counters that are read for the profile.
CORE_PROFILE = \
	%D%/cct.c \
	%D%/cct.h \
	%D%/counters.c \
	%D%/counters.h \
	%D%/perf_fd.c \
	%D%/perf_fd.h \
	%D%/plain_calls.h \
	%D%/writer.c \
	%D%/writer.h
