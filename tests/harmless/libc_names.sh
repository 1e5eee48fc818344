# SPDX-License-Identifier: Apache-2.0
# A program may define functions by the names of the C library's, and export them. The tool calls none of all that it
# needs of the C library, but for those that tests/gates/imports.txt says; the program runs as alone, and is sampled.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
live_need jq nm
live_row omp19-clang19-O2 omp19-clang14-O2 omp14-clang14-O2
library=$builddir/.libs/libompprof.so
export LD_LIBRARY_PATH="$row_lib" OMP_NUM_THREADS=2

# The names that the library needs by the loader, and those that it looks up; nobody else may use names with a _.
# libc_names.c itself finds functions by dlvsym.
{
	nm -D --undefined-only "$library" | awk '{ sub(/@.*/, "", $2); print $2 }'
	sed -n 's/^BOUND(\(.*\))$/\1/p' "$srcdir/sampler/tool/libc_bind.def"
} | grep -vx -e '_.*' -e environ -e dlvsym | sort -u >"$live_folder/names"
sed 's/.*/NAME(&)/' "$live_folder/names" >"$live_folder/names.inc"
[ "$(wc -l <"$live_folder/names")" -gt 50 ] || broken "'$library' needs few functions"
grep -v '^#' "$srcdir/tests/gates/imports.txt" | cut -f 1 | sort >"$live_folder/allowed"

# build PROGRAM: makes $live_folder/PROGRAM of tests/programs/*/PROGRAM.c and libc_names.c.
build() {
	${CC:-cc} -c -O1 -fno-builtin -D_GNU_SOURCE "-I$live_folder" -o "$live_folder/names.o" \
		"$srcdir/tests/harmless/libc_names.c" || broken "cannot compile libc_names.c"
	# The lists of flags are split into words on purpose.
	# shellcheck disable=SC2086
	"$row_cc" $row_flags $row_include -pthread -rdynamic -o "$live_folder/$1" "$(program_source "$1.c")" \
		"$live_folder/names.o" $row_link -lm || broken "cannot compile $1.c"
}

# asks_for_none NAME OPTIONS ARGUMENTS...: the program is as alone, the tool has called what is allowed and no more.
# OPTIONS is split into words on purpose.
# shellcheck disable=SC2086
asks_for_none() {
	program=$1 options=$2
	shift 2
	rm -rf "$live_folder/out" "$live_folder/called"
	alone=0 got=0
	"$live_folder/$program" "$@" >"$live_folder/alone" 2>&1 || alone=$?
	NAMES_OUT=$live_folder/called "$ompprof" run -q $options -o "$live_folder/out" -- "$live_folder/$program" "$@" \
		>"$live_folder/said" 2>&1 || got=$?
	sed -i 's/[0-9.]* CPU/N CPU/' "$live_folder/alone" "$live_folder/said"
	is "$program $options: as alone" "$got $(cat "$live_folder/said")" "$alone $(cat "$live_folder/alone")"
	is "... and none of its functions is called" "$(sort -u "$live_folder/called" | comm -23 - "$live_folder/allowed" | xargs)" ""
	check "... but those that have to be: calls are seen" grep -qx sigaction "$live_folder/called"
	"$ompprof" report -i "$live_folder/out" --format json >"$live_folder/json" 2>&1
	check "... and there are samples" jq -e '.run.complete and .run.samples >= 10' "$live_folder/json"
}

build hog
asks_for_none hog "" 0.2
asks_for_none hog "-e wall --trace --events all" 0.2
asks_for_none hog "--unwind fp" 0.2
if live_has_perf; then
	asks_for_none hog "-F 1000" 0.1
else
	skip "hog with perf events" "perf events are not to be had"
fi
build pthread
asks_for_none pthread "" 0.2
build fork
asks_for_none fork "" 0.3
plan
