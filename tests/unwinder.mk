# SPDX-License-Identifier: Apache-2.0
# Tests of the walkers that do far more than `make check` has time for by `make prove`, in which
# truth.sh makes CHECKS checks.
PROVE_TESTS =
CHECKS = 5000000
.PHONY: prove
prove: all
	WALK_PROVE=1 WALK_TRUTH_BUDGET=$(CHECKS) \
		$(MAKE) $(AM_MAKEFLAGS) check TESTS="$(PROVE_TESTS)"

UNWINDER_TESTS = walk_cfi_rows walk_cfi_steps walk_cfi_live walk_cfi_fuzz walk_fp \
	walk_cfi_sections arch_x86_64 code_rows table_build walk_aarch64
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
walk_cfi_live_LDADD = libwalker.la $(CMOCKA_LIBS)
walk_cfi_fuzz_SOURCES = %D%/unit/walk_cfi_fuzz.c
walk_cfi_fuzz_CPPFLAGS = $(UNIT_CPPFLAGS)
walk_cfi_fuzz_LDADD = libwalker.la $(CMOCKA_LIBS)
walk_fp_SOURCES = %D%/unit/walk_fp.c
walk_fp_CPPFLAGS = $(UNIT_CPPFLAGS)
walk_fp_CFLAGS = $(OMPPROF_CFLAGS) -fno-omit-frame-pointer
walk_fp_LDADD = libcore.la $(CMOCKA_LIBS)

arch_x86_64_SOURCES = %D%/unit/arch_x86_64.c
arch_x86_64_CPPFLAGS = $(UNIT_CPPFLAGS)
arch_x86_64_CFLAGS = $(OMPPROF_CFLAGS)
arch_x86_64_LDADD = libcore.la $(CMOCKA_LIBS)

code_rows_SOURCES = %D%/unit/code_rows.c
code_rows_CPPFLAGS = $(UNIT_CPPFLAGS)
code_rows_LDADD = libwalker.la $(CMOCKA_LIBS)

table_build_SOURCES = %D%/unit/table_build.c
table_build_CPPFLAGS = $(UNIT_CPPFLAGS)
table_build_LDADD = libwalker.la $(CMOCKA_LIBS)

# The other architecture's files, built for the machine that the tests run on. Not instrumented: the
# recorded addresses are not among those that sanitizers permit.
walk_aarch64_SOURCES = %D%/unit/walk_aarch64.c unwinder/core/arch_aarch64.c unwinder/core/cfi_find.c \
	unwinder/core/cfi_row.c unwinder/core/cfi_step.c unwinder/core/objects.c unwinder/core/remote.c unwinder/core/rule.c unwinder/core/table.c \
	unwinder/prepare/table_memory.c unwinder/prepare/table_build.c unwinder/core/walk_cfi.c unwinder/core/walk_gap.c unwinder/core/walk_step.c
walk_aarch64_CPPFLAGS = $(UNIT_CPPFLAGS) -DOMPPROF_ARCH_HEADER=\"unwinder/core/arch_aarch64.h\"
walk_aarch64_CFLAGS = $(OMPPROF_CFLAGS)
walk_aarch64_LDFLAGS =
walk_aarch64_LDADD = $(CMOCKA_LIBS)
AARCH64_STEPS = %D%/data/aarch64/gcc-O0.steps %D%/data/aarch64/gcc-O2.steps \
	%D%/data/aarch64/gcc-O2-omit.steps %D%/data/aarch64/gcc-O2-pac.steps \
	%D%/data/aarch64/clang-Os.steps %D%/data/aarch64/clang-O2-omit.steps \
	%D%/data/aarch64/clang-O2-pac.steps
EXTRA_DIST += $(AARCH64_STEPS) %D%/walker/record_aarch64.sh %D%/walker/record_aarch64.py \
	%D%/walker/record_aarch64_start.c

