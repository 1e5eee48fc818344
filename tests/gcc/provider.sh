# SPDX-License-Identifier: Apache-2.0
# Programs on GCC's libgomp under plain `ompprof run`: they do what they do alone, and have regions, waits and blame.
# What the provider cannot see is named.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
. "$srcdir/tests/gcc/gcc.sh"
live_need gcc jq
gcc_build constructs constructs.c || skip_all "gcc -fopenmp does not work"
gcc_build waits waits.c || broken "cannot build waits.c"
gcc_build kernel.so kernel.c -shared -fPIC || broken "cannot build kernel.c"
gcc_build late late.c -fno-openmp -ldl || broken "cannot build late.c"
cd "$live_folder" || broken "no scratch folder"
libgomp=$(gcc -print-file-name=libgomp.so.1)
provider=$builddir/.libs/libompprof-gomp.so
line="view with: ompprof report"

# lines: how many lines ompprof wrote.
lines() {
	wc -l <messages
}

# head_of_report: its first lines.
head_of_report() {
	"$ompprof" report -i out | head -n 2
}

# says_libgomp: whether the report's head and info name GCC's libgomp.
says_libgomp() {
	head_of_report | grep -qE ', GCC libgomp [0-9]+( or later)? *$' &&
		"$ompprof" info -i out | grep -q "told by libompprof-gomp.so" &&
		"$ompprof" info -i out --format json | jq -e '.processes[0] |
			(.runtime | startswith("GCC libgomp")) and (.runtime_path | test("libgomp")) and
			.libgomp_path == null and .for_libgomp == false' >/dev/null
}

# --- a program
gcc_run "" ./constructs
gcc_judge "a program of gcc's: the output, and regions" "constructs.c:20 constructs.c:57 constructs.c:79" "$line"
is "... with no word on the runtime" "$(lines)" 1
check "... the report and info name libgomp" says_libgomp
gcc_run -q ./constructs runtime
is "... the schedule is as alone" "$(head -n 1 said)" "$(head -n 1 plain)"
is "... -q: nothing is said" "$(cat messages)" ""
gcc_run -v ./constructs
check "... -v: what is loaded" grep -q "on GCC's libgomp '.*/libompprof-gomp.so' tells ompprof" messages

gcc_run "" ./waits
gcc_judge "waits" waits.c:35 "$line"
# blamed KIND NAME FUNCTION LEAST: whether waits of this kind and name took so long, for the most part because of the
# function, or because it had no CPU.
blamed() {
	jq -e --arg kind "$1" --arg name "$2" --arg to "$3" --argjson least "$4" '[.waits[] |
		select(.kind == $kind and .name == $name)] |
		(map(.wait_s) | add) > $least and
		([.[].causes[] | select(.function == $to or .name == "had no CPU") | .blame_s] | add) > 0.5 * (map(.wait_s) | add)' json
}
# waited NAME ARGUMENTS...: checks that blamed is true; a thread without a CPU comes late to a wait, which is then short.
waited() {
	wd_name=$1
	shift
	if blamed "$@" >/dev/null; then
		ok "$wd_name"
	else
		live_wrong "$wd_name" "$(jq -c .waits json)"
	fi
}
waited "... at a barrier, for the place that works" barrier barrier busy_part 0.2
waited "... at the region's end" barrier "closing barrier" busy_part 0.2
waited "... for a critical section, by its name" critical "critical(held)" busy_holder 0.1
check "... at their places" jq -e '[.waits[] | select(.kind == "critical" or .name == "barrier") | .file |
	endswith("waits.c")] | length >= 2 and all' json

# --- what is loaded
is "the environment: the provider behind the tool" "$("$ompprof" run -q -o out env |
	sed -n 's/^LD_PRELOAD=//p' | tr : '\n' | sed 's,.*/,,' | tr '\n' ' ')" "libompprof.so libompprof-gomp.so "
is "... before what the user preloads" "$(LD_PRELOAD=libm.so.6 "$ompprof" run -q -o out env |
	sed -n 's/^LD_PRELOAD=//p' | tr : '\n' | sed 's,.*/,,' | tr '\n' ' ')" \
	"libompprof.so libompprof-gomp.so libm.so.6 "
is "... and no other path" "$(LD_LIBRARY_PATH=/one "$ompprof" run -q -o out sh -c 'echo "$LD_LIBRARY_PATH$OMP_SCHEDULE"')" \
	/one
