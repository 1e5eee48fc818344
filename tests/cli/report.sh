#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# ompprof report as a command: what it prints for profiles whose programs do not exist (names are
# addresses then), options, bad input, a full disk, a pager, colour; and JSON that other programs
# read, with sums that agree.
. "$srcdir/tests/tap.sh"

ompprof=${OMPPROF_TEST_COMMAND:-$builddir/ompprof}
data=$srcdir/tests/data
[ -x "$ompprof" ] || broken "the command '$ompprof' is not there"
"$ompprof" report --help 2>/dev/null | grep -q '^Usage: ompprof report' ||
	skip_all "this ompprof does not know 'report'"
tap_scratch
unset OMPPROF_PAGER PAGER NO_COLOR COLUMNS

. "$srcdir/tests/cli/scenes.sh"

scene cg killed hostile long plain asleep waits unblamed guessed empty timed
mkdir "$scratch/folder" "$scratch/empty"
cp "$scratch/cg.ompprof" "$scratch/folder/host-1.ompprof"
scene_job
# A job that has much to say, and a program without OpenMP that another one began, as env(1) does.
mkdir "$scratch/four" "$scratch/begun"
rank=0
for scene in waits unblamed guessed waits; do
	cp "$scratch/$scene.ompprof" "$scratch/four/host-$rank.ompprof"
	rank=$((rank + 1))
	poke "$scratch/four/host-$((rank - 1)).ompprof" 836 $rank
	poke "$scratch/four/host-$((rank - 1)).ompprof" 840 5
done
# A program with a trace that was killed.
poke "$scratch/timed.ompprof" 20 2
cp "$scratch/killed.ompprof" "$scratch/empty.ompprof" "$scratch/begun"
poke "$scratch/begun/empty.ompprof" 20 1
# Jobs of which one file has a version of the format that nobody reads: the first, the second, the last.
for rank in 0 1 2; do
	cp -r "$scratch/job" "$scratch/spoilt-$rank"
	poke "$scratch/spoilt-$rank/host-$((rank + 1))-rank$rank.ompprof" 8 99
done
cd "$scratch" || broken "cannot enter the scratch folder"

# golden FILE OPTION...: the output must be tests/data/FILE; or becomes it.
golden() {
	expected=$data/$1
	shift
	if ! "$ompprof" report "$@" >out 2>err; then
		cat err
		return 1
	fi
	if [ -n "${OMPPROF_UPDATE_GOLDEN-}" ]; then
		cp out "$expected"
	fi
	diff "$expected" out && ! [ -s err ]
}

# fails STATUS STDERR OPTION...: the command must end so, and print nothing on stdout.
fails() {
	status=$1 stderr=$2
	shift 2
	got=0
	"$ompprof" report "$@" >out 2>err || got=$?
	[ "$got" -eq "$status" ] || { echo "status $got, not $status"; cat err; return 1; }
	[ ! -s out ] || { echo "something on stdout"; return 1; }
	printf '%s\n' "$stderr" | diff - err
}

# usage_error MESSAGE OPTION...
usage_error() {
	message=$1
	shift
	fails 2 "ompprof: $message
Try 'ompprof report --help' for more information." "$@"
}

# The layout alone: the figures are the metrics', which have tests of their own.
shows() {
	want=$1
	shift
	"$ompprof" report -i cg.ompprof "$@" >out 2>err || { cat err; return 1; }
	cat out
	grep -q "$want" out && ! [ -s err ]
}
check "by region" shows '^gain s wall s .*region' --by region
check "by wait" shows '^thread-s .*waiting for' --by wait
check "by wait, reversed" shows '^thread-s .*code waited for' --by wait --reverse -n 3
check "by thread" shows '^useful .*thread' --by thread
check "by construct" shows '^thread-s .*construct that threads waited at' --by construct
check "by lock" shows '^wait s .*lock' --by lock
check "by task" shows '^created .*task' --by task --percent-limit 0
check "by function" shows '^self% .*function' --by function --sort wait
check "by line" shows '^self% .*line' --by line -n 3
check "by module" shows ' cg$' --by module
check "the efficiency" shows 'parallel efficiency, the product of these' --pop

