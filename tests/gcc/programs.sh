# SPDX-License-Identifier: Apache-2.0
# Programs that are built for GCC's libgomp run on a libomp, if that is wanted, and print what they print alone: C,
# C++ and Fortran, on each runtime, however they find libgomp, also late, and beside code that is built for libomp.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
. "$srcdir/tests/gcc/gcc.sh"
live_need gcc jq
gcc_need_libomp
runs="runs on LLVM's libomp"

gcc_build constructs constructs.c || skip_all "gcc -fopenmp does not work"
program=$live_folder/constructs

gcc_run "--runtime=libomp" "$program"
cp "$live_folder/messages" "$live_folder/first"
gcc_judge "C" "constructs.c:20 constructs.c:57 constructs.c:79" "'$program' is built for GCC's libgomp.*$runs"
check "... which the report and info tell" gcc_tells
gcc_run "--runtime=plain" "$program"
check_fails "on libgomp they do not" gcc_tells
folder=$(cd "$(runtimes_folder)" 2>/dev/null && pwd -P)
for version in $runtime_versions; do
	libomp=$folder/$version/lib/libomp.so.5
	if [ -r "$libomp" ]; then
		gcc_run "--runtime=$libomp" "$program"
		gcc_judge "... on libomp $version" "constructs.c:20 constructs.c:57" "$runs, '$libomp'"
		is "... which info names" "$("$ompprof" info -i "$live_folder/out" |
			sed -n '/^OpenMP/{n;s/^ *//p}')" "$libomp"
	else
		skip "... on libomp $version" "it is not there: run ./quickstart check"
	fi
done

gcc_run "--runtime=libomp" "$program" runtime
gcc_judge "schedule(runtime) is as on libgomp" constructs.c:20 "$runs"
gcc_run "-q --runtime=libomp" "$program"
is "nothing is said with -q" "$(cat "$live_folder/messages")" ""

# --- languages
if compiler=g++ gcc_build threads threads.cpp; then
	gcc_run "" "$live_folder/threads"
	gcc_judge "C++: exceptions, std::thread" "threads.cpp|with_exceptions|beside_threads" .
	gcc_run "--runtime=libomp" "$live_folder/threads"
	gcc_judge "... on libomp" "threads.cpp|with_exceptions|beside_threads" "$runs"
else
	skip "C++: exceptions, std::thread" "g++ -fopenmp does not work"
fi
if compiler=gfortran gcc_build loops loops.f90 -J "$live_folder"; then
	gcc_run "" "$live_folder/loops"
	gcc_judge "Fortran" "loops.f90:11 loops.f90:24" .
	gcc_run "--runtime=libomp" "$live_folder/loops"
	gcc_judge "... on libomp" "loops.f90:11 loops.f90:24" "$runs"
else
	skip "Fortran" "gfortran -fopenmp does not work"
fi

# --- on libgomp alone, whose workers are threads as others are, beside threads that sleep
gcc_build asleep asleep.c || broken "cannot build asleep.c"
gcc_run "--runtime=plain -q" "$live_folder/asleep"
"$ompprof" report -i "$live_folder/out" >"$live_folder/text"
check "on libgomp two threads work, and two that sleep are named apart" sh -c 'cat "$1" && head -n 8 "$1" | tr -s "\n " " " |
	grep " 2 threads, .*, GCC libgomp .* and 2 threads that slept beside them: "' - "$live_folder/text"
"$ompprof" report -i "$live_folder/out" --format json >"$live_folder/json"
check "... as in JSON" jq -e '.summary | .threads == 2 and .classes.asleep_threads == 2 and .useful_s == null' "$live_folder/json"
check "... their sleep is no time that was lost" jq -e '.summary | .classes.total_s < 2.1 * .wall_s' "$live_folder/json"
check "... and the time of the worker is in it" jq -e '.run.cpu_s as $cpu | .summary.classes |
	.work_s + (.overhead_s // 0) + (.unsampled_s // 0) > 0.9 * $cpu' "$live_folder/json"
for word in work overhead off_cpu; do
	in_json=$(jq -r ".summary.classes.${word}_s // 0" "$live_folder/json")
	in_text=$(sed -n 's/^  useful work  */work /p; s/^  runtime overhead  */overhead /p; s/^  off cpu.*)  */off_cpu /p' \
		"$live_folder/text" | awk -v word=$word '$1 == word { print $2 }')
	check "... $word: $in_json s, $in_text as text" near "$in_json" "${in_text:-0}" \
		"$(awk -v s="$in_json" 'BEGIN { print 0.01 * s + 0.001 }')"
done

# --- where the program looks for libgomp
mkdir "$live_folder/own"
cp -L "$(gcc -print-file-name=libgomp.so.1)" "$live_folder/own/" 2>/dev/null ||
	cp -L "$(ldconfig -p 2>/dev/null | awk '$1 == "libgomp.so.1" { print $NF; exit }')" \
		"$live_folder/own/" || broken "no libgomp.so.1 to copy"
for tags in enable disable; do
	gcc_build by-path constructs.c -Wl,--$tags-new-dtags -Wl,-rpath,'$ORIGIN/own' ||
		broken "cannot build for a path of its own"
	gcc_run "" "$live_folder/by-path"
	gcc_judge "found by a run path, new tags: ${tags}d" "constructs.c:20 constructs.c:57" .
	gcc_run "--runtime=libomp" "$live_folder/by-path"
	gcc_judge "... on libomp" "constructs.c:20 constructs.c:57" "$runs"
	check "... which the report and info tell" gcc_tells
	is "... GCC's is not loaded" "$("$ompprof" info -i "$live_folder/out" |
		grep -c '^  .*/libgomp.so.1')" 0
	export OMP_PROC_BIND=true
	gcc_run "--runtime=libomp" "$live_folder/by-path" cpus
	unset OMP_PROC_BIND
	gcc_judge "... bound threads have all CPUs" "constructs.c:20" "$runs"
