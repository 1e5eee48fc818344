#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds for AArch64 on another machine and runs the tests by emulation: `./quickstart check-aarch64` does it.
#
#   check.sh BUILD [short | 16k]
#
# short: fewer tests in the emulated machine. 16k: only the tests in the machine, with pages of 16 KiB.
#
# OMPPROF_AARCH64 names the folder for compilers, libraries, emulators and the kernel (environment.sh).
# Unit tests and scripted runtimes run in the emulator of programs, what tests.txt names in a machine with a kernel. The
# tests' output is in BUILD/guest and beside the tests. The last line says how many points passed, failed and were skipped.
set -u
srcdir=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$1" && builddir=$(cd "$1" && pwd) || exit 1
environment=${OMPPROF_AARCH64:-${XDG_CACHE_HOME:-$HOME/.cache}/ompprof/aarch64} form=${2-}
mkdir -p "$environment" && environment=$(cd "$environment" && pwd) || exit 1
export srcdir builddir
. "$srcdir/tests/aarch64/system.sh"
guest=$builddir/guest
cross_run="timeout 900 $environment/bin/emulate"

say() {
	printf 'aarch64: %s\n' "$*"
}

fail() {
	say "$*" >&2
	exit 1
}

unpack() {
	[ -e "$environment/complete" ] || say "unpacking compilers, libraries, emulators and a kernel in $environment"
	sh "$srcdir/tests/aarch64/environment.sh" "$environment" "$form" >"$builddir/environment.log" 2>&1 ||
		fail "they cannot be had: see $builddir/environment.log"
}

# The linker is named because its own file, as the compiler tells it, does not find its libraries.
build() {
	say "building in $builddir"
	(
		PATH=$environment/bin:$PATH
		PKG_CONFIG_LIBDIR=$environment/sysroot/usr/lib/aarch64-linux-gnu/pkgconfig
		PKG_CONFIG_SYSROOT_DIR=$environment/sysroot
		export PATH PKG_CONFIG_LIBDIR PKG_CONFIG_SYSROOT_DIR
		cd "$builddir" || exit
		[ -r Makefile ] || "$srcdir/configure" -q --host=aarch64-linux-gnu CROSS_RUN="$cross_run" \
			--with-omp-tools="$environment/runtimes/19/include" CC="${CROSS_CC:-aarch64-linux-gnu-gcc}" \
			LD="$environment/bin/aarch64-linux-gnu-ld" || exit
		make -k -j"$(nproc)" check TESTS=
	) >"$builddir/build.log" 2>&1 || { tail -n 40 "$builddir/build.log"; fail "it cannot be built"; }
}

# listed FORM: the tests of tests.txt that this form runs in the machine, a line "SECONDS TEST" each.
listed() {
	awk -v form="$1" '/^[0-9]/ && (form != "short" || $3 == "short") { print $1, $2 }' "$srcdir/tests/aarch64/tests.txt"
}

# build_programs: the programs of all tests that are listed, for each row.
build_programs() (
	export PATH="$environment/native:$PATH" OMPPROF_TEST_RUNTIMES="$environment/runtimes" \
		OMPPROF_TEST_MATRIX="$srcdir/tests/aarch64/matrix.txt"
	. "$srcdir/tests/runtimes.sh"
	listed "$form" | sed -n 's/^[0-9]* \(.*\.sh\)/\1/p' | while read -r test; do
		grep -ohE '[a-z_]+\.(c|cpp)\>' "$srcdir/tests/$test"
	done | sort -u | while read -r program; do
		[ -r "$(program_source "$program")" ] || continue
		for row in $(matrix_rows); do
			echo "$program $row"
		done
	done | xargs -P "$(nproc)" -n 2 sh -c '. "$srcdir/tests/runtimes.sh"; matrix_build "$0" "$1"' \
		>"$builddir/programs.log" 2>&1
)

# build_accuracy: the programs of accuracy/short.sh.
build_accuracy() (
	export PATH="$environment/native:$PATH" OMPPROF_TEST_RUNTIMES="$environment/runtimes"
	. "$srcdir/tests/runtimes.sh"
	matrix_file=$srcdir/tests/accuracy/matrix.txt
	for row in libomp14-clang libomp14-gcc libomp19-clang libomp19-gcc; do
		matrix_row "$row" || exit
		for program in constructs blame; do
			matrix_compile "$srcdir/tests/accuracy/$program.c" "$builddir/tests/accuracy/$row/$program" || exit
		done
	done
)

# build_stepped: programs for steps.sh, by several compilers, some with signed return addresses.
build_stepped() (
	export PATH="$environment/native:$PATH"
	bs_folder=$builddir/tests/aarch64/programs bs_pac=-mbranch-protection=standard
	mkdir -p "$bs_folder"
	gcc -O2 -shared -fPIC -o "$builddir/tests/aarch64/plugin.so" "$srcdir/tests/walker/plugin.c" -lm || exit
	while read -r name compiler source flags; do
		# The flags are words on purpose.
		# shellcheck disable=SC2086
		"$compiler" -g -o "$bs_folder/$name" "$srcdir/tests/walker/$source" $flags -lm || exit
	done <<END
libc-gcc gcc program_libc.c -O2
libc-clang-pac clang-14 program_libc.c -O3 $bs_pac
signals-gcc-pac gcc program_signals.c -O2 $bs_pac
signals-clang clang-14 program_signals.c -O1
cxx-gcc g++ program_cxx.cpp -O2
cxx-clang-pac clang++-19 program_cxx.cpp -O1 $bs_pac
dl-gcc gcc program_dl.c -O2
dl-clang clang-19 program_dl.c -O2
openmp-libgomp gcc program_openmp.c -O2 -fopenmp
openmp-libomp14 clang-14 program_openmp.c -O2 $(openmp_flags 14)
openmp-libomp19-pac clang-19 program_openmp.c -O2 $bs_pac $(openmp_flags 19)
END
)

