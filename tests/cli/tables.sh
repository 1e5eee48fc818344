#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The tables of ompprof report: text, CSV and JSON have the same figures, and these add up (tables.py);
# what -f, -s and --format csv do on the command line; widths, pagers, colour.
. "$srcdir/tests/tap.sh"

ompprof=${OMPPROF_TEST_COMMAND:-$builddir/ompprof}
[ -x "$ompprof" ] || broken "the command '$ompprof' is not there"
tap_scratch
unset OMPPROF_PAGER PAGER NO_COLOR COLUMNS LESS
cd "$scratch" || broken "cannot enter the scratch folder"

mkdir job
for scene in cg waits native hostile killed unblamed guessed empty events; do
	"$builddir/tests/unit/scenes/write_scene" "$scene" "$scene.ompprof" ||
		broken "cannot write the scene '$scene'"
done
rank=0
for scene in waits cg waits killed; do
	cp "$scene.ompprof" "job/host-$rank.ompprof"
	# The rank, and of how many, as ompprof-profile(5) has it.
	# shellcheck disable=SC2059
	for at in 836:$((rank + 1)) 840:4 72:$((100 + rank)); do
		printf "\\$(printf %o "${at#*:}")" |
			dd of="job/host-$rank.ompprof" bs=1 seek="${at%:*}" conv=notrunc 2>/dev/null
	done
	rank=$((rank + 1))
done

if command -v python3 >/dev/null; then
	for scene in cg waits native hostile killed unblamed guessed empty; do
		check "$scene: text, CSV and JSON agree, and add up" \
			python3 "$srcdir/tests/cli/tables.py" "$ompprof" "$scene.ompprof"
	done
	check "a job: they agree, and add up" python3 "$srcdir/tests/cli/tables.py" "$ompprof" job
else
	skip "text, CSV and JSON agree" "no python3"
fi

# header OPTION...: the first line of CSV.
header() {
	"$ompprof" report "$@" --format csv | head -n 1 | tr -d '\r'
}
is "columns in the order that is asked for" "$(header -i cg.ompprof --tree -f wait,name,total%,depth)" \
	"wait_s,name,total_share,depth"
is "by their headings, too" "$(header -i waits.ompprof --by region -f 'runs,eff%,gain s')" \
	"executions,efficiency,gain_s"
is "the summary's are its causes" "$(header -i waits.ompprof)" "name,cause,wall_s,thread_s,share"
is "... or, without measured waits, the classes" \
	"$("$ompprof" report -i cg.ompprof --format csv | sed -n 2p | cut -d, -f1-3)" "useful work,work,"
is "... or events" "$(header -i events.ompprof)" "name,cause,wall_s,events,share"
is "CSV cuts nothing" "$("$ompprof" report -i cg.ompprof --flat --format csv | wc -l)" \
	"$("$ompprof" report -i cg.ompprof --flat --percent-limit 0 -f self | wc -l | xargs -I{} expr {} - 1)"
is "... unless it is asked for" \
	"$("$ompprof" report -i cg.ompprof --flat --format csv -n 2 -f self | tr '\r\n' '; ')" \
	"self_s; 1.9; 0.57; "
is "... of a tree by its weight" "$("$ompprof" report -i cg.ompprof --tree --format csv \
	--percent-limit 50 -f depth,total | tail -n 1 | tr -d '\r')" "6,2.486"
is "a hidden column can be sorted by" \
	"$("$ompprof" report -i waits.ompprof --by thread -s tid -f thread | sed -n 2p)" "     4"
is "names are sorted from A on" "$("$ompprof" report -i waits.ompprof --by lock -s name -f name |
	sed -n 2p)" "critical"
check "CSV has no colour" sh -c '! "$1" report -i cg.ompprof --tree --format csv --color=always |
	grep -q "$(printf "\033")"' - "$ompprof"
is "hostile names stay in their lines" "$("$ompprof" report -i hostile.ompprof --tree --format csv |
	tr -d '\n' | tr '\r' '\n' | grep -vc '^[0-9]*,\|^depth')" 0

