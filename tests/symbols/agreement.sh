#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Looks every instruction of small C and C++ programs up, and compares function, file, line and
# inline chain with llvm-symbolizer. Where that is missing, with GNU addr2line, which gives padding
# to the function before it and misses inlined calls of clang's DWARF 5 and of .dwo files. A place where the
# line table says line 0 counts as equal whatever line we choose; what an optimiser appends to a
# name, and which of the equal constructors C1 and C2 it is, does not count.
set -u
here=$srcdir/tests/symbols
lookup=$builddir/tests/symbols/lookup
work=$builddir/tests/symbols/agreement.tmp
wanted=99
n=0

. "$here/compare.sh"

skip_all()
{
	echo "1..0 # SKIP $1"
	exit 0
}

symbolizer=$(find_tool llvm-symbolizer-19 llvm-symbolizer-14 llvm-symbolizer)
addr2line=$(find_tool addr2line)
command -v objdump >/dev/null || skip_all "objdump is missing"
test -n "$symbolizer$addr2line" || skip_all "llvm-symbolizer and addr2line are missing"
test -n "$symbolizer" || wanted=96
rm -rf "$work"
mkdir -p "$work/source" || exit 99
cp "$here"/sample.c* "$work/source/" || exit 99

check()
{
	name=$1 source=$2
	shift 2
	n=$((n + 1))
	if ! command -v "$1" >/dev/null; then
		echo "ok $n - $name # SKIP $1 is missing"
		return
	fi
	case "$symbolizer:$*" in
	:clang*-gdwarf-5 | :clang*-map=* | :*-gsplit-dwarf)
		echo "ok $n - $name # SKIP llvm-symbolizer is missing"
		return
		;;
	esac
	if ! (cd "$work" && "$@" -O2 -g "$source" -o program 2>errors); then
		echo "ok $n - $name # SKIP $1 cannot build $source"
		return
	fi
	objdump -d --no-show-raw-insn -j .text "$work/program" |
		sed -n 's/^ *\([0-9a-f]*\):	.*/0x\1/p' >"$work/addresses"
	reference "$work/program" <"$work/addresses" >"$work/theirs"
	ours "$work/program" <"$work/addresses" >"$work/ours"
	compare "$work/addresses" "$work/theirs" "$work/ours" >"$work/result"
	read -r equal total zero <"$work/result"
	if test "$total" -gt 100 && test $((equal * 100)) -ge $((total * wanted)); then
		echo "ok $n - $name: $equal of $total addresses agree ($zero on line 0)"
	else
		echo "not ok $n - $name: $equal of $total addresses agree, $wanted % wanted"
	fi
	sed 1d "$work/result"
}

echo 1..17
for version in 4 5; do
	check "gcc, C, DWARF $version" source/sample.c gcc -gdwarf-$version
	check "g++, C++, DWARF $version" source/sample.cc g++ -gdwarf-$version
	for clang in 14 19; do
		check "clang-$clang, C, DWARF $version" source/sample.c clang-$clang -gdwarf-$version
		check "clang-$clang, C++, DWARF $version" source/sample.cc clang++-$clang -gdwarf-$version
	done
done
for compiler in gcc clang-19; do
	check "$compiler, C, relative directories" source/sample.c \
		$compiler "-fdebug-prefix-map=$work=."
done
check "gcc, C, absolute source" "$work/source/sample.c" gcc
check "gcc, C, compressed sections" source/sample.c gcc -gz
check "gcc, C, split DWARF" source/sample.c gcc -gsplit-dwarf
rm -rf "$work"
