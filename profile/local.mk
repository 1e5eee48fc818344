# SPDX-License-Identifier: Apache-2.0
# The writer is part of the signal-safe core; the reader belongs to the offline half.
CORE_PROFILE = \
	%D%/cct.c \
	%D%/cct.h \
	%D%/layout.h \
	%D%/writer.c \
	%D%/writer.h

noinst_LIBRARIES += %D%/libprofile.a
%C%_libprofile_a_SOURCES = \
	%D%/layout.h \
	%D%/reader.h \
	%D%/diag.c \
	%D%/diag.h
