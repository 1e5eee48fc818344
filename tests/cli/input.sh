#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Each verb takes its profile as an operand and by -i; and the commands that a report prints show the same profile when
# they are given to a shell.
. "$srcdir/tests/tap.sh"

ompprof=${OMPPROF_TEST_COMMAND:-$builddir/ompprof}
tap_scratch
unset OMPPROF_PAGER PAGER NO_COLOR COLUMNS
. "$srcdir/tests/cli/scenes.sh"
scene cg waits
cd "$scratch" || broken "cannot enter the scratch folder"
mkdir "a folder" ompprof.out
cp waits.ompprof "a folder/it's.ompprof"
cp cg.ompprof ompprof.out/host-1.ompprof

# both VERB OPTION...: an operand, before and after options, is what -i is.
both() {
	verb=$1
	shift
	"$ompprof" "$verb" -i waits.ompprof "$@" >by-i || return 1
	"$ompprof" "$verb" waits.ompprof "$@" >first && "$ompprof" "$verb" "$@" waits.ompprof >last &&
		"$ompprof" "$verb" "$@" --input=waits.ompprof >long &&
		[ -s by-i ] && cmp by-i first && cmp by-i last && cmp by-i long
}

check "report" both report
check "report, a table" both report --by lock
check "info" both info
check "export" both export --format folded -o -
check "annotate, by format" both annotate --format json
check "merge" sh -c '"$0" merge -q -o i -i waits.ompprof -i cg.ompprof && "$0" merge -q -o plain waits.ompprof \
	cg.ompprof && "$0" merge -q -o mixed cg.ompprof -i waits.ompprof && cmp i plain && cmp i mixed' "$ompprof"
check "diff" sh -c '"$0" diff -i cg.ompprof -i waits.ompprof >i && "$0" diff cg.ompprof waits.ompprof >plain &&
	"$0" diff waits.ompprof -i cg.ompprof >mixed && cmp i plain && cmp i mixed' "$ompprof"
check "top" sh -c '"$0" top -i nowhere 2>i; "$0" top nowhere 2>plain; [ -s i ] && cmp i plain' "$ompprof"

# refuses MESSAGE OPTION...: the status is 2, and the first line on stderr says so.
refuses() {
	expected=$1 status=0
	shift
	"$ompprof" "$@" >out 2>err || status=$?
	[ "$status" = 2 ] && [ "$(head -n 1 err)" = "ompprof: $expected" ] || { cat err; return 1; }
}
check "a sysroot that is missing" refuses "cannot look for files below 'nowhere': No such file or directory" report \
	--sysroot nowhere waits.ompprof
check "... or no folder" refuses "cannot look for files below 'waits.ompprof': Not a directory" annotate \
	--sysroot waits.ompprof waits.ompprof
check "two profiles" refuses "unexpected argument 'b'" report a b
check "... one of them by -i" refuses "unexpected argument 'b'" report b -i a
check "annotate: two places" refuses "unexpected argument 'g'" annotate -i waits.ompprof f g
check "annotate: a place in the default profile" sh -c '"$0" annotate nowhere.c 2>err
	grep -q "nowhere.c" err && ! grep -q "cannot read" err' "$ompprof"
check "annotate: a profile and a place" sh -c '"$0" annotate waits.ompprof nowhere.c 2>err
	grep -q "nowhere.c" err && ! grep -q "cannot read" err' "$ompprof"

# next PROFILE: the command that the summary ends with, run by a shell.
next() {
	PATH=${ompprof%/*}:$PATH sh -c "$("$ompprof" report "$1" | sed -n 's/.*next: //p')" >out
}
check "the next command explains the first item" sh -c '"$0" report waits.ompprof |
	grep -q "next: ompprof why waits.ompprof$"' "$ompprof"
check "... and can be pasted" next waits.ompprof
check "... it is that item" sh -c '"$0" why waits.ompprof 1 | cmp - out' "$ompprof"
check "a path with blanks and quotes" next "a folder/it's.ompprof"
check "... it is that profile" sh -c '"$0" why waits.ompprof | sed "s/waits.ompprof/a folder/" >expected
	sed "s/'"'a folder.*ompprof'"'/a folder/" out | cmp - expected' "$ompprof"
mkdir a_folder_whose_name_is_long
cp waits.ompprof a_folder_whose_name_is_long
long=a_folder_whose_name_is_long/waits.ompprof
check "a long path has a line of its own" sh -c 'COLUMNS=80 "$0" report "$1" | grep -q "^  next: "' "$ompprof" "$long"
check "... within the screen" sh -c '[ "$(COLUMNS=80 "$0" report "$1" | wc -l)" -le 24 ]' "$ompprof" "$long"
check "the default profile is not named" sh -c '"$0" report | grep -q "(ompprof report --flat)"' "$ompprof"

# --- what was probably meant
# hints HINT OPTION...: the hint on stderr, "" for none.
hints() {
	expected=$1
	shift
	"$ompprof" "$@" >out 2>err
	[ "$(sed -n 's/^ompprof: hint: //p' err)" = "$expected" ] || { cat err; return 1; }
}
check "a verb" hints "did you mean 'ompprof report'?" help reprot
check "... that is none" hints "" help frobnicate
check "an option: letters swapped" hints "did you mean '--thread'?" report --thraed 1
check "... one too few, with a value" hints "did you mean '--region'?" report --regio=x --reion=x
check "... that is none" hints "" report --frobnicate
check "... of one letter" hints "" report -Z
check "a value" hints "did you mean 'region'?" report --by regoin
check "... that is none" hints "" report --by frobnicate
check "an option that takes no value" hints "" report --tree=x
plan
