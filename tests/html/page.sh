#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The page of ompprof report --html: its file, and what a person does with it, in a browser (page.js). The
# profiles are made up, of few nodes and of many, of hostile names, of nothing and of several processes.
. "$srcdir/tests/tap.sh"

ompprof=${OMPPROF_TEST_COMMAND:-$builddir/ompprof}
[ -x "$ompprof" ] || broken "the command '$ompprof' is not there"
tap_scratch
. "$srcdir/tests/cli/scenes.sh"
. "$srcdir/tests/html/browser.sh"
scene cg killed hostile waits empty counted target timed
scene_job
mkdir "$scratch/timedjob"
for rank in 0 1; do
	file=$scratch/timedjob/host-$((rank + 1))-rank$rank.ompprof
	cp "$scratch/timed.ompprof" "$file"
	poke "$file" 836 $((rank + 1))
	poke "$file" 840 2
	poke "$file" 72 $((100 + rank))
done
cd "$scratch" || broken "cannot enter the scratch folder"

for name in cg hostile waits empty; do
	"$ompprof" report -i $name.ompprof --html $name.html >$name.said 2>&1 || echo "status $?" >>$name.said
	is "a page is made of the profile $name, and nothing is said" "$(cat $name.said)" ""
	"$ompprof" report -i $name.ompprof --format json >$name.json || broken "no JSON of $name"
	"$ompprof" report -i $name.ompprof --format json --view full >$name-full.json || broken "no JSON of $name"
done
for name in counted target; do
	"$ompprof" report -i $name.ompprof --html $name.html || broken "no page of $name"
	"$ompprof" report -i $name.ompprof --format json >$name.json || broken "no JSON of $name"
done
"$ompprof" report -i timedjob --html timedjob.html || broken "no page of a job with timelines"
"$ompprof" report -i timed.ompprof --html timed.html || broken "no page of a trace"
"$ompprof" report -i timed.ompprof --format json >timed.json || broken "no JSON of a trace"
"$ompprof" report -i waits.ompprof --tree >waits.txt || broken "no tree"
"$ompprof" report -i job --html job.html || broken "no page of a job"
"$ompprof" report -i job --format json >job.json || broken "no JSON of a job"
"$ompprof" report -i job --format json --view full >job-full.json || broken "no JSON of a job"

"$ompprof" report -i cg.ompprof --format html >out.html
check "'--format html' prints the same page" cmp out.html cg.html
"$ompprof" report -i cg.ompprof --html - >out.html
check "so does '--html -'" cmp out.html cg.html
check "nothing is left beside the file" sh -c '! ls | grep "html\.[^.]*$"'
is "the policy lets nothing in" "$(grep -c "content=\"default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]\{43\}='; \
script-src 'sha256-[A-Za-z0-9+/]\{43\}='; base-uri 'none'; form-action 'none'\"" cg.html)" 1
is "nothing in the page is fetched" "$(grep -c -e 'src=' -e 'href=' -e '@import' -e 'url(' -e 'https*:' cg.html)" 0
check_fails "the page writes no markup from text, and makes no code" \
	grep -n -e innerHTML -e outerHTML -e insertAdjacent -e document.write -e 'eval(' -e 'new Function' cg.html
# A command that wants to be markup.
LC_ALL=C sed 's|\./cg|<b>\&|g' hostile.ompprof >markup.ompprof
"$ompprof" report -i markup.ompprof | grep -q '<b>&' || broken "no markup in the command"
"$ompprof" report -i markup.ompprof --html markup.html || broken "no page of markup"
is "what would be markup in the summary is text" "$(grep -c '<b>' markup.html) $(grep -c '&lt;b&gt;&amp;' markup.html)" "0 1"
sed -n '/<noscript>/,/<.noscript>/p' cg.html | sed -e '1,/<pre>/d' -e '/<.pre>/,$d' \
	-e 's/&lt;/</g' -e 's/&gt;/>/g' -e 's/&amp;/\&/g' >summary.txt
COLUMNS=80 "$ompprof" report -i cg.ompprof >expected.txt
check "without scripts there is the summary" cmp summary.txt expected.txt

# refused DESCRIPTION STATUS SENTENCE OPTION...
refused() {
	description=$1 status=$2 sentence=$3
	shift 3
	said=$("$ompprof" report -i cg.ompprof "$@" 2>&1 >/dev/null | head -n 1)
	"$ompprof" report -i cg.ompprof "$@" >/dev/null 2>&1
	is "$description" "$? $said" "$status ompprof: $sentence"
}
check "folders above it are made" sh -c '"$1" report -i cg.ompprof --html no/such/a.html && [ -s no/such/a.html ]' - "$ompprof"
refused "a name that is a folder" 1 "cannot write 'job': Is a directory" --html job
refused "a view of its own" 2 "options '--html' and '--tree' exclude each other: the page has its own views" \
	--html a.html --tree
refused "a view that it lacks" 2 "options '--html' and '--view machine' exclude each other: the page has its own views" \
	--html a.html --view machine
refused "another format" 2 "options '--html' and '--format json' exclude each other" --html a.html --format json
refused "threads apart" 2 "options '--format html' and '--by-thread' exclude each other: the page has its own views" \
	--format html --by-thread
if [ -w /dev/full ]; then
	refused "a full disk" 1 "cannot write '/dev/full': No space left on device" --html /dev/full
else
	skip "a full disk" "no /dev/full"
fi
cp cg.ompprof profile.html
refused "a profile is not replaced" 1 "cannot write 'profile.html': it is a profile" --html profile.html
echo old >real.html
chmod 640 real.html
ln -s real.html link.html
"$ompprof" report -i cg.ompprof --force --html link.html
check "a page is replaced through a link" cmp real.html cg.html
is "and keeps its mode" "$(stat -c %a real.html) $([ -L link.html ] && echo link)" "640 link"
echo old >kept.html
(
	ulimit -f 8
	trap '' XFSZ
	"$ompprof" report -i cg.ompprof --force --html kept.html
) >/dev/null 2>&1
is "a page that cannot be written leaves the old one" "$? $(cat kept.html) $(ls | grep -c '^kept.html')" "1 old 1"

run_in_browser page.js
plan
