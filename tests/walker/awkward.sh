#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# walker_cfi where stacks and code are not as usual: each case knows its own call path (chain.h). A
# row of the table below builds a program or runs one of its cases.
. "$srcdir/tests/tap.sh"

src=$srcdir/tests/walker
walker=$builddir/.libs/libwalker.a
todo='TO''DO'
launcher=
flags='-g -D_GNU_SOURCE -Wno-psabi'

# compile COMPILER ARGUMENTS...
compile() {
	compiler=$1
	shift
	case $compiler in
	*clang*) set -- -fms-extensions "$@" ;;
	esac
	# The flags are words on purpose.
	# shellcheck disable=SC2086
	"$compiler" $flags -I"$srcdir" -I"$builddir" "$@" >"$scratch/log" 2>&1
}

# library WHAT COMPILER FLAGS...: builds the library that awkward_code.c uses; WHAT says how.
library() {
	what_library=$1
	shift
	compile "$@" -shared -fPIC "$src/awkward_library.c" -o "$scratch/libawkward.so" ||
		broken "cannot build awkward_library.c by $*"
}

# build COMPILER SOURCE FLAGS...: builds the program whose cases come next; why_not says why that is
# not there.
build() {
	compiler=$1
	source=$2
	shift 2
	built="$source by $compiler $*"
	libraries=
	why_not=
	rm -f "$scratch/program"
	case $source in
	awkward_code.c)
		libraries="-L$scratch -lawkward -lm"
		built=$built${what_library:+, $what_library}
		;;
	awkward_hostile.c) libraries="-L$scratch -lhostile" ;;
	esac
	[ -z "$libraries" ] || libraries="$libraries -Wl,-rpath,$scratch"
	command -v "$compiler" >/dev/null || why_not="no $compiler"
	# The libraries are words or none.
	# shellcheck disable=SC2086
	[ -n "$why_not" ] || compile "$compiler" "$src/$source" "$scratch/chain.o" \
		"$scratch/chain_judge.o" "$walker" "$@" $libraries -o "$scratch/program" || why_not="$compiler cannot build it"
}

# must_build ...: a compiler that is there knows how to.
must_build() {
	build "$@"
	[ "$why_not" != "$compiler cannot build it" ] || not_ok "$built" "$(cat "$scratch/log")"
}

# try CASE [REASON]: one test. CASE may have a second word, "bridged"; with a REASON it is not
# expected to succeed yet.
try() {
	name="$built: $1"
	directive=${2:+ # $todo $2}
	if [ -n "$why_not" ]; then
		skip "$name" "$why_not"
		return
	fi
	# The launcher and the case are words.
	# shellcheck disable=SC2086
	result=$($launcher "$scratch/program" $1 2>&1)
	status=$?
	case $status in
	0) ok "$name: ${result#right }$directive" ;;
	77) skip "$name" "$result" ;;
	*) not_ok "$name$directive" "status $status: $result" ;;
	esac
}

# cases CASE...: tests that must succeed.
cases() {
	for case in "$@"; do
		try "$case"
	done
}

# later REASON CASE...: tests that cannot succeed yet.
later() {
	reason=$1
	shift
	for case in "$@"; do
		try "$case" "$reason"
	done
}

tap_scratch
[ -r "$walker" ] || broken "the archive '$walker' is not there"
command -v gcc >/dev/null || skip_all 'no gcc'
for part in chain chain_judge; do
	compile gcc -O2 -c "$src/$part.c" -o "$scratch/$part.o" || broken "$(cat "$scratch/log")"
done

for compiler in gcc clang; do
	must_build $compiler awkward_stacks.c -O2 -rdynamic
	cases deep beyond nested thread_huge alternate alternate_nested coroutine_malloc \
		coroutine_deep coroutine_beyond coroutine_interrupted coroutine_switch \
		coroutine_above coroutine_below made_undefined made_plain made_switch
done
launcher='prlimit --stack=unlimited:'
built="$built, unlimited stack"
$launcher true 2>/dev/null || why_not='the stack is limited here'
cases deep nested
launcher=
build gcc awkward_split.c -O2 -fsplit-stack -fuse-ld=gold
cases split

library '' gcc -O2 -fomit-frame-pointer
for options in '-O2 -Wl,-z,lazy' '-O0 -Wl,-z,now'; do
	for compiler in gcc clang; do
		# The options are words on purpose.
		# shellcheck disable=SC2086
		must_build $compiler awkward_code.c $options
		cases vdso calls through inside realigned alloca memory noreturn jump
		[ "${options#-O2}" = "$options" ] || cases resolver tail
	done
done
must_build gcc awkward_code.c -O2 -march=native -fno-plt
cases calls realigned memory
build gcc awkward_code.c -O2 -mindirect-branch=thunk -Wl,-z,lazy
cases calls through noreturn tail
build clang awkward_code.c -O2 -mretpoline -DTHUNK -Wl,-z,lazy
cases calls through noreturn tail
build gcc awkward_code.c -O2 -fcf-protection=full -Wl,-z,ibtplt -Wl,-z,lazy
cases resolver calls through
build gcc awkward_code.c -O2 -fcf-protection=full -fuse-ld=gold -Wl,-z,lazy
cases resolver calls
# Its PLT stubs have no rules.
build gcc awkward_code.c -O2 -fuse-ld=lld -Wl,-z,lazy
later 'where the first stub of a PLT without rules was called from is not certain' \
	'calls bridged' 'resolver bridged'

library 'stripped library' gcc -O2 -s
must_build gcc awkward_code.c -O2 -s
cases calls through inside tail
library 'library without .eh_frame_hdr' gcc -O2 -fomit-frame-pointer -Wl,--no-eh-frame-hdr
must_build gcc awkward_code.c -O2
cases calls through inside
must_build gcc awkward_code.c -O2 -Wl,--no-eh-frame-hdr
cases calls through inside alloca noreturn
no_header='odd rules, and functions that call, are found by .eh_frame_hdr alone'
later "$no_header" realigned
debug_frame_alone='-fomit-frame-pointer -fno-asynchronous-unwind-tables -fno-exceptions'
# The options are words on purpose.
# shellcheck disable=SC2086
library 'library with .debug_frame alone' gcc -O2 $debug_frame_alone
must_build gcc awkward_code.c -O2
cases calls through
later "$no_header" 'inside bridged'
# shellcheck disable=SC2086
must_build gcc awkward_code.c -O2 $debug_frame_alone
cases calls through alloca
later "$no_header" 'inside bridged' realigned

must_build g++ awkward_cxx.cpp -O2 -rdynamic -Wl,-z,now
cases throw
must_build clang++ awkward_cxx.cpp -O1 -rdynamic -Wl,-z,now
cases throw

for options in -static-pie '-static -Wl,--eh-frame-hdr' -static; do
	# shellcheck disable=SC2086
	build gcc awkward_stacks.c -O2 $options
	cases deep
	[ "$options" = -static ] || cases nested
done
later "$no_header" nested

built=awkward_hostile.c
why_not='no linker makes .eh_frame_hdr of wrong rules'
for linker in gold lld; do
	compile gcc -fuse-ld=$linker -shared -Wl,--eh-frame-hdr "$src/awkward_hostile.S" \
		-o "$scratch/libhostile.so" || continue
	must_build gcc awkward_hostile.c -O2 -fPIC -Wl,-z,now
	break
done
cases rules slow nodes hops borrowed_lying rules_elsewhere nodes_elsewhere hops_elsewhere \
	borrowed_elsewhere hops_back
later 'the stack pointer must point into a stack' borrowed
plan
