# SPDX-License-Identifier: Apache-2.0
UNWINDER_TESTS = walk_cfi_rows walk_cfi_steps walk_cfi_live walk_cfi_fuzz walk_fp
if HAVE_CMOCKA
check_PROGRAMS += $(UNWINDER_TESTS)
TESTS += $(UNWINDER_TESTS)
endif
walk_cfi_rows_SOURCES = %D%/unit/walk_cfi_rows.c %D%/unit/cfi_bytes.h
walk_cfi_rows_CPPFLAGS = $(UNIT_CPPFLAGS)
walk_cfi_rows_LDADD = libcore.la $(CMOCKA_LIBS)
walk_cfi_steps_SOURCES = %D%/unit/walk_cfi_steps.c
walk_cfi_steps_CPPFLAGS = $(UNIT_CPPFLAGS)
walk_cfi_steps_LDADD = libcore.la $(CMOCKA_LIBS)
walk_cfi_live_SOURCES = %D%/unit/walk_cfi_live.c
walk_cfi_live_CPPFLAGS = $(UNIT_CPPFLAGS)
walk_cfi_live_CFLAGS = $(OMPPROF_CFLAGS)
walk_cfi_live_LDADD = libcore.la $(CMOCKA_LIBS)
walk_cfi_fuzz_SOURCES = %D%/unit/walk_cfi_fuzz.c
walk_cfi_fuzz_CPPFLAGS = $(UNIT_CPPFLAGS)
walk_cfi_fuzz_LDADD = libcore.la $(CMOCKA_LIBS)
walk_fp_SOURCES = %D%/unit/walk_fp.c
walk_fp_CPPFLAGS = $(UNIT_CPPFLAGS)
walk_fp_CFLAGS = $(OMPPROF_CFLAGS) -fno-omit-frame-pointer
walk_fp_LDADD = libcore.la $(CMOCKA_LIBS)

# Steps through the programs of tests/walker/; apart from libunwind's, so that libgcc is itself.
check_LTLIBRARIES += walktruth.la
walktruth_la_SOURCES = %D%/walker/truth.c %D%/walker/shadow.c %D%/walker/shadow.h \
	%D%/walker/judge.c %D%/walker/judge.h %D%/walker/sightings.c %D%/walker/sightings.h \
	%D%/walker/program.h %D%/walker/row.h
walktruth_la_CFLAGS = $(OMPPROF_CFLAGS) -fvisibility=hidden
walktruth_la_LDFLAGS = -module -avoid-version -shared -rpath /nowhere -Wl,-z,now
walktruth_la_LIBADD = libcore.la -lgcc_s
walktruth_la_DEPENDENCIES = libcore.la
TESTS += %D%/walker/truth.sh

# The same for longer: `make prove CHECKS=20000000`.
CHECKS = 5000000
.PHONY: prove
prove: walktruth.la
	srcdir=$(abs_top_srcdir) builddir=$(abs_top_builddir) WALK_TRUTH_BUDGET=$(CHECKS) \
		$(SHELL) $(srcdir)/%D%/walker/truth.sh

# A measurement, not a test: `make walk_cost && ./walk_cost .libs/ompprof-walk-libunwind.so`.
check_PROGRAMS += walk_cost
walk_cost_SOURCES = %D%/walker/walk_cost.c
walk_cost_CFLAGS = $(OMPPROF_CFLAGS) -fno-omit-frame-pointer
walk_cost_LDADD = libcore.la

# The walkers see what a user's program would show them: none of this is instrumented.
if HAVE_LIBUNWIND
check_LTLIBRARIES += walkcompare.la
walkcompare_la_SOURCES = %D%/walker/compare.c %D%/walker/program.h %D%/walker/row.h
walkcompare_la_CFLAGS = $(OMPPROF_CFLAGS) $(LIBUNWIND_CFLAGS) -fvisibility=hidden
walkcompare_la_LDFLAGS = -module -avoid-version -shared -rpath /nowhere -Wl,-z,now
walkcompare_la_LIBADD = libcore.la $(LIBUNWIND_LIBS)
walkcompare_la_DEPENDENCIES = libcore.la
TESTS += %D%/walker/compare.sh
endif

EXTRA_DIST += %D%/walker/compare.sh %D%/walker/truth.sh %D%/walker/program_openmp.c \
	%D%/walker/program_libc.c %D%/walker/program_signals.c %D%/walker/program_blas.c \
	%D%/walker/program_cxx.cpp %D%/walker/program_dl.c %D%/walker/plugin.c
