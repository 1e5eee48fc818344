# SPDX-License-Identifier: Apache-2.0
EXTRA_DIST += \
	%D%/atomic.c \
	%D%/awake.c \
	%D%/barrier.c \
	%D%/blocked.c \
	%D%/critical.c \
	%D%/endless_waits.c \
	%D%/events.c \
	%D%/lock.c \
	%D%/many_events.c \
	%D%/ordered.c \
	%D%/single.c \
	%D%/testlock.c \
	%D%/waits.c
