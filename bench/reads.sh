#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What ompprof run adds to short calls of the C library, which may block (bench/reads.c): ns of a call without it and
# under it, the medians of BENCH_TURNS (default 5) turns, and their difference.
set -u

file=bench/reads
for turn in $(seq "${BENCH_TURNS:-5}"); do
	echo "bare $("$file" "$file")"
	echo "run $(./ompprof run -q -o bench/reads.tmp -- "$file" "$file" 2>/dev/null)"
done | sort -k 2n | awk '
	{ for (i = 2; i <= 4; i++) at[$1, i, ++n[$1, i]] = $i }
	function median(how, i, m, j, k, t) {
		m = n[how, i]
		for (j = 2; j <= m; j++)
			for (k = j; k > 1 && at[how, i, k - 1] > at[how, i, k]; k--) {
				t = at[how, i, k]; at[how, i, k] = at[how, i, k - 1]; at[how, i, k - 1] = t
			}
		return at[how, i, int((m + 1) / 2)]
	}
	END {
		print "ns of a call               bare      run     more"
		split("x read of /dev/zero|x pread of a file|x read, write of a pipe", name, "|")
		for (i = 2; i <= 4; i++) {
			b = median("bare", i); r = median("run", i)
			printf "  %-22s %8.1f %8.1f %7.1f %%\n", substr(name[i - 1], 3), b, r, 100 * (r - b) / b
		}
	}'
rm -rf bench/reads.tmp
