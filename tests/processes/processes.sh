# SPDX-License-Identifier: Apache-2.0
# Programs that start others: each process that uses OpenMP has a file of its own, none overwrites another's,
# and the report shows them together, by program; what cannot be profiled is refused.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
live_need jq
live_row omp19-clang19-O2 omp19-clang14-O2 omp14-clang14-O2
ulimit -c 0
LD_LIBRARY_PATH=$row_lib
export LD_LIBRARY_PATH OMP_NUM_THREADS=2
for program in processes hog exits critical; do
	matrix_build "$program.c" "$row" >/dev/null 2>&1 || broken "cannot build $program.c"
done
programs=$builddir/tests/programs/$row
cd "$live_folder" || broken "no scratch folder"

# profile COMMAND...: runs it into a new folder p; leaves said, messages, status and the report as json.
profile() {
	rm -rf p p.old
	status=0
	{ "$ompprof" run -F 250 -o p -- "$@" >said 2>messages || status=$?; } 2>/dev/null
	"$ompprof" report -i p --format json >json 2>report-messages || cat report-messages
}

# counted FILTER: what a filter says of the list of processes that count.
counted() {
	jq -c "[.processes[] | select(.counted)] | $1" json
}

# work_in NAME PERCENT: the share of the named function, of all the work.
work_in() {
	share=$(live_share json ";$1(;|\$)")
	near "$share" "$2" 12 || { jq -r -f "$srcdir/tests/live/paths.jq" json; return 1; }
}

whole='[.processes[] | select(.complete or .replaced | not)] | length == 0'

# --- children
profile "$programs/processes" spawn 1
is "posix_spawn" "$status $(cat said)" "0 processes: 0"
is "... two files" "$(find p -name "*.ompprof" | wc -l)" 2
is "... both count, of one program" "$(counted '[length, (map(.program) | unique | length)]')" "[2,1]"
check "... both whole" jq -e "$whole" json
check "... half of the work each" work_in first_kernel 50
profile "$programs/processes" vfork 1
is "vfork and exec" "$status $(cat said) $(find p -name "*.ompprof" | wc -l)" "0 processes: 0 2"
check "... both whole" jq -e "$whole" json
check "... half of the work each" work_in other_kernel 50
profile "$programs/processes" vexit 1
is "vfork and _exit" "$status $(cat said) $(find p -name "*.ompprof" | wc -l)" "0 processes: 0 1"
check "... the parent's profile is whole" jq -e "$whole" json
check "... and goes on after it" work_in first_kernel 100
# Some runtimes send events as soon as a child is there: then it has a file, else it has none.
profile "$programs/processes" quiet 1
is "a child that leaves OpenMP alone" "$status $(cat said)" "0 processes: 0"
check "... has a file of its own or none" test "$(find p -name "*.ompprof" | wc -l)" -le 2
check "... everything is whole" jq -e "$whole" json
first=$(jq '[.processes[] | select(.threads == 2) | .pid][0]' json)
"$ompprof" report -i p --process "$first" --format json >json
check "... and its work is not in its parent's" work_in first_kernel 100
# libomp allocates their mutexes: where, differs from process to process.
profile sh -c "'$programs/critical' 0.3; '$programs/critical' 0.3"
is "a critical section of two processes is one" \
	"$(jq -r '[.locks[] | select(.kind == "critical") | .name] | join(" ")' json)" "critical(counter)"

# --- exec
profile "$programs/processes" chain 1
is "exec of another program: two files" "$status $(find p -name "*.ompprof" | wc -l)" "0 2"
is "... of one process" "$(jq '[.processes[].pid] | unique | length' json)" 1
is "... the first is marked" "$(counted 'map(.replaced) | sort')" "[false,true]"
check "... with the work of both" work_in first_kernel 50
is "... one after the other, so that there are two slots" "$(jq .summary.threads json)" 2
check "... and no warning that it is incomplete" sh -c '! "$0" report -i p | grep -q incomplete' "$ompprof"
profile sh -c "exec sh -c 'exec $programs/hog 0.1'"
is "a chain of shells: the program that worked" "$(counted 'map(.program)')" '["hog"]'
check "... and its report" work_in hog_kernel 100

# --- scripts
cat >run.sh <<END
#!/bin/sh
"$programs/hog" 0.2
"$programs/hog" 0.1 &
"$programs/processes" work 1 &
wait
exit 3
END
chmod +x run.sh
profile ./run.sh
is "a script: its status" "$status" 3
is "... its programs" "$(counted 'map(.program) | sort')" '["hog","hog","processes"]'
is "... the shell does not count" "$(jq -c '[.processes[] | select(.counted | not) | .openmp]' json)" \
	"[false]"
is "... and is named as the command" "$(jq -r '.run.command[1]' json)" ./run.sh
is "... a node for each program" \
	"$(jq -c '[.nodes[] | select(.kind == "program") | .name] | sort' json)" '["hog","processes"]'
check "... with their work under it" jq -e '
	(.nodes | map({ key: (.id | tostring), value: . }) | from_entries) as $by
	| def top: if .parent == 0 then . else $by[.parent | tostring] | top end;
	[.nodes[] | select(.name == "other_kernel") | top.name] | unique == ["processes"]' json
