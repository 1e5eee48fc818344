#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The page of ompprof diff --html: its file, what is refused, and what a person does with it, in a browser (diff.js).
# The profiles are made up: of changed waits, of programs that cannot be compared, of events, of more threads, and
# of repeated runs.
. "$srcdir/tests/tap.sh"

ompprof=${OMPPROF_TEST_COMMAND:-$builddir/ompprof}
[ -x "$ompprof" ] || broken "the command '$ompprof' is not there"
tap_scratch
. "$srcdir/tests/cli/scenes.sh"
. "$srcdir/tests/html/browser.sh"
scene cg waits mutexes hostile events empty
cd "$scratch" || broken "cannot enter the scratch folder"

# repeated FOLDER SERIES MS...: runs of one series.
repeated() {
	mkdir "$1"
	folder=$1 number=$2
	shift 2
	for ms; do
		number=$((number + 1))
		"$builddir/tests/unit/scenes/write_scene" waits "$folder/host-$number.ompprof" "$number:$number:$ms" \
			OMPPROF_REPEAT=$((number / 100 * 100)) || broken "cannot write a scene"
	done
}
repeated before 100 10 30 20
repeated after 200 1010 1030 1020

# page NAME BEFORE AFTER: the page and the JSON.
page() {
	"$ompprof" diff "$2" "$3" --html "$1.html" >"$1.said" 2>&1 || echo "status $?" >>"$1.said"
	is "a page is made of $1, and nothing is said" "$(cat "$1.said")" ""
	"$ompprof" diff "$2" "$3" --format json >"$1.json" || broken "no JSON of $1"
}
page changed waits.ompprof mutexes.ompprof
page apart cg.ompprof waits.ompprof
page hostile empty.ompprof hostile.ompprof
page events events.ompprof events.ompprof
page scaled empty.ompprof waits.ompprof
page repeated before after

"$ompprof" diff waits.ompprof mutexes.ompprof --html - >out.html
check "'--html -' prints the same page" cmp out.html changed.html
is "the policy lets nothing in" "$(grep -c "content=\"default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]\{43\}='; \
script-src 'sha256-[A-Za-z0-9+/]\{43\}='; base-uri 'none'; form-action 'none'\"" changed.html)" 1
sed -n '/<noscript>/,/<.noscript>/p' changed.html | sed -e '1,/<pre>/d' -e '/<.pre>/,$d' \
	-e 's/&lt;/</g' -e 's/&gt;/>/g' -e 's/&amp;/\&/g' >summary.txt
COLUMNS=80 "$ompprof" diff waits.ompprof mutexes.ompprof >expected.txt
check "without scripts there is the comparison as text" cmp summary.txt expected.txt

# refused DESCRIPTION STATUS SENTENCE OPTION...
refused() {
	description=$1 status=$2 sentence=$3
	shift 3
	said=$("$ompprof" diff waits.ompprof mutexes.ompprof "$@" 2>&1 >/dev/null | head -n 1)
	"$ompprof" diff waits.ompprof mutexes.ompprof "$@" >/dev/null 2>&1
	is "$description" "$? $said" "$status ompprof: $sentence"
}
refused "a table" 2 "options '--html' and '--by' exclude each other: the page has its own views" --html a.html --by region
refused "a limit" 2 "options '--html' and '--limit' exclude each other: the page has its own views" --html a.html -n 3
refused "another format" 2 "options '--html' and '--format json' exclude each other" --html a.html --format json
refused "force without a file" 2 "option '--force' needs '--html FILE'" --force
cp cg.ompprof profile.html
refused "a profile is not replaced" 2 "cannot write 'profile.html': it is a profile" --force --html profile.html
echo mine >mine.html
refused "nor is a file of somebody else" 2 \
	"cannot write 'mine.html': it is there, and not a file that ompprof wrote" --html mine.html
check "... but with --force" "$ompprof" diff waits.ompprof mutexes.ompprof --force --html mine.html
check "a page is replaced" "$ompprof" diff cg.ompprof cg.ompprof --html mine.html
refused "a condition that holds" 1 "condition 'wall<+5%' holds: 2.00 -> 2.00 s, 0 s (0.0 %), one run each: error at least 0 s" --html held.html --fail-if 'wall<+5%'
check "... and the page is written" [ -s held.html ]

run_in_browser diff.js
plan