"$ompprof" run -o out true 2>messages
is "a program without OpenMP" "$(sed '/view with/d' messages)" \
	"ompprof: 'true' started no OpenMP runtime: its threads were sampled, there are no regions"
LD_PRELOAD=$provider OMP_TOOL_LIBRARIES=$builddir/.libs/libompprof.so OMPPROF_OUTPUT=searched ./waits >/dev/null
check "the tool is found by the specification's search" sh -c '"$0" report -i searched --format json |
	jq -e "[.nodes[] | select(.kind == \"region\")] | length == 1"' "$ompprof"

# --- plain
gcc_run --runtime=plain ./constructs
gcc_judge "plain: the output" "" "'./constructs' ran on GCC's libgomp: .* there are no regions and waits$"
is "... no regions" "$(gcc_regions)" ""
is "... one line beside the closing one" "$(lines)" 2
check "... the report names libgomp" sh -c '"$0" report -i out | head -n 2 | grep -q "GCC libgomp *$"' "$ompprof"
check "... and warns" sh -c '"$0" report -i out | grep -q "no call of GCC.s libgomp was seen"' "$ompprof"
is "... nothing is preloaded beside the tool" "$("$ompprof" run -q --runtime=plain -o out env |
	sed -n 's/^LD_PRELOAD=.*\///p')" libompprof.so

# --- processes
gcc_run "" sh -c './constructs; ./waits & ./waits; wait'
gcc_judge "what a script starts" "constructs.c:20 waits.c:35" "$line"
is "... in processes of their own" "$("$ompprof" info -i out --format json |
	jq '[.processes[] | select(.runtime | tostring | startswith("GCC libgomp"))] | length')" 3
gcc_run "" env ./constructs
gcc_judge "a program that another one becomes" "constructs.c:20" "$line"

# --- libraries that are loaded late
gcc_run "" ./late ./kernel.so
gcc_judge "a library that is loaded late" kernel.c:10 "$line"
is "... with no word on the runtime" "$(lines)" 1
check "... the report and info name libgomp" says_libgomp
cat >late.py <<END
import ctypes
kernel = ctypes.CDLL("./kernel.so").work_kernel
kernel.restype = ctypes.c_long
print(kernel(ctypes.c_long(100000000)))
END
if [ -x /usr/bin/python3 ]; then
	gcc_run "" /usr/bin/python3 late.py
	gcc_judge "a library that Python loads" kernel.c:10 "$line"
else
	skip "a library that Python loads" "python3 is not installed"
fi
if command -v patchelf >/dev/null; then
	mkdir own
	cp -L "$libgomp" own/libgomp-abc.so.1.0.0
	gcc_build bundled.so kernel.c -shared -fPIC -Wl,-rpath,'$ORIGIN/own' &&
		patchelf --replace-needed libgomp.so.1 libgomp-abc.so.1.0.0 bundled.so &&
		patchelf --set-soname libgomp-abc.so.1.0.0 own/libgomp-abc.so.1.0.0 ||
		broken "cannot build a library with its own libgomp"
	gcc_run "" ./late ./kernel.so ./bundled.so
	gcc_judge "two copies of libgomp" kernel.c:10 "$line"
	is "... both are seen" "$(jq '[.regions[].executions] | add' json)" 2
	check_fails "... and no copy is warned of" grep -q "was loaded, too" json
else
	skip "two copies of libgomp" "patchelf is not installed"
fi

