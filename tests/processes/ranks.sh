# SPDX-License-Identifier: Apache-2.0
# The ranks of a job that are started at the same moment share one folder, an older run's is kept once, and none
# loses a file: with the variables of launchers that need not be there. What a real one does is mpi.sh's.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/live/live.sh"
live_need jq timeout
unset OMPI_COMM_WORLD_RANK PMI_RANK PMIX_RANK SLURM_PROCID SLURM_STEP_ID OMPPROF_JOB
cd "$live_folder" || broken "no scratch folder"

ROUNDS=15 RANKS=8
# Held for as long as this is looked at at the end: who finds a lock waits ten seconds for it.
mkdir stuck.lock
{ "$ompprof" run -q -o stuck true; echo "$?"; } >stuck.status 2>stuck.said &
stuck=$!

# slurm STEP RANK COMMAND...: as a task of a step of srun.
slurm() {
	SLURM_JOB_ID=42 SLURM_STEP_ID=$1 SLURM_PROCID=$2 SLURM_STEP_NUM_TASKS=$RANKS
	export SLURM_JOB_ID SLURM_STEP_ID SLURM_PROCID SLURM_STEP_NUM_TASKS
	shift 2
	"$ompprof" run -o p "$@"
}

# start STEP COMMAND...: all ranks at once. Their messages are added up in `messages`.
start() {
	step=$1
	shift
	: >messages
	tasks=
	rank=0
	while [ $rank -lt $RANKS ]; do
		(slurm "$step" $rank "$@" >>said 2>>messages) &
		tasks="$tasks $!"
		rank=$((rank + 1))
	done
	for task in $tasks; do
		wait "$task" || echo "a rank ended with $?" >>messages
	done
}

ranks_in() {
	ls "$1" | sed 's/.*-rank\([0-9]*\)[.]ompprof$/\1/' | sort -n | tr '\n' ' '
}

