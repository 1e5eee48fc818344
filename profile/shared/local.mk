# SPDX-License-Identifier: Apache-2.0
# Known to both halves: the layout of a profile, and what the tool and the command both ask the system.
PROFILE_SHARED = \
	%D%/array.h \
	%D%/classes.def \
	%D%/clocks.def \
	%D%/diag.c \
	%D%/diag.h \
	%D%/event_names.c \
	%D%/event_names.h \
	%D%/events.def \
	%D%/budget.h \
	%D%/folder.h \
	%D%/frequency.c \
	%D%/frequency.h \
	%D%/hash.h \
	%D%/launcher.c \
	%D%/launcher.h \
	%D%/layout.h \
	%D%/mpi_calls.def \
	%D%/perf_event.c \
	%D%/perf_event.h \
	%D%/perf_events.def \
	%D%/waits.def