longest() {
	awk '{ if (length($0) > n) n = length($0) } END { print n }'
}
# whole FILE OPTION...: in a pipe no name, place or column is cut, and no row is left out for want of room.
whole() {
	path=$1
	shift
	"$ompprof" report -i "$path" "$@" >text || return 1
	! grep -n '\.\.\|no room\|: and [0-9]* more: ' text
}
check "no name is cut in a pipe" whole cg.ompprof --tree --view full --percent-limit 0
check "... which COLUMNS=60 cuts" sh -c 'COLUMNS=60 "$1" report -i cg.ompprof --tree --view full \
	--percent-limit 0 | grep -q "[^ ]\.\.[^ ]"' - "$ompprof"
check "no column is" whole waits.ompprof --by region
check "... which COLUMNS=60 leaves out" sh -c 'COLUMNS=60 "$1" report -i waits.ompprof --by region |
	grep -q "^(no room for"' - "$ompprof"
check "no warning is" sh -c '"$1" report -i killed.ompprof | grep -c "^warning: " >n &&
	[ "$("$1" report -i killed.ompprof --warnings | wc -l)" -ge "$(cat n)" ] &&
	! "$1" report -i killed.ompprof | grep "^warning: .*\.\.$\|^warning: and "' - "$ompprof"
is "COLUMNS is the width" "$(COLUMNS=63 "$ompprof" report -i cg.ompprof --tree | longest)" 63
for columns in 0 x 80x -5 ''; do
	is "... if it is a number, not '$columns'" \
		"$(COLUMNS=$columns "$ompprof" report -i cg.ompprof --tree)" \
		"$("$ompprof" report -i cg.ompprof --tree)"
done
is "... within reason" "$(COLUMNS=5 "$ompprof" report -i cg.ompprof --tree | longest)" 60
is "nothing but ASCII of names in ASCII, whatever the locale" "$(LC_ALL=C.UTF-8 "$ompprof" report \
	-i cg.ompprof --tree | LC_ALL=C grep -c '[^ -~]')" 0
check "... which changes nothing" sh -c 'LC_ALL=C "$1" report -i hostile.ompprof --flat >c &&
	LC_ALL=C.UTF-8 "$1" report -i hostile.ompprof --flat | diff c -' - "$ompprof"

# On a terminal: script(1) makes one. The command's status is in the file `status`.
on_terminal() {
	TERM=xterm script -qec "$1; echo \$? >status" /dev/null </dev/null
}
# Nothing but sh and what a test puts there.
mkdir bin
ln -s "$(command -v sh)" bin/sh
if command -v script >/dev/null; then
	is "the width of a terminal" "$(on_terminal "stty cols 70; '$ompprof' report -i cg.ompprof --tree \
		--no-pager --color=never" | tr -d '\r' | longest)" 70
	is "COLUMNS goes before it" "$(on_terminal "stty cols 80; COLUMNS=62 '$ompprof' report -i \
		cg.ompprof --tree --no-pager --color=never" | tr -d '\r' | longest)" 62
	check "without less a report is shown all the same" sh -c \
		'printf "%s" "$1" | grep -q "cg+0x1144"' - "$(on_terminal \
			"PATH=$scratch/bin '$ompprof' report -i cg.ompprof --tree")"
	is "... and it is no failure" "$(cat status)" 0
	is "a pager that is not there is said to be so" "$(on_terminal \
		"PAGER=/none/such '$ompprof' report -i cg.ompprof --tree 2>err" >out; grep -c \
		"^ompprof: cannot run the pager '/none/such'; '--no-pager' " err)" 1
	is "... and is a failure" "$(cat status)" 1
	# The shell that runs the pager expands it.
	# shellcheck disable=SC2016
	is "less gets its options by LESS" "$(on_terminal "PAGER='echo \$LESS; cat >/dev/null' '$ompprof' \
		report -i cg.ompprof --tree" | tr -d '\r')" FRX
	is "... unless there are others" "$(on_terminal "LESS=-S PAGER='echo \$LESS; cat >/dev/null' \
		'$ompprof' report -i cg.ompprof --tree" | tr -d '\r')" -S
	is "a pager and colour are for text alone" "$(on_terminal "PAGER='sed s/^/PAGED/' '$ompprof' report \
		-i cg.ompprof --flat --format csv" | grep -c "PAGED\|$(printf '\033')")" 0
	is "what is quick says nothing of how far it is" "$(on_terminal \
		"'$ompprof' report -i cg.ompprof --tree >/dev/null")" ""
else
	skip "a terminal" "no script(1)"
fi
plan
