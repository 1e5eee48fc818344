# SPDX-License-Identifier: Apache-2.0
# Symbols, their cache and the names that are made of them.
if HAVE_CMOCKA
UNIT_SYMBOLS_TESTS = \
	%D%/cache \
	%D%/demangle \
	%D%/machine_aarch64 \
	%D%/names \
	%D%/symbols \
	%D%/tails
check_PROGRAMS += $(UNIT_SYMBOLS_TESTS)
TESTS += $(UNIT_SYMBOLS_TESTS)

%C%_cache_SOURCES = %D%/cache.c
%C%_cache_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_cache_LDADD = $(UNIT_OFFLINE_LIBS)

%C%_demangle_SOURCES = %D%/demangle.c
%C%_demangle_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_demangle_LDADD = $(UNIT_OFFLINE_LIBS)

%C%_machine_aarch64_SOURCES = %D%/machine_aarch64.c
%C%_machine_aarch64_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_machine_aarch64_LDADD = $(UNIT_OFFLINE_LIBS)

%C%_names_SOURCES = %D%/names.c $(SCENES)
%C%_names_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_names_LDADD = $(UNIT_OFFLINE_LIBS)

%C%_symbols_SOURCES = %D%/symbols.c
%C%_symbols_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_symbols_LDADD = $(UNIT_OFFLINE_LIBS)
%C%_symbols_LDFLAGS = -Wl,--wrap=reallocarray

%C%_tails_SOURCES = %D%/tails.c %D%/namesake.c
%C%_tails_CPPFLAGS = $(UNIT_CPPFLAGS)
%C%_tails_LDADD = $(UNIT_OFFLINE_LIBS)
endif
