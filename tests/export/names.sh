#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Names that mean harm, of functions, source files, objects and threads, through every format: its reader takes the file,
# and shows the name as text. As they are recorded, not as a scene has them.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/export/export.sh"
. "$srcdir/tests/hostile/hostile_program.sh"
has gcc objcopy python3 jq || skip_all "gcc, objcopy, python3 or jq is not installed"
PATH=$PATH:/usr/share/perl5/Devel/NYTProf
cd "$scratch" || broken "cannot enter the scratch folder"

folder=$(printf 'x;"\033[31m\\<i>\n\377,')
mkdir "$folder"
harmful_program "$folder/$folder.c" "$folder/app" -DDEPTH=200
"$ompprof" run -q -F 1000 -o p.ompprof -- "./$folder/app" >said 2>&1 || broken "no profile: $(head -n 1 said)"

name=$("$ompprof" export --format csv -i p.ompprof -o - | python3 -c 'import csv, sys
print([row["name"] for row in csv.DictReader(sys.stdin) if row["name"].startswith("e;")][0])')
check "the name's parts that are text are there" sh -c 'case $1 in
	*"e;\"'"'"'\\"*"</script>]]>--><b>&amp;,=(1) fn=x 5") ;; *) printf "%s\n" "$1"; false ;; esac' - "$name"
check "... and nothing else" sh -c 'printf "%s\n" "$1" | { ! LC_ALL=C grep -q "[^ -~]"; }' - "$name"
want=$("$ompprof" export --format csv -i p.ompprof -o - | python3 -c 'import csv, sys
print(sum(int(row["time_ns"]) for row in csv.DictReader(sys.stdin) if row["name"].startswith("e;")))')

for format in $formats; do
	check "$format" export_to "$format" "p.$format" p.ompprof
done
lines=$(awk 'END { print NR }' p.csv)
is "csv: no line breaks in names" "$lines" "$(python3 -c 'import csv
print(sum(1 for row in csv.reader(open("p.csv", encoding="utf-8", newline=""), strict=True)))')"
folded=$(printf '%s' "$name" | tr ';' ':')
is "folded: the name, at the end of stacks" "$(NAME=$folded awk '{ value = $NF; sub(/ [0-9]+$/, "")
	n = split($0, frame, ";"); if (frame[n] == ENVIRON["NAME"]) sum += value }
	END { printf "%.0f\n", sum }' p.folded)" "$want"
if has flamegraph.pl xmllint; then
	check "folded: flamegraph.pl" sh -c 'flamegraph.pl p.folded >out 2>err && ! [ -s err ] && xmllint --noout out'
else
	skip "folded: flamegraph.pl" "flamegraph.pl or xmllint is not installed"
fi
if has xmllint; then
	check "svg: xmllint" sh -c 'xmllint --huge --noout p.svg 2>err && ! [ -s err ]'
	is "svg: no element but the picture's" "$(xmllint --huge --xpath \
		'count(//*[local-name()="script" or local-name()="b"])' p.svg)" 0
	check "svg: the name" sh -c 'xmllint --huge --xpath "//*[local-name()=\"title\"]/text()" p.svg |
		grep -qF "&lt;/script&gt;"'
else
	skip "svg" "xmllint is not installed"
fi
if has callgrind_annotate; then
	check "callgrind: callgrind_annotate" sh -c 'callgrind_annotate --threshold=100 --show=time --sort=time \
		p.callgrind >out 2>err && ! [ -s err ] && grep -qF "$1" out' - "$name"
	is "callgrind: its time" "$(NAME=$name awk 'index($0, ENVIRON["NAME"]) { gsub(",", "", $1); print $1 }' out)" \
		"$want"
else
	skip "callgrind" "valgrind is not installed"
fi
if has go; then
	check "pprof: go tool pprof" sh -c 'go tool pprof -raw p.pprof >out 2>err && grep -qF "$1" out' - "$name"
else
	skip "pprof" "go is not installed"
fi
if has sqlite3 && [ "$has_sqlite" ]; then
	printf '%s\n' "$name" | sed "s/'/''/g" >quoted
	is "sqlite: its time" "$(sqlite3 -bail p.sqlite "SELECT sum(amount) FROM value JOIN node ON id = node
		WHERE metric = 'time' AND name = '$(cat quoted)'")" "$want"
	is "sqlite: long names are whole up to 16 KB" \
		"$(sqlite3 p.sqlite "SELECT max(length(name)) FROM node WHERE name LIKE 'lll%'")" 16384
else
	skip "sqlite" "sqlite3 is not installed, or ompprof was built without libsqlite3"
fi
for format in speedscope firefox; do
	case $formats in
	*"$format"*)
		if gzip -t "p.$format" 2>err; then gzip -dc "p.$format" >json; else cp "p.$format" json; fi
		check "$format: jq, and the name" jq -en --arg name "$name" 'input | [.. | strings] | index($name) != null' json
		;;
	esac
done
plan
