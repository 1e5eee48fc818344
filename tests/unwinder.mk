# SPDX-License-Identifier: Apache-2.0
# Tests of the walkers that do far more than `make check` has time for by `make prove`, in which
# truth.sh makes CHECKS checks.
PROVE_TESTS =
CHECKS = 5000000
.PHONY: prove
prove: all
	WALK_PROVE=1 WALK_TRUTH_BUDGET=$(CHECKS) \
		$(MAKE) $(AM_MAKEFLAGS) check TESTS="$(PROVE_TESTS)"

UNWINDER_TESTS = \
	tests/unit/unwinder/arch_x86_64 \
	tests/unit/unwinder/code_rows \
	tests/unit/unwinder/table_build \
	tests/unit/unwinder/walk_aarch64 \
	tests/unit/unwinder/walk_cfi_fuzz \
	tests/unit/unwinder/walk_cfi_live \
	tests/unit/unwinder/walk_cfi_rows \
	tests/unit/unwinder/walk_cfi_sections \
	tests/unit/unwinder/walk_cfi_steps \
	tests/unit/unwinder/walk_fp
if HAVE_CMOCKA
check_PROGRAMS += $(UNWINDER_TESTS)
TESTS += $(UNWINDER_TESTS)
endif
tests_unit_unwinder_walk_cfi_rows_SOURCES = tests/unit/unwinder/walk_cfi_rows.c tests/unit/unwinder/cfi_bytes.h
tests_unit_unwinder_walk_cfi_rows_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_unwinder_walk_cfi_rows_LDADD = libcore.la $(CMOCKA_LIBS)
tests_unit_unwinder_walk_cfi_steps_SOURCES = tests/unit/unwinder/walk_cfi_steps.c
tests_unit_unwinder_walk_cfi_steps_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_unwinder_walk_cfi_steps_LDADD = libcore.la $(CMOCKA_LIBS)
tests_unit_unwinder_walk_cfi_live_SOURCES = tests/unit/unwinder/walk_cfi_live.c
tests_unit_unwinder_walk_cfi_live_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_unwinder_walk_cfi_live_CFLAGS = $(OMPPROF_CFLAGS)
tests_unit_unwinder_walk_cfi_live_LDADD = libwalker.la $(CMOCKA_LIBS)
tests_unit_unwinder_walk_cfi_fuzz_SOURCES = tests/unit/unwinder/walk_cfi_fuzz.c
tests_unit_unwinder_walk_cfi_fuzz_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_unwinder_walk_cfi_fuzz_LDADD = libwalker.la $(CMOCKA_LIBS)
tests_unit_unwinder_walk_fp_SOURCES = tests/unit/unwinder/walk_fp.c
tests_unit_unwinder_walk_fp_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_unwinder_walk_fp_CFLAGS = $(OMPPROF_CFLAGS) -fno-omit-frame-pointer
tests_unit_unwinder_walk_fp_LDADD = libcore.la $(CMOCKA_LIBS)

tests_unit_unwinder_arch_x86_64_SOURCES = tests/unit/unwinder/arch_x86_64.c
tests_unit_unwinder_arch_x86_64_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_unwinder_arch_x86_64_CFLAGS = $(OMPPROF_CFLAGS)
tests_unit_unwinder_arch_x86_64_LDADD = libcore.la $(CMOCKA_LIBS)

tests_unit_unwinder_code_rows_SOURCES = tests/unit/unwinder/code_rows.c
tests_unit_unwinder_code_rows_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_unwinder_code_rows_LDADD = libwalker.la $(CMOCKA_LIBS)

tests_unit_unwinder_table_build_SOURCES = tests/unit/unwinder/table_build.c
tests_unit_unwinder_table_build_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_unwinder_table_build_LDADD = libwalker.la $(CMOCKA_LIBS)

# The other architecture's files, built for the machine that the tests run on. Not instrumented: the
# recorded addresses are not among those that sanitizers permit.
tests_unit_unwinder_walk_aarch64_SOURCES = tests/unit/unwinder/walk_aarch64.c unwinder/core/arch_aarch64.c unwinder/core/cfi_find.c \
	unwinder/core/cfi_row.c unwinder/core/cfi_step.c unwinder/core/objects.c unwinder/core/remote.c unwinder/core/rule.c unwinder/core/table.c \
	unwinder/prepare/prepare.c unwinder/prepare/table_build.c unwinder/core/walk_cfi.c unwinder/core/walk_gap.c unwinder/core/walk_step.c
tests_unit_unwinder_walk_aarch64_CPPFLAGS = $(UNIT_CPPFLAGS) -DOMPPROF_ARCH_AARCH64
tests_unit_unwinder_walk_aarch64_CFLAGS = $(OMPPROF_CFLAGS)
tests_unit_unwinder_walk_aarch64_LDFLAGS =
tests_unit_unwinder_walk_aarch64_LDADD = $(CMOCKA_LIBS)
AARCH64_STEPS = tests/data/aarch64/gcc-O0.steps tests/data/aarch64/gcc-O2.steps \
	tests/data/aarch64/gcc-O2-omit.steps tests/data/aarch64/gcc-O2-pac.steps \
	tests/data/aarch64/clang-Os.steps tests/data/aarch64/clang-O2-omit.steps \
	tests/data/aarch64/clang-O2-pac.steps
