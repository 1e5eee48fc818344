#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tests/readers/fetch.sh with an npm that is none: only what was installed as a whole counts as installed.
srcdir=$(cd "$srcdir" && pwd)
. "$srcdir/tests/tap.sh"
folder=$(mktemp -d) || broken "no scratch folder"
trap 'rm -rf "$folder"' EXIT
cd "$folder" || broken "no scratch folder"
mkdir bin

# npm_does SCRIPT: what the next `npm ci` does in its folder.
npm_does() {
	printf '#!/bin/sh\necho "$*" >>"%s/called"\nmkdir -p node_modules\n%s\n' "$folder" "$1" >bin/npm
	chmod +x bin/npm
	rm -f called
}

fetch() {
	PATH=$folder/bin:$PATH READERS_LIMIT=${limit:-60} sh "$srcdir/tests/readers/fetch.sh" readers >said 2>&1
}

# n_calls: how often npm was called since npm_does.
n_calls() {
	cat called 2>/dev/null | wc -l
}

npm_does ': >node_modules/half; kill -KILL $$'
fetch
is "npm is killed" $? 1
npm_does ': >../begun; sleep 60'
PATH=$folder/bin:$PATH sh "$srcdir/tests/readers/fetch.sh" readers >said 2>&1 &
fetcher=$!
for try in $(seq 200); do
	[ ! -e begun ] || break
	sleep 0.05
done
check "npm has begun (try $try)" [ -e begun ]
# As Ctrl-C: all of it.
npm=$(pgrep -f "$folder/bin/npm ci" | head -n 1)
kill -KILL $fetcher
[ -z "$npm" ] || kill -KILL "$npm"
wait $fetcher 2>/dev/null
npm_does ':'
fetch
is "what was interrupted is done again" "$? $(n_calls)" "0 1"
check "... as the lock file says, without scripts" grep -q '^ci --ignore-scripts' called
fetch
is "what is whole is not" "$? $(n_calls)" "0 1"
npm_does 'echo no network; exit 3'
echo >>readers/installed.json
fetch
is "another lock file: done again" "$? $(n_calls)" "1 1"
is "... and npm's own words said" "$(tail -n 1 said)" "no network"
npm_does 'sleep 60'
limit=1
fetch
is "no longer than the limit" "$? $(tail -n 1 said)" "1 not done after 1 s"
npm_does ':'
fetch
is "... and then again" "$? $(n_calls)" "0 1"
rm -rf readers/node_modules
fetch
is "a stamp alone is not enough" "$? $(n_calls)" "0 2"
plan
