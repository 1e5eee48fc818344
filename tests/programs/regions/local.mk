# SPDX-License-Identifier: Apache-2.0
EXTRA_DIST += \
	%D%/calls.c \
	%D%/causes.c \
	%D%/constructs.c \
	%D%/constructs.h \
	%D%/cxx.cpp \
	%D%/even.c \
	%D%/imbalance.c \
	%D%/loops.c \
	%D%/many_paths.c \
	%D%/nested.c \
	%D%/nested_tasks.c \
	%D%/python_calls.c \
	%D%/python_calls.py \
	%D%/recursion.c \
	%D%/sections.c \
	%D%/serial.c \
	%D%/serialized.c \
	%D%/tail_call.c \
	%D%/teams.c \
	%D%/two_paths.c \
	%D%/two_regions.c
