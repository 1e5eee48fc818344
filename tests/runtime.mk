# SPDX-License-Identifier: Apache-2.0
# The scripted runtime (tests/runtime/README): scripts are tests.
RUNTIME_CASES = \
	tests/runtime/cases/control.txt \
	tests/runtime/cases/dependences.txt \
	tests/runtime/cases/dispatch.txt \
	tests/runtime/cases/endings.txt \
	tests/runtime/cases/events.txt \
	tests/runtime/cases/explicit_tasks.txt \
	tests/runtime/cases/handshake.txt \
	tests/runtime/cases/helpers.txt \
	tests/runtime/cases/many.txt \
	tests/runtime/cases/mutex_impls.txt \
	tests/runtime/cases/mutexes.txt \
	tests/runtime/cases/paces.txt \
	tests/runtime/cases/places.txt \
	tests/runtime/cases/regions.txt \
	tests/runtime/cases/states.txt \
	tests/runtime/cases/sync.txt \
	tests/runtime/cases/target.txt \
	tests/runtime/cases/task_ends.txt \
	tests/runtime/cases/teams.txt \
	tests/runtime/cases/threads.txt \
	tests/runtime/cases/trace.txt \
	tests/runtime/cases/turn_ends.txt \
	tests/runtime/cases/turn_samples.txt \
	tests/runtime/cases/turns.txt \
	tests/runtime/cases/waits.txt
TXT_LOG_DRIVER = $(LOG_DRIVER)
TXT_LOG_COMPILER = tests/runtime/scripted
RUNTIME_TESTS = tests/runtime/player.sh tests/runtime/random.sh tests/runtime/sanitized.sh tests/runtime/shown.sh
TESTS += $(RUNTIME_CASES) $(RUNTIME_TESTS)
EXTRA_DIST += $(RUNTIME_CASES) $(RUNTIME_TESTS) tests/runtime/random.py tests/runtime/cases/prelude.inc tests/runtime/cases/turns.inc \
	tests/runtime/README

# The stand-in for a runtime: a library, so that its frames are the runtime's.
check_LTLIBRARIES += tests/runtime/libscripted.la
tests_runtime_libscripted_la_SOURCES = \
	tests/runtime/clock.c \
	tests/runtime/clock.h \
	tests/runtime/device.c \
	tests/runtime/device.h \
	tests/runtime/device_parts.h \
	tests/runtime/device_trace.c \
	tests/runtime/entry_points.c \
	tests/runtime/entry_points.h \
	tests/runtime/events.h \
	tests/runtime/instructions.c \
	tests/runtime/instructions.h \
	tests/runtime/leave_out.c \
	tests/runtime/leave_out.h \
	tests/runtime/objects.c \
	tests/runtime/objects.h \
	tests/runtime/runtime.c \
	tests/runtime/runtime.h \
	tests/runtime/send.c \
	tests/runtime/send.h \
	tests/runtime/stage.h
tests_runtime_libscripted_la_CFLAGS = $(OMPPROF_CFLAGS) $(OMP_TOOLS_CFLAGS) \
	-fno-omit-frame-pointer -fno-optimize-sibling-calls
tests_runtime_libscripted_la_LDFLAGS = -avoid-version -shared -rpath /nowhere
tests_runtime_libscripted_la_LIBADD = -lpthread -ldl

# The tool, whose tick counter is the script's.
check_LTLIBRARIES += tests/runtime/virtual.la
tests_runtime_virtual_la_SOURCES = tests/runtime/ticks.h \
	$(libompprof_la_SOURCES) $(libwalker_la_SOURCES) $(libcore_la_SOURCES)
tests_runtime_virtual_la_CFLAGS = $(INPROCESS_CFLAGS) -include $(srcdir)/tests/runtime/ticks.h
tests_runtime_virtual_la_LDFLAGS = -module -avoid-version -shared -rpath /nowhere -Wl,-z,now \
	-Wl,--version-script=$(srcdir)/sampler/tool/libompprof.map

# The player.
check_LIBRARIES += tests/runtime/libplayer.a
tests_runtime_libplayer_a_SOURCES = \
	tests/runtime/compile.c \
	tests/runtime/compile.h \
	tests/runtime/compile_event.c \
	tests/runtime/compile_parts.h \
	tests/runtime/compile_step.c \
	tests/runtime/conduct.c \
	tests/runtime/conduct.h \
	tests/runtime/conduct_parts.h \
	tests/runtime/conduct_steps.c \
	tests/runtime/evidence.c \
	tests/runtime/evidence.h \
	tests/runtime/evidence_print.c \
	tests/runtime/expect.c \
	tests/runtime/expect.h \
	tests/runtime/expect_kinds.c \
	tests/runtime/expect_parts.h \
	tests/runtime/fields.c \
	tests/runtime/fields.h \
	tests/runtime/script.c \
	tests/runtime/script.h \
	tests/runtime/script_line.c \
	tests/runtime/script_parts.h \
	tests/runtime/user.c \
	tests/runtime/user.h \
	tests/runtime/words.c \
	tests/runtime/words.h
tests_runtime_libplayer_a_CFLAGS = $(AM_CFLAGS) $(OMP_TOOLS_CFLAGS)
PLAYER_CPPFLAGS = $(AM_CPPFLAGS) -DSCRIPTED_SRCDIR=\"$(abs_top_srcdir)\" \
	-DSCRIPTED_BUILDDIR=\"$(abs_top_builddir)\"
PLAYER_LINK = $(AM_LDFLAGS) -export-dynamic -no-install
PLAYER_LIBS = tests/runtime/libplayer.a tests/runtime/libscripted.la profile/libprofile.a $(ZLIB_LIBS) -lpthread -lm

check_PROGRAMS += tests/runtime/scripted
tests_runtime_scripted_SOURCES = tests/runtime/scripted.c
tests_runtime_scripted_CPPFLAGS = $(PLAYER_CPPFLAGS)
tests_runtime_scripted_CFLAGS = $(AM_CFLAGS) $(OMP_TOOLS_CFLAGS)
tests_runtime_scripted_LDFLAGS = $(PLAYER_LINK)
tests_runtime_scripted_LDADD = $(PLAYER_LIBS)

# All of it once more with the tool sanitized; the user's code and the runtime are not.
if HAVE_PLAYED
check_LTLIBRARIES += tests/runtime/sanitized.la
tests_runtime_sanitized_la_SOURCES = $(tests_runtime_virtual_la_SOURCES)
tests_runtime_sanitized_la_CFLAGS = $(tests_runtime_virtual_la_CFLAGS) $(PLAYED_CFLAGS)
tests_runtime_sanitized_la_LDFLAGS = $(tests_runtime_virtual_la_LDFLAGS) $(PLAYED_CFLAGS)
check_PROGRAMS += tests/runtime/scripted_sanitized
tests_runtime_scripted_sanitized_SOURCES = tests/runtime/scripted.c
tests_runtime_scripted_sanitized_CPPFLAGS = $(PLAYER_CPPFLAGS)
tests_runtime_scripted_sanitized_CFLAGS = $(AM_CFLAGS) $(OMP_TOOLS_CFLAGS)
tests_runtime_scripted_sanitized_LDFLAGS = $(PLAYER_LINK) $(PLAYED_CFLAGS)
tests_runtime_scripted_sanitized_LDADD = $(PLAYER_LIBS)
endif
