# SPDX-License-Identifier: Apache-2.0
# What src/symbols.h says, on files made for the purpose and against llvm-symbolizer.
check_PROGRAMS += tests/symbols/lookup
tests_symbols_lookup_SOURCES = tests/symbols/lookup.c
tests_symbols_lookup_CPPFLAGS = $(AM_CPPFLAGS)
tests_symbols_lookup_LDADD = src/libcommand.a profile/libprofile.a $(LIBDW_LIBS) $(DEMANGLE_LIBS)
