#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# ompprof export as a command: its options, where a file goes, and what is left of it when that fails. What is in
# the files is totals.sh's and the readers'.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/export/export.sh"

scene cg waits hostile empty killed events
cd "$scratch" || broken "cannot enter the scratch folder"

# fails STATUS STDERR OPTION...: the command must end so, print nothing on stdout and leave no file.
fails() {
	status=$1 stderr=$2
	shift 2
	ls -A >before
	got=0
	"$ompprof" export "$@" >out 2>err || got=$?
	[ "$got" -eq "$status" ] || { echo "status $got, not $status"; cat err; return 1; }
	[ ! -s out ] || { echo "something on stdout"; return 1; }
	printf '%s\n' "$stderr" | diff - err || return 1
	ls -A | grep -vxE 'out|err|after' >after
	grep -vxE 'out|err|after' before | diff - after
}

# usage_error MESSAGE OPTION...
usage_error() {
	message=$1
	shift
	fails 2 "ompprof: $message
Try 'ompprof export --help' for more information." "$@"
}
touch before after out err

check "no format" usage_error "option '--format' is needed" -i cg.ompprof
check "... and none by the name of the output" usage_error \
	"option '--format' is needed: the name of the output does not say which" -i cg.ompprof -o x.txt
check "an argument" usage_error "unexpected argument 'x'" --format folded y x
check "no such format" sh -c '"$1" export --format gif 2>err; [ $? -eq 2 ] &&
	grep -q "^ompprof: option .--format. takes .*folded.*, not .gif.$" err' - "$ompprof"
check "filters that exclude each other" usage_error \
	"options '--view machine' and '--region' exclude each other" --format folded --view machine --region x
check "no profile" fails 1 "ompprof: cannot read 'nothing': No such file or directory
ompprof: hint: record a profile with: ompprof run COMMAND" \
	--format folded -i nothing -o x.folded
check "no folder to write to" fails 1 "ompprof: cannot write 'cg.ompprof/x.folded': Not a directory" \
	-i cg.ompprof -o cg.ompprof/x.folded
mkdir folder
check "a folder in the file's place" fails 1 "ompprof: cannot write 'folder': Is a directory" \
	-i cg.ompprof --format folded -o folder
check "a profile is not replaced" fails 1 "ompprof: cannot write 'waits.ompprof': it is a profile" \
	-i cg.ompprof --format folded -o waits.ompprof
check "a metric of a format that has all" usage_error \
	"options '--format csv' and '--metric' exclude each other: it has all metrics" --format csv --metric wait
check "... of one that has states" usage_error "options '--format chrome' and '--metric' exclude each other: it has \
the time of each state, and no other metrics" --format chrome --metric wait
check "events of a profile by time" fails 1 \
	"ompprof: cannot export events: 'cg.ompprof' is not a profile by an event" \
	-i cg.ompprof --format folded -o - --metric events
if [ "$(id -u)" -eq 0 ]; then
	check "a folder that cannot be written" sh -c '"$1" export -i cg.ompprof -o /proc/x.folded 2>err
		[ $? -eq 1 ] && grep -q "^ompprof: cannot write ./proc/x.folded.: " err &&
		[ "$(wc -l <err)" -eq 1 ]' - "$ompprof"
else
	mkdir -m 555 locked
	check "a folder that cannot be written" fails 1 \
		"ompprof: cannot write 'locked/x.folded': Permission denied" -i cg.ompprof -o locked/x.folded
fi
head -c 100 cg.ompprof >short.ompprof
check "a profile that is cut short in its header" sh -c '"$1" export -i short.ompprof -o x.folded 2>err
	[ $? -eq 1 ] && [ "$(wc -l <err)" -eq 1 ] && [ ! -e x.folded ]' - "$ompprof"

for format in $formats; do
	check "$format: standard output is the file" sh -c '"$1" export -i cg.ompprof --format "$2" -o - >out &&
		"$1" export -i cg.ompprof --format "$2" -o file -q && [ -s file ] && cmp out file && rm file' \
		- "$ompprof" "$format"
	check "$format: a full disk" fails 1 "ompprof: cannot write '/dev/full': No space left on device" \
		-i cg.ompprof --format "$format" -o /dev/full
	check "$format: a full disk as standard output" sh -c '"$1" export -i cg.ompprof --format "$2" -o - \
		>/dev/full 2>err; [ $? -eq 1 ] &&
		[ "$(cat err)" = "ompprof: cannot write '\''standard output'\'': No space left on device" ]' \
		- "$ompprof" "$format"
	check "$format: a limit on files leaves what was there, and nothing beside it" sh -c '
		rm -rf kept && mkdir kept && echo before >kept/file &&
		(trap "" XFSZ; ulimit -f 0; "$1" export --force -i cg.ompprof --format "$2" -o kept/file 2>/dev/null)
		[ "$(cat kept/file)" = before ] && [ "$(ls -A kept)" = file ]' - "$ompprof" "$format"
	check "$format: nothing in the profile" export_to "$format" empty.out empty.ompprof
	head -c 90000 cg.ompprof >part.ompprof
	check "$format: a profile that is cut short" export_to "$format" part.out part.ompprof
done

if [ "$has_sqlite" ]; then
	skip "sqlite: a build without it" "this one has libsqlite3"
else
	check "sqlite: a build without it" fails 1 \
		"ompprof: cannot export as 'sqlite': ompprof was built without libsqlite3" -i cg.ompprof -o x.sqlite
fi

check "the suffix says which, and the end line where it is" sh -c '"$1" export -i cg.ompprof -o x.folded 2>err &&
	grep -q "^ompprof: x.folded; view with: flamegraph.pl" err && grep -q "^.*;.* [0-9][0-9]*$" x.folded' \
	- "$ompprof"
check "the default name" sh -c 'mkdir d && cd d && "$1" export -i ../cg.ompprof --format folded -q &&
	cmp ompprof.folded ../x.folded' - "$ompprof"
echo old >file
chmod 640 file
ln -s file link
check "a file is replaced, through a link, and keeps its mode" sh -c '"$1" export -q -i cg.ompprof \
	--format folded --force -o link && cmp file x.folded && [ -L link ] && [ "$(stat -c %a file)" = 640 ]' \
	- "$ompprof"
check "a new file has what the umask leaves" sh -c 'umask 027; "$1" export -q -i cg.ompprof -o new.folded &&
	[ "$(stat -c %a new.folded)" = 640 ]' - "$ompprof"
check "a pipe is written to" sh -c 'mkfifo pipe && { "$1" export -q -i cg.ompprof --format folded -o pipe & } &&
	cmp pipe x.folded' - "$ompprof"
plan
