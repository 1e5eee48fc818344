# SPDX-License-Identifier: Apache-2.0
noinst_LIBRARIES += %D%/libattribution.a
%C%_libattribution_a_SOURCES = \
	%D%/tree.h \
	%D%/tree.c
