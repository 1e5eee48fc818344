#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The tool that ignores events, to which `make bench` compares ompprof (bench/empty_handler.c), asks for those that ompprof
# asks for by default, but for what bench/events.h excepts; gets callbacks of a real runtime; and ends a
# program whose threads it cannot give timers.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
. "$srcdir/tests/bench/bench.sh"

bench_programs in_turns
bench_library "$srcdir/bench/empty_handler.c" bench/empty_handler.so
matrix_compile "$srcdir/tests/bench/callbacks.c" bench/callbacks || broken "cannot build callbacks"
export OMPPROF_OUTPUT=out OMPPROF_QUIET=1

# asked VARIABLE=VALUE... LIBRARY: the events that a tool asks for, sorted.
asked() {
	env "$@" | sort
}

# without_timers COMMAND...: runs it where the kernel gives no timers away.
without_timers() {
	"$python" -c 'import os, resource, sys
resource.setrlimit(resource.RLIMIT_SIGPENDING, (0, 0))
os.execv(sys.argv[1], sys.argv[1:])' "$@"
}

asked bench/callbacks .libs/libompprof.so >ompprofs
check "the list of ompprof's" grep -q '^task_dependence$' ompprofs
grep -vE '^(thread_begin|thread_end|control_tool|target.*|device.*)$' ompprofs >wanted
is "events that are ignored are all of these" "$(asked BENCH_IGNORE=1 BENCH_HZ=0 bench/callbacks bench/empty_handler.so |
	tr '\n' ' ')" "$(tr '\n' ' ' <wanted)"
is "with a handler those of threads, too" "$(asked BENCH_IGNORE=1 bench/callbacks bench/empty_handler.so | tr '\n' ' ')" \
	"$(printf 'thread_begin\nthread_end\n' | sort - wanted | tr '\n' ' ')"
is "a handler alone" "$(asked bench/callbacks bench/empty_handler.so | tr '\n' ' ')" "thread_begin thread_end "
bench/callbacks bench/nothing.so >said 2>&1
is "what is no tool" "$?: $(cat said)" "1: callbacks: no tool: bench/nothing.so"

# A period of a whole second is not one of so many ns.
BENCH_HZ=1 BENCH_IGNORE=1 bench/in_turns bench/empty_handler.so 0 0.01 >said 2>messages
is "samples a second apart" "$?: $(cat messages)" "0: "
BENCH_IGNORE=1 without_timers bench/in_turns bench/empty_handler.so 0 0.01 >said 2>messages
is "a thread without a timer ends the program" "$?: $(cat said messages)" \
	"1: empty_handler: a thread has no timer: Resource temporarily unavailable"

# A program that asks the runtime for the tool's callbacks, and ends with status 77 if there are none.
BENCH_IGNORE=1 bench/in_turns bench/empty_handler.so 0 0.01 >said 2>&1
is "the runtime has the callbacks" "$?: $(cut -d ' ' -f 1 said | tr '\n' ' ')" "0: without ignored profiled "
bench/in_turns bench/empty_handler.so 0 0.01 >said 2>&1
is "... and none of the handler alone" "$?: $(cat said)" "77: in_turns: the runtime gives no callbacks away"
plan
