#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# docs/tutorial.md: its commands still print what it shows, but for figures, and man/ompprof-tutorial.7 is made of it.
. "$srcdir/tests/tap.sh"

tap_scratch
page=$srcdir/docs/tutorial.md

check "the manual page is made of it" sh -c 'sh "$0/docs/tutorial.sh" man | diff "$0/man/ompprof-tutorial.7" -' "$srcdir"
if command -v mandoc >/dev/null; then
	check "... and is a page" mandoc -T lint -W error "$srcdir/man/ompprof-tutorial.7"
else
	skip "... and is a page" "no mandoc"
fi

# fixed FILE: the lines of its outputs without figures that are the same in each run.
fixed() {
	awk '/^```$/ { is_block = !is_block; next } is_block' "$1" |
		grep -E '^(\$ |Why$|What to try$|More$|  (Where|Fix first|Threads|now|try) |  ompprof |before: |after: )|^find_neigh' |
		sed 's/  *$//; s/[0-9.]* s  *%$//; s/  work s.*//'
}

make -s -C "$builddir" demo >"$scratch/make" 2>&1 || { cat "$scratch/make"; skip_all "the demo cannot be built"; }
mkdir "$scratch/demo"
cp "$builddir/demo/ljmd" "$scratch/demo/"
cd "$scratch" || broken "cannot enter the scratch folder"
PATH=$builddir:$PATH sh "$srcdir/docs/tutorial.sh" renew >new.md
if grep -q "^no CPU for" new.md || ! grep -q "^  1  .* imbalance " new.md; then
	skip "the outputs have the same shape" "the machine is busy"
else
	fixed "$page" >expected
	fixed new.md >got
	check "the outputs have the same shape" diff expected got
fi
is "... and the text is kept" "$(awk '/^```$/ { is_block = !is_block; next } !is_block' new.md | cksum)" \
	"$(awk '/^```$/ { is_block = !is_block; next } !is_block' "$page" | cksum)"
plan
