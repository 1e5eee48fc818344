# SPDX-License-Identifier: Apache-2.0
src_libcommand_a_SOURCES += \
	%D%/elf_dynamic.c \
	%D%/elf_dynamic.h \
	%D%/elf_versions.c \
	%D%/live.c \
	%D%/live.h \
	%D%/live_output.c \
	%D%/live_view.c \
	%D%/loader.c \
	%D%/loader.h \
	%D%/loader_cache.c \
	%D%/run.h \
	%D%/run_child.c \
	%D%/run_environment.c \
	%D%/run_folder.c \
	%D%/run_folder.h \
	%D%/run_gomp.c \
	%D%/run_kind.c \
	%D%/run_marker.c \
	%D%/run_marker.h \
	%D%/run_output.c \
	%D%/run_processes.c \
	%D%/run_program.c \
	%D%/run_proof.c \
	%D%/run_proof.h \
	%D%/run_result.c \
	%D%/run_runtime.c \
	%D%/run_runtime.h \
	%D%/run_settings.c \
	%D%/run_setuid.c \
	%D%/run_signals.c \
	%D%/run_signals.h
nodist_src_libcommand_a_SOURCES += %D%/functions.c
EXTRA_DIST += %D%/functions.sh
CLEANFILES += %D%/functions.c

# The functions of libgomp for which libomp is proven: the table that the tests prove.
%D%/functions.c: tests/gcc/functions.txt %D%/functions.sh
	$(AM_V_at)$(MKDIR_P) %D%
	$(AM_V_GEN)$(SHELL) $(srcdir)/%D%/functions.sh $(srcdir)/tests/gcc/functions.txt >$@.tmp && mv $@.tmp $@
