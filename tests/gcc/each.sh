# SPDX-License-Identifier: Apache-2.0
# Each construct that gcc makes calls of libgomp of gives the same on libgomp and, profiled, on each libomp, but
# for known faults; a program that needs such a function is left on libgomp.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
. "$srcdir/tests/gcc/gcc.sh"
live_need gcc timeout
gcc_need_libomp
gcc_build each each.c || skip_all "gcc -fopenmp does not work"
program=$live_folder/each
ulimit -c 0

# What fails on every libomp, or may.
faults="taskloop_neg taskloop_ull_down scan"
constructs=$("$program")
folder=$(cd "$(runtimes_folder)" 2>/dev/null && pwd)
for construct in $constructs; do
	"$program" "$construct" >"$live_folder/plain.$construct" || broken "$construct fails on libgomp"
done

# differences LIBOMP: the constructs that give something else on it, faults left out.
differences() {
	for construct in $constructs; do
		case " $faults " in
		*" $construct "*) continue ;;
		esac
		timeout 20 "$ompprof" run -q --runtime="$1" -o "$live_folder/out" -- "$program" "$construct" \
			>"$live_folder/said" 2>"$live_folder/messages" &&
			cmp -s "$live_folder/plain.$construct" "$live_folder/said" ||
			echo "$construct: $(cat "$live_folder/said") $(head -n 1 "$live_folder/messages")"
	done
}

for version in $runtime_versions; do
	libomp=$folder/$version/lib/libomp.so.5
	if [ -r "$libomp" ]; then
		is "libomp $version: all of $(echo "$constructs" | wc -l) but the known faults" \
			"$(differences "$libomp")" ""
		# Once one of these works everywhere, the list has to become shorter.
		for construct in $faults; do
			timeout 20 "$ompprof" run -q --runtime="$libomp" -o "$live_folder/out" -- "$program" \
				"$construct" >"$live_folder/said" 2>/dev/null &&
				cmp -s "$live_folder/plain.$construct" "$live_folder/said" &&
				note "$construct works with libomp $version"
		done
	else
		skip "libomp $version" "it is not there: run ./quickstart check"
	fi
done
for construct in $faults; do
	gcc_run "" "$program" "$construct"
	gcc_judge "$construct: on libgomp, unless libomp is wanted" "" \
		"runs on GCC's libgomp.*each' uses GOMP_"
done
plan
