# SPDX-License-Identifier: Apache-2.0
EXTRA_DIST += \
	%D%/crash.c \
	%D%/exit_while_working.c \
	%D%/exits.c \
	%D%/fork.c \
	%D%/forks.c \
	%D%/open_waits.c \
	%D%/pause.c \
	%D%/processes.c
