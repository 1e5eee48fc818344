# SPDX-License-Identifier: Apache-2.0
# Profiles, merged files, objects and caches of any bytes: four targets of libFuzzer with the whole offline half, instrumented.
# `make check` runs a fixed number of inputs from a fixed seed; `make fuzz FUZZ_SECONDS=N` goes on from
# what it has found before (corpus-* in the build folder), N seconds for each target, and leaves what it finds there.
FUZZ_SECONDS = 300
EXTRA_DIST += %D%/cache.c %D%/compact.c %D%/compact.h %D%/fuzz.sh %D%/merged.c %D%/object.c \
	%D%/profile.c %D%/seeds.c
TESTS += %D%/fuzz.sh

check_PROGRAMS += %D%/seeds
%C%_seeds_SOURCES = %D%/seeds.c %D%/compact.c %D%/compact.h $(SCENES)
%C%_seeds_CPPFLAGS = $(AM_CPPFLAGS)

FUZZ_CFLAGS = -O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all \
	-fno-omit-frame-pointer
FUZZ_LINK = $(FUZZ_CC) -fsanitize=fuzzer,address,undefined
FUZZ_LIBRARY = $(src_libcommand_a_SOURCES) $(nodist_src_libcommand_a_SOURCES) $(attribution_libattribution_a_SOURCES) \
	$(profile_libprofile_a_SOURCES)
fuzz_objects = $(patsubst %.c,%D%/obj/%.o,$(filter %.c,$(1)))
FUZZ_PROFILE_OBJECTS = $(call fuzz_objects,%D%/profile.c %D%/compact.c $(CHECK_DIFF) $(SCENES) $(FUZZ_LIBRARY))
FUZZ_OBJECT_OBJECTS = $(call fuzz_objects,%D%/object.c $(FUZZ_LIBRARY))
FUZZ_CACHE_OBJECTS = $(call fuzz_objects,%D%/cache.c $(FUZZ_LIBRARY))
FUZZ_MERGED_OBJECTS = $(call fuzz_objects,%D%/merged.c $(profile_libprofile_a_SOURCES))
FUZZ_TARGETS = %D%/fuzz_profile %D%/fuzz_merged %D%/fuzz_object %D%/fuzz_cache
if HAVE_FUZZ
check_DATA = $(FUZZ_TARGETS)
endif

%D%/obj/%.o: %.c
	$(AM_V_CC)$(MKDIR_P) $(@D) && $(FUZZ_CC) $(AM_CPPFLAGS) $(LIBDW_CFLAGS) $(LZMA_CFLAGS) $(OMP_TOOLS_CFLAGS) $(FUZZ_CFLAGS) -MMD -MP -c -o $@ $<
%D%/fuzz_profile: $(FUZZ_PROFILE_OBJECTS)
	$(AM_V_CCLD)$(FUZZ_LINK) -o $@ $(FUZZ_PROFILE_OBJECTS) $(LIBDW_LIBS) $(DEMANGLE_LIBS) $(ZLIB_LIBS) $(LZMA_LIBS) $(SQLITE_LIBS)
%D%/fuzz_merged: $(FUZZ_MERGED_OBJECTS)
	$(AM_V_CCLD)$(FUZZ_LINK) -o $@ $(FUZZ_MERGED_OBJECTS) $(LZMA_LIBS)
%D%/fuzz_object: $(FUZZ_OBJECT_OBJECTS)
	$(AM_V_CCLD)$(FUZZ_LINK) -o $@ $(FUZZ_OBJECT_OBJECTS) $(LIBDW_LIBS) $(DEMANGLE_LIBS) $(ZLIB_LIBS) $(LZMA_LIBS) $(SQLITE_LIBS)
%D%/fuzz_cache: $(FUZZ_CACHE_OBJECTS)
	$(AM_V_CCLD)$(FUZZ_LINK) -o $@ $(FUZZ_CACHE_OBJECTS) $(LIBDW_LIBS) $(DEMANGLE_LIBS) $(ZLIB_LIBS) $(LZMA_LIBS) $(SQLITE_LIBS)
-include $(patsubst %.o,%.d,$(FUZZ_PROFILE_OBJECTS) $(FUZZ_MERGED_OBJECTS) $(FUZZ_OBJECT_OBJECTS) $(FUZZ_CACHE_OBJECTS))

.PHONY: fuzz clean-fuzz
fuzz: all %D%/seeds$(EXEEXT) $(FUZZ_TARGETS)
	@$(AM_TESTS_ENVIRONMENT) FUZZ_SECONDS=$(FUZZ_SECONDS) $(SHELL) $(srcdir)/%D%/fuzz.sh

clean-local: clean-fuzz
clean-fuzz:
	rm -rf %D%/obj $(FUZZ_TARGETS)
