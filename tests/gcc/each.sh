# SPDX-License-Identifier: Apache-2.0
# Each construct of which gcc makes calls of libgomp gives the same alone and profiled; and on each libomp, but for known
# faults. Lock and thread routines, loops of each schedule and type, and Fortran's forms do so, too.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
. "$srcdir/tests/gcc/gcc.sh"
live_need gcc timeout
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

# --- on libomps
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

# --- on libgomp
schedules="dynamic=monotonic:dynamic,chunk guided=monotonic:guided,chunk runtime=monotonic:runtime
	nonmonotonic_dynamic=nonmonotonic:dynamic,chunk nonmonotonic_guided=nonmonotonic:guided,chunk
	nonmonotonic_runtime=nonmonotonic:runtime maybe_nonmonotonic_runtime=runtime
	ordered_static=static,chunk ordered_dynamic=dynamic,chunk ordered_guided=guided,chunk
	ordered_runtime=runtime"
for name in sync routines scan down; do
	gcc_build "$name" "$name.c" || broken "cannot build $name.c"
done
gcc_build cancel scan.c -DCANCEL || broken "cannot build scan.c"
for schedule in $schedules; do
	for type in int long unsigned; do
		case $schedule in
		ordered_*) flag=-DORDERED ;;
		*) flag=-UORDERED ;;
		esac
		gcc_build "loops.${schedule%%=*}.$type" loops.c "-DTYPE=$type" "-DSCHEDULE=${schedule#*=}" $flag ||
			broken "cannot build loops.c for $schedule"
	done
done
compiler=gfortran gcc_build fortran routines.f90 || skip "Fortran's forms" "gfortran -fopenmp does not work"
cd "$live_folder" || broken "no scratch folder"
# differs COMMAND...: whether it prints something else, or ends otherwise, under ompprof run.
differs() {
	di_alone=$("$@" 2>&1; echo "status $?")
	di_profiled=$(timeout 60 "$ompprof" run -q -o out -- "$@" 2>&1; echo "status $?")
	[ "$di_alone" != "$di_profiled" ] && echo "$*: $di_alone | $di_profiled"
}
all_differing() {
	for construct in $constructs; do differs ./each "$construct"; done
	for name in sync routines; do
		for one in $("./$name"); do differs "./$name" "$one"; done
	done
	[ ! -x fortran ] || for one in $(./routines); do differs ./fortran "$one"; done
	for one in loops.* scan down; do differs "./$one"; done
	OMP_CANCELLATION=true differs ./cancel
}
is "on libgomp all of it is as alone" "$(all_differing)" ""
plan
