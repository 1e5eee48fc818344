# SPDX-License-Identifier: Apache-2.0
# The scripted runtime (README): scripts are tests.
include %D%/cases/local.mk

TXT_LOG_DRIVER = $(LOG_DRIVER)
TXT_LOG_COMPILER = $(TEST_LIMIT) $(CROSS_RUN) %D%/scripted
RUNTIME_TESTS = %D%/player.sh %D%/random.sh %D%/sanitized.sh %D%/shown.sh
TESTS += $(RUNTIME_TESTS)
EXTRA_DIST += $(RUNTIME_TESTS) %D%/random.py \
	%D%/README

# The stand-in for a runtime: a library, so that its frames are the runtime's.
check_LTLIBRARIES += %D%/libscripted.la
%C%_libscripted_la_SOURCES = \
	%D%/clock.c \
	%D%/clock.h \
	%D%/device.c \
	%D%/device.h \
	%D%/device_parts.h \
	%D%/device_trace.c \
	%D%/entry_points.c \
	%D%/entry_points.h \
	%D%/events.h \
	%D%/instructions.c \
	%D%/instructions.h \
	%D%/leave_out.c \
	%D%/leave_out.h \
	%D%/machine.h \
	%D%/objects.c \
	%D%/objects.h \
	%D%/runtime.c \
	%D%/runtime.h \
	%D%/send.c \
	%D%/send.h \
	%D%/stage.h
%C%_libscripted_la_CFLAGS = $(OMPPROF_CFLAGS) $(OMP_TOOLS_CFLAGS) \
	-fno-omit-frame-pointer -fno-optimize-sibling-calls
%C%_libscripted_la_LDFLAGS = -avoid-version -shared -rpath /nowhere
%C%_libscripted_la_LIBADD = -lpthread -ldl

# The tool, whose tick counter is the script's.
check_LTLIBRARIES += %D%/virtual.la
%C%_virtual_la_SOURCES = %D%/ticks.h \
	$(libompprof_la_SOURCES) $(libwalker_la_SOURCES) $(libcore_la_SOURCES)
%C%_virtual_la_CFLAGS = $(INPROCESS_CFLAGS) -include $(srcdir)/%D%/ticks.h
%C%_virtual_la_LDFLAGS = -module -avoid-version -shared -rpath /nowhere -Wl,-z,now \
	-Wl,--version-script=$(srcdir)/sampler/tool/libompprof.map

# The player.
check_LIBRARIES += %D%/libplayer.a
%C%_libplayer_a_SOURCES = \
	%D%/compile.c \
	%D%/compile.h \
	%D%/compile_event.c \
	%D%/compile_parts.h \
	%D%/compile_step.c \
	%D%/conduct.c \
	%D%/conduct.h \
	%D%/conduct_parts.h \
	%D%/conduct_steps.c \
	%D%/evidence.c \
	%D%/evidence.h \
	%D%/evidence_print.c \
	%D%/expect.c \
	%D%/expect.h \
	%D%/expect_kinds.c \
	%D%/expect_parts.h \
	%D%/fields.c \
	%D%/fields.h \
	%D%/script.c \
	%D%/script.h \
	%D%/script_line.c \
	%D%/script_parts.h \
	%D%/user.c \
	%D%/user.h \
	%D%/words.c \
	%D%/words.h
%C%_libplayer_a_CFLAGS = $(AM_CFLAGS) $(OMP_TOOLS_CFLAGS)
PLAYER_CPPFLAGS = $(AM_CPPFLAGS) -DSCRIPTED_SRCDIR=\"$(abs_top_srcdir)\" \
	-DSCRIPTED_BUILDDIR=\"$(abs_top_builddir)\"
PLAYER_LINK = $(AM_LDFLAGS) -export-dynamic -no-install
PLAYER_LIBS = %D%/libplayer.a %D%/libscripted.la profile/libprofile.a $(LZMA_LIBS) -lpthread -lm

check_PROGRAMS += %D%/scripted
%C%_scripted_SOURCES = %D%/scripted.c
%C%_scripted_CPPFLAGS = $(PLAYER_CPPFLAGS)
%C%_scripted_CFLAGS = $(AM_CFLAGS) $(OMP_TOOLS_CFLAGS)
%C%_scripted_LDFLAGS = $(PLAYER_LINK)
%C%_scripted_LDADD = $(PLAYER_LIBS)

# All of it once more with the tool sanitized; the user's code and the runtime are not.
if HAVE_PLAYED
check_LTLIBRARIES += %D%/sanitized.la
%C%_sanitized_la_SOURCES = $(%C%_virtual_la_SOURCES)
%C%_sanitized_la_CFLAGS = $(%C%_virtual_la_CFLAGS) $(PLAYED_CFLAGS)
%C%_sanitized_la_LDFLAGS = $(%C%_virtual_la_LDFLAGS) $(PLAYED_CFLAGS)
check_PROGRAMS += %D%/scripted_sanitized
%C%_scripted_sanitized_SOURCES = %D%/scripted.c
%C%_scripted_sanitized_CPPFLAGS = $(PLAYER_CPPFLAGS)
%C%_scripted_sanitized_CFLAGS = $(AM_CFLAGS) $(OMP_TOOLS_CFLAGS)
%C%_scripted_sanitized_LDFLAGS = $(PLAYER_LINK) $(PLAYED_CFLAGS)
%C%_scripted_sanitized_LDADD = $(PLAYER_LIBS)
endif

# ThreadSanitizer: of the in-process half in `make check`; `make tsan` also builds the offline half with it, in a
# folder of its own, and runs that half's tests there, except those of memory's bounds, which the sanitizer changes.
TESTS += %D%/tsan.sh
EXTRA_DIST += %D%/tsan.sh %D%/tsan_teams.c

.PHONY: tsan
tsan: all
	TSAN_ALL=1 $(MAKE) $(AM_MAKEFLAGS) check TESTS=%D%/tsan.sh
	$(MKDIR_P) tsan
	test -f tsan/Makefile || (cd tsan && $(abs_top_srcdir)/configure -q --enable-tsan CFLAGS="-O1 -g")
	cd tsan && $(MAKE) $(AM_MAKEFLAGS) check \
		TESTS="$(UNIT_ATTRIBUTION_TESTS) $(filter-out %/cct %/bounds_merged %/bounds_shown,$(UNIT_PROFILE_TESTS)) \
			tests/unit/command/advice tests/unit/command/golden tests/unit/command/info \
			tests/unit/command/own_cost tests/unit/symbols/names tests/unit/symbols/symbols \
			tests/unit/text/text \
			tests/scale/scale tests/cli/report.sh"
