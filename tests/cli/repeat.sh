#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Repeated and labelled runs: ompprof run --repeat with a program that needs no OpenMP; and of runs that are made up,
# which run is shown, how diff compares them, and ompprof history.
. "$srcdir/tests/tap.sh"

ompprof=${OMPPROF_TEST_COMMAND:-$builddir/ompprof}
[ -x "$ompprof" ] || broken "the command '$ompprof' is not there"
tap_scratch
unset OMPPROF_PAGER PAGER NO_COLOR OMPPROF_LABEL
cd "$scratch" || broken "cannot enter the scratch folder"

# ends STATUS COMMAND...: it must end so; its output is left in out and err.
ends() {
	want=$1 got=0
	shift
	"$@" >out 2>err || got=$?
	[ "$got" -eq "$want" ] || { echo "status $got, not $want"; cat err; return 1; }
}

# prints REGEX OPTION...: status 0, nothing on stderr, and a line of the output matches.
prints() {
	regex=$1
	shift
	ends 0 "$ompprof" "$@" && cat out err && [ ! -s err ] && grep -qE "$regex" out
}

# says STATUS REGEX OPTION...: it ends so, and a line on stderr matches.
says() {
	status=$1 regex=$2
	shift 2
	ends "$status" "$ompprof" "$@" && cat err && grep -qE "$regex" err
}

# make_runs FOLDER SERIES FIRST ENV MS...: a run of "waits" for each MS that it takes longer.
make_runs() {
	mkdir -p "$1"
	folder=$1 series=$2 number=$3 env=$4
	shift 4
	for ms; do
		number=$((number + 1))
		"$builddir/tests/unit/scenes/write_scene" waits "$folder/host-$number.ompprof" \
			"$number:$number:$ms" "OMPPROF_REPEAT=$series" "$env" ||
			broken "cannot write a scene"
	done
}

wall_of() {
	"$ompprof" report -i "$1" --format json | jq "$2"
}

make_runs a 100 100 X=1 50 10 400 30 20
make_runs b 200 200 X=1 1010 1050 1000 1030 1020
make_runs one 300 300 X=1 50
mkdir stray
cp a/host-10[1-3].ompprof stray
"$builddir/tests/unit/scenes/write_scene" waits stray/host-9.ompprof 900:900:5 || broken "no scene"

