# SPDX-License-Identifier: Apache-2.0
# No profile, merged file, object or cache, whatever its bytes, makes the offline half crash, hang or take much memory:
# a fixed number of inputs from a fixed seed. With FUZZ_SECONDS=N (`make fuzz`) for N seconds a target, from
# recorded profiles, too.
. "$srcdir/tests/tap.sh"
targets=$builddir/tests/fuzz
[ -x "$targets/fuzz_profile" ] && [ -x "$targets/fuzz_merged" ] && [ -x "$targets/fuzz_object" ] && [ -x "$targets/fuzz_cache" ] ||
	skip_all "no clang with libFuzzer (Debian: clang-19 libclang-rt-19-dev)"
tap_scratch
kept=$targets
if [ -n "${FUZZ_SECONDS-}" ]; then
	seconds=$FUZZ_SECONDS
else
	kept=$scratch
	unset seconds
fi
mkdir -p "$scratch/seeds" "$scratch/caches" "$kept/corpus-profile" "$kept/corpus-merged" "$kept/corpus-object" "$kept/corpus-cache"
# Leaks are looked for, too; what a hostile size asks of malloc is answered as by the machine: with NULL.
ASAN_OPTIONS=allocator_may_return_null=1:detect_leaks=1:symbolize=1
export ASAN_OPTIONS

# fuzz TARGET RUNS LENGTH FOLDER...: one target, with what limits it; what it found stays in $kept.
fuzz() {
	target=$1 runs=$2 length=$3
	shift 3
	bound=-runs=$runs
	[ -z "${seconds-}" ] || bound=-max_total_time=$seconds
	"$targets/fuzz_$target" -seed=20260101 -timeout=10 -rss_limit_mb=1024 -max_len="$length" \
		-artifact_prefix="$kept/$target-" -print_final_stats=1 \
		"$bound" "$@" \
		>"$scratch/log" 2>&1 && return
	grep -aE -A 12 'ERROR|runtime error|SUMMARY|ALARM' "$scratch/log" | head -n 60
	tail -n 5 "$scratch/log"
	return 1
}

# record: profiles of a few test programs, to begin with.
record() {
	. "$srcdir/tests/runtimes.sh"
	matrix_row omp14-clang14-O2 || return 0
	for program in barrier critical imbalance nested tasks; do
		built=$(matrix_build $program.c omp14-clang14-O2) || continue
		LD_LIBRARY_PATH=$row_lib OMP_NUM_THREADS=2 "$builddir/ompprof" run -q -o "$scratch/p" -- \
			"$built" 0.05 >/dev/null 2>&1
	done
	echo "$scratch"/p*/*.ompprof
}

profiles=
[ -z "${seconds-}" ] || profiles=$(record)
# Words on purpose.
# shellcheck disable=SC2086
"$targets/seeds" "$scratch/seeds" $profiles || broken "no seeds"
check "profiles of any bytes" fuzz profile 1500 131072 "$kept/corpus-profile" "$scratch/seeds"

# A merged file to begin with.
mkdir "$scratch/merged"
for name in cg killed; do
	"$builddir/tests/unit/scenes/write_scene" $name "$scratch/$name.ompprof" || broken "cannot write the scene '$name'"
done
"$builddir/ompprof" merge -q -o "$scratch/one" "$scratch/cg.ompprof" "$scratch/killed.ompprof" || broken "no merged file"
mv "$scratch/one" "$scratch/merged/one"
check "merged files of any bytes" fuzz merged 3000 131072 "$kept/corpus-merged" "$scratch/merged"

# object NAME COMPILER OPTION...: one object, damaged.
object() {
	name=$1
	shift
	if ! "$@" -o "$scratch/$name" "$srcdir/tests/symbols/sample.c" 2>"$scratch/log"; then
		skip "an object with any bytes changed: $name" "cannot build it: $(head -n 1 "$scratch/log")"
		return
	fi
	OMPPROF_FUZZ_OBJECT=$scratch/$name
	export OMPPROF_FUZZ_OBJECT
	check "an object with any bytes changed: $name" fuzz object 1000 384 "$kept/corpus-object"
}

object dwarf5 gcc -O1 -g -gdwarf-5
# What that object's names are kept as is what a cache is made of.
sleep 0.1
nm "$scratch/dwarf5" | sed -n 's/ [tT] .*//p' |
	"$builddir/tests/symbols/lookup" -c "$scratch" "$scratch/dwarf5" >/dev/null 2>&1
{ printf '\0'; cat "$scratch/symbols.cache"; } >"$scratch/caches/one"
if [ -s "$scratch/symbols.cache" ]; then
	check "what reports keep, of any bytes" fuzz cache 20000 16384 "$kept/corpus-cache" "$scratch/caches"
else
	skip "what reports keep, of any bytes" "there is none to begin with"
fi
object dwarf4 gcc -O1 -g -gdwarf-4
object compressed gcc -O1 -g -gz
object symbols gcc -O1 -g0
plan
