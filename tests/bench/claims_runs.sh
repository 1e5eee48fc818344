#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `make bench-claims` at a tiny size (bench/claims.py): the table of bench/claims, and claims counted in profiles of kernels.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
. "$srcdir/tests/bench/bench.sh"

bench_programs kernels/compute kernels/regions
printf '#!/bin/sh\nexec "%s" "$@"\n' "$builddir/bench/claims" >bench/claims && chmod +x bench/claims

# claims VARIABLE=VALUE...
claims() {
	bench_run claims.py BENCH_CLAIMS=walk BENCH_PART=1024 BENCH_THREADS=2 BENCH_FACTOR=0.02 TMPDIR="$live_folder" "$@"
}

claims BENCH_KERNELS=regions
is "it runs" "$?: $(cat messages)" "0: "
is "the table of claims" "$(awk '$1 == "walk" && $2 > 0 && $3 > 0 { print NF }' table)" 3
sed '1,/^claims of/d' table >runs
is "what two runs claim: segments and records of two threads and a region, nothing lost" \
	"$(awk '{ n = NF - 6; print n, $(n + 1), ($(n + 2) > 0), ($(n + 3) >= 6), ($(n + 4) >= 5), ($(n + 5) > 0), $NF }' runs)" \
	"1 2 1 1 1 1 0
2 2 1 1 1 1 0"
is "a trace has more segments" "$(awk '{ n[NR] = $(NF - 3) } END { print (n[2] > n[1]) }' runs)" 1
claims BENCH_REAL=0
is "the first table alone" "$?: $(awk '{ print $1 }' table | tr '\n' ' ')" "0: median, walk "
rm bench/claims bench/kernels/regions
claims BENCH_KERNELS=regions
is "what is not there is left out" "$? $(sed 's/ (..*)/ (why)/' table | grep '^left out' | tr '\n' ,)" \
	"0 left out: claims (why),left out: regions of 2 threads (why),left out: regions of 2 threads (why),"
plan
