#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A program of MPI and OpenMP under the mpirun of Open MPI and of MPICH: a file for each rank in one folder, and a
# report of them all that finds the imbalance of ranks that was planted, and the waiting in MPI that came of it.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
live_need jq timeout
live_row omp19-clang19-O2 omp19-clang14-O2 omp14-clang14-O2
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMP_NUM_THREADS=2
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMP_NUM_THREADS
matrix_row "$row"
OMPI_CC=$row_cc MPICH_CC=$row_cc
export OMPI_CC MPICH_CC
found=

# launcher: the words that start ranks under the MPI of this turn; their number follows.
launcher() {
	case $mpi in
	openmpi) echo mpirun.openmpi --oversubscribe --bind-to none -n ;;
	mpich) echo mpirun.mpich -n ;;
	esac
}

# ranks N COMMAND...
ranks() {
	# Words on purpose.
	# shellcheck disable=SC2046
	LD_LIBRARY_PATH=$row_lib timeout 60 $(launcher) "$@"
}

for mpi in openmpi mpich; do
	mkdir "$live_folder/$mpi"
	cd "$live_folder/$mpi" || broken "no scratch folder"
	if ! command -v mpirun.$mpi >/dev/null || ! command -v mpicc.$mpi >/dev/null; then
		skip "$mpi" "it is not installed"
		continue
	fi
	# Words on purpose.
	# shellcheck disable=SC2086
	if ! mpicc.$mpi $row_flags $row_include "-I$srcdir" "$srcdir/tests/processes/mpi_program.c" -o hybrid $row_link \
		>log 2>&1; then
		skip "$mpi" "cannot build a program: $(head -n 1 log)"
		continue
	fi
	if ! ranks 1 true >log 2>&1; then
		skip "$mpi" "mpirun does not work here: $(head -n 1 log)"
		continue
	fi
	ranks 2 "$ompprof" run -o p ./hybrid 0.4 >said 2>messages
	is "$mpi: the program is as alone" "$? $(cat said)" "0 hybrid: 2 ranks"
	is "$mpi: a file for each rank" "$(ls p | sed 's/.*-rank/rank/' | sort | tr '\n' ' ')" "rank0.ompprof rank1.ompprof "
	is "$mpi: one closing line" "$(sed 's/[0-9.]\+/N/g' messages)" \
		"ompprof: N ranks, N samples, N threads, N s -> p (N kB); view with: ompprof report -i p"
	"$ompprof" report -i p --format json >json
	is "$mpi: the report: ranks and threads" "$(jq -c '[.processes[] | [.rank, .threads, .complete]]' json)" \
		"[[0,2,true],[1,2,true]]"
	check "$mpi: ... the planted imbalance, 1.5 ($(jq .process_imbalance json))" \
		near "$(jq .process_imbalance json)" 1.5 0.12
	check "$mpi: ... useful work is that of the ranks, without MPI" jq -e '[.processes[].useful_s] as [$a, $b] |
		($a - 0.8 | fabs) < 0.12 and ($b - 2.4 | fabs) < 0.24' json
	# MPI_Init is in MPI in both ranks.
	check "$mpi: ... the rank with less work waits in MPI ($(jq -c '[.processes[].mpi_s]' json) s)" jq -e \
		'[.processes[].mpi_s] as [$a, $b] | $a > $b + 0.1' json
	check "$mpi: ... and so the job" jq -e '.summary.mpi_s > 0.02' json
	check "$mpi: ... each code is there once" jq -e '[.nodes[] | select(.kind == "function" and .name == "main")] |
		map(.line) | length == (unique | length)' json
	check "$mpi: ... three quarters of the kernel's work are rank 1's" sh -c '
		all=$(jq "[.nodes[] | select(.name == \"rank_kernel\") | .work_s] | add" json)
		one=$("$0" report -i p --rank 1 --format json |
			jq "[.nodes[] | select(.name == \"rank_kernel\") | .work_s] | add")
		awk -v one="$one" -v all="$all" "BEGIN { exit !(one > 0.68 * all && one < 0.82 * all) }"' "$ompprof"
	check "$mpi: ... the causes are the capacities of the ranks" jq -e '
		([.processes[].capacity_s] | add) as $capacity | .summary as $s
		| ($s | .useful_s + .serial_s + .imbalance_s + .lock_s + .task_s + .overhead_s + .short_team_s
			+ .not_running_s + .held_up_s + .blocked_s + .mpi_s) as $wall
		| ($wall - $s.wall_s | fabs) < 0.001 * $wall
		and ($s.efficiency - ([.processes[].useful_s] | add) / $capacity | fabs) < 0.001' json
	check "$mpi: ... all slots at once" jq -e '.summary.threads == 4' json
	check "$mpi: the summary names the ranks" sh -c '"$0" report -i p | head -n 10 | grep -c "rank [01]" | grep -q 2' \
		"$ompprof"
	check "$mpi: ... in one screen" sh -c '[ "$(COLUMNS=80 "$0" report -i p | wc -l)" -le 24 ]' "$ompprof"
	check "$mpi: --by rank marks the one with most work" sh -c '"$0" report -i p --by rank | grep -q "rank 1 *<- most"' \
		"$ompprof"
	check "$mpi: --by thread says whose they are" sh -c '"$0" report -i p --by thread | grep -q "rank 1: [0-9]* worker"' \
		"$ompprof"
	cp json even.json
	for view in --tree --flat --bottom-up --pop "--by region" "--by wait" "--by function" "--by-thread --tree"; do
		# Words on purpose.
		# shellcheck disable=SC2086
		check "$mpi: $view" "$ompprof" report -i p $view
	done

	# Both ranks have the same work, and rank 1 shares its CPU with a loop. Other jobs must not keep rank 0 from its own.
	cpus=$(awk '/^Cpus_allowed_list/ { print $2 }' /proc/self/status)
	what="$mpi: a rank without a CPU is named"
	if ! command -v taskset >/dev/null || [ "${cpus%[-,]*}" = "$cpus" ]; then
		skip "$what" "no two CPUs to choose from"
	else
		taskset -c "${cpus##*[-,]}" sh -c 'while :; do :; done' &
		loop=$!
		live_alone
		# Words on purpose.
		# shellcheck disable=SC2086
		OMP_NUM_THREADS=1 ranks 1 $live_first taskset -c "${cpus%%[-,]*}" "$ompprof" run -q -o slow.out ./hybrid 0.2 0 : \
			-n 1 taskset -c "${cpus##*[-,]}" "$ompprof" run -q -o slow.out ./hybrid 0.2 0 >said 2>messages
		live_first=
		kill "$loop"
		"$ompprof" report -i slow.out --format json >json
		lacked=$(jq -c '[.threads[] | select(.type == "initial") | .not_running_s]' json)
		if ! jq -en --argjson lacked "$lacked" '$lacked | length == 2 and .[1] > 1.5 * .[0] + 0.3' >said; then
			skip "$what" "the other rank lacked a CPU, too: $lacked s"
		else
			check "$what, $lacked s ($(jq -c '[.advice[] | [.name, .text]]' json))" jq -e '[.advice[] |
				select(.name == "the whole of rank 1" and .cause == "mpi" and .gain_s > 0)] | length == 1' json
		fi
	fi

	# Thread 0 waits for a message, and its team for thread 0: the time is MPI's, and stands at the program's call.
	# shellcheck disable=SC2086
	mpicc.$mpi $row_flags $row_include "$srcdir/tests/processes/mpi_late.c" -o late $row_link || broken "cannot build mpi_late.c"
	ranks 2 "$ompprof" run -q -o late.out ./late 0.5 >said 2>messages
	"$ompprof" report -i late.out --format json >late.json
	is "$mpi: a rank that sleeps has no uneven work" \
		"$(jq '[.advice[] | select(.text | test("mean work"))] | length' late.json)" 0
	check "$mpi: ... but it sleeps, and the other waits for it" jq -e '[.advice[] | select(.text |
		test("^rank 1 sleeps 0[.][56].* s in u?sleep|^rank 1 sleeps 0[.][56].* s in .*nanosleep"))] as [$one] |
		$one.cause == "mpi" and $one.gain_s > 0' late.json
	is "$mpi: ... and sleep in MPI_Init is time in MPI" \
		"$(jq -c '[.advice[] | select(.cause == "blocked" and (.name | test("MPI_"))) | .name]' late.json)" "[]"
	"$ompprof" report -i late.out --rank 0 --format json >json
	truth=$(cat said)
	lacked=$(jq '[.threads[].not_running_s] | add' json)
	got=$(jq '[.waits[] | select(.kind == "barrier") | .causes[] | select(.name | test("MPI_Recv|had no CPU")) | .blame_s] | add' json)
	what="$mpi: a late message is to blame for its team's wait, $got of $truth s"
	if awk -v truth="$truth" -v lacked="$lacked" 'BEGIN { exit !(lacked > 0.8 * truth) }'; then
		skip "$what" "its threads had no CPU for $lacked s"
	else
		check "$what" near "$got" "$truth" \
			"$(awk -v truth="$truth" -v lacked="$lacked" 'BEGIN { print 0.05 * truth + 0.01 + lacked }')"
	fi
	is "$mpi: ... at the program's call" "$(jq -r '.nodes as $nodes | .nodes[] | select(.wait.mpi > 0) | $nodes[.parent] |
		select($nodes[.parent].name == "receive_late") | .name' json)" MPI_Recv

	check "$mpi: the region with uneven work is named ($(jq -c '[.advice[] | [.cause, .name, .text]]' even.json))" jq -e '
		[.advice[] | select(.name == "parallel in main")] as [$one] | $one.cause == "mpi" and
		($one.text | test("^rank 1 has 1[.][456] times the ranks. mean work here")) and
		($one.gain_s - 0.4 | fabs) < 0.12' even.json

	# Rank 1 is late three times: each call is timed, whether the library spins or sleeps.
	# shellcheck disable=SC2086
	mpicc.$mpi $row_flags $row_include "-I$srcdir" "$srcdir/tests/processes/mpi_calls.c" -o calls $row_link ||
		broken "cannot build mpi_calls.c"
	ranks 2 "$ompprof" run -q -o calls.out ./calls 0.2 >said 2>messages
	"$ompprof" report -i calls.out --rank 0 --format json >json
	is "$mpi: arguments and results pass as they are" "$(wc -w <said)" 3
	truth=$(awk '{ print $1 + $2 + $3 }' said)
	got=$(jq '[.threads[] | select(.type == "initial") | .mpi_s + .not_running_s] | add' json)
	check "$mpi: three late messages are time in MPI, $got of $truth s" \
		awk -v got="$got" -v truth="$truth" 'BEGIN { exit !(got > 0.95 * truth) }'
	is "$mpi: ... each at its line" "$(jq -r '.nodes as $nodes | [.nodes[] | select(.wait.mpi > 0) | .parent as $call |
		$nodes[$call] | $nodes[.parent].name + " " + .name] | .[]' json | grep -E '^(receive|meet|complete) ' | sort |
		tr '\n' ' ')" "complete MPI_Wait meet MPI_Barrier receive MPI_Recv "
	check "$mpi: ... no longer than it was" jq -e --argjson truth "$truth" '.nodes as $nodes | [.nodes[] |
		select(.wait.mpi > 0) | select($nodes[$nodes[.parent].parent].name | test("receive|meet|complete")) |
		.wait.mpi] | add < 1.02 * $truth' json
	# What the other slot's thread had no CPU for is told as that.
	check "$mpi: ... and of the other slot, as it is serial code ($(jq -c '[.summary.mpi_s, .summary.threads,
		[.threads[] | [.type, .mpi_s, .not_running_s]]]' json))" jq -e '(.summary.mpi_s * .summary.threads) as $slots |
		([.threads[] | select(.type == "initial") | .mpi_s] | add) as $one |
		([.threads[] | select(.type != "initial") | .not_running_s] | add) as $lacked |
		$slots < 1.05 * 2 * $one and $slots > 0.95 * 2 * $one - $lacked' json
	check "$mpi: --pop has the processes' efficiency" sh -c '"$0" report -i calls.out --pop --format csv |
		cut -d , -f 2 | tr "\n" " " | grep -q "process serial .*efficiency threads"' "$ompprof"

	# Who came last to which call: the ranks tell their arrivals, and those are not counted.
	# shellcheck disable=SC2086
	mpicc.$mpi $row_flags $row_include "-I$srcdir" "$srcdir/tests/processes/mpi_collectives.c" -o collectives \
		$row_link || broken "cannot build mpi_collectives.c"
	for n in 2 4; do
		ranks $n "$ompprof" run -q -o c$n.out ./collectives 0.2 >said 2>messages
		"$ompprof" report -i c$n.out --format json >json
		late=$(jq -c '[.rank_waits.late[] | [.function, .rank, .wait_s, .calls]]' json)
		for call in meet_after_sleep meet_after_work send_late; do
			truth=$(awk -v call=$call '$1 == call { print $2, $3 }' said)
			check "$mpi: $n ranks: $call: late by rank and thread-s: $truth; $late" jq -e \
				--argjson rank "${truth% *}" --argjson truth "${truth#* }" --arg call $call '
				[.rank_waits.late[] | select(.function == $call)] as [$one] | $one.calls == 1 and
				$one.rank == $rank and ($one.wait_s - $truth | fabs) < 0.05 * $truth + 0.005' json
		done
		# The root waited. Whether others did depends on how the library hands on their data.
		for call in gather_late reduce_late; do
			truth=$(awk -v call=$call '$1 == call { print $2, $4, $3 }' said)
			check "$mpi: $n ranks: $call: late by rank, root-s and thread-s: $truth; $late" jq -e \
				--arg truth "$truth" --arg call $call '($truth / " " | map(tonumber)) as [$rank, $root, $all] |
				[.rank_waits.late[] | select(.function == $call)] as [$one] | $one.calls == 1 and $one.rank == $rank and
				([$root, $all] | any(. - $one.wait_s | fabs < 0.05 * $root + 0.005))' json
		done
		check "$mpi: $n ranks: nobody is blamed where a rank left early; $late" jq -e '
			[.rank_waits.late[] | select(.function == "take_late")] | length == 0' json
		check "$mpi: $n ranks: blame and the rest are the time in MPI: $(jq -c '.rank_waits | del(.late)' json)" \
			jq -e '.rank_waits | ([.late[].wait_s] | add) + .unblamed_s - .mpi_s | fabs < 0.000001' json
		check "$mpi: $n ranks: ... calls on MPI_COMM_WORLD: eight of each rank, six of them recorded" jq -e '
			.rank_waits | .calls == 8 and .compared == 6 and .compared_s < 1.01 * .mpi_s' json
	done
	# With more than 8 * 510 calls about half of them are kept, by all ranks the same.
	ranks 2 "$ompprof" run -q -o many.out ./collectives 0 5000 >said 2>messages
	check "$mpi: many calls: a part is kept ($("$ompprof" report -i many.out --format json |
		jq -c '.rank_waits | del(.late)'))" sh -c '"$0" report -i many.out --format json | jq -e ".rank_waits |
		.calls == 5008 and .compared > 2400 and .compared < 2600"' "$ompprof"

	if mpif90.$mpi -fopenmp "$srcdir/tests/processes/mpi_fortran.f90" -o fortran >log 2>&1; then
		ranks 2 "$ompprof" run -q -o fortran.out ./fortran >said 2>messages
		is "$mpi: Fortran: the program is as alone" "$(cat said)" "  3  3  3"
		"$ompprof" report -i fortran.out --rank 0 --format json >json
		is "$mpi: ... a call has one number, in Fortran and in C, and the late rank is known" "$(
			"$ompprof" report -i fortran.out --format json |
			jq -c '.rank_waits | [.calls, .compared, .late[0].rank]')" "[2,2,1]"
		is "$mpi: ... a call counts once, though it calls another" "$(jq -r '.nodes as $nodes | .nodes[] |
			select(.wait.mpi > 0) | $nodes[.parent].name + " " + (.waits | tostring)' json | grep -i barrier)" \
			"mpi_barrier_f08_ 1"
	else
		skip "$mpi: Fortran" "cannot build a program: $(head -n 1 log)"
	fi

	before=$(ls p)
	ranks 4 "$ompprof" run -q -F 1000 -o p ./hybrid 0.05 >said 2>messages
	is "$mpi: the next job: its ranks" "$(ls p | wc -l) $(cat said messages)" "4 hybrid: 4 ranks"
	is "$mpi: ... and the one before, whole" "$(ls p.old)" "$before"
	"$ompprof" report -i p --format json >json
	check "$mpi: ... the last of four ranks has 1.75 times the mean work ($(jq -c '[.advice[] | [.name, .text]]' json))" jq -e '
		[.advice[].text] | any(test("^rank 3 has 1[.][78] times"))' json
	# Words on purpose.
	# shellcheck disable=SC2046
	LD_LIBRARY_PATH=$row_lib timeout 60 "$ompprof" run -q -o q -- $(launcher) 2 ./hybrid 0.1 >said 2>messages
	is "$mpi: ompprof run mpirun: the program as alone" "$? $(cat said)" "0 hybrid: 2 ranks"
	"$ompprof" report -i q --format json >json
	is "$mpi: ... both ranks count, and mpirun does not" \
		"$(jq -c '[.processes[] | [.rank, .counted]]' json)" "[[0,true],[1,true],[null,false]]"
done
plan
