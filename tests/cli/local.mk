# SPDX-License-Identifier: Apache-2.0
# The command: what it says, refuses, writes and ends with.
CLI_TESTS = \
	%D%/annotate.sh \
	%D%/cache.sh \
	%D%/completion.sh \
	%D%/diff.sh \
	%D%/doctor.sh \
	%D%/examples.sh \
	%D%/filter.sh \
	%D%/header.sh \
	%D%/help.sh \
	%D%/info.sh \
	%D%/input.sh \
	%D%/install.sh \
	%D%/kinds.sh \
	%D%/merge.sh \
	%D%/merge_mpi.sh \
	%D%/repeat.sh \
	%D%/older.sh \
	%D%/replace.sh \
	%D%/report.sh \
	%D%/run.sh \
	%D%/run_live.sh \
	%D%/scale.sh \
	%D%/screen.sh \
	%D%/signals.sh \
	%D%/stack.sh \
	%D%/tables.sh \
	%D%/top.sh \
	%D%/tutorial.sh \
	%D%/why.sh
TESTS += $(CLI_TESTS)
EXTRA_DIST += $(CLI_TESTS) \
	%D%/junit.xsd \
	%D%/scenes.sh \
	%D%/tables.py \
	%D%/tmux.sh

# To be preloaded; see reads.c and usage.c.
check_LTLIBRARIES += reads.la usage.la
reads_la_SOURCES = %D%/reads.c
reads_la_CFLAGS = $(OMPPROF_CFLAGS)
reads_la_LDFLAGS = -module -avoid-version -shared -rpath /nowhere
usage_la_SOURCES = %D%/usage.c
usage_la_CFLAGS = $(OMPPROF_CFLAGS)
usage_la_LDFLAGS = $(reads_la_LDFLAGS)

check_PROGRAMS += %D%/signals
%C%_signals_SOURCES = %D%/signals.c
%C%_signals_LDADD = -lutil
