# SPDX-License-Identifier: Apache-2.0
# The walkers and what they prepare.
if HAVE_CMOCKA
UNIT_UNWINDER_TESTS = \
	%D%/arch_x86_64 \
	%D%/code_rows \
	%D%/code_rows_aarch64 \
	%D%/loaded \
	%D%/table_build \
	%D%/walk_aarch64 \
	%D%/walk_cfi_fuzz \
	%D%/walk_cfi_live \
	%D%/walk_cfi_rows \
	%D%/walk_cfi_sections \
	%D%/walk_cfi_steps \
	%D%/walk_fp
check_PROGRAMS += $(UNIT_UNWINDER_TESTS)
TESTS += $(UNIT_UNWINDER_TESTS)

# Tests of one architecture's data, with that architecture's files, on whatever machine they run.
UNIT_TABLES = unwinder/core/cfi_find.c unwinder/core/cfi_row.c unwinder/core/cfi_step.c \
	unwinder/core/rule.c unwinder/core/table.c unwinder/prepare/table_build.c \
	unwinder/prepare/table_memory.c
UNIT_AARCH64 = unwinder/core/arch_aarch64.c unwinder/core/code_edges_aarch64.c \
	unwinder/core/code_state_aarch64.c \
	unwinder/code/code_rows_aarch64.c
UNIT_AARCH64_CPPFLAGS = $(UNIT_CPPFLAGS) \
	-DOMPPROF_ARCH_HEADER=\"unwinder/core/arch_aarch64.h\"
UNIT_X86_64 = unwinder/core/arch_x86_64.c unwinder/code/code_rows_x86_64.c \
	unwinder/code/instruction_x86_64.c
UNIT_X86_64_CPPFLAGS = $(UNIT_CPPFLAGS) -DOMPPROF_ARCH_HEADER=\"unwinder/core/arch_x86_64.h\"

%C%_arch_x86_64_SOURCES = %D%/arch_x86_64.c $(UNIT_X86_64)
%C%_arch_x86_64_CPPFLAGS = $(UNIT_X86_64_CPPFLAGS)
%C%_arch_x86_64_CFLAGS = $(OMPPROF_CFLAGS)
%C%_arch_x86_64_LDADD = $(CMOCKA_LIBS)

%C%_code_rows_SOURCES = %D%/code_rows.c %D%/code_read.h $(UNIT_X86_64)
%C%_code_rows_CPPFLAGS = $(UNIT_X86_64_CPPFLAGS)
%C%_code_rows_LDADD = $(CMOCKA_LIBS)

%C%_code_rows_aarch64_SOURCES = %D%/code_rows_aarch64.c %D%/code_read.h $(UNIT_AARCH64) $(UNIT_TABLES)
%C%_code_rows_aarch64_CPPFLAGS = $(UNIT_AARCH64_CPPFLAGS)
%C%_code_rows_aarch64_LDADD = $(CMOCKA_LIBS)

%C%_loaded_SOURCES = %D%/loaded.c
%C%_loaded_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_loaded_LDADD = libwalker.la $(CMOCKA_LIBS)

%C%_table_build_SOURCES = %D%/table_build.c
%C%_table_build_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_table_build_LDADD = libwalker.la $(CMOCKA_LIBS)

# The other architecture's files, built for the machine that the tests run on. Not instrumented: the
# recorded addresses are not among those that sanitizers permit.
%C%_walk_aarch64_SOURCES = %D%/walk_aarch64.c $(UNIT_AARCH64) $(UNIT_TABLES) \
	unwinder/core/objects.c unwinder/core/remote.c unwinder/core/walk_cfi.c \
	unwinder/core/walk_fp.c unwinder/core/walk_gap.c unwinder/core/walk_step.c
%C%_walk_aarch64_CPPFLAGS = $(UNIT_AARCH64_CPPFLAGS)
%C%_walk_aarch64_CFLAGS = $(OMPPROF_CFLAGS)
%C%_walk_aarch64_LDFLAGS = 
%C%_walk_aarch64_LDADD = $(CMOCKA_LIBS)

%C%_walk_cfi_fuzz_SOURCES = %D%/walk_cfi_fuzz.c
%C%_walk_cfi_fuzz_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_walk_cfi_fuzz_LDADD = libwalker.la $(CMOCKA_LIBS)

%C%_walk_cfi_live_SOURCES = %D%/walk_cfi_live.c
%C%_walk_cfi_live_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_walk_cfi_live_CFLAGS = $(OMPPROF_CFLAGS)
%C%_walk_cfi_live_LDADD = libwalker.la $(CMOCKA_LIBS)

%C%_walk_cfi_rows_SOURCES = %D%/walk_cfi_rows.c %D%/cfi_bytes.h $(UNIT_X86_64) $(UNIT_TABLES)
%C%_walk_cfi_rows_CPPFLAGS = $(UNIT_X86_64_CPPFLAGS)
%C%_walk_cfi_rows_LDADD = $(CMOCKA_LIBS)

%C%_walk_cfi_sections_SOURCES = %D%/walk_cfi_sections.c
%C%_walk_cfi_sections_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_walk_cfi_sections_LDADD = libcore.la $(CMOCKA_LIBS)
%C%_walk_cfi_sections_DEPENDENCIES = libcore.la tests/walker/shapes_debug_frame$(EXEEXT) \
	tests/walker/shapes_no_hdr$(EXEEXT)

%C%_walk_cfi_steps_SOURCES = %D%/walk_cfi_steps.c $(UNIT_X86_64) $(UNIT_TABLES)
%C%_walk_cfi_steps_CPPFLAGS = $(UNIT_X86_64_CPPFLAGS)
%C%_walk_cfi_steps_LDADD = $(CMOCKA_LIBS)

%C%_walk_fp_SOURCES = %D%/walk_fp.c
%C%_walk_fp_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_walk_fp_CFLAGS = $(OMPPROF_CFLAGS) -fno-omit-frame-pointer
%C%_walk_fp_LDADD = libcore.la $(CMOCKA_LIBS)
endif