# --- what the provider does not see
if gcc -O2 -g -fopenmp -c -o constructs.o "$srcdir/tests/gcc/constructs.c" &&
	gcc -o linked-in constructs.o "$(gcc -print-file-name=libgomp.a)" -ldl -lpthread 2>log; then
	gcc_run "" ./linked-in
	gcc_judge "libgomp is linked in: plain samples" "" \
		"^ompprof: './linked-in' runs on GCC's libgomp, without regions and waits: libgomp is linked into it$"
	is "... one line beside the closing one" "$(lines)" 2
	check "... and samples" jq -e '.run.samples > 0' json
	check "... doctor says it" sh -c '"$0" doctor --format json ./linked-in | jq -e ".findings[] |
		select(.topic == \"runtime\" and .state == \"limited\") | .text | test(\"linked into it\")"' "$ompprof"
else
	skip "libgomp is linked in" "libgomp.a is not installed"
fi
mkdir newer
gcc_build newer/libgomp.so.1 newer.c -fno-openmp -shared -fPIC -Wl,-soname,libgomp.so.1 \
	"-Wl,--version-script=$srcdir/tests/gcc/newer.map" || broken "cannot build newer.c"
gcc_build simple kernel.c "-DMAIN" || broken "cannot build kernel.c"
LD_LIBRARY_PATH=$PWD/newer gcc_run "" ./simple
gcc_judge "a libgomp that is too new: the output" "" "^ompprof-gomp: '.*/newer/libgomp.so.1' is newer than this library knows"
is "... no regions" "$(gcc_regions)" ""
check "... which ompprof says, too" grep -q "^ompprof: './simple' executed no OpenMP construct on GCC's libgomp, '.*', or none that ompprof can see: " messages
folder=$(cd "$(runtimes_folder)" 2>/dev/null && pwd)
set -- "$folder"/*/lib/libomp.so.5
if [ -e "$1" ]; then
	mkdir users
	ln -s "$1" users/libgomp.so.1
	LD_LIBRARY_PATH=$PWD/users gcc_run "" sh -c ./constructs
	gcc_judge "a libomp that the user put in libgomp's place" "constructs.c:20" "$line"
	check "... tells by itself" sh -c '"$0" report -i out | head -n 2 | grep -q "LLVM OMP for libgomp"' "$ompprof"
else
	skip "a libomp that the user put in libgomp's place" "it is not there: run ./quickstart check"
fi

# --- events that are counted only if the user asks
# counted: each event with its number and amount.
counted() {
	"$ompprof" report -i out --format json | jq -r '[.events[] | "\(.event) \(.count) \(.amount)"] | sort | join(", ")'
}

gcc_build events events.c || broken "cannot build events.c"
"$ompprof" run -q --events=work,dispatch -o out ./events loops
is "--events: chunks of loops" "$(counted)" \
	"dispatch 1 3, dispatch 2 4, dispatch 3 5, work 1 3, work 1 4, work 1 5"
"$ompprof" run -q --events=lock_init,lock_destroy -o out ./events mutexes
is "... locks" "$(counted)" "lock_destroy 1 0, lock_destroy 1 0, lock_init 1 0, lock_init 1 0"
"$ompprof" run -q --events=cancel -o out ./events loops
is "... the library that tells them is not loaded without need" "$("$ompprof" info -i out --format json |
	jq -r '.processes[].modules[].path | select(test("ompprof-gomp")) | sub(".*/"; "")')" libompprof-gomp.so
mkdir "a folder" "a folder/.libs"
cp "$ompprof" "a folder/ompprof"
cp "$builddir"/.libs/libompprof*.so "a folder/.libs/"
"a folder/ompprof" run -o out ./simple >said 2>messages
check "ompprof cannot be preloaded: a line says so" grep -q \
	"^ompprof: './simple' runs on GCC's libgomp, without regions and waits: '.*' cannot be preloaded: " messages
rm "a folder/.libs/libompprof-gomp.so"
"a folder/ompprof" run -o out ./simple >said 2>messages
check "... nor found" grep -q "without regions and waits: cannot read '.*/libompprof-gomp.so': No such file" messages

# --- both runtimes' code
if command -v clang-14 >/dev/null && compiler=clang-14 gcc_build clang.so kernel.c -shared -fPIC &&
	compiler=clang-14 gcc_build clang waits.c; then
	is "a program that needs libomp: no provider" "$("$ompprof" run -q -o out ./clang >said
		"$ompprof" info -i out --format json | jq '[.processes[].modules[].path | select(test("ompprof-gomp"))] | length')" 0
	"a folder/ompprof" run -o out ./clang >said 2>messages
	is "... no word on the provider" "$(grep -c libgomp messages)" 0
	gcc_run "" sh -c ./clang
	gcc_judge "... by a script: the same" waits.c:35 "$line"
	waited "... for a critical section, by its holder" critical "critical(held)" busy_holder 0.1
	for order in "kernel clang" "clang kernel"; do
		# Words on purpose.
		# shellcheck disable=SC2086
		set -- $order
		gcc_run "" ./late "./$1.so" "./$2.so"
		gcc_judge "late: $1, then $2" kernel.c:10 "$line"
		check "... the report warns of the other runtime" sh -c '"$0" report -i out |
			grep -q "was loaded, too: code that ran on it has no regions"' "$ompprof"
	done
else
	skip "both runtimes' code" "clang-14 -fopenmp does not work"
fi
plan