check "the summary" golden cli/cg-summary.txt -i cg.ompprof
check "a job" golden cli/job-summary.txt -i job
check "... its ranks" golden cli/job-rank.txt -i job --by rank
check "... its threads" golden cli/job-thread.txt -i job --by thread
check "... its tree" golden cli/job-tree.txt -i job --tree -n 20
check "... all its warnings" golden cli/job-warnings.txt -i job --warnings
check "... one rank of it is as alone" sh -c '"$0" report -i job --rank 1 --tree |
	diff "$1/cli/cg-tree.txt" -' "$ompprof" "$data"
check "a summary of four ranks says what to fix first" sh -c 'COLUMNS=80 "$0" report -i four >out &&
	cat out && grep -q "^  1  -.* s " out && ! grep -q " All 0" out && [ "$(wc -l <out)" -le 24 ]' "$ompprof"
is "how many ranks a table leaves out" "$("$ompprof" report -i four --by rank -n 2 | grep '^(')" \
	"(2 more processes past the first 2, together 4.27 s useful)"
is "what only began another program is listed, but does not count" "$("$ompprof" report -i begun \
	--by process | sed -n 's/.* pid [0-9]* //p')" "cg (not counted)
cg (incomplete)"
# without RANK: what is shown of the job without the rank's file.
without() {
	left=$(echo "rank 0 rank 1 rank 2" | sed "s/rank $1 *//; s/ *$//")
	for format in text csv json; do
		"$ompprof" report -i "spoilt-$1" --format $format ${2-} >"out.$format" 2>err ||
			{ echo "status $?, $format"; cat err; return 1; }
	done
	"$ompprof" report -i "spoilt-$1" --warnings >out || return 1
	cat out
	grep -q "1 file .*cannot be read" out || return 1
	"$ompprof" report -i "spoilt-$1" --by rank >out || return 1
	cat out
	grep -q "  host-$(($1 + 1))-.*ompprof (cannot be read)" out || return 1
	[ "$(grep -o "rank [0-9]" out | tr '\n' ' ' | sed 's/ $//')" = "$left" ]
}
for rank in 0 1 2; do
	check "a job without the file of rank $rank, which is of another version" without $rank
done
check "the call tree" golden cli/cg-tree.txt -i cg.ompprof --tree
check "all frames" golden cli/cg-full.txt -i cg.ompprof --tree --view=full --percent-limit 0
check "flat" golden cli/cg-flat.txt -i cg.ompprof --flat -n 5 --sort=wait
check "bottom-up" golden cli/cg-bottom-up.txt -i cg.ompprof --bottom-up --limit 2 --no-inline
check "JSON" golden cli/cg.json -i cg.ompprof --format json
check "... the tree as CSV" golden cli/cg-tree.csv -i cg.ompprof --tree --format csv
check "... ranks as CSV" golden cli/job-rank.csv -i job --by rank --format csv
# narrow FILE OPTION...: as golden, 60 columns wide.
narrow() {
	export COLUMNS=60
	golden "$@"
}
check "... ranks in a narrow table" narrow cli/job-rank-narrow.txt -i job --by rank
check "a killed program" golden cli/killed-summary.txt -i killed.ompprof
# part_warns OPTION...: the first warning of a part of the run, which ends before the program did.
part_warns() {
	"$ompprof" report -i timed.ompprof --time 1ms..5ms "$@" >out 2>err || { cat err; return 1; }
	cat out
	[ "$(grep -m 1 '^warning:' out)" = \
		"warning: incomplete (killed or still running): this is the first 1.00 s" ]
}
for view in --tree --flat "--by function" "--by thread"; do
	# shellcheck disable=SC2086
	check "... a part of its run, $view" part_warns $view
done
check "a folder stands for its profile" golden cli/cg-tree.txt -i folder --tree
check "no colour in a pipe" sh -c '! "$1" report -i cg.ompprof | grep -q "$(printf "\033")"' - \
	"$ompprof"
