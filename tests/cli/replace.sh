#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Files that the command writes take the place of files that it wrote before, in any format, and of no others: each verb
# that takes a file refuses those of other programs, also those of the same format, and leaves them as they are.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/export/export.sh"
has python3 gzip || skip_all "python3 or gzip is not installed"
scene cg waits
cd "$scratch" || broken "cannot enter the scratch folder"

# write VERB FILE [OPTION...]
write() {
	verb=$1 file=$2
	shift 2
	case $verb in
	export) "$ompprof" export -q -i cg.ompprof --format folded -o "$file" "$@" ;;
	report) "$ompprof" report -i cg.ompprof --html "$file" "$@" ;;
	merge) "$ompprof" merge -q cg.ompprof -o "$file" "$@" ;;
	diff) "$ompprof" diff cg.ompprof waits.ompprof --html "$file" "$@" ;;
	*) echo "this test does not know how '$verb' writes a file"; return 1 ;;
	esac
}
verbs=$("$ompprof" help | awk '/^  [a-z]/ { print $1 }' | while read -r verb; do
	! "$ompprof" "$verb" --help | grep -q -e '^  -o, --output FILE ' -e '^ *--html FILE ' || echo "$verb"
done)
[ -n "$verbs" ] || broken "no verb writes a file"

mkdir own other
for format in $formats; do
	export_to "$format" "own/$format" waits.ompprof
	export_to "$format" "own/thread.$format" waits.ompprof --per-thread
done
export_to folded own/none.folded cg.ompprof --state atomic
export_to folded own/idle.folded waits.ompprof --state idle
"$ompprof" report -i waits.ompprof --html own/page
: >own/empty

cd other || broken "cannot enter the folder"
printf 'A letter\nof two lines.\n' >text
printf 'Port 22\nProtocol 2\n' >settings
printf '1 2\n3 4\n' >numbers
printf '1 2\n3 4;\n' >'numbers.folded'
printf 'int x = 1; int y =\n\t 2\n;' >code.c
printf 'samples,seconds\n1,2\n' >samples.csv
printf '# callgrind format\nversion: 1\ncreator: callgrind-3.19.0\n' >callgrind.out.1
printf '<?xml version="1.0"?>\n<svg><title>a plan</title></svg>\n' >plan.svg
printf '<!DOCTYPE html>\n<title>a page</title>\n' >page.html
printf '{"$schema":"https://www.speedscope.app/file-format-schema.json","exporter":"speedscope@1.0"}' >other.speedscope.json
printf '{"displayTimeUnit":"ns","traceEvents":[]}' >other.trace.json
printf '{"libs":[],"meta":{}}' >other.firefox.json
printf 'ompprof ' | gzip >other.pb.gz
python3 -c 'import sqlite3; db = sqlite3.connect("other.sqlite")
db.execute("CREATE TABLE ompprof (ompp)"); db.commit()'
printf '\0' >nul
head -c 100000 /dev/zero >zeros
cd ..

# replaces VERB FILE [OPTION...]
replaces() {
	rm -rf try && mkdir try && cp "$2" try/ && file=try/${2##*/} && verb=$1
	shift 2
	write "$verb" "$file" "$@" >said 2>&1 || { cat said; return 1; }
	rm -rf fresh && mkdir fresh && write "$verb" "fresh/${file##*/}" 2>&1 && cmp "$file" "fresh/${file##*/}"
}
# refuses VERB FILE: with status 1, but diff's 1 is that of a condition.
refuses() {
	rm -rf try && mkdir try && cp -p "$2" try/
	got=0 want=1
	[ "$1" != diff ] || want=2
	write "$1" "try/${2##*/}" >said 2>&1 || got=$?
	[ "$got" -eq $want ] && cmp "$2" "try/${2##*/}" && [ "$(ls -A try)" = "${2##*/}" ] &&
		diff - said <<END
ompprof: cannot write 'try/${2##*/}': it is there, and not a file that ompprof wrote
ompprof: hint: option '--force' replaces it
END
}
# refuses_profile VERB
refuses_profile() {
	cp merged try/merged
	! write "$1" try/merged --force >said 2>&1 && cmp merged try/merged &&
		[ "$(cat said)" = "ompprof: cannot write 'try/merged': it is a profile" ]
}
"$ompprof" merge -q -o merged waits.ompprof
for verb in $verbs; do
	for file in own/*; do
		check "$verb replaces $file" replaces "$verb" "$file"
	done
	case $verb in
	merge) check "merge replaces a merged profile" replaces merge merged ;;
	*) check "$verb refuses a profile, though it is merged" refuses_profile "$verb" ;;
	esac
	for file in other/*; do
		check "$verb refuses $file" refuses "$verb" "$file"
		check "... but with --force" replaces "$verb" "$file" --force
	done
done
cp other/text try/text && ln -s text try/link
check "a file is refused through a link, too" sh -c '! "$1" export -q -i cg.ompprof --format svg -o try/link 2>err &&
	grep -q "not a file that ompprof wrote" err && cmp other/text try/text' - "$ompprof"
for name in $formats; do
	default=$("$ompprof" export -i cg.ompprof --format "$name" 2>&1 | sed 's/^ompprof: //; s/;.*//')
	cp other/text "$default"
	check "$name: a file of the default name" sh -c '! "$1" export -q -i cg.ompprof --format "$2" 2>err &&
		grep -q "not a file that ompprof wrote" err && cmp other/text "$3"' - "$ompprof" "$name" "$default"
done
write export whole.folded || broken "no export"
echo before >appended
check "what the shell appends to is written to" sh -c '"$1" export -q -i cg.ompprof --format folded -o /dev/stdout \
	>>appended && head -n 1 appended | grep -qx before && sed 1d appended | cmp - "$2"' - "$ompprof" whole.folded
check "so is a file that the shell has emptied" sh -c '"$1" export -q -i cg.ompprof --format folded -o /dev/fd/7 \
	7>emptied && cmp emptied "$2"' - "$ompprof" whole.folded
check "and a pipe" sh -c '"$1" export -q -i cg.ompprof --format folded -o /dev/stdout | cmp - "$2"' - "$ompprof" whole.folded
is "--force without a file" "$("$ompprof" report -i cg.ompprof --force 2>&1 | head -n 1)" \
	"ompprof: option '--force' needs '--html FILE'"
plan
