# SPDX-License-Identifier: Apache-2.0
EXTRA_DIST += \
	%D%/allocs.cpp \
	%D%/blocking.c \
	%D%/eintr.c \
	%D%/exhaust.c \
	%D%/faults.c \
	%D%/fds.c \
	%D%/lockdown.c \
	%D%/noomp.c \
	%D%/own_handlers.c \
	%D%/own_signals.c \
	%D%/own_tool.c \
	%D%/pages.c \
	%D%/stacks.c