check "colour when asked for" sh -c '"$1" report -i cg.ompprof --color=always |
	grep -q "$(printf "\033")"' - "$ompprof"
check "no pager in a pipe" sh -c '[ "$(OMPPROF_PAGER="echo PAGED" "$1" report -i cg.ompprof \
	--tree | grep -c PAGED)" = 0 ]' - "$ompprof"

check "help" sh -c '"$1" report -h | grep -q "^Usage: ompprof report"' - "$ompprof"
check "an unknown option" usage_error "unknown option '--tre e'
ompprof: hint: did you mean '--tree'?" "--tre e"
check "an unknown short option" usage_error "unknown option '-z'" -z
check "a missing argument" usage_error "option '--sort' needs an argument" --sort
check "an argument where none is taken" usage_error "option '--tree=2' takes no argument" --tree=2
check "an unknown column to sort by" usage_error "no column 'colour' in '--by lock': there are \
wait, acquired, contended, contended%, wait_mean, wait_max, held, hold_mean, hold_max, held%, \
estimated%, threads, kind, impl, name, file, line, place" --by lock -s colour
check "... or to show" usage_error "no column '' in '--by task': there are created, executed, \
creators, busy, mean, max, stolen%, starved, blocks, awaiting, await, cancelled, detached, fulfilled, \
estimated%, name, function, file, line, place" \
	--by task -f name,,busy
check "an unknown format" usage_error "option '--format' takes text, json, csv, html or quickfix, not 'xml'" --format xml
check "a limit that is no number" \
	usage_error "option '--limit' wants a whole number from 1 on, not '0x2'" -n 0x2
check "a percentage out of range" usage_error \
	"option '--percent-limit' wants a percentage from 0 to 100, not '100.01'" \
	--percent-limit 100.01
check "two views" usage_error "options '--tree' and '--bottom-up' exclude each other" --tree \
	--bottom-up
check "a limit without a view" usage_error "option '--limit' needs '--tree', '--flat', \
'--bottom-up' or '--by'" -n 3
check "a limit of --pop" usage_error "option '--percent-limit' needs '--tree', '--flat', \
'--bottom-up' or '--by'" --pop --percent-limit 2
check "an order without a view" usage_error "option '--sort' needs '--tree', '--flat', \
'--bottom-up' or '--by'" -s work
check "columns without a table" usage_error "option '--fields' needs '--tree', '--flat', \
'--bottom-up' or '--by'" -f cause --pop
check "a depth of a list" usage_error "option '--max-depth' needs '--tree' or '--bottom-up'" \
	--flat --max-depth 2
check "a depth of a table" usage_error "option '--max-depth' needs '--tree' or '--bottom-up'" \
	--by wait --max-depth 2
check "CSV of what is no table" usage_error "option '--warnings' shows no table: it has no CSV" \
	--warnings --format csv
check "an unknown table" usage_error "option '--by' takes region, construct, wait, thread, phase, lock, \
task, target, device, event, loop, function, line, module, process or rank, not 'lane'
ompprof: hint: did you mean 'line'?" --by lane
check "two tables" usage_error "options '--by region' and '--by wait' exclude each other" \
	--by region --by wait
check "a table and a tree" usage_error "options '--tree' and '--by thread' exclude each other" \
	--tree --by thread
check "the other way round of what has none" usage_error "option '--reverse' needs '--by wait'" \
	--by region --reverse
check "... and in JSON" usage_error "option '--reverse' needs '--by wait'" --reverse --format json
check "a table of all frames" \
	usage_error "options '--by region' and '--view full' exclude each other" \
	--by region --view full
check "a table of trees apart" \
	usage_error "options '--pop' and '--by-thread' exclude each other" --pop --by-thread
check "an argument" usage_error "unexpected argument 'y'" x y