openmp_flags() { # openmp_flags VERSION
	echo "-fopenmp -I$environment/runtimes/$1/include -L$environment/runtimes/$1/lib -Wl,-rpath,$builddir/runtimes/$1/lib"
}

# gates: those that look at what was built, with the compiler and the tools for AArch64.
gates() {
	say "gates of what was built"
	for ga_gate in exports imports symbols versions; do
		(export PATH="$environment/native:$PATH" CC=gcc && sh "$srcdir/tests/gates/$ga_gate.sh") >"$builddir/$ga_gate.log" 2>&1
		points "gates/$ga_gate" "$builddir/$ga_gate.log"
	done
}

# user_tests SECONDS: those in the emulator of programs.
user_tests() {
	say "unit tests and scripted runtimes in the emulator of programs"
	ut_tests=$(printf 'include Makefile\nlist:\n\t@echo $(filter-out %%.sh,$(TESTS))\n' | make -s -C "$builddir" -f - list)
	for ut_test in $(listed full | awk '{ print "tests/" $2 }'); do
		ut_tests=$(echo " $ut_tests " | sed "s| $ut_test | |")
	done
	CROSS_RUN=$cross_run timeout "$1" make -C "$builddir" -k -j"$(nproc)" check check_PROGRAMS= TESTS="$ut_tests" >"$builddir/check.log" 2>&1
	for ut_test in $ut_tests; do
		points "${ut_test#tests/}" "$builddir/${ut_test%.txt}.log"
	done
}

# system_tests SECONDS KERNEL: those in the emulated machine. What it says is split at its marks.
system_tests() {
	say "live tests in an emulated machine"
	rm -rf "$guest"
	mkdir -p "$guest/log"
	system_root "$guest/root" "$environment" "$builddir" || fail "the machine's files cannot be had"
	listed "$form" | while read -r seconds test; do
		case $test in
		*.sh) echo "$seconds $test . $srcdir/tests/$test" ;;
		*.txt) echo "$seconds $test tests/runtime/scripted $srcdir/tests/$test" ;;
		*) echo "$seconds $test CMOCKA_MESSAGE_OUTPUT=TAP exec tests/$test" ;;
		esac
	done >"$guest/root/tests"
	system_boot "$environment" "$guest/root" "$1" "$2" | tee "$guest/console" | awk -v folder="$guest/log/" '
		{ sub(/\r$/, "") }
		/^=== machine/ { print substr($0, 5) }
		/^=== begin / { file = $3; gsub("/", "_", file); file = folder file ".log" }
		file != "" { print >file }
		/^=== end / { print $3 ": " $5 " s"; close(file); file = "" }'
	listed "$form" | while read -r seconds test; do
		points "$test" "$guest/log/$(echo "$test" | tr / _).log"
	done
}

# points TEST LOG: the points of a test, in the list of all, and what failed. A test that skips all fails, unless
# tests.txt says that it does.
points() {
	awk -v test="$1" -v may_skip="$(grep -cxF -e "- $1" "$srcdir/tests/aarch64/tests.txt")" '
		/^# at first: (not ok|Bail out)/ { print test ": " substr($0, 3) }
		/^(not )?ok .*# *SKIP/ { skipped++; next }
		/^ok / { passed++ }
		/^not ok / { failed++; on = 1 }
		/^Bail out/ { failed++; on = 1 }
		/^1\.\.[0-9]/ { planned = 1; all_skipped = /# *SKIP/; if (all_skipped) skipped++ }
		!/^(not ok|Bail out|#)/ { on = 0 }
		on { print test ": " $0 }
		END {
			if (!planned) {
				failed++
				print test ": not ok: it did not come to its end"
			} else if (!passed && !failed && !may_skip) {
				failed++
				print test ": not ok: it skipped all"
			}
			print test, passed + 0, failed + 0, skipped + 0 >>"/dev/stderr"
		}' "$2" 2>>"$builddir/points" || echo "$1 0 1 0" >>"$builddir/points"
}

unpack
build
build_programs
{ build_stepped && build_accuracy; } >>"$builddir/programs.log" 2>&1 ||
	fail "programs of the tests cannot be built: see $builddir/programs.log"
: >"$builddir/points"
case $form in
short) gates; user_tests 900; system_tests 300 kernel ;;
16k) system_tests 2400 kernel-16k ;;
*) gates; user_tests 3600; system_tests 3600 kernel ;;
esac
awk '{ passed += $2; failed += $3; skipped += $4 }
	END { printf "aarch64: %d passed, %d failed, %d skipped\n", passed, failed, skipped; exit failed > 0 }' "$builddir/points"
