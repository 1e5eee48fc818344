# SPDX-License-Identifier: Apache-2.0
# A library whose constructor uses OpenMP starts the runtime, and so the tool, before the tool's own
# constructor: the program is profiled all the same.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
live_need jq

for row in omp14-clang14-O2 omp19-clang14-O2; do
	executable=$(matrix_build loops.c "$row" 2>"$live_folder/log") &&
		library=$(matrix_build early_kernel.c "$row" 2>"$live_folder/log") || {
		skip "$row" "$(head -n 1 "$live_folder/log")"
		continue
	}
	LD_PRELOAD=$library OMP_NUM_THREADS=2 "$ompprof" run -q -F 1000 -o "$live_folder/out" -- \
		"$executable" 0.2 >"$live_folder/log" 2>&1
	"$ompprof" report -i "$live_folder/out" --format json >"$live_folder/json"
	share=$(live_share "$live_folder/json" ";main;loop_(static|dynamic);[{]region[}]")
	# The start of the program takes some samples, too.
	in_main=$(live_share "$live_folder/json" ";main(;|$)")
	if at_least "$in_main" 80 && at_least "$share" "$(awk -v all="$in_main" 'BEGIN { print 0.99 * all }')" && [ "$(jq .run.threads "$live_folder/json")" = 2 ]; then
		ok "$row: $share % under the right region, of $in_main % in main"
	else
		not_ok "$row: $share % under the right region" "$(cat "$live_folder/log")"
	fi
done
plan
