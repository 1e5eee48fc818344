# SPDX-License-Identifier: Apache-2.0
EXTRA_DIST += \
	%D%/cancel.c \
	%D%/many_threads.c \
	%D%/pthread.c \
	%D%/threads.c \
	%D%/threads_cxx.cpp
