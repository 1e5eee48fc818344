#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Random events, within the specification and outside it; see random.py. RANDOM_SEEDS of each.
. "$srcdir/tests/tap.sh"
tap_scratch
n=${RANDOM_SEEDS:-60}
for kind in well ill; do
	python3 "$srcdir/tests/runtime/random.py" $kind 1 "$n" >>"$scratch/random.txt" || broken "no random events"
done
"$builddir/tests/runtime/scripted" "$scratch/random.txt"
