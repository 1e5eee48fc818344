#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# ompprof info as a command: one process and a run of several, as text and as JSON, which says the same.
. "$srcdir/tests/tap.sh"

ompprof=${OMPPROF_TEST_COMMAND:-$builddir/ompprof}
data=$srcdir/tests/data
[ -x "$ompprof" ] || broken "the command '$ompprof' is not there"
tap_scratch
. "$srcdir/tests/cli/scenes.sh"

scene cg killed hostile waits empty
scene_job
cd "$scratch" || broken "cannot enter the scratch folder"
mkdir pair spoilt
cp job/host-1-rank0.ompprof job/host-2-rank1.ompprof pair
cp job/*.ompprof spoilt
# The version of the format, which nobody reads.
poke spoilt/host-2-rank1.ompprof 8 99

# golden FILE OPTION...: the output must be tests/data/FILE; or becomes it.
golden() {
	expected=$data/$1
	shift
	"$ompprof" info "$@" >out 2>err || { cat err; return 1; }
	if [ -n "${OMPPROF_UPDATE_GOLDEN-}" ]; then
		cp out "$expected"
	fi
	diff "$expected" out && ! [ -s err ]
}

check "one process" golden info/waits.txt -i waits.ompprof
check "... as JSON" golden info/waits.json -i waits.ompprof --format json
check "one that was killed" golden info/killed.txt -i killed.ompprof
check "one without anything" golden info/empty.txt -i empty.ompprof
check "a run of several" golden info/job.txt -i job
check "... as JSON" golden info/job.json -i job --format json
check "... one rank of it" sh -c '"$0" info -i job --rank 2 | grep -q "^Rank  *2 of 4$"' "$ompprof"
check "... one process of it" sh -c '"$0" info -i job --process 4709 | grep -q " pid 4709$"' "$ompprof"
check "a file of it that cannot be read" sh -c '"$0" info -i spoilt >out && cat out &&
	grep -q "cannot be read$" out && grep -q "^warning: cannot read .*host-2-rank1.ompprof.*version 99" out' "$ompprof"
"$ompprof" info -i job --rank 7 >out 2>err
is "a rank that is not there" "$? $(cat out)$(wc -l <err)" "1 1"
"$ompprof" info -i job --rank x >out 2>err
is "no rank" "$? $(head -n 1 err)" "2 ompprof: option '--rank' wants a whole number from 0 on, not 'x'"
check "lines fit, in ASCII" sh -c 'for f in waits hostile killed empty; do "$0" info -i $f.ompprof; done >out
	"$0" info -i job >>out
	! grep -vE "^ {4}[0-9a-f]{12}-|^ *Executable|^  /" out | awk "length > 80" | grep . && ! LC_ALL=C grep -n "[^ -~]" out' \
	"$ompprof"

if command -v jq >/dev/null; then
	json() {
		"$ompprof" info -i "$1" --format json | jq -r "$2"
	}
	check "JSON of a hostile profile is JSON" sh -c '"$0" info -i hostile.ompprof --format json | jq . >/dev/null' \
		"$ompprof"
	# sections FILE: the bytes of its sections, the header's segment and what is unused add up to the file.
	for file in waits killed empty; do
		is "the sections of $file are the file" \
			"$(json $file.ompprof '.processes[0] | ([.sections[].bytes] | add) + 16384 == .bytes')" true
		is "... the text has the same numbers" "$("$ompprof" info -i $file.ompprof |
			awk '/^Sections/ { on = 1 } /in all/ && on { print $1, $2 }')" \
			"$(json $file.ompprof '.processes[0] | "\(([.sections[].used_bytes] | add) + 4096) \(.bytes)"')"
		is "... and warnings" "$("$ompprof" info -i $file.ompprof | awk '/^Warnings/ { on = 1; next }
			/^$/ { on = 0 } on && /^  [^ ]/ && $0 != "  none"' | wc -l)" \
			"$(json $file.ompprof '.processes[0].warnings | length')"
	done
	is "warnings of the report, but for names" \
		"$(json killed.ompprof '.processes[0].warnings[]')" \
		"$("$ompprof" report -i killed.ompprof --format json | jq -r '.warnings[]' |
			grep -v 'debug information\|^cannot name')"
	is "samples are those of the threads" "$(json waits.ompprof '.processes[0] |
		.samples == ([.threads[].samples] | add)')" true
	is "a file that cannot be read, as JSON" "$(json spoilt '[.processes[] | has("problem")] | tostring')" \
		"[false,true,false]"
else
	skip "JSON" "jq is not installed"
fi
plan
