# SPDX-License-Identifier: Apache-2.0
src_libcommand_a_SOURCES += \
	%D%/close_from.h \
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
	%D%/run_gomp.c \
	%D%/run_kind.c \
	%D%/run_marker.c \
	%D%/run_marker.h \
	%D%/run_output.c \
	%D%/run_processes.c \
	%D%/run_program.c \
	%D%/run_result.c \
	%D%/run_runtime.c \
	%D%/run_runtime.h \
	%D%/run_setuid.c \
	%D%/run_signals.c \
	%D%/run_signals.h
