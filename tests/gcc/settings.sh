# SPDX-License-Identifier: Apache-2.0
# Settings of the environment (tests/gcc/settings.txt): a program of libgomp stays there unless both runtimes take all of
# them alike; with those that they do take it does the same on each libomp, and has nothing more to read.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
. "$srcdir/tests/gcc/gcc.sh"
live_need gcc timeout
gcc_need_libomp
gcc_build settings settings.c -w || skip_all "gcc -fopenmp does not work"
cd "$live_folder" || broken "no scratch folder"
ulimit -c 0
unset OMP_NUM_THREADS
list=$srcdir/tests/gcc/settings.txt

# with SETTINGS COMMAND...: runs it with the settings, words on purpose.
with() {
	wi_settings=$1
	shift
	# shellcheck disable=SC2086
	env $wi_settings timeout 60 "$@" 2>&1
	echo "status $?"
}

# wrong_decisions: the settings with which `auto` does not decide as the list says.
wrong_decisions() {
	grep -v '^#' "$list" | while read -r want settings; do
		got=$(with "$settings" "$ompprof" run -o out ./settings | grep "^ompprof: './settings'")
		case $want$got in
		"alike"*"runs on LLVM's libomp"* | "native"*"runs on GCC's libgomp"*"with '${settings%% *}'"*) ;;
		*) echo "$want $settings: $got" ;;
		esac
	done
}

# alike: the settings that both runtimes take alike, and those of how many threads there are in pairs, too.
alike() {
	sed -n 's/^alike //p' "$list"
	sed -n 's/^native //p' "$list" >native
	grep -E '^alike OMP_(NUM_THREADS|THREAD_LIMIT|NESTED|MAX_ACTIVE_LEVELS)=' "$list" | awk -F '[ =]' '$3 != 100 {
		for (i = 0; i < n; i++)
			if (name[i] != $2)
				print setting[i], $2 "=" $3
		name[n] = $2
		setting[n++] = $2 "=" $3
	}' | grep -vxFf native
}

# differences: the settings with which the program does something else with the libgomp.so.1 of the folder `link`.
differences() {
	alike | while read -r settings; do
		alone=$(with "$settings" ./settings)
		on_libomp=$(with "OMP_SCHEDULE=dynamic,1 KMP_WARNINGS=0 LD_LIBRARY_PATH=$live_folder/link $settings" ./settings)
		[ "$alone" = "$on_libomp" ] || echo "$settings: $alone | $on_libomp"
	done
}

is "what is decided" "$(wrong_decisions)" ""
is "each variable that is taken is tried" "$(grep -oE '"(OMP|KMP|GOMP)_[A-Z_]+"' "$srcdir/src/run/run_settings.c" |
	grep -vE '"(OMP_|KMP_|GOMP_)"' | tr -d '"' | sort -u |
	while read -r name; do grep -q "^alike.*\<$name=" "$list" || echo "$name"; done)" ""
folder=$(cd "$(runtimes_folder)" 2>/dev/null && pwd)
mkdir link
for version in $runtime_versions; do
	libomp=$folder/$version/lib/libomp.so.5
	if [ -r "$libomp" ]; then
		ln -sf "$libomp" link/libgomp.so.1
		is "libomp $version: the same with what is alike" "$(differences)" ""
	else
		skip "libomp $version" "it is not there: run ./quickstart check"
	fi
done

# What the user cannot see alone.
alone=$(with OMP_NESTED=true ./settings)
profiled=$(with OMP_NESTED=true "$ompprof" run -q -o out ./settings)
is "libomp says nothing of its own" "$profiled" "$alone"
check "... unless the user wants it" sh -c 'OMP_NESTED=true KMP_WARNINGS=1 "$0" run -q -o out ./settings 2>&1 |
	grep -q "^OMP: Info"' "$ompprof"
alone=$(with OMP_NUM_THREADS=abc ./settings)
profiled=$(with OMP_NUM_THREADS=abc "$ompprof" run -q -o out ./settings)
is "a setting that makes no sense: as alone" "$profiled" "$alone"
plan
