# SPDX-License-Identifier: Apache-2.0
# Functions for tests of the scripts of `make bench`: `. "$srcdir/tests/bench/bench.sh"` after live.sh. The folder of the
# test becomes a build folder with what a script needs of one; its JSON file goes to `json` there.

live_need python3 jq cc
live_row omp14-clang14-O2 omp19-clang19-O2
PYTHONDONTWRITEBYTECODE=1
export PYTHONDONTWRITEBYTECODE
# By its own path, for tests without any other.
python=$(python3 -c 'import sys; print(sys.executable)')

cd "$live_folder" || broken "cannot enter the scratch folder"
mkdir -p bench/kernels .libs
printf '#!/bin/sh\nexec "%s" "$@"\n' "$ompprof" >ompprof && chmod +x ompprof
cp "$builddir/.libs/libompprof.so" .libs/
row_flags="$row_flags -D_GNU_SOURCE $row_include -I$srcdir -rdynamic -ldl"
export LD_LIBRARY_PATH="$row_lib"

# bench_programs NAME...: builds programs of bench/, with the row's compiler.
bench_programs() {
	for bp_name in "$@"; do
		matrix_compile "$srcdir/bench/$bp_name.c" "bench/$bp_name" || broken "cannot build $bp_name"
	done
}

# bench_measure: builds bench/measure.
bench_measure() {
	cc -O2 -D_GNU_SOURCE -o bench/measure "$srcdir/bench/measure.c" || broken "cannot build measure"
}

# bench_library SOURCE LIBRARY: builds a tool.
bench_library() {
	# The list of flags is split into words on purpose.
	# shellcheck disable=SC2086
	cc $row_include "-I$srcdir" -O2 -D_GNU_SOURCE -shared -fPIC -Wl,-z,nodelete -o "$2" "$1" -ldl ||
		broken "cannot build $2"
}

# bench_run SCRIPT VARIABLE=VALUE...: one turn of it; its table is in `table`, its messages in `messages`.
bench_run() {
	br_script=$1
	shift
	env BENCH_TURNS=1 BENCH_JSON_DIR=json "$@" "$python" "$srcdir/bench/$br_script" >table 2>messages
}

# bench_runs DESCRIPTION SCRIPT VARIABLE=VALUE...: a test point: it ends well, and nothing failed meanwhile.
bench_runs() {
	bs_description=$1
	shift
	if bench_run "$@" && [ ! -s messages ]; then
		ok "$bs_description"
	else
		not_ok "$bs_description" "$(cat table messages)"
	fi
}

# bench_told FILE: a test point for each key of a JSON file: bench/README has a word for it.
bench_told() {
	for bt_key in $(jq -r '[.. | objects | keys[]] | unique[]' "$1"); do
		check "README tells of $bt_key" grep -qE "(^|[^a-z_])$bt_key\b" "$srcdir/bench/README"
	done
}