# --- which run is shown
check "the number of runs" prints '^median of 5 runs: [0-9.]+ s wall, all [0-9.]+ to [0-9.]+ s$' report a
check "... above each view" prints '^median of 5 runs: ' report a --flat
check "... in info" prints '^Median of 5 runs$' info a
check "a single run of it" sh -c '! "$1" report one | grep -q "^median of"' - "$ompprof"
check "a later run that is not of the series" sh -c '! "$1" report stray | grep -q "^median of"' - "$ompprof"
if command -v jq >/dev/null; then
	check "the median is shown" sh -c '"$1" report a --format json | jq -e ".run |
		(.walls_s | length) == 5 and .walls_s == (.walls_s | sort) and .walls_s[2] == .wall_s"' - "$ompprof"
	mkdir cut
	cp a/* cut
	# Without its end a profile is incomplete: the flags are at offset 20.
	printf '\002' | dd of=cut/host-103.ompprof bs=1 seek=20 conv=notrunc 2>/dev/null
	printf 'x' | dd of=cut/host-104.ompprof conv=notrunc 2>/dev/null
	check "a file that is no profile is left out, and said" prints \
		'^warning: 1 file in the folder is no profile: a process or a run can be missing$' report cut
	check "... in a comparison, too" prints "^warning: 'cut' has 1 file that is no profile: a run can be missing$" \
		diff cut b
	cp a/host-104.ompprof cut
	check "an incomplete run is left out" [ "$(wall_of cut '.run.walls_s | length')" = 4 ]
	check "... and the shorter of the middle is shown" sh -c '"$1" report cut --format json |
		jq -e ".run | .walls_s[1] == .wall_s"' - "$ompprof"
else
	skip "the median is shown" "no jq"
fi
# The gains of the serial code are about 0.32 s in four runs and 0.6 s in one; those of the lock are all the same.
check "an item's gain has an error" prints '^  2  -0\.323 [+]-0\.348 s +serial ' report a
check "... none if all runs have the same gain" grep -qE '^  1  -0\.440 [+]-0 s +lock ' out
check "... in why" prints '^  2  -0\.[0-9]+ [+]-0\.[0-9]+ s +serial ' why a 2
check "... but not of one run" sh -c '! "$1" report one | grep -q "[+]-"' - "$ompprof"
check "the median run in why" prints '^median of 5 runs: ' why a
check "... in annotate" prints '^median of 5 runs: ' annotate a
check "... in an export" says 0 '^ompprof: median of 5 runs: ' export --format folded -o folded a
check "merge takes the median run" says 0 "^ompprof: of the 5 runs in 'a' only the median run is merged$" \
	merge -o a.merged a
check "... which is shown alike" sh -c '"$1" report a --flat --format csv >x &&
	"$1" report a.merged --flat --format csv | diff x -' - "$ompprof"

# --- diff
check "five runs each" prints '^\(medians of 5 runs each: changes of wall below [0-9.]+ s mean nothing\)$' diff a b
check "... the wall time has an error" prints '^  total .* \+0.990 +0.[0-9]+$' diff a b
check "one run and five" prints '^\((one run, and the median of 5|one run, and)' diff one b
check "a change that is larger than the error" ends 1 "$ompprof" diff --fail-if 'wall>+1% sure' a b
check "... is said" grep -q "holds: .* medians: error " err
check "runs that are alike" ends 0 "$ompprof" diff --fail-if 'wall>+0.01% sure' a a
mkdir broken
cp a/* broken
# damage FILE: the version of its format, at offset 8, is one that nobody reads.
damage() {
	printf '\377' | dd of="$1" bs=1 seek=8 conv=notrunc 2>/dev/null
}
damage broken/host-102.ompprof
check "a damaged run is an error" ends 2 "$ompprof" diff broken b
check "... in one sentence that names it" sh -c '[ "$(wc -l <err)" -eq 1 ] && grep -q host-102 err'

# --- history
mkdir runs
make_runs runs/first 1000 1000 OMPPROF_LABEL=v1 10 20 30
make_runs runs/second 2000 90000 OMPPROF_LABEL=v2 15 25 35
make_runs runs/third 3000 190000 OMPPROF_LABEL=v3 1010 1020 1030
check "a history" prints '^ompprof: .*   3 labels, [0-9]+ threads$' history runs
check "... from the first to the last" prints '^first: v1, 1970-01-01, median of 3 runs$' history runs
check "... whose change is sure" prints '^ *[0-9.]+ +[0-9.]+ +\+1.00 +[0-9.]+ yes +▁▁█ +wall time$' history runs
check "... in the current folder" sh -c 'cd runs && "$1" history | grep -q "3 labels"' - "$ompprof"
check "... of folders by name, in order of time" prints '^last:  v2, ' history runs/second runs/first
check "... which is not sure" prints ' (no|\?) +▄▄ +wall time$' history runs/second runs/first
check "... as CSV" prints '^first_s,last_s,change_s,error_s,sure,kind,name' history --format csv runs
if command -v jq >/dev/null; then
	check "... as JSON" sh -c '"$1" history --format json runs | jq -e "
		.format == \"ompprof-history\" and [.labels[].label] == [\"v1\", \"v2\", \"v3\"]
		and (.rows[0] | .kind == \"wall\" and .sure and (.change_s - 1 | fabs) < 1e-9)
		and any(.rows[]; .kind == \"region\") and all(.rows[]; .values_s | length == 3)"' - "$ompprof"
fi
cp -r a runs/none
make_runs runs/bad 4000 290000 OMPPROF_LABEL=v4 5
damage runs/bad/host-290001.ompprof
mkdir runs/other
"$builddir/tests/unit/scenes/write_scene" plain runs/other/host-1.ompprof 500:500:0 OMPPROF_LABEL=v0 ||
	broken "no scene"
printf 'x' >runs/second/host-77.ompprof
check "profiles that are left out" says 0 "^ompprof: left out: 'runs/none' has no label$" history runs
check "... one that is damaged" grep -qE "^ompprof: left out: .*host-290001" err
check "... one of another program" grep -qE "^ompprof: left out: label 'v0' " err
check "... and the others are shown" grep -q '3 labels' out
check "a file that is no profile" grep -q \
	"^ompprof: 'runs/second' has 1 file that is no profile: a run can be missing$" err
check "one label" says 1 "^ompprof: there is only one label, 'v1': a history needs two$" history runs/first
check "no label" says 1 "^ompprof: there is no profile with a label$" history a
check "no such folder" says 1 "^ompprof: left out: .*nowhere" history nowhere

# --- runs
check "a program is run again" ends 0 "$ompprof" run --repeat 3 -o live -- sh -c 'echo hello'
is "... with its output" "$(tr '\n' ' ' <out)" "hello hello hello "
check "... one line says so" grep -qE '^ompprof: 3 runs, the median: .* -> live ' err
is "... each run has a file" "$(find live -name '*.ompprof' | wc -l)" 3
echo line >input
check "each run reads the same file" sh -c '"$1" run -q --repeat 2 -o live -- sh -c "read x; echo \$x" <input >out &&
	[ "$(tr "\n" " " <out)" = "line line " ]' - "$ompprof"
check "the second run fails" ends 3 "$ompprof" run --repeat 4 -o live -- sh -c '[ -e once ] && exit 3; : >once'
check "... which is said" grep -qx "ompprof: 'sh' ended with status 3 in run 2 of 4: nothing more is run, 1 run \
before it is kept" err
is "... its profile is set aside" "$(find live -name '*.ompprof' | wc -l) $(find live -name '*.failed' | wc -l)" "1 1"
check "... and such a folder is replaced" ends 0 "$ompprof" run -q -o live -- sh -c :
export OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=2
check "a rank of a job" says 125 "^ompprof: option '--repeat' cannot repeat a rank of a job$" run --repeat 2 -o rank -- \
	sh -c :
plan
