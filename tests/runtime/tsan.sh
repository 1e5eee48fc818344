#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The in-process half under ThreadSanitizer: the tool and a stand-in for a runtime, both instrumented, so that
# all that orders their threads is seen. What the events' tests say of times is not judged here: a sanitized
# program is slow. The tests of events that take long are in `make tsan` alone. Signals come late, at the next call that the sanitizer knows.
. "$srcdir/tests/tap.sh"
unit=$srcdir/tests/unit/sampler
flags="-O1 -g -fsanitize=thread -D_GNU_SOURCE -I$srcdir -I$builddir -fms-extensions -w"

# compile ARGUMENTS...
# The flags are split into words on purpose.
# shellcheck disable=SC2086
compile() {
	${CC:-gcc} $flags "$@" >"$scratch/log" 2>&1
}

# races NAME SOURCE: builds a test of events and runs it; any report of the sanitizer fails it.
races() {
	if ! compile -rdynamic "$2" "$unit/play_runtime.c" "$srcdir"/profile/reader/*.c \
		"$srcdir/profile/shared/diag.c" \
		"$srcdir/profile/shared/frequency.c" "$srcdir/profile/shared/launcher.c" "$srcdir/profile/shared/perf_event.c" \
		-o "$scratch/$1" -lcmocka -llzma -ldl -lpthread; then
		not_ok "$1 is built" "$(head -n 20 "$scratch/log")"
		return
	fi
	TSAN_OPTIONS="exitcode=66 log_path=$scratch/report" builddir=$scratch timeout 400 "$scratch/$1" \
		>"$scratch/out" 2>&1
	status=$?
	found=$(cat "$scratch"/report.* 2>/dev/null | head -n 60)
	rm -f "$scratch"/report.*
	# A tool that cannot be loaded has no races: something must have gone well.
	if [ $status -lt 100 ] && grep -q '^ok' "$scratch/out" && [ -z "$found" ]; then
		ok "no races: $1"
	else
		not_ok "no races: $1, status $status" "$found$(tail -n 5 "$scratch/out")"
	fi
}

tap_scratch
mkdir "$scratch/.libs"
tools=$(sed -n 's/^OMP_TOOLS_CFLAGS = //p' "$builddir/Makefile")
flags="$flags $tools"
CMOCKA_MESSAGE_OUTPUT=TAP
export CMOCKA_MESSAGE_OUTPUT
cat >"$scratch/racy.c" <<'END'
#include <pthread.h>
#include <cmocka.h>
static int n;
static void *count(void *x) { n++; return x; }
int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, count, 0);
	n++;
	pthread_join(thread, 0);
	return 0;
}
END
compile -include setjmp.h -include stdarg.h -include stddef.h -include stdint.h "$scratch/racy.c" -o "$scratch/racy" ||
	skip_all "no ThreadSanitizer, or no cmocka, for ${CC:-gcc}"
TSAN_OPTIONS="exitcode=66" "$scratch/racy" >/dev/null 2>"$scratch/log"
status=$?
! grep -q 'unexpected memory mapping' "$scratch/log" || skip_all "ThreadSanitizer cannot run here"
is "a race is found" $status 66
sources=$(ls "$srcdir"/sampler/*/*.c "$srcdir"/unwinder/*/*.c |
	grep -v -e libgomp_stub -e libc_bind -e aarch64)
# Words on purpose.
# shellcheck disable=SC2086
compile -fPIC -shared -fvisibility=hidden -ftls-model=initial-exec -DLIBDIR='"/"' -DBINDIR='"/"' $sources \
	"$srcdir"/profile/core/*.c "$srcdir/profile/shared/frequency.c" \
	"$srcdir/profile/shared/launcher.c" "$srcdir/profile/shared/perf_event.c" "$srcdir/profile/shared/event_names.c" -o "$scratch/.libs/libompprof.so" \
	-Wl,--version-script="$srcdir/sampler/tool/libompprof.map" -Wl,-z,nodelete -Wl,-z,defs -lpthread -ldl ||
	broken "the tool cannot be built: $(head -n 20 "$scratch/log")"
races teams "$srcdir/tests/runtime/tsan_teams.c"
races trace "$unit/device_trace.c"
if [ -n "${TSAN_ALL-}" ]; then
	races events_team "$unit/events_team.c"
fi
plan