all="0 1 2 3 4 5 6 7 "
lost= lines=0 round=1 before=none
while [ $round -le $ROUNDS ]; do
	start $round true
	now=$(echo p/*)
	[ "$(ranks_in p)" = "$all" ] || lost="$lost round $round: $(ls p)"
	if [ $round -gt 1 ]; then
		[ "$(echo p.old/*)" = "$(echo "$before" | sed 's,p/,p.old/,g')" ] ||
			lost="$lost round $round: the one before became $(ls p.old)"
	fi
	[ "$(echo p*)" = "p p.old" ] || [ $round = 1 ] || lost="$lost round $round: left $(echo p*)"
	lines=$((lines + $(grep -c 'view with' messages)))
	grep -v "view with\|no OpenMP" messages >>complaints
	before=$now
	round=$((round + 1))
done
is "$RANKS ranks at once, $ROUNDS times: no file lost, the run before kept once" "$lost" ""
is "... one closing line a job" $lines $ROUNDS
is "... which is about all ranks" "$(grep 'view with' messages | sed 's/, [0-9]* samples.*//')" \
	"ompprof: 8 ranks"
is "... and nothing else is said" "$(cat complaints)" ""
is "... one run" "$(for file in p/*; do
	od -A n -t u8 -j 776 -N 8 "$file"
done | sort -u | wc -l)" 1
"$ompprof" report -i p --format json >json
is "the report has all ranks" "$(jq -c '[.processes[].rank]' json)" "[0,1,2,3,4,5,6,7]"
is "... and their number" "$("$ompprof" report -i p | grep -c '8 ranks')" 1
is "info tells the rank" "$("$ompprof" info -i "$(echo p/*-rank3.ompprof)" | grep '^Rank')" \
	"Rank        3 of 8"
is "--rank chooses one" "$("$ompprof" report -i p --rank 5 --format json |
	jq -c '[.processes[].rank]')" "[5]"
is "... that is there" "$("$ompprof" report -i p --rank 8 2>&1)" "ompprof: cannot find rank 8 in 'p' (ranks: 0-7)"

# --- jobs that want the same folder
before=$(ls p)
start 100 ./no-such
is "a job that cannot be started costs no profile" "$(ls p) $(ls p.old)" " $before"
start 101 true
is "... nor does the next" "$(ranks_in p)$(ls p.old) $(echo p*)" "$all$before p p.old"
now=$(ls p)
slurm 101 0 true 2>messages
is "another program of the same job joins" "$(ls p | wc -l) $(ls p.old)" "9 $before"
sed -i 's/^made_ns=.*/made_ns=1/' p/.ompprof-job
now=$(ls p)
slurm 101 0 true 2>messages
is "... unless the folder is old, as job numbers come again" "$(ls p | wc -l) $(ls p.old)" "1 $now"
(slurm 200 0 sleep 3 2>messages) &
sleeper=$!
tries=0
while ! grep -q '^job=.*200' p/.ompprof-job 2>/dev/null && [ $tries -lt 250 ]; do
	tries=$((tries + 1))
	sleep 0.01
done
sed -i 's/^made_ns=.*/made_ns=1/' p/.ompprof-job
got=0
slurm 200 1 true || got=$?
is "... but one that is written to is joined, however old" "$got $(ranks_in p)" "0 0 1 "
got=0
slurm 201 0 true 2>other || got=$?
is "... and not another job's" "$got $(grep -c 'still writes its profile there' other)" "125 1"
wait $sleeper

# --- who is a rank
unset SLURM_STEP_ID SLURM_PROCID SLURM_JOB_ID SLURM_STEP_NUM_TASKS
rm -rf p p.old
SLURM_JOB_ID=42 SLURM_PROCID=0 SLURM_NTASKS=8 "$ompprof" run -q -o p true
SLURM_JOB_ID=42 SLURM_PROCID=0 SLURM_NTASKS=8 "$ompprof" run -q -o p true
is "a batch script of Slurm is no rank" "$(echo p/* p.old/* | grep -c rank) $(ls p | wc -l)" "0 1"
is "... and its runs are runs of their own" "$(ls p.old | wc -l)" 1
rm -rf p p.old
RANKS=1
slurm 7 0 true 2>messages
slurm 7 0 true 2>messages
is "so are two in a shell that srun started as its only task" "$(ls p | wc -l) $(ls p.old | wc -l)" \
	"1 1"
unset SLURM_STEP_ID SLURM_PROCID SLURM_JOB_ID SLURM_STEP_NUM_TASKS

# mpich: as mpiexec of MPICH, which names no job: two ranks, each started by a shell of its own.
mpich() {
	# The inner shells expand theirs.
	# shellcheck disable=SC2016
	sh -c 'for rank in 0 1; do
			PMI_RANK=$rank PMI_SIZE=2 sh -c "sleep 0.0$rank; \"$1\" run -q -o m $2; exit 0" &
		done
		wait' - "$ompprof" "$1"
}
mpich true
is "MPICH: two ranks" "$(ranks_in m)" "0 1 "
first=$(ls m)
mpich true
is "... the next job is another" "$(ranks_in m)$(ls m.old)" "0 1 $first"
OMPPROF_JOB=mine PMI_RANK=0 PMI_SIZE=2 "$ompprof" run -q -o m true
OMPPROF_JOB=mine PMI_RANK=1 PMI_SIZE=2 "$ompprof" run -q -o m true
is "... a job named by hand" "$(ranks_in m)" "0 1 "
for launcher in "OMPI_COMM_WORLD_RANK OMPI_COMM_WORLD_SIZE PMIX_NAMESPACE" \
	"PMIX_RANK SLURM_NTASKS PMIX_NAMESPACE"; do
	# Words on purpose.
	# shellcheck disable=SC2086
	set -- $launcher
	rm -rf o o.old
	for job in 1 2; do
		for rank in 0 1; do
			env "$1=$rank" "$2=2" "$3=$job" "$ompprof" run -q -o o true
		done
	done
	is "$1" "$(ranks_in o)$(ranks_in o.old)" "0 1 0 1 "
done

# --- two runs at the same moment that are no job
rm -rf p p.old
"$ompprof" run -q -o p sleep 0.5 2>one &
one=$!
"$ompprof" run -q -o p sleep 0.5 2>two &
two=$!
wait $one
one=$?
wait $two
is "two that are not of one job: one is refused" \
	"$(printf '%s\n' $one $? | sort -n | tr '\n' ' ')$(ls p | wc -l) $(echo p*)" "0 125 1 p"

wait $stuck
is "a lock that stays is named" "$(cat stuck.status) $(cat stuck.said)" \
	"125 ompprof: cannot make the folder '$PWD/stuck': '$PWD/stuck.lock' has been there for 10 s
ompprof: hint: remove it if no other 'ompprof run' is just starting"
plan
