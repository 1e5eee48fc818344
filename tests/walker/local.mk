# SPDX-License-Identifier: Apache-2.0
# Tests of the walkers that do far more than `make check` has time for by `make prove`, in which
# truth.sh makes CHECKS checks.
PROVE_TESTS =
CHECKS = 5000000
.PHONY: prove
prove: all
	WALK_PROVE=1 WALK_TRUTH_BUDGET=$(CHECKS) \
		$(MAKE) $(AM_MAKEFLAGS) check TESTS="$(PROVE_TESTS)"

EXTRA_DIST += %D%/record_aarch64.sh %D%/record_aarch64.py \
	%D%/record_aarch64_start.c

# A program whose unwind data lacks what most have; the test reads it, nothing runs it.
check_PROGRAMS += %D%/shapes_debug_frame %D%/shapes_no_hdr
SHAPES = %D%/program_shapes.c %D%/program_shapes.h
%C%_shapes_debug_frame_SOURCES = $(SHAPES)
%C%_shapes_debug_frame_CFLAGS = $(OMPPROF_CFLAGS) -g -fno-asynchronous-unwind-tables -fno-unwind-tables
%C%_shapes_debug_frame_LDFLAGS =
%C%_shapes_no_hdr_SOURCES = $(SHAPES)
%C%_shapes_no_hdr_CFLAGS = $(OMPPROF_CFLAGS) -g
%C%_shapes_no_hdr_LDFLAGS = -Wl,--no-eh-frame-hdr

# Steps through the programs of this folder by the trap flag; apart from libunwind's, so that libgcc is itself.
if ARCH_x86_64
check_LTLIBRARIES += walktruth.la
walktruth_la_SOURCES = %D%/truth.c %D%/tables.h %D%/shadow.c %D%/shadow.h \
	%D%/judge.c %D%/judge.h %D%/sightings.c %D%/sightings.h \
	%D%/program.h %D%/row.h
walktruth_la_CFLAGS = $(OMPPROF_CFLAGS) -fvisibility=hidden
walktruth_la_LDFLAGS = -module -avoid-version -shared -rpath /nowhere -Wl,-z,now
walktruth_la_LIBADD = libwalker.la -lgcc_s
walktruth_la_DEPENDENCIES = libwalker.la
TESTS += %D%/truth.sh
PROVE_TESTS += %D%/truth.sh

# The walkers see what a user's program would show them: none of this is instrumented.
if HAVE_LIBUNWIND
check_LTLIBRARIES += walkcompare.la
walkcompare_la_SOURCES = %D%/compare.c %D%/program.h %D%/row.h
walkcompare_la_CFLAGS = $(OMPPROF_CFLAGS) $(LIBUNWIND_CFLAGS) -fvisibility=hidden
walkcompare_la_LDFLAGS = -module -avoid-version -shared -rpath /nowhere -Wl,-z,now
walkcompare_la_LIBADD = libwalker.la $(LIBUNWIND_LIBS)
walkcompare_la_DEPENDENCIES = libcore.la
TESTS += %D%/compare.sh
PROVE_TESTS += %D%/compare.sh
endif
endif

# The programs of awkward.sh are built by it, each in its own way.
TESTS += %D%/awkward.sh
EXTRA_DIST += %D%/awkward.sh %D%/chain.c %D%/chain.h \
	%D%/chain_judge.c %D%/chain_judge.h \
	%D%/awkward_code.c %D%/awkward_cxx.cpp %D%/awkward_hostile.S \
	%D%/awkward_hostile.c %D%/awkward_library.c %D%/awkward_library.h \
	%D%/awkward_split.c %D%/awkward_stacks.c

TESTS += %D%/dl_stress.sh
PROVE_TESTS += %D%/dl_stress.sh
EXTRA_DIST += %D%/dl_stress.sh %D%/dl_stress.c %D%/dl_stress.h \
	%D%/dl_stress_plugin.c %D%/dl_race.c

# As well: libraries that are damaged, and what the loader and forks do to the list of objects.
TESTS += %D%/damaged.sh %D%/loader.sh
EXTRA_DIST += %D%/damaged.sh %D%/damage.c %D%/damaged.c \
	%D%/damaged_caller.c %D%/damaged_kernels.S %D%/damaged_library.c \
	%D%/loader.sh %D%/loader.c %D%/loader_library.c

EXTRA_DIST += %D%/compare.sh %D%/truth.sh %D%/program_openmp.c \
	%D%/program_libc.c %D%/program_signals.c %D%/program_blas.c \
	%D%/program_bare.c %D%/program_bare_part.c \
	%D%/program_cxx.cpp %D%/program_dl.c %D%/plugin.c