done

# --- loaded late
gcc_build kernel.so kernel.c -shared -fPIC || broken "cannot build a library"
compiler="${CC:-gcc}" gcc_build late late.c -fno-openmp -ldl || broken "cannot build the loading program"
gcc_run "--runtime=libomp" "$live_folder/late" "$live_folder/kernel.so"
gcc_judge "a library that is loaded late" kernel.c:10 .
check "... which the report and info tell" gcc_tells
cat >"$live_folder/late.py" <<END
import ctypes
kernel = ctypes.CDLL("$live_folder/kernel.so").work_kernel
kernel.restype = ctypes.c_long
print(kernel(ctypes.c_long(100000000)))
END
if [ -x /usr/bin/python3 ]; then
	gcc_run "--runtime=libomp" /usr/bin/python3 "$live_folder/late.py"
	gcc_judge "a library that Python loads" kernel.c:10 .
else
	skip "a library that Python loads" "python3 is not installed"
fi
gcc_run "--runtime=libomp" /bin/sh -c "exec '$live_folder/late' '$live_folder/kernel.so'"
gcc_judge "... in what a shell has started" kernel.c:10 .

# --- what a script starts
printf '#!/bin/sh\n%s\n:\n' "$program" >"$live_folder/script"
chmod +x "$live_folder/script"
gcc_run "--runtime=libomp" "$live_folder/script"
gcc_judge "what a script starts" "constructs.c:20 constructs.c:57" .

# A copy of libgomp under another name, as Python's packages have it.
if command -v patchelf >/dev/null; then
	cp "$live_folder/own/libgomp.so.1" "$live_folder/own/libgomp-abc.so.1.0.0"
	gcc_build bundled.so kernel.c -shared -fPIC -Wl,-rpath,'$ORIGIN/own' &&
		patchelf --replace-needed libgomp.so.1 libgomp-abc.so.1.0.0 "$live_folder/bundled.so" &&
		patchelf --set-soname libgomp-abc.so.1.0.0 "$live_folder/own/libgomp-abc.so.1.0.0" ||
		broken "cannot build a library with its own libgomp"
	gcc_run "--runtime=libomp" "$live_folder/late" "$live_folder/bundled.so"
	gcc_judge "what needs a bundled libgomp" kernel.c:10 .
else
	skip "a bundled libgomp" "patchelf is not installed"
fi

# --- both runtimes' code in one process
if command -v clang-14 >/dev/null && compiler=clang-14 gcc_build clang.so kernel.c -shared -fPIC; then
	for order in "kernel clang" "clang kernel"; do
		# Words on purpose.
		# shellcheck disable=SC2086
		set -- $order
		gcc_run --runtime=libomp "$live_folder/late" "$live_folder/$1.so" "$live_folder/$2.so"
		gcc_judge "late: $1, then $2" kernel.c:10 .
		is "... on one runtime" "$(jq '[.nodes[] | select(.kind == "region")] | length' \
			"$live_folder/json")" 2
	done
	# A libomp that nothing else finds, if there is one: it has to be this, or there would be two.
	mkdir "$live_folder/other"
	other=$folder/19/lib/libomp.so.5
	[ -r "$other" ] || other=$(sed -n "s/.* runs on LLVM's libomp, '\(.*\)'$/\1/p" "$live_folder/first")
	ln -s "$other" "$live_folder/other/libomp.so.5"
	compiler=clang-14 gcc_build other.so kernel.c -shared -fPIC -Wl,-rpath,"$live_folder/other" &&
		gcc_build mixed constructs.c -Wl,--no-as-needed "$live_folder/other.so" ||
		broken "cannot link both"
	gcc_run --runtime=libomp "$live_folder/mixed"
	gcc_judge "a program with libraries of both: the libomp that it needs" \
		"constructs.c:20 constructs.c:57" "$runs, '$other'"
else
	skip "both runtimes' code in one process" "clang-14 -fopenmp does not work"
fi
plan
