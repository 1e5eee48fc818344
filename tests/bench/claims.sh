#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Claims of what threads share (bench/claims.c): each row of `make bench-claims` has its figures, none of the claims that
# threads make at once is given to two of them, and what a few threads claim now and then is there.
. "$srcdir/tests/tap.sh"

folder=$(mktemp -d "${TMPDIR:-/tmp}/ompprof-claims.XXXXXX") || exit 99
trap 'rm -rf "$folder"' EXIT

# claims VARIABLE=VALUE...: its table is in `table`, and its status is the function's; it has a profile of its own for
# each figure, in the folder.
claims() {
	env BENCH_TURNS=1 "$@" TMPDIR="$folder" "$builddir/bench/claims" >"$folder/table" 2>"$folder/messages"
}

# figures: how many lines of the table have how many figures, as `N*FIGURES`; those of claims that failed left out.
figures() {
	sed 's/([^)]*)//g' "$folder/table" | awk 'NR > 1 {
		n = 0
		for (i = 1; i <= NF; i++)
			n += $i ~ /^[0-9]+$/
		print n }' | sort | uniq -c | awk '{ print $1 "*" $2 }' | tr '\n' ' '
}

# without_loss VARIABLE=VALUE...: the same until no claim fails, three times at most: the thread that makes the file longer
# can lose its CPU, and then the others' claims fail, as they do not wait for it.
without_loss() {
	claims "$@" || claims "$@" || claims "$@"
}

# Two that are wrong meet seldom: several turns.
if claims BENCH_TURNS=9 BENCH_CLAIMS="segment,mutex,region" BENCH_THREADS="2 8"; then
	ok "no two threads get the same"
else
	not_ok "no two threads get the same" "$(cat "$folder/table" "$folder/messages")"
fi
is "... of three rows" "$(figures)" "3*4 "
without_loss BENCH_PART=8 BENCH_THREADS="1 4 64"
is "a line for each, with six figures" "$?: $(figures)" "0: 12*6 "
is "nothing is left in the folder" "$(ls "$folder")" "$(printf 'messages\ntable')"
without_loss BENCH_PART=1024 BENCH_THREADS=4
is "claims that are few are all there" "$?: $(figures)$(grep -o failed "$folder/table")" "0: 12*2 "
without_loss BENCH_PART=1024 BENCH_THREADS=2 BENCH_CLAIMS="node,walk"
is "rows can be chosen" "$?: $(awk 'NR > 1 { print $1 }' "$folder/table" | tr '\n' ' ')" "0: node walk "
plan
