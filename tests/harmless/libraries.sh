# SPDX-License-Identifier: Apache-2.0
# Beside what else puts itself into a program: allocators that are preloaded, and the runtimes of sanitizers.
# The program prints and ends as without the profiler, no sanitizer reports anything new, and the profile is there.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
live_need jq
live_row omp19-clang19-O2 omp19-clang14-O2 omp14-clang14-O2
export LD_LIBRARY_PATH="$row_lib" OMP_NUM_THREADS=2
ulimit -c 0
fast=$(live_fast)

# as_alone DESCRIPTION NAMES PROGRAM ARGUMENTS...: with the environment of now; at least half of the work is
# under these names.
# shellcheck disable=SC2086
as_alone() {
	description=$1 names=$2
	shift 2
	alone=0 got=0
	rm -rf "$live_folder/out"
	{
		timeout 60 "$@" >"$live_folder/alone" 2>"$live_folder/alone-messages" || alone=$?
		timeout 60 "$ompprof" run -q $fast -o "$live_folder/out" -- "$@" >"$live_folder/said" \
			2>"$live_folder/messages" || got=$?
	} 2>/dev/null
	if [ "$got" = "$alone" ] && cmp -s "$live_folder/alone" "$live_folder/said" &&
		cmp -s "$live_folder/alone-messages" "$live_folder/messages"; then
		ok "$description: as alone"
	else
		not_ok "$description: as alone" "status $got, alone $alone
$(head -n 20 "$live_folder/alone" "$live_folder/alone-messages" "$live_folder/said" "$live_folder/messages")"
	fi
	"$ompprof" report -i "$live_folder/out" --format json >"$live_folder/json" 2>"$live_folder/report-messages"
	share=$(live_share "$live_folder/json" "$names")
	if at_least "$share" 50; then
		ok "... with its profile ($share % of the work where it is)"
	else
		not_ok "... with its profile ($share % of the work where it is)" \
			"$(cat "$live_folder/report-messages"; jq -r -f "$srcdir/tests/live/paths.jq" "$live_folder/json")"
	fi
}

# --- allocators
allocs=$(matrix_build allocs.cpp "$row") || broken "cannot build allocs.cpp"
for allocator in libjemalloc.so.2 libtcmalloc_minimal.so.4; do
	library=$(find /usr/lib /usr/lib64 -name "$allocator" 2>/dev/null | head -n 1)
	if [ -z "$library" ]; then
		skip "$allocator" "it is not installed"
		continue
	fi
	LD_PRELOAD=$library
	export LD_PRELOAD
	as_alone "$allocator" ";main;.*allocate_all" "$allocs" 0.5
	unset LD_PRELOAD
	check "... and it was there" sh -c "'$ompprof' info -i '$live_folder/out' | grep -qF '/$allocator'"
done

# --- sanitizers
# sanitized COMPILER FLAGS NAME: builds every program below with them, prints the folder. Returns 1 if it cannot.
# shellcheck disable=SC2086
sanitized() {
	mkdir -p "$live_folder/$3"
	for program in loops.c tasks.c own_signals.c; do
		flags=$(sed -n 's/^ \* Flags: //p' "$(program_source "$program")")
		"$1" -O1 -g -fopenmp $2 $row_include -o "$live_folder/$3/${program%.c}" \
			"$(program_source "$program")" $row_link $flags >"$live_folder/log" 2>&1 || return 1
	done
}

# no_reports DESCRIPTION PROGRAM ARGUMENTS...: what the thread-sanitizer reports is not the tool's.
no_reports() {
	description=$1
	shift
	TSAN_OPTIONS=exitcode=0 timeout 60 "$ompprof" run -q -o "$live_folder/out" -- "$@" >"$live_folder/said" \
		2>"$live_folder/messages"
	if grep -q 'SUMMARY: ThreadSanitizer' "$live_folder/messages"; then
		# Functions of the C library that the program calls through the tool are the program's.
		is "$description: no report is the tool's" \
			"$(grep libompprof "$live_folder/messages" | grep -vc wrap_blocking)" 0
	else
		skip "$description: no report is the tool's" "it reports nothing at all"
	fi
}

# The runtime is not built for the thread-sanitizer, which reports races where it cannot see how threads wait
# for each other; how many differs from run to run.
export ASAN_OPTIONS=detect_leaks=1 TSAN_OPTIONS=report_bugs=0
for sanitizer in address thread undefined; do
	for build in "$row_cc:" "$row_cc:-shared-libsan" "gcc:"; do
		compiler=${build%%:*} shared=${build#*:}
		name="$compiler -fsanitize=$sanitizer $shared"
		case "$build $sanitizer" in
		*shared-libsan\ undefined | gcc:\ undefined) continue ;;
		esac
		if ! sanitized "$compiler" "-fsanitize=$sanitizer $shared" now; then
			skip "$name" "$(head -n 1 "$live_folder/log")"
			continue
		fi
		libraries=$row_lib
		[ -z "$shared" ] ||
			libraries=$(dirname "$("$compiler" -print-file-name="libclang_rt.asan-x86_64.so")"):$row_lib
		LD_LIBRARY_PATH=$libraries
		if ! "$live_folder/now/loops" 0.01 >"$live_folder/log" 2>&1; then
			skip "$name" "it does not run here: $(head -n 1 "$live_folder/log")"
			continue
		fi
		as_alone "$name, loops" ";main;loop_(static|dynamic|guided)" "$live_folder/now/loops" 0.2
		as_alone "$name, tasks" ";main;.*;(fib_task;leaf_kernel|loop_tasks;.*loop_kernel)" "$live_folder/now/tasks" 0.2
		[ $sanitizer != thread ] || no_reports "$name" "$live_folder/now/loops" 0.2
		as_alone "$name, signals" ";faults;" "$live_folder/now/own_signals" faults 0.1
	done
done
plan
