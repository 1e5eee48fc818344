# SPDX-License-Identifier: Apache-2.0
# What src/symbols/symbols.h says, on files made for the purpose and against llvm-symbolizer.
check_PROGRAMS += %D%/lookup
%C%_lookup_SOURCES = %D%/lookup.c
%C%_lookup_CPPFLAGS = $(AM_CPPFLAGS)
%C%_lookup_LDADD = src/libcommand.a profile/libprofile.a $(LIBDW_LIBS) $(DEMANGLE_LIBS) $(ZLIB_LIBS) $(LZMA_LIBS) $(SQLITE_LIBS)

TESTS += %D%/agreement.sh %D%/debugfiles.sh %D%/parts.sh
EXTRA_DIST += %D%/agreement.sh %D%/compare.sh %D%/debugfiles.sh \
	%D%/parts.sh %D%/sample.c %D%/sample.cc