# one_sentence OPTION...: status 1, nothing on stdout, one line or a line and a hint on stderr.
one_sentence() {
	got=0
	"$ompprof" report "$@" >out 2>err || got=$?
	cat err
	[ "$got" -eq 1 ] && [ ! -s out ] || return 1
	[ "$(grep -vc '^ompprof: hint: ' err)" -eq 1 ] && ! grep -qv '^ompprof: ' err
}

head -c 100 cg.ompprof >short.ompprof
printf 'not a profile, but long enough to hold one, if it were one\n' >text.ompprof
: >nothing.ompprof
check "no profile here" one_sentence
check "... and a hint" grep -q "^ompprof: hint: .*ompprof run" err
check "a folder without a profile" one_sentence -i empty
check "a file that is too short" one_sentence -i short.ompprof
check "a file that is no profile" one_sentence -i text.ompprof
check "an empty file" one_sentence -i nothing.ompprof

# Cut anywhere, a file gives a report or a sentence.
cut_anywhere() {
	size=$(wc -c <cg.ompprof)
	for part in 1 2 3 4 5 6 7 8 9; do
		head -c $((size * part / 10)) cg.ompprof >cut.ompprof
		got=0
		"$ompprof" report -i cut.ompprof --tree >out 2>err || got=$?
		[ "$got" -le 1 ] || { echo "status $got at $part/10"; return 1; }
	done
}
check "a truncated file" cut_anywhere
head -c 81920 cg.ompprof >cut.ompprof
check "... which the summary says" sh -c '"$1" report -i cut.ompprof |
	grep -q "^warning: the file is truncated"' - "$ompprof"

if [ -w /dev/full ]; then
	full() {
		got=0
		"$ompprof" report -i cg.ompprof "$@" >/dev/full 2>err || got=$?
		[ "$got" -eq 1 ] && grep -q "cannot write to standard output" err
	}
	check "a full disk" full
	check "a full disk, JSON" full --format json
else
	skip "a full disk" "no /dev/full"
	skip "a full disk, JSON" "no /dev/full"
fi

# On a terminal: script(1) makes one.
on_terminal() {
	TERM=${on_term-xterm} script -qec "$1" /dev/null </dev/null
}
if command -v script >/dev/null; then
	check "colour on a terminal" sh -c 'printf "%s" "$1" | grep -q "$(printf "\033")"' - \
		"$(on_terminal "'$ompprof' report -i cg.ompprof")"
	check "no colour with NO_COLOR" sh -c '! printf "%s" "$1" | grep -q "$(printf "\033")"' - \
		"$(NO_COLOR=1 on_terminal "'$ompprof' report -i cg.ompprof")"
	check "no colour on a dumb terminal" sh -c \
		'! printf "%s" "$1" | grep -q "$(printf "\033")"' - \
		"$(on_term=dumb on_terminal "'$ompprof' report -i cg.ompprof")"
	check "a pager on a terminal" sh -c 'printf "%s" "$1" | grep -q "PAGED.*main"' - \
		"$(OMPPROF_PAGER="sed 's/^/PAGED/'" on_terminal \
			"'$ompprof' report -i cg.ompprof --bottom-up; '$ompprof' report -i cg.ompprof \
			--tree --view=full" | sed 's/cg+0x1144/main/')"
	check "OMPPROF_PAGER goes before PAGER" sh -c 'printf "%s" "$1" | grep -q "FIRST"' - \
		"$(PAGER=cat OMPPROF_PAGER="sed 's/^/FIRST/'" on_terminal \
			"'$ompprof' report -i cg.ompprof --tree")"
	check "no pager with --no-pager" sh -c '! printf "%s" "$1" | grep -q "PAGED"' - \
		"$(PAGER="sed 's/^/PAGED/'" on_terminal \
			"'$ompprof' report -i cg.ompprof --tree --no-pager")"
	check "a pager that ends at once does no harm" on_terminal \
		"OMPPROF_PAGER=true '$ompprof' report -i long.ompprof --tree --percent-limit 0"
else
	skip "a terminal" "no script(1)"
fi