EXTRA_DIST += $(AARCH64_STEPS) tests/walker/record_aarch64.sh tests/walker/record_aarch64.py \
	tests/walker/record_aarch64_start.c

# A program whose unwind data lacks what most have; the test reads it, nothing runs it.
check_PROGRAMS += tests/walker/shapes_debug_frame tests/walker/shapes_no_hdr
SHAPES = tests/walker/program_shapes.c tests/walker/program_shapes.h
tests_walker_shapes_debug_frame_SOURCES = $(SHAPES)
tests_walker_shapes_debug_frame_CFLAGS = $(OMPPROF_CFLAGS) -g -fno-asynchronous-unwind-tables -fno-unwind-tables
tests_walker_shapes_debug_frame_LDFLAGS =
tests_walker_shapes_no_hdr_SOURCES = $(SHAPES)
tests_walker_shapes_no_hdr_CFLAGS = $(OMPPROF_CFLAGS) -g
tests_walker_shapes_no_hdr_LDFLAGS = -Wl,--no-eh-frame-hdr
tests_unit_unwinder_walk_cfi_sections_SOURCES = tests/unit/unwinder/walk_cfi_sections.c
tests_unit_unwinder_walk_cfi_sections_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_unwinder_walk_cfi_sections_LDADD = libcore.la $(CMOCKA_LIBS)
tests_unit_unwinder_walk_cfi_sections_DEPENDENCIES = libcore.la \
	tests/walker/shapes_debug_frame$(EXEEXT) tests/walker/shapes_no_hdr$(EXEEXT)

# Steps through the programs of tests/walker/; apart from libunwind's, so that libgcc is itself.
check_LTLIBRARIES += walktruth.la
walktruth_la_SOURCES = tests/walker/truth.c tests/walker/shadow.c tests/walker/shadow.h \
	tests/walker/judge.c tests/walker/judge.h tests/walker/sightings.c tests/walker/sightings.h \
	tests/walker/program.h tests/walker/row.h
walktruth_la_CFLAGS = $(OMPPROF_CFLAGS) -fvisibility=hidden
walktruth_la_LDFLAGS = -module -avoid-version -shared -rpath /nowhere -Wl,-z,now
walktruth_la_LIBADD = libwalker.la -lgcc_s
walktruth_la_DEPENDENCIES = libwalker.la
TESTS += tests/walker/truth.sh
PROVE_TESTS += tests/walker/truth.sh

# The walkers see what a user's program would show them: none of this is instrumented.
if HAVE_LIBUNWIND
check_LTLIBRARIES += walkcompare.la
walkcompare_la_SOURCES = tests/walker/compare.c tests/walker/program.h tests/walker/row.h
walkcompare_la_CFLAGS = $(OMPPROF_CFLAGS) $(LIBUNWIND_CFLAGS) -fvisibility=hidden
walkcompare_la_LDFLAGS = -module -avoid-version -shared -rpath /nowhere -Wl,-z,now
walkcompare_la_LIBADD = libwalker.la $(LIBUNWIND_LIBS)
walkcompare_la_DEPENDENCIES = libcore.la
TESTS += tests/walker/compare.sh
PROVE_TESTS += tests/walker/compare.sh
endif

# The programs of awkward.sh are built by it, each in its own way.
TESTS += tests/walker/awkward.sh
EXTRA_DIST += tests/walker/awkward.sh tests/walker/chain.c tests/walker/chain.h \
	tests/walker/chain_judge.c tests/walker/chain_judge.h \
	tests/walker/awkward_code.c tests/walker/awkward_cxx.cpp tests/walker/awkward_hostile.S \
	tests/walker/awkward_hostile.c tests/walker/awkward_library.c tests/walker/awkward_library.h \
	tests/walker/awkward_split.c tests/walker/awkward_stacks.c

TESTS += tests/walker/dl_stress.sh
PROVE_TESTS += tests/walker/dl_stress.sh
EXTRA_DIST += tests/walker/dl_stress.sh tests/walker/dl_stress.c tests/walker/dl_stress.h \
	tests/walker/dl_stress_plugin.c tests/walker/dl_race.c

# As well: libraries that are damaged, and what the loader and forks do to the list of objects.
TESTS += tests/walker/damaged.sh tests/walker/loader.sh
EXTRA_DIST += tests/walker/damaged.sh tests/walker/damage.c tests/walker/damaged.c \
	tests/walker/damaged_caller.c tests/walker/damaged_kernels.S tests/walker/damaged_library.c \
	tests/walker/loader.sh tests/walker/loader.c tests/walker/loader_library.c

EXTRA_DIST += tests/walker/compare.sh tests/walker/truth.sh tests/walker/program_openmp.c \
	tests/walker/program_libc.c tests/walker/program_signals.c tests/walker/program_blas.c \
	tests/walker/program_bare.c tests/walker/program_bare_part.c \
	tests/walker/program_cxx.cpp tests/walker/program_dl.c tests/walker/plugin.c
