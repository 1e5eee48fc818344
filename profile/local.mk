# SPDX-License-Identifier: Apache-2.0
# The writer is part of the signal-safe core; the reader belongs to the offline half.
CORE_PROFILE = \
	%D%/layout.h

noinst_LIBRARIES += %D%/libprofile.a
%C%_libprofile_a_SOURCES = \
	%D%/layout.h \
	%D%/reader.h \
	%D%/diag.c \
	%D%/diag.h