check "... capacities add up" jq -e '
	([.processes[] | select(.counted) | .capacity_s] | add) as $capacity
	| ([.summary | .useful_s, .serial_s, .imbalance_s, .lock_s, .task_s, .overhead_s, .short_team_s,
		.not_running_s, .held_up_s, .blocked_s] | add) as $wall
	| ([.processes[] | select(.counted) | .useful_s] | add) as $useful
	| ($wall - .summary.wall_s | fabs) < 0.001 * $wall
		and (.summary.efficiency - $useful / $capacity | fabs) < 0.001' json
check "... the first program ran alone: not all slots are there at once" jq -e '.summary.threads <= 4' json
check "... a table of them" sh -c '"$0" report -i p --by process | grep -c "hog$\|processes$\|<- most" |
	grep -q 3' "$ompprof"
is "... one line about all" "$(sed 's/[0-9.]\+/N/g' messages)" \
	"ompprof: N processes, N samples, N threads, N s -> p (N kB); view with: ompprof report -i p"
pid=$(jq '[.processes[] | select(.program == "processes") | .pid][0]' json)
"$ompprof" report -i p --process "$pid" --format json >json
is "--process: one alone" "$(jq -c '[.run.pid, (.processes | length)]' json)" "[$pid,1]"
check "... with its own work" work_in other_kernel 100
is "... one that is not there" "$("$ompprof" report -i p --process 1 2>&1 | sed 's/[0-9, -]*)$/)/')" \
	"ompprof: cannot find process 1 in 'p' (processes:)"
profile sh -c "$programs/exits kill 0.3; $programs/exits exit 0.3; exit 0"
check "one that is killed is told" sh -c '"$0" report -i p |
	grep -q "warning: 1 of 2 processes incomplete: killed, or still running"' "$ompprof"

# --- daemons
profile "$programs/processes" daemon 3
is "a daemon: its parent ends, and so does ompprof run" "$status $(cat said)" "0 processes: 0"
check "... which says that it goes on" grep -q '[12] process.* of it still runs*:' messages
check "... and refuses to write there meanwhile" sh -c '[ ! -e p ] ||
	"$0" run -o p true 2>&1 | grep -q "still writes its profile there"' "$ompprof"
tries=0
while ! "$ompprof" report -i p --format json 2>/dev/null >json ||
	! jq -e '.run.complete and ([.nodes[].name] | index("other_kernel"))' json >/dev/null; do
	tries=$((tries + 1))
	[ $tries -lt 300 ] || break
	sleep 0.1
done
check "... its profile is whole in the end" jq -e .run.complete json
check "... with its work" work_in other_kernel 100

# --- rights
if [ "$(id -u)" = 0 ] && id nobody >/dev/null 2>&1; then
	cp "$programs/hog" gains
	chown nobody gains
	chmod 4755 gains
	rm -rf p
	for how in "it is set-user-ID" "it is set-group-ID"; do
		got=0
		"$ompprof" run -o p ./gains 0.1 >said 2>messages || got=$?
		is "refused: $how" "$got $(cat messages said)" \
			"125 ompprof: cannot profile './gains': $how, so the loader ignores the profiler"
		check "... before anything starts" [ ! -e p ]
		chown "root:$(id -g nobody)" gains
		chmod 2755 gains
	done
	chown nobody gains
	chmod 4755 gains
	printf '#!%s/gains\n' "$PWD" >script
	chmod +x script
	got=0
	"$ompprof" run -o p ./script 2>messages || got=$?
	is "... as an interpreter, too" $got 125
	printf '#!/usr/bin/env %s/gains\n' "$PWD" >script
	got=0
	"$ompprof" run -o p ./script 2>messages || got=$?
	is "... and as what env(1) looks for" $got 125
	chmod 755 .
	profile sh -c "./gains 0.05; $programs/hog 0.1"
	is "within a script it runs without a profile" "$status $(counted 'map(.program)')" '0 ["hog"]'
	chmod 4644 gains
	chown root gains
	got=0
	"$ompprof" run -o p "$PWD/gains" 2>messages || got=$?
	check "a file of one's own gains nothing" sh -c '! grep -q "cannot profile" messages'
else
	skip "programs that gain rights" "only root can make one"
fi
if [ "$(id -u)" = 0 ] && command -v setpriv python3 >/dev/null &&
	cp "$programs/hog" capable && chmod 755 capable . && python3 -c 'import os, struct
os.setxattr("capable", "security.capability", struct.pack("<IIIII", 0x02000001, 0x2000, 0, 0, 0))' \
		2>/dev/null && setpriv --reuid=65534 --clear-groups test -x "$ompprof" -a -x capable; then
	mkdir -m 777 open
	got=0
	setpriv --reuid=65534 --clear-groups "$ompprof" run -o open/p ./capable 0.1 2>messages || got=$?
	is "refused: capabilities" "$got $(cat messages)" \
		"125 ompprof: cannot profile './capable': its file has capabilities, so the loader \
ignores the profiler"
	"$ompprof" run -q -o q ./capable 0.05 >said
	is "... but not for root, who has them" $? 0
else
	skip "programs with capabilities" "no capabilities of files here, or no other user can run ompprof"
fi
plan
