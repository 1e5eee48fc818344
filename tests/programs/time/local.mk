# SPDX-License-Identifier: Apache-2.0
EXTRA_DIST += \
	%D%/alternate.c \
	%D%/busy.c \
	%D%/control.c \
	%D%/hog.c \
	%D%/second_half_waits.c \
	%D%/timed_phases.c
