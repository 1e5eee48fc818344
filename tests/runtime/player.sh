#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The player itself: it has all that OMPT has, says where a script is wrong, and what is not as a script expects.
. "$srcdir/tests/tap.sh"
player=$builddir/tests/runtime/scripted
tap_scratch

# wrong LINE...: a script with these lines is an error, of the last of them.
wrong() {
	printf 'case x\n' >"$scratch/wrong.txt"
	printf '%s\n' "$@" >>"$scratch/wrong.txt"
	"$player" "$scratch/wrong.txt" >"$scratch/out" 2>&1
	is "an error: $*" "$? $(grep -o "^wrong.txt:$(($# + 1)):" "$scratch/out")" "99 wrong.txt:$(($# + 1)):"
}

# fails DESCRIPTION LINE...: a script that can be played, whose case is not as expected.
fails() {
	description=$1
	shift
	printf 'case x\n' >"$scratch/fails.txt"
	printf '%s\n' "$@" >>"$scratch/fails.txt"
	"$player" "$scratch/fails.txt" >"$scratch/out" 2>&1
	is "$description" "$? $(grep -c '^not ok - x' "$scratch/out")" "1 1"
}

for file in "$srcdir"/tests/runtime/cases/*.txt; do
	name=$(basename "$file")
	check "'$name' is listed as a test" grep -qF "	%D%/$name" "$srcdir/tests/runtime/cases/local.mk"
done
check "all events and entry points" "$player" --complete

wrong 'advance'
wrong 'advance soon'
wrong 'B sample'
wrong 'A samples'
wrong 'A call nobody'
wrong 'A return'
wrong 'A leave'
wrong 'B worker' 'B die' 'A call alpha'
wrong 'A enter' 'A enter'
wrong 'A enter' 'A return'
wrong 'A parallel_begin'
wrong 'A parallel_begin R 5'
wrong 'A parallel_begin R flags=nothing'
wrong 'A parallel_begin R ra=nowhere'
wrong 'A sync_region barrier_round begin'
wrong 'A mutex_acquire lock'
wrong 'A state waiting'
wrong 'A interrupt instruction'
wrong 'A interrupt instruction 0'
wrong 'A interrupt 0'
wrong 'A quit'
wrong 'A compute 5ms'
wrong 'time real' 'run 5ms'
wrong 'thread B' 'thread B'
wrong 'thread B' 'B quit' 'B thread_begin worker'
wrong 'dispatch nothing never'
wrong 'setting OMPPROF'
wrong 'advance 1ms' 'manual'
wrong 'expect'
wrong 'expect nothing = 1'
wrong 'expect samples.colour = 1'
wrong 'expect samples colour=red = 1'
wrong 'expect samples class=red = 1'
wrong 'expect samples under=nobody = 1'
wrong 'expect samples thread=B = 1'
wrong 'expect samples 1'
wrong 'expect samples = many'
wrong 'expect threads under=alpha = 1'
wrong 'expect asked nothing'
wrong 'repeat 5'
# shellcheck disable=SC2016
wrong 'A call $WHERE'

fails "a figure is not as expected" 'A call alpha' 'advance 5ms' 'A sample' 'expect samples = 2'
fails "a time is not as expected" 'A call alpha' 'advance 5ms' 'A sample' 'expect samples.time = 4ms'
fails "a line that was not said" 'expect stderr ompprof: something'
fails "a line that begins in another way" "dispatch flush never" "expect stderr omp..."
fails "a line that was not expected" 'dispatch flush never' 'dispatch thread_end never'
fails "a status" 'A exit 3'
fails "another status" 'expect status 3'
fails "a callback" 'expect not asked thread_begin'
fails "a profile that is not there" 'manual' 'A start' 'without ompt_set_callback'
fails "a start that is refused" "without ompt_set_callback"
fails "a start that is not refused" manual "A start refused"
fails "data" 'A data R = 5' 'A data R is 6'
fails "a report" 'A call alpha' 'advance 5ms' 'A sample' 'expect report .format == "nothing"'
fails "a report that is nothing" 'A call alpha' 'advance 5ms' 'A sample' 'expect report empty'
fails "what info says" 'expect info nothing that it says'
fails "a thread without a clock" 'thread B' 'B sample'
fails "an interrupt that does not come" 'A interrupt 5' 'A flush'
fails "a runtime of another name" 'expect runtime another'
fails "a crash" 'A data R unmapped' 'A parallel_begin R'
fails "a number of profiles" 'expect profiles 2'
plan
