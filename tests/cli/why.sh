#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# ompprof why: an item of "Fix first" with its evidence, in text and JSON, and numbers of items that are none.
. "$srcdir/tests/tap.sh"

ompprof=${OMPPROF_TEST_COMMAND:-$builddir/ompprof}
tap_scratch
unset OMPPROF_PAGER PAGER NO_COLOR COLUMNS
. "$srcdir/tests/cli/scenes.sh"
scene waits mutexes native target counted brief cg
cd "$scratch" || broken "cannot enter the scratch folder"

# items PROFILE: the number of items in its summary.
items() {
	"$ompprof" report "$1" | grep -c '^  [1-9]  -'
}

# each PROFILE: each item is explained as the summary has it, and fits the screen.
each() {
	n=$(items "$1")
	[ "$n" -gt 0 ] || { echo "no items"; return 1; }
	"$ompprof" report "$1" >summary
	for i in $(seq "$n"); do
		"$ompprof" why "$1" "$i" >out 2>err || { cat err; return 1; }
		[ "$(head -n 1 out)" = "Fix first, item $i of $n" ] || { head -n 1 out; return 1; }
		sed -n 2,3p out >item
		grep -A 1 "^  $i  -" summary | diff - item || return 1
		COLUMNS=80 "$ompprof" why "$1" "$i" >out || return 1
		! grep -vE '^warning|^  ompprof' out | grep '.\{81\}' || return 1
		grep -qE '^  ompprof report .*--by [a-z]+$' out || return 1
	done
}

# fails MESSAGE OPTION...: the status is 1, the message is all.
fails() {
	expected=$1 got=0
	shift
	"$ompprof" why "$@" >out 2>err || got=$?
	[ "$got" = 1 ] && [ "$(cat err)" = "ompprof: $expected" ] && ! [ -s out ] || { cat err; return 1; }
}

# more FILE: the commands that it names run.
more() {
	sed -n 's/^  \(ompprof [ra].*\)/\1/p' "$1" >commands
	[ "$(wc -l <commands)" -ge 1 ] || return 1
	while read -r line; do
		PATH=${ompprof%/*}:$PATH sh -c "$line" >/dev/null || return 1
	done <commands
}

check "in 60 columns" sh -c 'COLUMNS=60 "$0" why waits.ompprof >out && ! grep "^[^w].\{60\}" out' "$ompprof"
check "without a number it is the first" sh -c '"$0" why waits.ompprof 1 >one && "$0" why waits.ompprof | cmp - one' \
	"$ompprof"
check "... by -i" sh -c '"$0" why -i waits.ompprof 1 | cmp - one' "$ompprof"
check "... the commands can be pasted" more one
for scene in waits mutexes native target counted; do
	check "each item of $scene" each $scene.ompprof
done
check "a program without debug information" sh -c 'grep -qx "  No line is known for it: compile with -g." one'
mkdir job
cp waits.ompprof job/host-1-rank0.ompprof
cp waits.ompprof job/host-2-rank1.ompprof
for rank in 0 1; do
	for file in job/*-rank$rank.ompprof; do
		poke "$file" 836 $((rank + 1))
		poke "$file" 840 2
		poke "$file" 72 $((100 + rank))
	done
done
check "each item of a job" each job
check "... all its threads" sh -c '"$0" why job | grep -c "^  .*thread [1-4]" | grep -qx 8' "$ompprof"
check "one rank of it" sh -c '"$0" why job --rank 1 >out && [ "$(grep -c "^  thread [1-4]" out)" -eq 4 ] &&
	grep -qx "  ompprof report job --rank 1 --by lock" out' "$ompprof"
# The lines of tests/data/waits/quickfix.txt are what tests/unit/command/golden.c expects.
if command -v vim >/dev/null; then
	check "lines for editors: vim goes to each" sh -c '
		vim -es -u NONE -N -c "cfile $1" -c "call writefile(map(getqflist(),
			{_, x -> bufname(x.bufnr) . \":\" . x.lnum}), \"vim\")" -c "qa!" </dev/null
		cut -d: -f1,2 "$1" | diff - vim && [ "$(wc -l <vim)" -eq 3 ]' - "$srcdir/tests/data/waits/quickfix.txt"
else
	skip "lines for editors: vim goes to each" "no vim"
fi
check "... no view but this" sh -c '"$0" report --by lock --format quickfix 2>err; [ $? = 2 ] &&
	grep -q "options .--by lock. and .--format quickfix. exclude each other" err' "$ompprof"
n=$(items waits.ompprof)
check "an item too many" fails "there is no such item: 'Fix first' has $n items" waits.ompprof $((n + 1))
check "item 0" fails "there is no such item: 'Fix first' has $n items" waits.ompprof 0
check "a number of 20 digits" fails "there is no such item: 'Fix first' has $n items" waits.ompprof \
	99999999999999999999
check "too few samples" fails "too few samples to rank losses: run it longer" brief.ompprof
check "waits were not measured" fails "waits were not measured: nothing tells what to fix first" cg.ompprof
check "two profiles" sh -c '"$0" why a b 2>err; [ $? = 2 ] && grep -q "unexpected argument .b." err' "$ompprof"
if command -v jq >/dev/null; then
	check "JSON" sh -c '"$0" why waits.ompprof --format json >why.json &&
		jq -e "(.threads | length > 1) and .item == 1 and (.evidence | length > 0) and
			(.at_best_s + .gain_s - .wall_s | fabs < 1e-6)" why.json' "$ompprof"
	check "... the evidence is the report's" sh -c '"$0" report waits.ompprof --format json |
		jq -e --slurpfile why why.json ".advice[0].evidence == \$why[0].evidence and
			.advice[0].by == \$why[0].by"' "$ompprof"
else
	skip "JSON" "no jq"
fi
plan
