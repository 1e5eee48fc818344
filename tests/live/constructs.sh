# SPDX-License-Identifier: Apache-2.0
# Each loss stands at its own construct: one region with orphaned loops, critical sections and
# taskwaits in several functions and files (tests/programs/regions/constructs.c).
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
live_need jq

folder=$srcdir/tests/programs/regions

# line_of MARK: the line of "/* MARK */" in one of the two files.
line_of() {
	grep -h -n "/\* $1 \*/" "$folder/constructs.c" "$folder/constructs.h" | cut -d : -f 1
}

# waited KIND FILE LINE MOST FUNCTION: seconds that threads waited at LINE to MOST there, in this function.
waited() {
	jq --arg kind "$1" --arg file "$2" --argjson line "$3" --argjson most "$4" --arg function "$5" '
		[.waits[] | select(.kind == $kind and .line >= $line and .line <= $most and
			((.file // "") | endswith("/" + $file)) and
			((.function // .name // "") | contains($function))) | .wait_s] | add // 0' "$live_folder/json"
}

# expect_loop NUMBER FILE FUNCTION SECONDS: gcc gives the barrier behind a loop a line in the loop, and
# the jump to a barrier with which the function ends the line of the function's end.
expect_loop() {
	line=$(line_of "LOOP $1")
	case $row in
	*gcc*) got=$(waited barrier "$2" "$line" $((line + 3)) "$3") ;;
	*) got=$(waited barrier "$2" "$line" "$line" "$3") ;;
	esac
	if at_least "$got" "$4"; then
		ok "$row loop $1 at $2:$line in $3: $got s"
	else
		not_ok "$row loop $1 at $2:$line in $3: $got s, not $4" \
			"$(jq -c '.waits[] | [.kind, .file, .line, .function, .wait_s]' "$live_folder/json")"
	fi
}

# expect_taskwait NUMBER FILE FUNCTION: it may end with a jump into the runtime.
expect_taskwait() {
	line=$(line_of "TASKWAIT $1")
	got=$(waited taskwait "$2" "$line" "$line" "$3")
	if at_least "$got" 0.0000001; then
		ok "$row taskwait $1 at $2:$line in $3: $got s"
	elif [ "$(jq '[.waits[] | select(.kind == "taskwait")] | length' "$live_folder/json")" = 0 ]; then
		skip "$row taskwait $1" "no thread waited for a task"
	else
		not_ok "$row taskwait $1 at $2:$line in $3" \
			"$(jq -c '.waits[] | [.kind, .file, .line, .function, .wait_s]' "$live_folder/json")"
	fi
}

# expect_critical NUMBER: threads waited for it at its own line, says report --by construct.
expect_critical() {
	line=$(line_of "CRITICAL $1")
	got=$("$ompprof" report -i "$live_folder/out" --by construct --format csv -f kind,file,line,waits |
		tr -d '\r' | awk -F , -v line="$line" '
			$1 == "critical" && $2 ~ /constructs[.]c$/ && $3 >= line && $3 <= line + 1 { print $4 }')
	if at_least "${got:-0}" 1; then
		ok "$row critical $1 at line $line: $got waits"
	else
		not_ok "$row critical $1 at line $line" \
			"$("$ompprof" report -i "$live_folder/out" --by construct --percent-limit 0)"
	fi
}

for row in omp14-clang14-O0 omp14-clang14-O2 omp19-clang19-O2 omp19-clang19-O3 omp19-gcc-O0 \
	omp14-gcc-O2 omp19-gcc-O3; do
	if ! matrix_row "$row"; then
		skip "$row" "$row_reason"
		continue
	fi
	live_profile constructs.c "-q $(live_fast)" || not_ok "$row runs" "$(cat "$live_folder/messages")"
	# Beside other jobs a thread that is late has little to wait for.
	unit=0.0001
	for loop in 3 4 5 6; do
		case $loop in
		3 | 4) expect_loop $loop constructs.c two_loops "$unit" ;;
		*) expect_loop $loop constructs.h far_loops "$unit" ;;
		esac
	done
	expect_taskwait 1 constructs.c near_tasks
	expect_taskwait 2 constructs.h far_tasks
	for critical in 1 2 3; do
		expect_critical $critical
	done
done
plan