# json_sums OPTION...: the nodes' sums are the run's.
json_sums() {
	"$ompprof" report -i cg.ompprof --format json "$@" >out || return 1
	jq -en 'input | (([.nodes[].samples] | add) == .run.samples)
		and ([.nodes[].id] == [range(.nodes | length)])
		and (all(.nodes[]; .parent == null or .parent < .id))
		and ([.nodes[] | select(.parent == null) | .kind] == ["root"])
		and (([.nodes[].work_s] | add) - 2.215 | fabs < 1e-9)
		and (([.nodes[].wait[]] | add) - 0.727 | fabs < 1e-9)' out
}
if command -v jq >/dev/null; then
	check "JSON: sums" json_sums
	check "JSON: sums of the full view" json_sums --view=full
	check "JSON: sums by thread" json_sums --by-thread
	# Each figure names nodes that are there; in other views there are none to name.
	traceable() {
		"$ompprof" report -i cg.ompprof --format json >out || return 1
		jq -en 'input | (.nodes | length) as $n
			| [.advice, .regions, .waits, .locks, .tasks, [.waits[].causes[]]]
			| all(.[][]; .node < $n)' out &&
			jq -en 'input | .summary | ([.useful_s, .serial_s, .imbalance_s, .lock_s, .task_s,
				.overhead_s, .short_team_s, .not_running_s, .blocked_s] | add) - .wall_s
				| fabs < 1e-6' out
	}
	check "JSON: figures and their nodes" traceable
	check "JSON: figures of other views have no nodes" sh -c \
		'"$1" report -i cg.ompprof --format json --view full |
		jq -s -e ".[0] | (.nodes | length) > 1 and ([.regions[].node] | all(. == null))"' - "$ompprof"
	for scene in killed hostile; do
		check "JSON: $scene is read by jq" sh -c \
			'"$1" report -i "$2" --format json | jq -s -e ".[0].nodes | length > 1"' - \
			"$ompprof" "$scene.ompprof"
	done
	# summaries_agree FILE: text, CSV and JSON have the same table, and the same number of threads.
	summaries_agree() {
		"$ompprof" report -i "$1" --format json >json && "$ompprof" report -i "$1" --format csv >csv || return 1
		"$ompprof" report -i "$1" | sed -n 's/.* wall, \([0-9]*\) threads*,.*/\1/p' >threads
		# Causes are divided by the CPU slots, and each without its zero is in CSV.
		jq -r 'def ns: . * 1e9 | round; .summary |
			if .classes then .classes | del(.total_s, .asleep_threads) | to_entries[] | "\(.key) \(.value | ns)"
			else to_entries[] | select(.key | IN("useful_s", "serial_s", "imbalance_s", "lock_s", "task_s",
				"overhead_s", "short_team_s", "not_running_s", "blocked_s")) | select(.value > 0) |
				"\(.key) \(.value | ns)" end' json | sort >wanted
		jq -r .summary.threads json | diff threads - || return 1
		tr -d '\r' <csv | sed 's/"[^"]*"/text/' | awk -F, 'NR > 1 && ($3 != "0.0") {
			printf "%s_s %.0f\n", $2, ($3 == "" ? $4 : $3) * 1e9 }' | sort | diff wanted -
	}
	for scene in waits plain asleep; do
		check "the summary of '$scene' is the same as text, CSV and JSON" summaries_agree $scene.ompprof
	done
	locale=$(locale -a 2>/dev/null | grep -m 1 -iE '^(de|fr|nl|da)_' || echo C)
	check "JSON: the locale ($locale) changes nothing" sh -c \
		'LC_ALL="$2" "$1" report -i cg.ompprof --format json | diff "$3" -' - \
		"$ompprof" "$locale" "$data/cli/cg.json"
else
	skip "JSON: sums" "no jq"
fi
if command -v python3 >/dev/null; then
	check "JSON: hostile names are read by python" sh -c \
		'"$1" report -i hostile.ompprof --format json |
		python3 -c "import json, sys; json.loads(sys.stdin.buffer.read().decode())"' - "$ompprof"
else
	skip "JSON: hostile names are read by python" "no python3"
fi
plan
