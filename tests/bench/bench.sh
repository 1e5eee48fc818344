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

# bench_promised NAME: what bench/README says of all JSON files, and of the one of that name, in one line.
bench_promised() {
	awk -v begin="file is $1[,:]" '
		/^Each of these files/, /^$/ { print }
		$0 ~ begin { on = 1; n_blank = 0 }
		on { print; n_blank = /^$/ ? n_blank + 1 : 0 }
		n_blank == 2 { on = 0 }' "$srcdir/bench/README" | tr '\n' ' '
}

# bench_told FILE: a test point for each key of a JSON file: bench/README has it where it says what is in that file. A
# word that any sentence may have stands in a list there.
bench_told() {
	bench_promised "${1##*/}" >promised
	grep -q "file is ${1##*/}" promised || broken "README does not say what is in $1"
	for bt_key in $(jq -r '[.. | objects | keys[]] | unique[]' "$1"); do
		case $bt_key in
		*_* | ???????*) bt_pattern="(^|[^a-z_])$bt_key\b" ;;
		*) bt_pattern="(  |[:,;] |[(\`]|and |with )$bt_key(  |[,;:.)\`]| \(| and )" ;;
		esac
		check "README tells of $bt_key" grep -qE "$bt_pattern" promised
	done
}
