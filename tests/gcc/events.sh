# SPDX-License-Identifier: Apache-2.0
# The events that the provider tells on GCC's libgomp: for each case of events.c those of events.txt, and the program
# prints what it prints alone.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/live/live.sh"
. "$srcdir/tests/gcc/gcc.sh"
live_need gcc nm timeout
gcc_need_plain_provider
gcc_build events events.c || skip_all "gcc -fopenmp does not work"
# The flags are words on purpose.
# shellcheck disable=SC2046
gcc_build teller.so teller.c -shared -fPIC $(sed -n 's/^OMP_TOOLS_CFLAGS = //p' "$builddir/Makefile") ||
	broken "cannot build the tool: $(cat "$live_folder/log")"
# What GCC 17 calls is tried on a library that does nothing.
gcc_build fake.so fake.c -shared -fPIC -fno-openmp -w -I"$srcdir" || broken "cannot build the library"
gcc_build gcc17 gcc17.c -fno-openmp "$live_folder/fake.so" || broken "cannot build the program"
OMP_CANCELLATION=true
export OMP_CANCELLATION
list=$srcdir/tests/gcc/events.txt

# expected CASE LIBRARY EVENTS: what follows the case's line, up to the next case.
expected() {
	awk -v head="== $1 $2: $3" '/^==/ { is = $0 == head; next } is' "$list"
}

program() {
	case $1 in
	gcc17) echo "$live_folder/gcc17" ;;
	*) echo "$live_folder/events" ;;
	esac
}

# tell CASE LIBRARY EVENTS: runs the case with the tool; its events, thread by thread.
tell() {
	LD_PRELOAD=$builddir/.libs/$2 OMP_TOOL_LIBRARIES=$live_folder/teller.so TELLER=" $3 " \
		timeout 20 "$(program "$1")" "$1" >"$live_folder/said" 2>"$live_folder/told" ||
		echo "the program fails: $?"
	sort -s -n -k1,1 "$live_folder/told"
}

sed -n 's/^== \(.*\): \(.*\)$/\1 \2/p' "$list" >"$live_folder/cases"
while read -r name library events; do
	timeout 20 "$(program "$name")" "$name" >"$live_folder/plain" 2>&1 || broken "'$name' fails alone"
	is "$name, $library: its events" "$(tell "$name" "$library" "$events")" "$(expected "$name" "$library" "$events")"
	# libgomp has no omp_control_tool: the case tells whether it is there.
	[ "$name" = control ] ||
		is "... prints what it prints alone" "$(cat "$live_folder/said")" "$(cat "$live_folder/plain")"
done <"$live_folder/cases"
is "each case is in the list" "$( ("$live_folder/events"; echo gcc17) | sort)" \
	"$(cut -d ' ' -f 1 "$live_folder/cases" | sort -u)"

# --- tasks that are executed at once: if (0), and outside of a region
gcc_build nest nest.c || broken "cannot build nest.c"
# Without optimisation a function takes more of the stack.
bytes=160
grep -qE '^CFLAGS = .*-O[23s]' "$builddir/Makefile" || bytes=2000
for is_deferred in 0 1; do
	alone=$("$live_folder/nest" $is_deferred)
	told=$(LD_PRELOAD=$builddir/.libs/libompprof-gomp.so OMP_TOOL_LIBRARIES=$live_folder/teller.so TELLER=" task_create " \
		"$live_folder/nest" $is_deferred 2>/dev/null)
	check "a nested task (deferred: $is_deferred) takes $told bytes of the stack, $alone alone" \
		[ "$told" -le $((alone + bytes + is_deferred * 224)) ]
done

# --- the inquiry functions at each instruction
case $(gcc -dumpmachine) in
x86_64-*)
	# shellcheck disable=SC2046
	gcc_build steps steps.c -rdynamic $(sed -n 's/^OMP_TOOLS_CFLAGS = //p' "$builddir/Makefile") ||
		broken "cannot build steps.c"
	is "a worker's task at each instruction from region to region" \
		"$(OMP_WAIT_POLICY=passive LD_PRELOAD=$builddir/.libs/libompprof-gomp.so timeout 60 "$live_folder/steps")" \
		"stepped, 0 wrong"
	;;
*) skip "a worker's task at each instruction" "this machine cannot trap each instruction" ;;
esac

is "the version of OpenMP is libgomp's" "$(LD_PRELOAD=$builddir/.libs/libompprof-gomp.so \
	OMP_TOOL_LIBRARIES=$live_folder/teller.so TELLER=version "$live_folder/events" regions | head -n 1)" \
	"$(OMP_DISPLAY_ENV=true "$live_folder/events" regions 2>&1 | sed -n "s/.*_OPENMP = '\(.*\)'/\1/p")"

# --- the answers of ompt_set_callback: as in ompprof-gomp(7), where an event that is not named never comes
# documented N: the N-th answer for each event, or the only answer.
documented() {
	sed -n 's/^\.It \([a-z_, ]*\): \(.*\)$/\1:\2/p' "$srcdir/man/ompprof-gomp.7" | awk -F : -v n="$1" '{
		split($2, answers, ", or ")
		answer = answers[n] ? answers[n] : answers[1]
		for (i = split($1, events, ", "); i > 0; i--)
			if (answer != "never")
				print events[i], answer
	}' | sort
}

# answers LIBRARY: what it answers, but for never.
answers() {
	LD_PRELOAD=$builddir/.libs/$1 OMP_TOOL_LIBRARIES=$live_folder/teller.so TELLER=answers \
		"$live_folder/events" regions 2>&1 | grep -v ' never$' | sort
}

[ "$(documented 1 | wc -l)" -gt 10 ] || broken "no events in the manual"
is "libompprof-gomp.so answers as its manual says" "$(answers libompprof-gomp.so)" "$(documented 1)"
is "libompprof-gomp-events.so, too" "$(answers libompprof-gomp-events.so)" "$(documented 2)"
plan
