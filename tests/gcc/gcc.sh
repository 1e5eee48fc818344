# SPDX-License-Identifier: Apache-2.0
# Functions for tests of programs that are built for libgomp: `. "$srcdir/tests/gcc/gcc.sh"` after live.sh.

unset LD_LIBRARY_PATH OMP_SCHEDULE
OMP_NUM_THREADS=2
export OMP_NUM_THREADS

# gcc_need_libomp: skips the whole test where no libomp is installed to run programs on.
gcc_need_libomp() {
	"$ompprof" run -q --runtime=libomp -o "$live_folder/try" true 2>/dev/null ||
		skip_all "no libomp with libgomp's functions is installed"
}

# gcc_need_plain_provider: skips the whole test if the provider is instrumented: it cannot be preloaded.
gcc_need_plain_provider() {
	if nm -D --undefined-only "$builddir/.libs/libompprof-gomp.so" | grep -qE '_(asan|tsan|ubsan|gcov)_'; then
		skip_all "the provider is instrumented"
	fi
}

# gcc_build OUTPUT SOURCE FLAGS...: builds tests/gcc/SOURCE with $compiler, gcc by default, as
# $live_folder/OUTPUT.
gcc_build() {
	gb_output=$live_folder/$1 gb_source=$srcdir/tests/gcc/$2
	shift 2
	"${compiler:-gcc}" -O2 -g -fopenmp -o "$gb_output" "$gb_source" "$@" >"$live_folder/log" 2>&1
}

# gcc_run OPTIONS COMMAND...: runs the command alone and under `ompprof run`, and leaves in $live_folder:
# plain and said (what it printed), messages, json and out. Returns 1 where the exit status differs.
# OPTIONS is split into words on purpose.
# shellcheck disable=SC2086
gcc_run() {
	gr_options=$1 gr_plain=0 gr_said=0
	shift
	"$@" >"$live_folder/plain" 2>"$live_folder/plain-messages" || gr_plain=$?
	"$ompprof" run $gr_options -o "$live_folder/out" -- "$@" >"$live_folder/said" \
		2>"$live_folder/messages" || gr_said=$?
	"$ompprof" report -i "$live_folder/out" --format json >"$live_folder/json" 2>/dev/null
	[ "$gr_plain" = "$gr_said" ]
}

gcc_regions() {
	jq -r '[.nodes[] | select(.kind == "region") | .name] | unique | join(" ")' \
		"$live_folder/json"
}

# gcc_tells: whether the report's first lines say, and info does, that libomp was there for libgomp.
gcc_tells() {
	"$ompprof" report -i "$live_folder/out" | head -n 2 | grep -qE ", LLVM OMP for libgomp *$" &&
		"$ompprof" info -i "$live_folder/out" | grep -q "in the place of GCC's libgomp" &&
		"$ompprof" info -i "$live_folder/out" --format json | jq -e '.processes[0].for_libgomp' >/dev/null
}

# gcc_judge NAME REGIONS LINE: whether the last gcc_run printed what the program alone does and ended so, its profile
# names a region that matches each of the REGIONS (words), and a line on stderr matches LINE.
gcc_judge() {
	gj_wrong=
	cmp -s "$live_folder/plain" "$live_folder/said" || gj_wrong="the output differs"
	[ "$gr_plain" = "$gr_said" ] || gj_wrong="status $gr_said instead of $gr_plain"
	for gj_region in $2; do
		gcc_regions | grep -qE "$gj_region" || gj_wrong="no region like $gj_region"
	done
	grep -qE "$3" "$live_folder/messages" || gj_wrong="no line like $3"
	if [ -z "$gj_wrong" ]; then
		ok "$1"
	else
		not_ok "$1" "$gj_wrong
$(cat "$live_folder/messages")
alone:    $(head -c 300 "$live_folder/plain")
profiled: $(head -c 300 "$live_folder/said")
regions:  $(gcc_regions)"
	fi
}
