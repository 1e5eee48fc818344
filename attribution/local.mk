# SPDX-License-Identifier: Apache-2.0
noinst_LIBRARIES += %D%/libattribution.a
%C%_libattribution_a_SOURCES = \
	%D%/attribute.c \
	%D%/elide.c \
	%D%/elide.h \
	%D%/grow.c \
	%D%/grow.h \
	%D%/settle.c \
	%D%/settle.h \
	%D%/tree.c \
	%D%/tree.h
