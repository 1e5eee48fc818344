# SPDX-License-Identifier: Apache-2.0
# The list of processor architectures and of the files of each. Their names are those of config.guess.
# m4/ompprof_arch.m4 reads the names. A signal may run ARCH_CORE. ARCH_CODE prepares walks. By ARCH_MACHINES the command
# reads files of all architectures. GLIBC_FIRST is the first glibc for the architecture. An architecture with the word
# `ported` has passed the tests, by emulation at least. configure takes another one only with --enable-port.
ARCH_MACHINES =
CONFIGURE_DEPENDENCIES = $(srcdir)/%D%/arch.mk

if ARCH_x86_64 # ported
GLIBC_FIRST = 2.2.5
ARCH_CORE = %D%/core/arch_x86_64.c %D%/core/arch_x86_64.h
ARCH_CODE = %D%/code/code_rows_x86_64.c \
	%D%/code/instruction_x86_64.c %D%/code/instruction_x86_64.h
endif
ARCH_MACHINES += src/symbols/machine_x86_64.c \
	%D%/code/instruction_x86_64.c %D%/code/instruction_x86_64.h

if ARCH_aarch64 # ported
GLIBC_FIRST = 2.17
ARCH_CORE = %D%/core/arch_aarch64.c %D%/core/arch_aarch64.h \
	%D%/core/code_edges_aarch64.c %D%/core/code_state_aarch64.c %D%/core/code_state_aarch64.h
ARCH_CODE = %D%/code/code_rows_aarch64.c
endif
ARCH_MACHINES += src/symbols/machine_aarch64.c
