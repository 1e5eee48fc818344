#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What walks cost: walks.c, and what the tool itself counts in a program of 40,000 regions. `make bench`
# and `make bench-walks` run it in the build folder; BENCH_WALKS=0 leaves it out of the former.
set -u

plugin=.libs/ompprof-walk-libunwind.so
walkers="cfi libunwind"
if [ ! -e "$plugin" ]; then
	echo "left out: libunwind (the plug-in is not built)"
	plugin=none
	walkers=cfi
fi
bench/walks "$plugin"

. "${0%/*}/scratch.sh"

# captures WALKER CALLS: "N ns each" that captures cost with CALLS calls around the regions.
captures() {
	./ompprof run -q --unwind "$1" -o "$scratch/profile" -- bench/kernels/regions 0.2 "$2" \
		>/dev/null 2>&1 &&
		./ompprof info -i "$scratch/profile" | sed -n 's/^  captures .*, \([0-9.]* [a-z]*\) each$/\1/p'
	rm -rf "$scratch/profile"
}

echo
echo "captures in a real run, whole"
for calls in 1 6 36; do
	line=
	for walker in $walkers; do
		line="$line   $walker $(captures "$walker" "$calls")"
	done
	echo "$calls calls inside main:$line"
done