# A program whose unwind data lacks what most have; the test reads it, nothing runs it.
check_PROGRAMS += shapes_debug_frame shapes_no_hdr
SHAPES = %D%/walker/program_shapes.c %D%/walker/program_shapes.h
shapes_debug_frame_SOURCES = $(SHAPES)
shapes_debug_frame_CFLAGS = $(OMPPROF_CFLAGS) -g -fno-asynchronous-unwind-tables -fno-unwind-tables
shapes_debug_frame_LDFLAGS =
shapes_no_hdr_SOURCES = $(SHAPES)
shapes_no_hdr_CFLAGS = $(OMPPROF_CFLAGS) -g
shapes_no_hdr_LDFLAGS = -Wl,--no-eh-frame-hdr
walk_cfi_sections_SOURCES = %D%/unit/walk_cfi_sections.c
walk_cfi_sections_CPPFLAGS = $(UNIT_CPPFLAGS)
walk_cfi_sections_LDADD = libcore.la $(CMOCKA_LIBS)
walk_cfi_sections_DEPENDENCIES = libcore.la shapes_debug_frame$(EXEEXT) shapes_no_hdr$(EXEEXT)

# Steps through the programs of tests/walker/; apart from libunwind's, so that libgcc is itself.
check_LTLIBRARIES += walktruth.la
walktruth_la_SOURCES = %D%/walker/truth.c %D%/walker/shadow.c %D%/walker/shadow.h \
	%D%/walker/judge.c %D%/walker/judge.h %D%/walker/sightings.c %D%/walker/sightings.h \
	%D%/walker/program.h %D%/walker/row.h
walktruth_la_CFLAGS = $(OMPPROF_CFLAGS) -fvisibility=hidden
walktruth_la_LDFLAGS = -module -avoid-version -shared -rpath /nowhere -Wl,-z,now
walktruth_la_LIBADD = libwalker.la -lgcc_s
walktruth_la_DEPENDENCIES = libwalker.la
TESTS += %D%/walker/truth.sh
PROVE_TESTS += %D%/walker/truth.sh

# The walkers see what a user's program would show them: none of this is instrumented.
if HAVE_LIBUNWIND
check_LTLIBRARIES += walkcompare.la
walkcompare_la_SOURCES = %D%/walker/compare.c %D%/walker/program.h %D%/walker/row.h
walkcompare_la_CFLAGS = $(OMPPROF_CFLAGS) $(LIBUNWIND_CFLAGS) -fvisibility=hidden
walkcompare_la_LDFLAGS = -module -avoid-version -shared -rpath /nowhere -Wl,-z,now
walkcompare_la_LIBADD = libwalker.la $(LIBUNWIND_LIBS)
walkcompare_la_DEPENDENCIES = libcore.la
TESTS += %D%/walker/compare.sh
PROVE_TESTS += %D%/walker/compare.sh
endif

# The programs of awkward.sh are built by it, each in its own way.
TESTS += %D%/walker/awkward.sh
EXTRA_DIST += %D%/walker/awkward.sh %D%/walker/chain.c %D%/walker/chain.h \
	%D%/walker/chain_judge.c %D%/walker/chain_judge.h \
	%D%/walker/awkward_code.c %D%/walker/awkward_cxx.cpp %D%/walker/awkward_hostile.S \
	%D%/walker/awkward_hostile.c %D%/walker/awkward_library.c %D%/walker/awkward_library.h \
	%D%/walker/awkward_split.c %D%/walker/awkward_stacks.c

TESTS += %D%/walker/dl_stress.sh
PROVE_TESTS += %D%/walker/dl_stress.sh
EXTRA_DIST += %D%/walker/dl_stress.sh %D%/walker/dl_stress.c %D%/walker/dl_stress.h \
	%D%/walker/dl_stress_plugin.c %D%/walker/dl_race.c

# As well: libraries that are damaged, and what the loader and forks do to the list of objects.
TESTS += %D%/walker/damaged.sh %D%/walker/loader.sh
EXTRA_DIST += %D%/walker/damaged.sh %D%/walker/damage.c %D%/walker/damaged.c \
	%D%/walker/damaged_caller.c %D%/walker/damaged_kernels.S %D%/walker/damaged_library.c \
	%D%/walker/loader.sh %D%/walker/loader.c %D%/walker/loader_library.c

EXTRA_DIST += %D%/walker/compare.sh %D%/walker/truth.sh %D%/walker/program_openmp.c \
	%D%/walker/program_libc.c %D%/walker/program_signals.c %D%/walker/program_blas.c \
	%D%/walker/program_bare.c %D%/walker/program_bare_part.c \
	%D%/walker/program_cxx.cpp %D%/walker/program_dl.c %D%/walker/plugin.c
