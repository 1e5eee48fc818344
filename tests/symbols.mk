# SPDX-License-Identifier: Apache-2.0
# What src/symbols/symbols.h says, on files made for the purpose and against llvm-symbolizer.
check_PROGRAMS += tests/symbols/lookup
tests_symbols_lookup_SOURCES = tests/symbols/lookup.c
tests_symbols_lookup_CPPFLAGS = $(AM_CPPFLAGS)
tests_symbols_lookup_LDADD = src/libcommand.a profile/libprofile.a $(LIBDW_LIBS) $(DEMANGLE_LIBS) $(ZLIB_LIBS) $(SQLITE_LIBS)

TESTS += tests/symbols/agreement.sh tests/symbols/debugfiles.sh tests/symbols/parts.sh
EXTRA_DIST += tests/symbols/agreement.sh tests/symbols/compare.sh tests/symbols/debugfiles.sh \
	tests/symbols/parts.sh tests/symbols/sample.c tests/symbols/sample.cc

if HAVE_CMOCKA
SYMBOLS_UNIT_TESTS = tests/unit/symbols/cache tests/unit/symbols/symbols tests/unit/symbols/demangle
check_PROGRAMS += $(SYMBOLS_UNIT_TESTS)
TESTS += $(SYMBOLS_UNIT_TESTS)

tests_unit_symbols_cache_SOURCES = tests/unit/symbols/cache.c
tests_unit_symbols_cache_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_symbols_cache_LDADD = $(UNIT_OFFLINE_LIBS)

tests_unit_symbols_symbols_SOURCES = tests/unit/symbols/symbols.c
tests_unit_symbols_symbols_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_symbols_symbols_LDADD = $(UNIT_OFFLINE_LIBS)

tests_unit_symbols_demangle_SOURCES = tests/unit/symbols/demangle.c
tests_unit_symbols_demangle_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_symbols_demangle_LDADD = $(UNIT_OFFLINE_LIBS)
endif
