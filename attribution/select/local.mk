# SPDX-License-Identifier: Apache-2.0
attribution_libattribution_a_SOURCES += \
	%D%/select_phase.c \
	%D%/select_phase.h \
	%D%/select_time.c \
	%D%/select_time.h
