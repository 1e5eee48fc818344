# SPDX-License-Identifier: Apache-2.0
# Profiles, merged files, objects and caches of any bytes: four targets of libFuzzer with the whole offline half, instrumented.
# `make check` runs a fixed number of inputs from a fixed seed; `make fuzz FUZZ_SECONDS=N` goes on from
# what it has found before (tests/fuzz/corpus-*), N seconds for each target, and leaves what it finds there.
FUZZ_SECONDS = 300
EXTRA_DIST += tests/fuzz/cache.c tests/fuzz/compact.c tests/fuzz/compact.h tests/fuzz/fuzz.sh tests/fuzz/merged.c tests/fuzz/object.c \
	tests/fuzz/profile.c tests/fuzz/seeds.c
TESTS += tests/fuzz/fuzz.sh

check_PROGRAMS += tests/fuzz/seeds
tests_fuzz_seeds_SOURCES = tests/fuzz/seeds.c tests/fuzz/compact.c tests/fuzz/compact.h $(SCENES)
tests_fuzz_seeds_CPPFLAGS = $(AM_CPPFLAGS)

FUZZ_CFLAGS = -O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all \
	-fno-omit-frame-pointer
FUZZ_LINK = $(FUZZ_CC) -fsanitize=fuzzer,address,undefined
FUZZ_LIBRARY = $(src_libcommand_a_SOURCES) $(nodist_src_libcommand_a_SOURCES) $(attribution_libattribution_a_SOURCES) \
	$(profile_libprofile_a_SOURCES)
fuzz_objects = $(patsubst %.c,tests/fuzz/obj/%.o,$(filter %.c,$(1)))
FUZZ_PROFILE_OBJECTS = $(call fuzz_objects,tests/fuzz/profile.c tests/fuzz/compact.c tests/unit/command/check_diff.c $(SCENES) $(FUZZ_LIBRARY))
FUZZ_OBJECT_OBJECTS = $(call fuzz_objects,tests/fuzz/object.c $(FUZZ_LIBRARY))
FUZZ_CACHE_OBJECTS = $(call fuzz_objects,tests/fuzz/cache.c $(FUZZ_LIBRARY))
FUZZ_MERGED_OBJECTS = $(call fuzz_objects,tests/fuzz/merged.c tests/fuzz/compact.c $(profile_libprofile_a_SOURCES))
FUZZ_TARGETS = tests/fuzz/fuzz_profile tests/fuzz/fuzz_merged tests/fuzz/fuzz_object tests/fuzz/fuzz_cache
if HAVE_FUZZ
check_DATA = $(FUZZ_TARGETS)
endif

tests/fuzz/obj/%.o: %.c
	$(AM_V_CC)$(MKDIR_P) $(@D) && $(FUZZ_CC) $(AM_CPPFLAGS) $(LIBDW_CFLAGS) $(OMP_TOOLS_CFLAGS) $(FUZZ_CFLAGS) -MMD -MP -c -o $@ $<
tests/fuzz/fuzz_profile: $(FUZZ_PROFILE_OBJECTS)
	$(AM_V_CCLD)$(FUZZ_LINK) -o $@ $(FUZZ_PROFILE_OBJECTS) $(LIBDW_LIBS) $(DEMANGLE_LIBS) $(ZLIB_LIBS) $(SQLITE_LIBS)
tests/fuzz/fuzz_merged: $(FUZZ_MERGED_OBJECTS)
	$(AM_V_CCLD)$(FUZZ_LINK) -o $@ $(FUZZ_MERGED_OBJECTS) $(ZLIB_LIBS)
tests/fuzz/fuzz_object: $(FUZZ_OBJECT_OBJECTS)
	$(AM_V_CCLD)$(FUZZ_LINK) -o $@ $(FUZZ_OBJECT_OBJECTS) $(LIBDW_LIBS) $(DEMANGLE_LIBS) $(ZLIB_LIBS) $(SQLITE_LIBS)
tests/fuzz/fuzz_cache: $(FUZZ_CACHE_OBJECTS)
	$(AM_V_CCLD)$(FUZZ_LINK) -o $@ $(FUZZ_CACHE_OBJECTS) $(LIBDW_LIBS) $(DEMANGLE_LIBS) $(ZLIB_LIBS) $(SQLITE_LIBS)
-include $(patsubst %.o,%.d,$(FUZZ_PROFILE_OBJECTS) $(FUZZ_MERGED_OBJECTS) $(FUZZ_OBJECT_OBJECTS) $(FUZZ_CACHE_OBJECTS))

.PHONY: fuzz clean-fuzz
fuzz: all tests/fuzz/seeds$(EXEEXT) $(FUZZ_TARGETS)
	@$(AM_TESTS_ENVIRONMENT) FUZZ_SECONDS=$(FUZZ_SECONDS) $(SHELL) $(srcdir)/tests/fuzz/fuzz.sh

clean-local: clean-fuzz
clean-fuzz:
	rm -rf tests/fuzz/obj $(FUZZ_TARGETS)
