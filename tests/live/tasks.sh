#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Tasks of real runtimes: dependences, detached and cancelled tasks, a taskwait with dependences. Times are compared
# with others of the same run.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
live_need jq

# line FILE TEXT: the line of a construct, by the comment behind it.
line() {
	grep -n -m 1 -F "/* $2 */" "$(program_source "$1")" | cut -d : -f 1
}

# try NAME PROGRAM FACTOR FILTER: a machine that is busy can spoil a run, not three.
try() {
	for attempt in 1 2 3; do
		live_try $attempt
		if ! live_profile "$2" "-q -F 1000" "$3"; then
			not_ok "$1: runs and is reported" "$(cat "$live_folder/messages")"
			return
		fi
		if jq -e "$4" "$live_folder/json" >/dev/null; then
			ok "$1 (attempt $attempt)"
			return
		fi
	done
	not_ok "$1" "$(jq -c '.tasks, .waits, .regions, .advice' "$live_folder/json")"
}

# Both consumers wait from their creation to the end of the production; meanwhile the other thread has nothing to do.
depend="
	(.tasks[] | select(.line == $(line depend.c produces))) as \$source
	| (.tasks[] | select(.line == $(line depend.c consumes))) as \$sink
	| \$source.executed == 10 and \$source.awaits == []
	and \$sink.executed == 20 and (\$sink.awaits | length) == 1
	and (\$sink.awaits[0] | .line == \$source.line and .tasks == 20
		and .wait_s > 1.6 * \$source.busy_s and .max_s >= .mean_s)
	and \$source.blocked_s > 0.1 * \$source.busy_s and \$sink.blocked_s == 0
	and .regions[0].dependence_s > 0
	and any(.advice[]; .cause == \"tasks\" and .line == \$source.line
		and (.text | test(\"^tasks of depend.c:$(line depend.c consumes) wait .* for it\")))"

# A compiler that unrolls a loop makes several places of one.
ends="
	def at(line): [.tasks[] | select(.line == line)];
	def sum(figure): map(figure) | add;
	at($(line task_ends.c detached)) as \$detached
	| at($(line task_ends.c cancelled)) as \$cancelled
	| at($(line task_ends.c awaited)) as \$awaited
	| (\$detached | sum(.created) == 6 and sum(.executed) == 6 and sum(.cancelled) == 0
		and sum(.detached) > 0 and sum(.fulfilled) == sum(.detached))
	and (\$cancelled | sum(.created) == 8 and sum(.executed) == 0 and sum(.cancelled) == 8)
	and (\$awaited | sum(.executed) == 6 and sum(.cancelled) == 0)
	and ([.waits[] | select(.kind == \"taskwait\") | .wait_s] | add)
		> 0.5 * (\$awaited | sum(.busy_s))"

# Threads work all the time.
untied="[.threads[] | select(.type != \"native\")] | length == 2 and all(.task_s < 0.3 * .useful_s)"

# Samples tell the time of tiny tasks. It is the time of the same work in serial code.
tiny=".summary.serial_wall_s as \$alone | .tasks | length == 1 and (.[0] | .created == 600000 and .executed == 600000
	and .estimated_share > 0.5 and .busy_s > 0.6 * \$alone and .busy_s < 1.4 * \$alone)"

OMP_CANCELLATION=true
export OMP_CANCELLATION
for row in omp14-clang14-O2 omp15-clang14-O2 omp16-clang14-O2 omp19-clang14-O2 omp19-clang19-O2; do
	if ! matrix_row "$row"; then
		skip "$row: tasks" "$row_reason"
		continue
	fi
	try "$row: dependences" depend.c 1 "$depend"
	try "$row: detached, cancelled, awaited" task_ends.c 1 "$ends"
	try "$row: untied" untied.c 1 "$untied"
	try "$row: tiny" tiny_tasks.c 2 "$tiny"
done
for row in omp14-gcc-O2 omp19-gcc-O2; do
	if matrix_row "$row"; then
		try "$row: dependences" depend.c 1 "$depend"
	else
		skip "$row: tasks" "$row_reason"
	fi
done
matrix_file=$srcdir/tests/accuracy/matrix.txt
row=libgomp-gcc
if matrix_row "$row"; then
	# Threads sleep in waits for tasks, which samples do not see: libgomp has no budget.
	try "$row: tiny" tiny_tasks.c 2 '.tasks | length == 1 and (.[0] | .executed == 600000 and .estimated_share == null)'
fi
plan
